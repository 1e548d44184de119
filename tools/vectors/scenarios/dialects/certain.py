"""Calls that are certain although something in them is not as their family writes it."""

from typing import Any, Final

from tools.vectors.record import compact

from .neighbors import TOOLS as SEVERAL

_TEXT: Final = {"type": "string"}
_NOTE: Final = {"title": _TEXT, "tags": {"type": "array", "items": _TEXT}}
TOOLS: Final = [
    *SEVERAL,
    {"name": "note", "parameters": {"type": "object", "properties": _NOTE, "required": ["title"]}},
]
_FIND: Final = '{"name": "find", "arguments": {"query": "x"}}'
_M3: Final = "]<]minimax[>[<"
_KIMI: Final = '<|tool_call_begin|>functions.find:{}<|tool_call_argument_begin|>{{"query": "{}"}}<|tool_call_end|>'
_X: Final = ("find", {"query": "x"})
_Y: Final = ("find", {"query": "y"})
_X3: Final = ("find", {"query": "x", "limit": 3})
_SEVEN: Final = ("find", {"query": "x", "limit": 7})

Certain = tuple[str, list[tuple[str, dict[str, Any]]], list[str]]
CERTAIN: dict[str, Certain] = {
    **{
        f"the list's bracket is missing, {name}": (f"{begin}[{_FIND}{end}", [_X], ["repaired"])
        for name, begin, end in (
            ("nemotron", "<TOOLCALL>", "</TOOLCALL>"),
            ("mistral", "[TOOL_CALLS]", ""),
            ("jamba", "<tool_calls>", "</tool_calls>"),
            ("cohere", "<|START_ACTION|>", "<|END_ACTION|>"),
            ("xlam", "", ""),
            ("tool tags", "[TOOL_CALL]", "[/TOOL_CALL]"),
        )
    },
    "siblings are a list, minimax m3": (
        f'{_M3}tool_call>\n{_M3}invoke name="note">{_M3}title>x{_M3}/title>{_M3}tags>{_M3}tag>a{_M3}/tag>{_M3}tag>b'
        f"{_M3}/tag>{_M3}/tags>{_M3}/invoke>\n{_M3}/tool_call>",
        [("note", {"title": "x", "tags": ["a", "b"]})],
        [],
    ),
    "one sibling is a list, minimax m3": (
        f'{_M3}tool_call>\n{_M3}invoke name="note">{_M3}title>x{_M3}/title>{_M3}tags>{_M3}label>a{_M3}/label>'
        f"{_M3}/tags>{_M3}/invoke>\n{_M3}/tool_call>",
        [("note", {"title": "x", "tags": ["a"]})],
        [],
    ),
    **{
        f"in open reasoning, {name}": (f"<think>I look.\n{call}", [_X], ["repaired"])
        for name, call in (
            ("minicpm without its blank", '<functionname="find"><param name="query">x</param></function>'),
            ("hunyuan 3", f"<tool_call:ab>{_FIND}</tool_call:ab>"),
            (
                "deepseek with blanks",
                "<\uff5ctool calls begin\uff5c><\uff5ctool call begin\uff5c>function<\uff5ctool sep\uff5c>find\n"
                '```json\n{"query": "x"}\n```<\uff5ctool call end\uff5c><\uff5ctool calls end\uff5c>',
            ),
            (
                "kimi k3",
                '<|open|>call tool="find" index="1"<|sep|><|open|>argument key="query" type="string"<|sep|>x'
                "<|close|>argument<|sep|><|close|>call<|sep|>",
            ),
            ("a tool's tag", '<tool: find>{"query": "x"}</tool>'),
        )
    },
    "a value like a name of several words, functiongemma": (
        "<start_function_call>call:find{query:<escape>a{see call:find<escape>}<end_function_call>",
        [("find", {"query": "a{see call:find"})],
        [],
    ),
    "leading zeros, qwen": (
        "<tool_call>\n<function=find>\n<parameter=query>\nx\n</parameter>\n<parameter=limit>\n007\n</parameter>\n"
        "</function>\n</tool_call>",
        [_SEVEN],
        ["repaired"],
    ),
    "a plus sign, glm": (
        "<tool_call>find\n<arg_key>query</arg_key>\n<arg_value>x</arg_value>\n<arg_key>limit</arg_key>\n"
        "<arg_value>+7</arg_value>\n</tool_call>",
        [_SEVEN],
        ["repaired"],
    ),
    "words before the call, kimi": (
        f"Hm. <|tool_calls_section_begin|> now {_KIMI.format(0, 'x')}<|tool_calls_section_end|>",
        [_X],
        ["ignored_text"],
    ),
    "words between calls, kimi": (
        f"<|tool_calls_section_begin|>{_KIMI.format(0, 'x')} then {_KIMI.format(1, 'y')}<|tool_calls_section_end|>",
        [_X, _Y],
        ["ignored_text"],
    ),
    "words before the call, deepseek": (
        "<\uff5ctool▁calls▁begin\uff5c> now <\uff5ctool▁call▁begin\uff5c>find<\uff5ctool▁sep\uff5c>"
        '{"query": "x"}<\uff5ctool▁call▁end\uff5c><\uff5ctool▁calls▁end\uff5c>',
        [_X],
        ["ignored_text"],
    ),
    "numbers in escapes, functiongemma": (
        "<start_function_call>call:find{query:<escape>x<escape>,limit:<escape>3<escape>}<end_function_call>",
        [_X3],
        [],
    ),
    "values on lines, seed-oss": (
        "<seed:tool_call>\n<function=find>\n<parameter=query>\nx\n</parameter>\n</function>\n</seed:tool_call>",
        [_X],
        [],
    ),
    "values on lines, minimax": (
        '<minimax:tool_call>\n<invoke name="find">\n<parameter name="query">\nx\n</parameter>\n<parameter name="limit">'
        "\n3\n</parameter>\n</invoke>\n</minimax:tool_call>",
        [_X3],
        [],
    ),
    "one value with line breaks of its own, seed-oss": (
        "<seed:tool_call>\n<function=save>\n<parameter=file>a.md</parameter>\n<parameter=body>\nx\n</parameter>\n"
        "</function>\n</seed:tool_call>",
        [("save", {"file": "a.md", "body": "\nx\n"})],
        [],
    ),
}
"""Texts, the calls in them, and the codes of the problems with them."""

