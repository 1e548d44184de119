"""Texts of models that are shown while they arrive: each filter is opened, fed and closed."""

import json
from collections.abc import Iterator
from typing import Any

from tools.vectors.observations import ADD_CALL
from tools.vectors.record import Vector, called, compact

STREAMS: dict[str, tuple[str | dict[str, Any], list[str]]] = {
    "stream-opened": ({"dialect": "auto", "reasoning": "opened"}, ["I add", ".</thi", "nk>\n3"]),
    "stream-opened-cut": ({"dialect": "auto", "reasoning": "opened"}, ["I add", ", then"]),
    "stream-opened-call": (
        {"dialect": "auto", "reasoning": "opened"},
        ["I look.\n<tool", "_call>\n<function=find>\n<parameter=q>\nx\n</para", "meter>\n</function>\n</tool_call>"],
    ),
    "stream-white-space": (
        "auto",
        ["<think>\n\n</think>\n", "I look. \n", '<tool_call>{"name":"a","arguments":{}}</tool_call>\n', "So.", "\n"],
    ),
    "stream-two-thoughts": ("auto", ["<think>\n a\n</think>", "<think>b ", "c\n", "</think>\n", "3"]),
    "stream-cut": (
        {"dialect": "auto", "truncated": True},
        ['So <tool_call>{"name":"a","argu', 'ments":{}}'],
    ),
    "stream-header-end": ("auto", ["[|assistant|", "]hm</thi", "nk>It is 3."]),
    "stream-open-object": ("auto", ['{"a": 1}', "{ <tool_call>", '{"name":"a","arguments":{}}</tool_call>']),
    "stream-indented-quote": ("auto", ["So:\n ", " > <tool_call>", '{"name":"a","arguments":{}}</tool_call>']),
    "stream-fence-marker": ("auto", ["```tool_code\n", ' <tool_call>{"name":"a","arguments":{}}</tool_call>\n```']),
    "stream-stray-in-quotes": (
        "auto",
        ["<function=a></function> '", "</parameter>", "' and \"", "</parameter>", "</function>"],
    ),
    "stream-opened-pattern": (
        {"dialect": "auto", "reasoning": "opened"},
        ["I look.\n<tool_", 'call:x>{"name":"a","arg', 'uments":{}}</tool_call:x>'],
    ),
    "stream-prose-reasoning": ("granite", ["Here is my th", "ought process: hm. Here's my resp", "onse: 3"]),
    "stream-envelope": ("envelope", ['{"kind":"final","con', 'tent":"a \\u00e9\\ud83d', '\\ude00 b\\n"', "}"]),
    "stream-envelope-call": ("envelope", [ADD_CALL[:9], ADD_CALL[9:]]),
    "stream-compact": ("compact", ['{"ans', 'wer": "a \\u00e9\\ud83d', '\\ude00 b\\n"', "}"]),
    "stream-compact-question": ("compact", ['{"ask": "Which', ' one?"}']),
    "stream-compact-call": ("compact", ['{"tool": "add', '_numbers", "args": {}}', " more"]),
    "stream-tool-tags": ("tool_tags", ["so [TO", "OL_CALL]{", '"[/TOOL_CALL]"', "}[/TOOL_CALL] don", "e [TOOL"]),
    "stream-bare": ("bare", ["<thi", "nk>hm</think>", "An ans", "wer"]),
    "stream-auto": ("auto", [" {", '"tool":1}']),
    "stream-auto-calls": ("auto", ["so <tool", '_call>{"name":"a","argu', 'ments":{}}</tool_c', "all> then"]),
    "stream-retract": ("auto", ["hm, ", "yes</th", "ink>It is", " 3."]),
    "stream-stop": ("tool_tags", ['[TOOL_CALL]{"name":"a","args":{}}[/TOOL_CALL]', " more"]),
    "stream-unknown-dialect": ("none such", []),
}
"""A dialect, and the chunks that its filter is fed."""


def vectors() -> Iterator[Vector]:
    """Open each filter, feed it its chunks and close it."""
    for name, (dialect, chunks) in STREAMS.items():
        opened = dialect if isinstance(dialect, dict) else {"dialect": dialect}
        vector = called(f"{name}/open", "stream_model_output", compact(opened))
        yield vector
        for number, chunk in enumerate([*chunks, None], 1):
            given = {"stream": json.loads(vector.output).get("stream")} | ({} if chunk is None else {"chunk": chunk})
            if given["stream"] is None:
                break
            vector = called(f"{name}/{number}", "stream_model_output", compact(given))
            yield vector
