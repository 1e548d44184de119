"""The ways to ask a model: dialect, constraint and carry level."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from purestep_hosts.probe.suite import probe_suite

CarryLevel = Literal["off", "ground", "route"]
ConstraintForm = Literal["json_schema", "grammar", "tools", "none"]

LEVELS: tuple[CarryLevel, ...] = ("route", "ground", "off")
"""The one that asks the model for least comes first, since it is done soonest."""

SAMPLING = {"temperature": 0, "max_tokens": 200}
LIMITS = {"max_turns": 6}


class Combination(msgspec.Struct, frozen=True):
    """One way: with the constraint `tools` the server is given the tools and holds the output to what it knows."""

    dialect: str
    constraint: ConstraintForm
    carry: CarryLevel

    @property
    def supports(self) -> list[str]:
        """What an entry of `models` says for this constraint."""
        return [] if self.constraint == "none" else [self.constraint]

    def definition(self, model: str) -> dict[str, Any]:
        """Return the agent definition of the suite's runs."""
        entry = {"name": model, "supports": self.supports, "carry": self.carry}
        return {
            "name": "probe",
            "dialect": self.dialect,
            "tools": list(probe_suite().tools),
            "models": [entry],
            "sampling": SAMPLING,
            "limits": LIMITS,
        }

    def __str__(self) -> str:
        return f"{self.dialect}, {self.constraint}, {self.carry}"


def combinations(family: str, *, quick: bool) -> list[Combination]:
    """Return the ways to try; `family` is the dialect of the model's family, `quick` takes the likeliest."""
    if quick:
        return [
            Combination("envelope", "json_schema", "route"),
            Combination("envelope", "json_schema", "off"),
            Combination("native", "tools", "off"),
        ]
    # The likeliest first, each at all levels: a probe that is stopped early can still compare those.
    forms: list[tuple[str, ConstraintForm]] = [
        ("envelope", "json_schema"),
        ("native", "tools"),
        (family, "grammar"),
        ("envelope", "grammar"),
        ("envelope", "none"),
        (family, "none"),
    ]
    return list(dict.fromkeys(Combination(dialect, form, level) for dialect, form in forms for level in LEVELS))


def dialect_for(model: str) -> str:
    """Return the dialect of the family that a model's name belongs to; `generic_json` for an unknown one."""
    name = model.casefold().replace("_", "-")
    return next((dialect for part, dialect in probe_suite().families if part in name), "generic_json")
