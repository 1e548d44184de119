"""The cases: data/*.jsonl, with the toolboxes that they name.

`tune` and `final` are halves of one collection; `fresh` and `second` were written after them, for other tools. `other`,
`third` and `fourth` are by three other authors, who knew no code; `wide` has tools of other domains. `fifth` and
`sixth` are the halves of a set with values that answers swap; `seventh` was written after what they taught. `ninth`,
`tenth` and `eleventh` have the tools of servers that many people use, `twelfth` answers that compute with what was
read, `thirteenth` words in German, French and Spanish, and `fourteenth` what is said after an exchange. Each was
measured once before anything was changed for it: docs/agent-definition.md has those figures.
"""

from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

Half = Literal[
    "tune",
    "final",
    "fresh",
    "second",
    "other",
    "wide",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "all",
]
_DATA = Path(__file__).resolve().parent / "data"


class CaseCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A call that the model makes, and what its tool gives: an output, or an error."""

    tool: str
    arguments: dict[str, Any]
    output: Any = None
    error: str = ""


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A user message, the calls after it, and the answer."""

    user: str
    calls: tuple[CaseCall, ...] = ()
    answer: str


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One exchange to judge, with those before it; `guardrails` where the definition lists some."""

    id: str
    kind: str
    language: str
    tools: str
    user: str
    calls: tuple[CaseCall, ...] = ()
    answer: str
    before: tuple[Exchange, ...] = ()
    guardrails: tuple[str, ...] | None = None

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All exchanges, the one to judge last."""
        return (*self.before, Exchange(user=self.user, calls=self.calls, answer=self.answer))


def cases(name: Literal["false", "honest"], half: Half) -> list[Case]:
    """Give the cases of a half, false or honest."""
    halves = tuple(each for each in get_args(Half) if each != "all") if half == "all" else (half,)
    lines = [line for each in halves for line in (_DATA / f"{name}_{each}.jsonl").read_bytes().split(b"\n") if line]
    return [msgspec.json.decode(line, type=Case) for line in lines]


@cache
def toolboxes() -> dict[str, list[dict[str, Any]]]:
    """Give the tools by the name of their box."""
    found: dict[str, list[dict[str, Any]]] = msgspec.json.decode((_DATA / "toolboxes.json").read_bytes())
    return found


def add_toolbox(name: str, tools: list[dict[str, Any]]) -> None:
    """Add a toolbox that stands elsewhere."""
    toolboxes()[name] = tools
