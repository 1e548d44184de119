"""Tool search: what is found, offered and called of many tools, in text and apart from it."""

from typing import Any, Final

from tools.vectors.observations import Scenario, call, final, native, results, said, user

_KINDS: Final = ("mail", "\u90ae\u4ef6", "Pr\u00fcfung")


def _tool(at: int, verb: str) -> dict[str, Any]:
    about = ("Find letters.", "\u67e5\u8be2\u5929\u6c14\u9884\u62a5", "Liest getUserName2.")[at % 3]
    schema = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    return {"name": f"{_KINDS[at % 3]}__{verb}_{at}", "description": about, "parameters": schema}


_HELP: Final = {"name": "help", "always": True}
_TOOLS: Final = [*[_tool(at, verb) for at, verb in enumerate(("find", "read", "send") * 4)], _HELP]
_RANK: Final = {"name": "rank", "annotations": {"readOnlyHint": True}}
_SMALL: Final = {"name": "s", "window_tokens": 3000, "tools_offered": 9}

AGENTS: Final[dict[str, dict[str, Any]]] = {
    "many": {"tools": _TOOLS, "tools_offered": 6},
    "many-native": {"dialect": "native", "tools": _TOOLS, "tools_offered": 6},
    "many-tags": {"dialect": "tool_tags", "tools": _TOOLS, "tools_offered": 6},
    "many-models": {"tools": _TOOLS, "models": [{"name": "s", "tools_offered": 3}, {"name": "l"}]},
    "many-ranked": {"dialect": "native", "tools": [*_TOOLS, _RANK], "tools_offered": 6, "tools_ranked_by": "rank"},
    "many-window": {"dialect": "native", "tools": _TOOLS, "models": [_SMALL]},
}
"""The definitions of the scenarios, by name."""

_SENDER: Final = "Pr\u00fcfung__send_8"
_SCORES: Final = [
    (_SENDER, 2),
    ("\u90ae\u4ef6__read_10", 0.75),
    ("mail__find_6", 0.75),
    ("help", 9),
    ("nobody", 1e300),
]
_TAGGED: Final = '[TOOL_CALL]{"name":"find_tools","args":{"query":"getUser"}}[/TOOL_CALL]'
_FIND: Final = ("find_tools", '{"query":"find letters"}')

STEPS: Final[dict[str, Scenario]] = {
    "search": (
        "many",
        [
            user("Find it"),
            said(call(*_FIND)),
            said(call("find_tools", '{"query":"\u5929\u6c14"}')),
            said(call("mail__find_0", '{"id":"one"}')),
            said(call("mail__find_0", '{"id":1}')),
            results(("call_4", "found")),
            said(final('"Found."')),
            user("Again"),
        ],
    ),
    "search-native": (
        "many-native",
        [
            user("Find it"),
            native(_FIND, ("help", "{}")),
            results(("call_2", "no")),
            native(("find_tools", '{"query":"zzz"}')),
            native(("mail__sent_8", '{"id":1}')),
            native(("mail__find_6", "{}")),
            native(("find_tools", "{}")),
        ],
    ),
    "search-ranked": (
        "many-ranked",
        [
            user("Find it"),
            native(_FIND, ("help", "{}"), ("find_tools", '{"query":"zzz"}')),
            results(("call_4", [{"name": name, "score": score} for name, score in _SCORES])),
            results(("call_2", "no"), ("call_5", [{"name": _SENDER, "score": -1}])),
            native(("find_tools", '{"query":"letters"}')),
            results(("call_7", [{"name": _SENDER, "score": "high"}])),
            native(_FIND),
            {"type": "resumed"},
            {"type": "resumed"},
            {"type": "resumed"},
            native(("find_tools", '{"query":"read"}')),
            {"type": "cancel"},
        ],
    ),
    "search-tags": ("many-tags", [user("Find it"), said(_TAGGED)]),
    "search-of-one-model": ("many-models", [user("Find it"), said(call(*_FIND)), said("?"), said("?")]),
    "search-in-a-window": ("many-window", [user("Find it"), native(_FIND)]),
    "search-chosen": (
        "many",
        [{**user("Read"), "tool_choice": {"tool": "mail__find_6"}}, said(call("mail__find_6", '{"id":6}'))],
    ),
}
"""By name: the definition, and the observations."""