_BAR: Final = "\uff5c"
_DSML: Final = f"{_BAR}DSML{_BAR}"
_DSML_FIND: Final = (
    f'<{_DSML}invoke name="find">\n<{_DSML}parameter name="query" string="true">x</{_DSML}parameter>\n'
    f"</{_DSML}invoke>\n</{_DSML}function_calls>"
)
_SHELL: Final = "<tool_call>\n<function=find>\n<parameter=query>\nx\n</parameter>\n</function>\n"
CERTAIN |= {
    "an identifier that a client cleaned, kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions_find_3<|tool_call_argument_begin|>"
        '{"query": "x"}<|tool_call_end|><|tool_calls_section_end|>',
        [_X],
        [],
    ),
    "a namespace, gemma": ('<|tool_call>call:default_api:find{query:<|"|>x<|"|>}<tool_call|>', [_X], []),
    "a namespace, gemma 3": ('```tool_code\nprint(default_api.find(query="x"))\n```', [_X], []),
    "a stray end after the call, qwen": (f"{_SHELL}</function_invocation>\n</tool_call>", [_X], ["repaired"]),
    "a damaged call before another, dsml": (
        f"<{_DSML}function_calls>\n<{_DSML}invoke name=>\n</{_DSML}invoke>\n{_DSML_FIND}",
        [_X],
        ["parse_error"],
    ),
    "words before the call, dsml": (
        f"<{_DSML}function_calls> now {_DSML_FIND}",
        [_X],
        ["ignored_text"],
    ),
    "words before the call, qwen": (
        _SHELL.replace("<function", " I look. <function") + "</tool_call>",
        [_X],
        ["ignored_text"],
    ),
    "words before the call, hermes": (f"<tool_call> now {_FIND}</tool_call>", [_X], ["ignored_text"]),
    "a label before the list, command r": (
        'Action: ```json\n[{"tool_name": "find", "parameters": {"query": "x"}}]\n```',
        [_X],
        [],
    ),
    "a label before the object, smolagents": (f"Action:\n{_FIND}", [_X], []),
}

