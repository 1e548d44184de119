"""Calls whose damage may move text from one place to another: what follows the arguments, and what a value holds."""

from typing import Any, Final

from tools.vectors.record import compact

_STRING: Final = {"type": "string"}


def _tool(named: str, *required: str, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": named, "parameters": schema}


TOOLS: Final = [
    _tool("find", "query", query=_STRING, limit={"type": "integer"}),
    _tool("save", "file", file=_STRING, body=_STRING, n={"type": "integer"}),
    _tool("trip", "a", "b", a=_STRING, b=_STRING),
]
_BAR: Final = "\uff5c"
_DSML: Final = f"{_BAR}DSML{_BAR}"
APART: Final = {
    "deepseek v3": (
        "<\uff5ctool▁calls▁begin\uff5c><\uff5ctool▁call▁begin\uff5c>function<\uff5ctool▁sep\uff5c>save\n```json\n",
        "\n```<\uff5ctool▁call▁end\uff5c><\uff5ctool▁calls▁end\uff5c>",
    ),
    "deepseek v3.1": (
        "<\uff5ctool▁calls▁begin\uff5c><\uff5ctool▁call▁begin\uff5c>save<\uff5ctool▁sep\uff5c>",
        "<\uff5ctool▁call▁end\uff5c><\uff5ctool▁calls▁end\uff5c>",
    ),
    "kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.save:0<|tool_call_argument_begin|>",
        "<|tool_call_end|><|tool_calls_section_end|>",
    ),
    "mistral": ("[TOOL_CALLS]save[ARGS]", ""),
    "harmony": ("<|channel|>commentary to=functions.save <|constrain|>json<|message|>", "<|call|>"),
    "solar": ("<|tool_call:begin|>k3<|tool_call:name|>save<|tool_call:args|>", "<|tool_call:end|><|calls|>"),
    "plamo": (
        "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>save<|plamo:end_tool_name:plamo|>"
        "<|plamo:begin_tool_arguments:plamo|><|plamo:msg|>",
        "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
    ),
    "internlm": ("<|action_start|><|action_name|>save<|action_args|>", "<|action_end|>"),
    "functionary": (">>>save\n", ""),
    "functionary tags": ("<function=save>", "</function>"),
    "tool use": ("<tool_use><name>save</name><arguments>", "</arguments></tool_use>"),
    "react": ("Action: save\nAction Input: ", "\nObservation:"),
    "qwen-agent": ("✿FUNCTION✿: save\n✿ARGS✿: ", "\n✿RESULT✿"),
}
"""Forms whose arguments are an object apart from the name: what is before it and after it."""

ARGUMENTS: Final = {
    "a bracket in a quote": '{"file": "a.js", "body": "log("}")", "n": 3}',
    "a bracket in a quote, words after": '{"file": "a.md", "body": "use "} end" now", "n": 3}',
    "a bracket too early": '{"file": "a.md"}, "body": "x"}',
    "two objects": '{"file": "a.md"}{"file": "b.md"}',
    "a name twice": '{"file": "a.md", "body": "x", "file": "b.md"}',
}

VALUES: Final = {
    "minimax, no end": '<minimax:tool_call>\n<invoke name="save">\n<parameter name="file">a.md<parameter name="body">'
    "see </parameter> there</parameter>\n</invoke>\n</minimax:tool_call>",
    "glm, no end": "<tool_call>save\n<arg_key>file</arg_key>\n<arg_value>a.md<arg_key>body</arg_key>\n<arg_value>"
    "see </arg_value> there</arg_value>\n</tool_call>",
    "dsml, no end": f'<{_DSML}function_calls>\n<{_DSML}invoke name="save">\n<{_DSML}parameter name="file" '
    f'string="true">a.md<{_DSML}parameter name="body" string="true">see </{_DSML}parameter> there</{_DSML}parameter>\n'
    f"</{_DSML}invoke>\n</{_DSML}function_calls>",
    "gemma, no end": '<|tool_call>call:save{file:<|"|>a.mdbody:<|"|>see <|"|>,n:3}<tool_call|>',
    "dsml, a damaged call": f'<{_DSML}function_calls>\n<{_DSML}invoke name="find">\n<{_DSML}parameter name="query" '
    f'string="true">ls</{_DSML}parameter>\n</{_DSML}invoke>\n<{_DSML}invoke nam="save">\n<{_DSML}parameter '
    f'name="file" string="true">a</{_DSML}parameter>\n</{_DSML}invoke>\n</{_DSML}function_calls>',
    "minimax, a damaged tag": '<minimax:tool_call>\n<invoke name="save">\n<parameter name="file">a.md</parameter>\n'
    '<parameter nam="body">b</parameter>\n</invoke>\n</minimax:tool_call>',
    "qwen, a tag without a name": "<tool_call>\n<function=save>\n<parameter=file>\na.md\n</parameter>\n<parameter>\nb\n"
    "</parameter>\n</function>\n</tool_call>",
    "glm, a damaged key": "<tool_call>save\n<arg_key>file</arg_key>\n<arg_value>a.md</arg_value>\n<arg_key>body\n"
    "<arg_value>b</arg_value>\n</tool_call>",
    "gemma, a damaged mark": '<|tool_call>call:save{file:<|"|>a.md<|"|>;body:<|"|>b<|"|>}<tool_call|>',
}
"""Calls in which a value may have swallowed its neighbor."""

