"""Texts of models that are read at once, as data."""

from typing import Any

from tools.vectors.observations import ADD_CALL, call, final
from tools.vectors.record import compact
from tools.vectors.specs import ADD, FIND

READINGS: dict[str, dict[str, Any]] = {
    "read-compact": {"text": '{"tool": "add_numbers", "args": {"a": 1}}', "tools": None, "dialect": "compact"},
    "read-compact-question": {"text": 'So: {"ask": "Which?"}', "tools": None, "dialect": "compact"},
    "read-envelope": {"text": ADD_CALL, "tools": None, "dialect": "envelope"},
    "read-openai-tools": {
        "text": ADD_CALL,
        "tools": [{"type": "function", "function": ADD["parameters"] | {"name": "f"}}],
    },
    "read-mcp-tools": {"text": ADD_CALL, "tools": [{"name": "add_numbers", "inputSchema": ADD["parameters"]}]},
    "read-wrong-arguments": {"text": call("add_numbers", '{"a":"1"}'), "tools": [ADD], "dialect": "auto"},
    "read-backticks": {"text": final('"use ```x``` {here}"'), "tools": None, "dialect": "envelope"},
    "read-tag-in-string": {
        "text": '[TOOL_CALL]{"name":"f","args":{"t":"[/TOOL_CALL]"}}[/TOOL_CALL] after',
        "tools": None,
        "dialect": "tool_tags",
    },
    "read-hopeless-tag": {"text": "[TOOL_CALL]nothing[/TOOL_CALL]", "tools": None, "dialect": "tool_tags"},
    "read-text": {"text": "Only [text] with {braces} and \u201cquotes\u201d.", "tools": [ADD], "dialect": "auto"},
    "read-deep": {"text": "[" * 500 + "]" * 500, "tools": None, "dialect": "auto"},
    "read-unknown-tool-in-markers": {
        "text": '<tool_call>\n{"name": "sub", "arguments": {"a": 1}}\n</tool_call>',
        "tools": [ADD],
        "dialect": "auto",
    },
    "read-sample-in-quotes": {
        "text": 'Write `<tool_call>{...}</tool_call>` around it, such as {"name": "sub", "arguments": {}}.',
        "tools": [ADD],
        "dialect": "auto",
    },
    "read-name-beyond-ascii": {
        "text": '[TOOL_CALLS]gr\u00f6\u00dfe_\u00e4ndern[ARGS]{"l\u00e4nge":1}',
        "tools": [{"name": "gr\u00f6\u00dfe_\u00e4ndern", "parameters": {"type": "object"}}],
        "dialect": "auto",
    },
    "read-loose-json": {
        "text": "<tool_call>{'name': 'find', 'arguments': {query: 'the \"old\" town', "
        "limit: 03, /* all */ tags: ['a',],}}",
        "tools": [FIND],
        "dialect": "auto",
    },
    "read-typed-by-the-schema": {
        "text": "<tool_call>\n<function=find>\n<parameter=query>\n123_456\n</parameter>\n<parameter=limit>\n7\n"
        "</parameter>\n<parameter=kind>\nnull\n</parameter>\n</function>\n</tool_call>",
        "tools": [FIND],
        "dialect": "auto",
    },
    "read-opened-reasoning": {"text": "I add, then", "tools": [ADD], "reasoning": "opened"},
    "read-opened-reasoning-and-answer": {"text": "I add.\n</think>\n3", "tools": [ADD], "reasoning": "opened"},
    "read-cut-by-the-host": {
        "text": '<tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2}}',
        "tools": [ADD],
        "truncated": True,
    },
    "read-prose-reasoning": {
        "text": "Here is my thought process: 1 and 2. Here's my response: 3",
        "tools": None,
        "dialect": "granite",
    },
    "read-tags-of-reasoning-in-an-answer": {
        "text": "<think>About tags.</think>Models write <think> and </think>:\n<think>\nI add.\n</think>\n3",
        "tools": [ADD],
        "dialect": "auto",
    },
    "read-wrapped-answer": {"text": "<think>\n1 + 2\n</think>\n<answer>\n3\n</answer>", "tools": None},
    "read-empty-channel": {"text": "3<|channel>thought\n<channel|>", "tools": None, "dialect": "gemma4"},
    "read-thoughts-that-a-section-ends": {
        "text": "<think>I add.<|tool_calls_section_begin|><|tool_call_begin|>functions.add_numbers:0"
        '<|tool_call_argument_begin|>{"a":1,"b":2}<|tool_call_end|><|tool_calls_section_end|>',
        "tools": [ADD],
        "dialect": "kimi_k2",
    },
    "read-thoughts-that-end-in-a-call": {
        "text": '<think>I add.\n<tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2}}</tool_call>',
        "tools": [ADD],
    },
    "read-unknown-tool-in-a-list": {"text": "[subtract(a=1, b=2)]", "tools": [ADD]},
    "read-markup-left": {"text": "Use <tool_call> for it.", "tools": [ADD]},
    "read-begun-inside-reasoning": {
        "text": 'maybe <tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2}}</tool_call></think>No.',
        "tools": [ADD],
        "dialect": "auto",
    },
    "read-cut-with-all-required": {
        "text": '<tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2}',
        "tools": [ADD],
        "dialect": "auto",
    },
    "read-cut-number": {
        "text": '<tool_call>{"name":"add_numbers","arguments":{"a":1,"b":2',
        "tools": [ADD],
        "dialect": "auto",
    },
    "read-unknown-dialect": {"text": "x", "tools": None, "dialect": "none such"},
}

CALLS = {name: ("read_model_output", compact(given)) for name, given in READINGS.items()}