Answer = tuple[str, str | None, str | None, list[str]]
_BEGUN: Final = "<|channel|>analysis<|message|>"
_HARMONY: Final = (
    '<|start|>assistant<|channel|>commentary to=functions.find <|constrain|>json<|message|>{"query":"x"}<|call|>'
)
SHOWN: Final[dict[str, Answer]] = {
    "solar open": (
        "<|think|>Two and two.<|end|><|begin|>assistant<|content|>It is 4.<|end|>",
        "It is 4.",
        "Two and two.",
        [],
    ),
    **{
        f"a draft in open reasoning, {name}": (f"<think>I look.\n{draft}", None, f"I look.\n{draft}", ["truncated"])
        for name, draft in (
            ("bare", _FIND),
            ("in a fence", f"```\n<tool_call>{_FIND}</tool_call>\n```"),
            ("phi 4", f"functools[{_FIND}]"),
            ("functionary", '>>>find\n{"query": "x"}'),
            ("react", 'Action: find\nAction Input: {"query": "x"}'),
        )
    },
    "a call, and a stray end in quotes": (
        '<function=find><parameter=query>x</parameter></function> I wrote "</parameter>" once.',
        'I wrote "</parameter>" once.',
        None,
        [],
    ),
    "solar open, reasoning without an end": ("<|think|>Two and", None, "Two and", ["truncated"]),
    **{
        f"its own next header, {name}": (f"It is 4.{header}", "It is 4.", None, [])
        for name, header in (
            ("llama", "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"),
            ("llama 4", "<|eot|><|header_start|>assistant<|header_end|>\n\n"),
            ("qwen", "<|im_end|>\n<|im_start|>assistant\n"),
            ("gemma", "<end_of_turn>\n<start_of_turn>model\n"),
            ("granite", "<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>"),
            ("cohere", "<|END_OF_TURN_TOKEN|><|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"),
            ("kimi", "<|im_end|><|im_assistant|>assistant<|im_middle|>"),
            ("deepseek", "<\uff5cend▁of▁sentence\uff5c><\uff5cAssistant\uff5c>"),
        )
    },
    **{
        f"the turn of another, {name}": (f"It is 4.{header}Thanks!", "It is 4.", None, ["ignored_text"])
        for name, header in (
            ("llama", "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n"),
            ("qwen", "<|im_end|>\n<|im_start|>user\n"),
            ("gemma", "<end_of_turn>\n<start_of_turn>user\n"),
            ("deepseek", "<\uff5cend▁of▁sentence\uff5c><\uff5cUser\uff5c>"),
            ("solar open", "<|end|><|begin|>user<|content|>"),
        )
    },
    "functionary, a recipient": ('all\nI look.>>>find\n{"query": "x"}', "I look.", None, []),
    "a first line without a call after it": ("all\nof it", "all\nof it", None, []),
    "harmony, markers in a thought": (
        f"{_BEGUN}Never <|call|> there, nor <|channel|>final in it.<|end|>{_HARMONY}",
        None,
        "Never <|call|> there, nor <|channel|>final in it.",
        [],
    ),
    "harmony, a role in a thought": (
        f"{_BEGUN}It begins with <|start|>assistant, then more.<|end|>{_HARMONY}",
        None,
        "It begins with <|start|>assistant, then more.",
        [],
    ),
}
"""Texts, their content, their reasoning, and the codes of the problems with them."""