SPLIT: Final = {
    "qwen": "<tool_call>\n<function=trip>\n<parameter=a>\nOslo\n<parameter=b>\nBergen\n</parameter>\n</function>\n"
    "</tool_call>",
    "glm": "<tool_call>trip\n<arg_key>a</arg_key>\n<arg_value>Oslo\n<arg_key>b</arg_key>\n<arg_value>Bergen</arg_value>"
    "\n</tool_call>",
}
"""Values without an end before a line that begins an argument, all of which the tool requires."""

_CALL: Final = "<function=save><parameter=file>/</parameter></function>"
QUOTED: Final = {
    "inline code": f"The page says `{_CALL}`, which I will not do.",
    "quotes": f'The page says "{_CALL}", which I will not do.',
    "a quoted sentence": f'The page says "then write {_CALL} at once", which I will not do.',
    "a fence amid text": f"The page says:\n```\n{_CALL}\n```\nI will not do it.",
    "code in a fence": f"The page says:\n```\n$ run\n{_CALL}\n```\nI will not do it.",
    "a quoted line": f"The page says:\n> {_CALL}\nI will not do it.",
    "JSON in a fence": 'It says\n```json\n{"name": "save", "arguments": {"file": "/"}}\n```\nI will not.',
    "a damaged envelope": f'{{"kin": "final", "content": "{_CALL}"}}',
    "an envelope that is cut": f'{{"kind": "final", "content": "I say {_CALL}',
    "an envelope on lines": f'{{\n  "kin": "final",\n  "content": "I say \\"no\\" {_CALL}"\n}}',
}
"""Calls that a model only quotes."""

LOST: Final = {
    "a misspelled member": '<tool_call>{"name": "ls", "argments": {"file": "a"}}</tool_call>',
    "a misspelled argument": '<tool_call>{"name": "ls", "fiel": "a"}</tool_call>',
    "a misspelled member without markers": '{"name": "ls", "Arguments": {"file": "a"}}',
    "the beginning": 's", "arguments": {"file": "a"}}</tool_call>',
    "the beginning, keyed by name": '"ls": {"file": "a"}}]<|tools_suffix|>',
    "the beginning, python": "file='a'), ls(file='b')]",
    "the end, python": "ls(file='a')\nls(fi",
    "a brace after the name": 'ls\n{""file": "a"}',
    "a letter of the name": "lss(file='a')",
    "a mark before a list": "<|tool_all_start|>[ls(file='a')]<|tool_call_end|><|tool_call_start|>[ls(file='b')]"
    "<|tool_call_end|>",
    "a mark of gemma": '<|TOOL_CALL>CAll:ls{file:<|"|>a<|"|>}<tool_call|><|tool_call>call:ls{file:<|"|>b<|"|>}'
    "<tool_call|>",
}
"""Calls of which a part is lost, to which nothing may be added by guessing."""

_TEXTS: Final = {
    **{f"quoted/{name}": text for name, text in QUOTED.items()},
    **{f"after/{form}, {name}": f"{a}{text}{z}" for form, (a, z) in APART.items() for name, text in ARGUMENTS.items()},
    **{f"swallowed/{name}": text for name, text in VALUES.items()},
    **{f"split/{name}": text for name, text in SPLIT.items()},
    "twice/hermes": '<tool_call>\n{"name": "save", "arguments": {"file": "a", "body": "x", "file": "b"}}\n</tool_call>',
    "twice/hermes, one value": '<tool_call>\n{"name": "save", "arguments": {"file": "a", "file": "a"}}\n</tool_call>',
}
_LIST: Final = _tool("ls", file=_STRING)
"""A tool that requires nothing, so that a call without its arguments would run."""

CALLS: Final = {
    **{
        name: ("read_model_output", compact({"text": text, "tools": TOOLS, "dialect": "auto"}))
        for name, text in _TEXTS.items()
    },
    **{
        f"lost/{name}": ("read_model_output", compact({"text": text, "tools": [_LIST], "dialect": "auto"}))
        for name, text in LOST.items()
    },
}
