"""Keys that definitions had before: an error says what to write instead."""

from collections.abc import Mapping
from typing import Any, Final

from ..errors import PurestepError

_FORMER: Final[Mapping[str, str]] = {
    "/guardrails": 'write {"checks": ["planning"]} at the root for answers, and {"checks": ["plausibility"]} on a tool '
    "for its outputs",
    "/answer_postconditions": 'write {"checks": [{"schema": ...}]} with the same schemas, patterns and tools',
    "/citations": 'write {"checks": ["citations"]}',
    "/formats": 'write {"policies": [{"use": "assert_formats"}]}',
    "/coerce": 'write {"policies": [{"use": "coerce"}]}',
    "/read_output": 'write {"policies": [{"use": "read_output"}]}',
    "/summary": 'write {"policies": [{"use": "summary"}]}, with max_tokens beside use',
    "/redaction": 'write {"policies": [{"use": "redaction", ...}]} with the same members',
    "/negotiation": 'write {"policies": [{"use": "negotiation"}]}, with rules of your own beside use',
    "/flow": 'write {"policies": [{"use": "flow", "rules": [...]}]} with the same rules',
    "/limits/warn_at_percent": "write final_answer, which warns once before a limit",
    "/models/*/spans": 'write {"supports": [..., "spans"]}',
    "/tools/*/title": "write it as the title of annotations",
    "/tools/*/guardrails": 'write {"checks": [...]} with the same names on the tool',
    "/tools/*/postconditions": 'write {"checks": [{"schema": ...}]} on the tool, with the same schemas, patterns and '
    "tools",
}
"""Place of the key to what is written now; `*` stands for any index."""

_OF_CHECKS: Final[Mapping[str, str]] = {
    "contains": 'write {"pattern": ...}',
    "excludes": 'write {"not": {"pattern": ...}}',
    "mentions": "write a check by a tool",
    "lines": 'write {"pattern": ...}',
    "items": 'write {"schema": ...} with minItems and maxItems',
    "not_metadata": 'write "not_metadata" as a check of its own',
    "compare": "write a check by a tool, which compares",
    "occurs": 'write a check by a tool; for the numbers of an answer, "values"',
    "check": 'write {"tool": ...}',
    "all": "write them in the list itself, or one schema with allOf",
    "name": 'write {"use": ...}',
}
"""Members that postconditions and guardrails had, and checks do not."""


def check_former_keys(definition: Mapping[str, Any]) -> None:
    """Raise `invalid_agent` for a key that is written in another way now."""
    for place, instead in _FORMER.items():
        for path, _ in _found(definition, place.split("/")[1:]):
            # MCP has a title beside its schemas; there it is read.
            if place != "/tools/*/title" or not _is_of_mcp(definition, path):
                raise _gone(path, instead)
    for path, level in _found(definition, ["models", "*", "carry"]):
        if level == "route":
            raise PurestepError("invalid_agent", "route is gone; write ground; the model chooses the tools", path)
    for place in ("/checks/*", "/tools/*/checks/*"):
        for path, check in _found(definition, place.split("/")[1:]):
            for member, instead in _OF_CHECKS.items():
                if isinstance(check, dict) and member in check:
                    raise _gone(f"{path}/{member}", instead)


def _gone(path: str, instead: str) -> PurestepError:
    return PurestepError("invalid_agent", f"this key is gone; {instead}", path)


def _is_of_mcp(definition: Mapping[str, Any], path: str) -> bool:
    tool = definition["tools"][int(path.split("/")[2])]
    return "inputSchema" in tool or "outputSchema" in tool


def _found(value: Any, tokens: list[str]) -> list[tuple[str, Any]]:
    """Return the places that a pointer with `*` for any index names, with what stands there."""
    if not tokens:
        return [("", value)]
    first, *rest = tokens
    if first == "*":
        items = enumerate(value) if isinstance(value, list) else ()
        return [(f"/{index}{path}", found) for index, item in items for path, found in _found(item, rest)]
    if not isinstance(value, dict) or first not in value:
        return []
    return [(f"/{first}{path}", found) for path, found in _found(value[first], rest)]