_FENCE: Final = "```"
SENT_BACK: Final = {
    "a drifted marker, dsml": f'I look.\n\n<{_DSML}toolcall>save\n\n{_FENCE}json\n{{"file":"a.js"}}\n{_FENCE}',
    "a drifted marker, hermes": "<toolcall>{...}</toolcall>",
    "a token of nobody": "It is <|tool_invocation|> here.",
    "Markdown's escape": '<tool_call>\n{"name": "save", "arguments": {"file": "my\\_notes.txt"}}\n</tool_call>',
    "Markdown's escapes": '<tool_call>\n{"name": "save", "arguments": {"file": "1\\. x"}}\n</tool_call>',
    "react, no input": "Thought: I look.\nAction: find",
    "react, in bold": '**Action:** find\n**Action Input:** {"query": "x"}',
    "react, parentheses": 'Action: find(query="x")',
    "react, another label": 'Action: find\nInput: {"query": "x"}',
    **{
        f"the last value's end is damaged, {name}": text
        for name, text in {
            "minimax": '<minimax:tool_call>\n<invoke name="find">\n<parameter name="query">x</parametter>\n</invoke>\n'
            "</minimax:tool_call>",
            "glm": "<tool_call>find\n<arg_key>query</arg_key>\n<arg_value>x</arg```_value>\n</tool_call>",
            "dsml": f'<{_DSML}function_calls>\n<{_DSML}invoke name="find">\n<{_DSML}parameter name="query" '
            f'string="true">x</{_DSML}paramete|r>\n</{_DSML}invoke>\n</{_DSML}function_calls>',
            "kimi k3": '<|open|>tools<|sep|><|open|>call tool="find" index="1"<|sep|><|open|>argument key="query" '
            'type="string"<|sep|>x<|close||>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
            "solar, of two": "<|tool_call:start|>save\n<|tool_arg:start|>file<|tool_arg:value|>a<|tool_arg :end|>\n"
            "<|tool_arg:start|>body<|tool_arg:value|>x<|tool_arg:end|>\n<|tool_call:end|>",
            "hunyuan, before a call": "<tool_calls><tool_call>find<tool_sep><arg_key>query</arg_key>\n<arg_value>x"
            "</arg_value\n></tool_call><tool_call>find<tool_sep><arg_key>query</arg_key>\n<arg_value>y</arg_value>\n"
            "</tool_call></tool_calls>",
        }.items()
    },
    "a damaged comma, gemma 4": '<|tool_call>call:note{tags:[<|"|>a<|"|>,#<|"|>b<|"|>],title:<|"|>x<|"|>}<tool_call|>',
    "a comma in a string, hermes": '<tool_call>{"name": "save", "arguments": {"file": "a,""body": "x"}}</tool_call>',
    "a colon in a string, hermes": '<tool_call>{"name": "save", "arguments": {"file": "a", "body"":x"}}</tool_call>',
    "an array in an array, hermes": '<tool_call>{"name": "note", "arguments": {"tags": ["a", ["b"], "title": "x"}}'
    "</tool_call>",
    "bare, after words, no colon": 'I look.\n[{"name" "find", "arguments": {"query": "x"}}]',
    "bare, after words, a curly quote": 'I look.\n{\u201dname": "find", "arguments": {"query": "x"}}',
    "bare, no bracket": '"name": "find", "parameters": {"query": "x"}}',
    "python, after words": 'I look.\n[find(query="x")>]',
    "gemma 4, its opener": 'I look.\n<|t_call>call:find{query:<|"|>x<|"|>}<tool_call|>',
    "cline": "<find>\n<query>x</query>\n</find>",
    "cline, after words": "I look.\n<find>\n<query>x</query>\n</find>",
    "cline, before words": "<find>\n<query>x</query>\n</find>\nI wait.",
    "cline, in a fence": f"{_FENCE}xml\n<find>\n<query>x</query>\n</find>\n{_FENCE}",
    "cline, an attribute": '<find query="x"/>',
    "cline, cut": "<find>\n<query>x",
}
"""Texts that are no answer, and hold no call that is certain."""

UNSURE: Final = {
    **{
        f"cut in a value before {name}": f"<function=find><parameter=query>a</parameter></function>{quote}</parameter>"
        "</function>"
        for name, quote in (
            ("a quotation mark", '"'),
            ("an apostrophe", "'"),
            ("a backtick", "`"),
            ("an opening quote", "\u201c"),
            ("code", f" {_FENCE}\n"),
        )
    },
    **{
        f"another call is damaged, {name}": text
        for name, text in {
            "bare": f'{_FIND}\n{{"name": "find", "arguments": {{"query":: "y"}}}}',
            "mistral": '[TOOL_CALLS]find[ARGS]{"query": "x"}[OOL_CALLS]find[ARGS]{"query": "y"}',
            "hermes": f'<tool_call"name": "find", "arguments": {{"query": "y"}}}}\n</tool_call>\n<tool_call>{_FIND}'
            "</tool_call>",
            "minicpm": 'function name="find"><param name="query">y</param></function>\n<function name="find"><param '
            'name="query">x</param></function>',
        }.items()
    },
    **{
        f"{name} after damaged JSON": f'{{"name": "find", "arguments": {{"query": "x" "limit": 3}}}}{sign}'
        for name, sign in (("a quote", '"'), ("a backslash", "\\"), ("a brace", "{"), ("a bracket", "["))
    },
}
"""Texts with a call that what follows it makes uncertain."""

CALLS: Final = {
    name: ("read_model_output", compact({"text": text, "tools": TOOLS, "dialect": "auto"}))
    for name, text in {
        **{name: text for name, (text, _, _) in CERTAIN.items()},
        **{f"shown/{name}": text for name, (text, _, _, _) in SHOWN.items()},
        **{f"sent back/{name}": text for name, text in SENT_BACK.items()},
        **{f"unsure/{name}": text for name, text in UNSURE.items()},
    }.items()
}
