"""The ways to ask a model: dialect, constraint and carry level."""

from typing import Any, Final, NamedTuple

from purestep_tools.probe.suite import TOOLS
from purestep_tools.probe.words import lowered

LEVELS: Final = ("ground", "off")
"""The one at which a small model does best comes first."""

_SAMPLING: Final = {"temperature": 0, "max_tokens": 200}
_LIMITS: Final = {"max_turns": 6}

FAMILIES: Final = (
    ("qwen3-coder", "qwen_xml"),
    ("qwen3.5", "qwen_xml"),
    ("qwen", "hermes_json"),
    ("hermes", "hermes_json"),
    ("smollm2-135m-tools", "compact"),
    ("smollm", "hermes_json"),
    ("granite-3", "granite"),
    ("granite", "hermes_json"),
    ("seed-oss", "seed_oss"),
    ("llama-3.2", "pythonic"),
    ("llama-4", "pythonic"),
    ("olmo", "pythonic"),
    ("llama", "llama3_json"),
    ("lfm", "lfm2"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("ministral", "mistral"),
    ("devstral", "mistral"),
    ("magistral", "mistral"),
    ("functiongemma", "functiongemma"),
    ("gemma-4", "gemma4"),
    ("gemma4", "gemma4"),
    ("gemma", "gemma3"),
    ("deepseek-v3.1", "deepseek_v31"),
    ("deepseek-v3.2", "deepseek_dsml"),
    ("deepseek-v4", "deepseek_dsml"),
    ("deepseek", "deepseek_v3"),
    ("gpt-oss", "harmony"),
    ("glm", "glm"),
    ("phi-4", "phi4"),
    ("phi4", "phi4"),
    ("kimi", "kimi_k2"),
    ("minimax", "minimax"),
    ("nemotron", "nemotron_json"),
    ("jamba", "jamba"),
    ("hunyuan", "jamba"),
    ("command", "cohere"),
    ("apertus", "apertus"),
    ("xlam", "xlam"),
    ("internlm", "internlm"),
    ("minicpm", "minicpm5"),
    ("longcat", "longcat"),
)
"""Parts of models' names and the dialect of each family, the more exact part first."""

_OF_NO_FAMILY: Final = "generic_json"

TAUGHT: Final = ("compact",)
"""Dialects of models that were taught them, with the grammar, and know no other way and no help."""


class ProbeWay(NamedTuple):
    """One way: with the constraint `tools` the server is given the tools and holds the output to what it knows."""

    dialect: str
    constraint: str
    carry: str

    def supports(self) -> list[str]:
        """Return what an entry of `models` says for this constraint."""
        copies = ["spans"] if self.dialect in TAUGHT and self.constraint == "grammar" else []
        return [] if self.constraint == "none" else [self.constraint, *copies]

    def definition(self, model: str) -> dict[str, Any]:
        """Return the agent definition of the suite's runs."""
        entry = {"name": model, "supports": self.supports(), "carry": self.carry}
        return {
            "name": "probe",
            "dialect": self.dialect,
            "tools": list(TOOLS),
            "models": [entry],
            "sampling": _SAMPLING,
            "limits": _LIMITS,
        }

    def __str__(self) -> str:
        return f"{self.dialect}, {self.constraint}, {self.carry}"


def ways_for(family: str, *, quick: bool) -> tuple[ProbeWay, ...]:
    """Return the ways to try; `family` is the dialect of the model's family, `quick` takes the likeliest."""
    if family in TAUGHT:
        return (ProbeWay(family, "grammar", "off"),)
    if quick:
        return (
            ProbeWay("envelope", "json_schema", "ground"),
            ProbeWay("envelope", "json_schema", "off"),
            ProbeWay("native", "tools", "off"),
        )
    # The likeliest first, each at all levels: a probe that is stopped early can still compare those.
    forms = (
        ("envelope", "json_schema"),
        ("native", "tools"),
        (family, "grammar"),
        ("envelope", "grammar"),
        ("envelope", "none"),
        (family, "none"),
    )
    return tuple(dict.fromkeys(ProbeWay(dialect, form, level) for dialect, form in forms for level in LEVELS))


def dialect_for(model: str) -> str:
    """Return the dialect of the family that a model's name belongs to; `generic_json` for an unknown one."""
    name = lowered(model).replace("_", "-")
    return next((dialect for part, dialect in FAMILIES if part in name), _OF_NO_FAMILY)
