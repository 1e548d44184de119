"""Random agent definitions: dialects, tools with and without approval, skills, carry, checks, redaction, limits."""

import json
import random
from collections.abc import Callable
from typing import Any, Final

import purestep
from tools.breaking.mutation import happens

Json = dict[str, Any]

DIALECTS: Final[tuple[str, ...]] = tuple(json.loads(purestep.core_info())["dialects"])

_READS: Final = {"readOnlyHint": True}


def _parameters(required: list[str], **properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": required}


_TEXT: Final = {"type": "string"}
TOOLS: Final[dict[str, Json]] = {
    "add": {"parameters": _parameters(["a", "b"], a={"type": "number"}, b={"type": "number"}), "annotations": _READS},
    "get_weather": {
        "description": "Tells the weather of a city",
        "parameters": _parameters(["city"], city=_TEXT, days={"type": "integer", "maximum": 7}),
        "annotations": {"readOnlyHint": True, "openWorldHint": True},
    },
    "look_up": {"parameters": _parameters(["name"], name=_TEXT), "annotations": _READS, "max_output_chars": 300},
    "save_note": {
        "description": "Saves a note",
        "parameters": _parameters(["text"], text=_TEXT, tags={"type": "array", "items": _TEXT}),
        "annotations": {"readOnlyHint": False, "destructiveHint": False},
    },
    "delete_file": {
        "parameters": _parameters(["path"], path=_TEXT),
        "annotations": {"destructiveHint": True},
    },
    "send_mail": {
        "parameters": _parameters(["to", "text"], to={"type": "string", "format": "email"}, text=_TEXT),
        "annotations": {"readOnlyHint": False},
        "checks": [{"not": {"pattern": "lost"}}],
    },
    "shell": {"parameters": _parameters(["command"], command=_TEXT), "approval": "ask"},
}

_SUPPORTS: Final = ("tools", "json_schema", "grammar", "scores", "images", "files")


def random_definition(chance: random.Random) -> Json:
    """Return a definition that the core takes; what does not fit together is left out."""
    definition: Json = {"tools": _tools(chance), "dialect": chance.choice(DIALECTS)}
    for name, percent, made in _MEMBERS:
        if not happens(chance, percent):
            continue
        tried = {**definition, name: made(chance)}
        if not purestep.load_agent(json.dumps(tried)).startswith("{"):
            definition = tried
    return definition


def _tools(chance: random.Random) -> list[Json]:
    chosen = chance.sample(list(TOOLS), chance.randint(1, 5))
    tools = []
    for name in chosen:
        tool = {"name": name, **TOOLS[name]}
        if happens(chance, 30):
            tool["approval"] = chance.choice(["auto", "ask", "ask", "deny"])
        tools.append(tool)
    return tools


def _models(chance: random.Random) -> list[Json]:
    models = []
    is_priced = happens(chance, 50)
    for name in ("small", "large")[: chance.randint(1, 2)]:
        model: Json = {"name": name}
        if happens(chance, 50):
            model["carry"] = chance.choice(["off", "ground"])
        if happens(chance, 30):
            model["window_tokens"] = chance.choice([1600, 2400, 8192])
        if happens(chance, 60):
            model["supports"] = chance.sample(_SUPPORTS, chance.randint(0, 4))
        if is_priced:
            model["price"] = {"input": 2_000_000, "output": 8_000_000}
        models.append(model)
    return models


def _limits(chance: random.Random) -> Json:
    limits: Json = {
        "max_turns": chance.randint(3, 12),
        "max_corrections": chance.randint(0, 3),
        "max_tool_calls": chance.randint(2, 9),
        "max_repeats": chance.randint(1, 3),
        "max_parallel": chance.randint(1, 4),
        "max_output_tokens": 90,
        "deadline_ms": chance.choice([1_500, 30_000]),
        "max_cost": 4_000,
        "final_answer": True,
    }
    return {name: limits[name] for name in chance.sample(list(limits), chance.randint(1, 4))}


def _policies(chance: random.Random) -> list[Json]:
    kinds = chance.sample(["secrets", "emails", "card_numbers", "ibans"], chance.randint(1, 4))
    uses: list[tuple[int, Json]] = [
        (40, {"use": "redaction", "kinds": kinds, "patterns": ["\\bEMP-[0-9]{6}\\b"]}),
        (30, {"use": "negotiation"}),
        (30, {"use": "coerce"}),
        (30, {"use": "read_output"}),
        (15, {"use": "summary", "max_tokens": 90}),
    ]
    return [use for percent, use in uses if happens(chance, percent)]


_SUM: Final = _parameters(["sum"], sum={"type": "number"})

_MEMBERS: Final[tuple[tuple[str, int, Callable[[random.Random], Any]], ...]] = (
    ("skills", 25, lambda _: ["extract"]),
    ("models", 60, _models),
    ("limits", 50, _limits),
    ("checks", 40, lambda chance: chance.choice([["planning"], ["values", "echo"], ["citations"]])),
    ("policies", 70, _policies),
    ("approval", 20, lambda chance: {"default": chance.choice(["auto", "ask"]), "unknown_outcome": "fail"}),
    ("answer_schema", 10, lambda _: _SUM),
    ("tool_choice", 10, lambda chance: chance.choice(["required", "none", "auto"])),
    ("sampling", 20, lambda _: {"temperature": 0}),
    ("instructions", 30, lambda chance: chance.choice(["Be brief.", "Sei höflich. 請簡短。 \U0001f600"])),
)
