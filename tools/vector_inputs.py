"""The inputs of the standalone conformance vectors, as data: texts to read, streams, checks, bad calls."""

import json
from typing import Any

from tools.vector_scenarios import ADD, ADD_CALL, FIND, call, final


def _classes(number: int) -> str:
    """Give a pattern of so many classes, each of which excludes another character: quick to count, and too large."""
    return "".join(f"[^{chr(0x4E00 + 2 * each)}]" for each in range(number))


READINGS: dict[str, dict[str, Any]] = {
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

STREAMS: dict[str, tuple[str | dict[str, Any], list[str]]] = {
    "stream-opened": ({"dialect": "auto", "reasoning": "opened"}, ["I add", ".</thi", "nk>\n3"]),
    "stream-opened-cut": ({"dialect": "auto", "reasoning": "opened"}, ["I add", ", then"]),
    "stream-cut": (
        {"dialect": "auto", "truncated": True},
        ['So <tool_call>{"name":"a","argu', 'ments":{}}'],
    ),
    "stream-prose-reasoning": ("granite", ["Here is my th", "ought process: hm. Here's my resp", "onse: 3"]),
    "stream-envelope": ("envelope", ['{"kind":"final","con', 'tent":"a \\u00e9\\ud83d', '\\ude00 b\\n"', "}"]),
    "stream-envelope-call": ("envelope", [ADD_CALL[:9], ADD_CALL[9:]]),
    "stream-tool-tags": ("tool_tags", ["so [TO", "OL_CALL]{", '"[/TOOL_CALL]"', "}[/TOOL_CALL] don", "e [TOOL"]),
    "stream-bare": ("bare", ["<thi", "nk>hm</think>", "An ans", "wer"]),
    "stream-auto": ("auto", [" {", '"tool":1}']),
    "stream-auto-calls": ("auto", ["so <tool", '_call>{"name":"a","argu', 'ments":{}}</tool_c', "all> then"]),
    "stream-retract": ("auto", ["hm, ", "yes</th", "ink>It is", " 3."]),
    "stream-stop": ("tool_tags", ['[TOOL_CALL]{"name":"a","args":{}}[/TOOL_CALL]', " more"]),
    "stream-unknown-dialect": ("none such", []),
}
"""A dialect, and the chunks that its filter is fed."""

CHECKS: dict[str, str] = {
    "check-integer-float": '{"schema":{"type":"integer"},"value":3.0}',
    "check-bool-is-no-number": '{"schema":{"type":"number"},"value":true}',
    "check-union": '{"schema":{"anyOf":[{"type":"string"},{"type":"null"}]},"value":[]}',
    "check-one-of": '{"schema":{"oneOf":[{"minimum":1},{"maximum":5}]},"value":3}',
    "check-pattern": '{"schema":{"pattern":"^[a-z]+$"},"value":"abc\\n"}',
    "check-pattern-slow": '{"schema":{"pattern":"^(a+)+$"},"value":"' + "a" * 200 + '!"}',
    "check-multiple-of": '{"schema":{"multipleOf":0.01},"value":19.99}',
    "check-unique": '{"schema":{"uniqueItems":true},"value":[1,1.0]}',
    "check-length-astral": '{"schema":{"maxLength":1},"value":"\\ud83d\\ude00"}',
    "check-recursive": '{"schema":{"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n"}},"required":["v"]}},'
    '"$ref":"#/$defs/n"},"value":{"v":1,"next":{"next":{}}}}',
    "check-unsupported": '{"schema":{"properties":{"a":{"minLenght":1}}},"value":1}',
    "check-annotations-of-others": '{"schema":{"properties":{"a":{"x-order":1,"example":"b","type":"string"}}},'
    '"value":{"a":1}}',
    "check-unsupported-ignored": '{"schema":{"properties":{"a":{"order":1,"type":"null"}}},"value":{"a":1},'
    '"unknown":"ignore"}',
    "check-bad-schema": '{"schema":{"type":"strin"},"value":1}',
    "check-bad-choice": '{"schema":true,"value":1,"formats":"maybe"}',
    "check-boolean-schema": '{"schema":{"properties":{"a":true,"b":false}},"value":{"a":1,"b":1}}',
    "check-annotations": '{"schema":{"$comment":"c","$vocabulary":{"x:y":true},"contentEncoding":"base64",'
    '"contentMediaType":"application/json","contentSchema":{"type":"null"},"format":"date","default":1},"value":"x"}',
    "check-anchor": '{"schema":{"$ref":"#n","$defs":{"a":{"$anchor":"n","type":"integer"}}},"value":"x"}',
    "check-id": '{"schema":{"$id":"https://example.org/a/b","items":{"$ref":"../c#/$defs/d"},"$defs":{"c":{"$id":"/c",'
    '"$defs":{"d":{"type":"integer"}}}}},"value":[1,"x"]}',
    "check-id-twice": '{"schema":{"$defs":{"a":{"$id":"x"},"b":{"$id":"./x"}}},"value":1}',
    "check-anchor-malformed": '{"schema":{"$anchor":"1"},"value":1}',
    "check-ref-nowhere": '{"schema":{"$ref":"other.json#a"},"value":1}',
    "check-ref-loop": '{"schema":{"$ref":"#/$defs/a","$defs":{"a":{"allOf":[{"$ref":"#/$defs/a"}]}}},"value":1}',
    "check-ref-document": '{"schema":{"$ref":"https://example.org/a#n"},"value":"x",'
    '"documents":{"https://example.org/a":{"items":{"$anchor":"n","type":"integer"}}}}',
    "check-metaschema": '{"schema":{"$ref":"https://json-schema.org/draft/2020-12/schema"},'
    '"value":{"properties":{"a":{"minLength":-1}}}}',
    "check-dynamic-ref": '{"schema":{"$id":"https://example.org/strict","$dynamicAnchor":"node","$ref":"tree",'
    '"unevaluatedProperties":false,"$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node","type":"object",'
    '"properties":{"children":{"items":{"$dynamicRef":"#node"}}}}}},"value":{"children":[{"childen":[]}]}}',
    "check-unevaluated-properties": '{"schema":{"properties":{"a":true},"anyOf":[{"properties":{"b":{"type":"null"}}},'
    '{"properties":{"colour":true}}],"unevaluatedProperties":false},"value":{"a":1,"b":1,"color":1}}',
    "check-unevaluated-items": '{"schema":{"prefixItems":[true],"contains":{"type":"string"},'
    '"unevaluatedItems":{"type":"null"}},"value":[1,"a",2,null]}',
    "check-unevaluated-after-if": '{"schema":{"if":{"properties":{"a":{"const":1}}},"unevaluatedProperties":false},'
    '"value":{"a":1,"b":2}}',
    "check-deep-dynamic": '{"schema":{"$dynamicAnchor":"n","anyOf":[{"anyOf":[{"contains":{"$dynamicRef":"#n"}},'
    '{"maxItems":0}]}],"unevaluatedItems":false},"value":' + "[" * 60 + "]" * 60 + "}",
    "check-deep-leftover": '{"schema":{"oneOf":[{"anyOf":[{"type":"array"}]},{"const":1}],'
    '"unevaluatedItems":{"$ref":"#"}},"value":' + "[" * 62 + "]" * 62 + "}",
    "check-over-budget": '{"schema":{"pattern":"(a|b)*a(a|b){1500}$"},"value":"' + "ab" * 600 + '"}',
    "check-over-budget-to-compile": '{"schema":{"items":{"pattern":"(?:a|b|c|d){1,1600}"},"prefixItems":['
    + ",".join(f'{{"pattern":"{_classes(250 + number)}"}}' for number in range(6))
    + ']},"value":[]}',
    "check-if-then-else": '{"schema":{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}},'
    '"value":{"a":1}}',
    "check-not": '{"schema":{"not":{"type":"object"}},"value":{}}',
    "check-one-of-nothing": '{"schema":{"oneOf":[{"type":"string"},{"const":5}]},"value":3}',
    "check-nearest-branch": '{"schema":{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}},'
    '"required":["a","b"]},{"type":"object","properties":{"c":{"type":"integer"}},"required":["c"]}]},'
    '"value":{"c":"1"}}',
    "check-tagged-branch": '{"schema":{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["x"]},'
    '{"properties":{"k":{"const":"b"}},"required":["y"]}]},"value":{"k":"b"}}',
    "check-dependent-required": '{"schema":{"dependentRequired":{"a":["b","c"]}},"value":{"a":1,"c":1}}',
    "check-dependent-schemas": '{"schema":{"dependentSchemas":{"a":{"maxProperties":1}}},"value":{"a":1,"b":1}}',
    "check-prefix-items": '{"schema":{"prefixItems":[{"type":"string"}],"items":false},"value":[1,2]}',
    "check-contains": '{"schema":{"contains":{"type":"null"},"minContains":2,"maxContains":3},"value":[null,1]}',
    "check-property-names": '{"schema":{"propertyNames":{"pattern":"^[a-z]+$"}},"value":{"a":1,"B":1}}',
    "check-pattern-properties": '{"schema":{"patternProperties":{"^x-":{"type":"null"}},"additionalProperties":false},'
    '"value":{"x-a":1,"y":1}}',
    "check-enum-object": '{"schema":{"enum":[{"a":[1,{"b":null}]},"x"]},"value":{"a":[1.0,{"b":false}]}}',
    "check-const-object": '{"schema":{"const":{"a":1,"b":[true]}},"value":{"b":[true],"a":1.0}}',
    **{
        f"check-format-{name}": f'{{"schema":{{"items":{{"format":"{name}"}}}},"value":["{good}","{bad}"],'
        '"formats":"assert"}'
        for name, good, bad in (
            ("date", "2024-02-29", "2023-02-29"),
            ("time", "23:59:60Z", "23:58:60Z"),
            ("date-time", "2026-01-31t08:30:00.5+01:00", "2026-01-31 08:30:00Z"),
            ("duration", "P1Y2M3DT4H", "P1YT"),
            ("email", "ada.l+x@example.org", "ada..l@example.org"),
            ("hostname", "a-1.example", "a_1.example"),
            ("ipv4", "192.0.2.255", "192.0.2.256"),
            ("ipv6", "::ffff:192.0.2.1", "1::2::3"),
            ("uri", "https://u@[::1]:80/a%20b?c#d", "//example.org/a"),
            ("uri-reference", "../a?b", "a b"),
            ("uuid", "123E4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000"),
            ("json-pointer", "/a~1b/0", "a/b"),
            ("relative-json-pointer", "1/a", "-1/a"),
            ("regex", "^(?:a|b)+$", "(a"),
            ("iri", "x", "y"),
        )
    },
}

DEEP = "[" * 3000 + "]" * 3000


def _waiting(phase: str, **members: Any) -> str:
    """Give the JSON of a small state that waits in a phase."""
    state = {"schema_version": 1, "agent": None, "run_id": "r", "phase": phase, "turns": 1, "calls": 1, "messages": 2}
    return json.dumps({**state, "seq": 3, "head": "0" * 64, **members}, separators=(",", ":"))


ACCEPTED: dict[str, str] = {
    "accepted-at-first": _waiting("model", turns=0, calls=0, messages=0, seq=0, head=""),
    "accepted-in-model": _waiting("model"),
    "accepted-in-approval": _waiting("approval"),
    "accepted-in-tools": _waiting("tools"),
    "accepted-in-done": _waiting("done", answer="42"),
    "accepted-in-failed": _waiting("failed", failure={"code": "cancelled", "message": "stopped"}),
    "accepted-of-another-version": _waiting("model", schema_version=99),
    "accepted-of-no-phase": _waiting("asleep"),
    "accepted-of-unknown-key": _waiting("model", mood="good"),
    "accepted-of-no-json": "{",
    "accepted-of-too-deep": _waiting("done", data=json.loads("[" * 65 + "]" * 65)),
}
"""Small states, each asked for the observations that it takes."""

ERRORS: list[tuple[str, str, list[str]]] = [
    ("empty", "run_agent_step", [""]),
    ("not-json", "run_agent_step", ["{"]),
    ("nan", "run_agent_step", ['{"state":NaN}']),
    ("trailing", "run_agent_step", ["{} {}"]),
    ("array", "run_agent_step", ["[]"]),
    ("unknown-key", "run_agent_step", ['{"stat":{}}']),
    ("deep", "run_agent_step", ["[" * 65 + "]" * 65]),
    # Where any value may stand, a decoder follows: these are deeper than the stack of an interpreter in a page.
    ("deep-output", "run_agent_step", [
        '{"observation":{"type":"tool_results","results":[{"call_id":"c","ok":true,"output":' + DEEP + "}]}}"
    ]),
    ("deep-whole-state", "run_agent_step", [
        '{"state_json":"{\\"schema_version\\":1,\\"history\\":[],\\"run\\":{\\"schema_version\\":1,\\"agent\\":null,'
        '\\"run_id\\":\\"r\\",\\"pending\\":[{\\"call_id\\":\\"c\\",\\"tool\\":\\"t\\",\\"params\\":{\\"a\\":'
        + DEEP + '}}]}}","model_output":"x"}'
    ]),
    ("deep-last-line", "replay_log", [
        '{"seq":1,"kind":"tool_result","call_id":"c","tool_name":"t","ok":true,"output":' + DEEP + "}"
    ]),
    ("long-number", "run_agent_step", ['{"observation":' + "1" * 641 + "}"]),
    ("unknown-version", "run_agent_step", ['{"state":{"schema_version":99}}']),
    ("unknown-agent", "run_agent_step", [
        '{"state":{"schema_version":1,"agent":"' + "0" * 64 + '","run_id":"r","phase":"model","turns":0,"calls":0,'
        '"messages":1,"seq":0,"head":""}}'
    ]),
    ("torn-state", "run_agent_step", [
        '{"state":{"schema_version":1,"agent":null,"run_id":"r","phase":"tools","turns":0,"calls":0,"messages":1,'
        '"seq":0,"head":""}}'
    ]),
    ("lines-whole-form", "run_agent_step_lines", ['{"state_json":"{}","model_output":"x"}']),
    ("lines-unknown-key", "run_agent_step_lines", ['{"stat":{}}']),
    ("lines-of-no-log", "replay_log_lines", [""]),
    ("stream-of-nothing", "stream_model_output", ["{}"]),
    ("stream-of-other-reasoning", "stream_model_output", ['{"dialect":"bare","reasoning":"closed"}']),
    ("read-of-other-words", "read_model_output", ['{"text":"x","truncated":1}']),
    ("stream-of-two", "stream_model_output", ['{"dialect":"bare","stream":{"dialect":"bare"}}']),
    ("stream-no-filter", "stream_model_output", ['{"dialect":"bare","chunk":"x"}']),
    ("stream-odd-filter", "stream_model_output", ['{"stream":{"dialect":"bare","mode":"none such"}}']),
    ("no-observation", "run_agent_step", ['{"run_id":"r"}']),
    ("wrong-first", "run_agent_step", ['{"observation":{"type":"cancel"}}']),
    ("unknown-observation", "run_agent_step", ['{"observation":{"type":"noise"}}']),
    ("missing-member", "run_agent_step", ['{"observation":{"type":"user_message"}}']),
    ("both-forms", "run_agent_step", ['{"state_json":"{}","model_output":"x","run_id":"r"}']),
    ("lone-surrogate", "run_agent_step", ['{"observation":{"type":"user_message","content":"\\ud800 \\\\ud800"}}']),
    ("duplicate-keys", "run_agent_step", ['{"observation":{"type":"user_message","content":"a","content":"b"}}']),
    ("seed-state", "run_agent_step", [
        '{"state_json":"{\\"history\\":[{\\"role\\":\\"user\\",\\"content\\":\\"hi\\"}],\\"is_complete\\":false,'
        '\\"final_answer\\":null}","model_output":"Hello."}'
    ]),
    ("agent-unknown-key", "load_agent", ['{"tolls":[]}']),
    ("agent-duplicate-tool", "load_agent", ['{"tools":[{"name":"x"},{"name":"x"}]}']),
    ("agent-bad-schema", "load_agent", [
        '{"tools":[{"name":"x","parameters":{"type":"object","properties":{"a":{"nulable":true}}}}]}'
    ]),
    # The same tool in the words of draft-07 and OpenAPI 3.0, and in ours: one digest.
    ("agent-older-schema", "load_agent", [
        '{"tools":[{"name":"x","input_schema":{"$ref":"#/definitions/P","definitions":{"P":{"type":"object","properties":'
        '{"a":{"type":"array","items":[{"type":"string","nullable":true}],"additionalItems":false},'
        '"n":{"type":"number","minimum":0,"exclusiveMinimum":true}}}}}}]}'
    ]),
    ("agent-same-schema", "load_agent", [
        '{"tools":[{"name":"x","parameters":{"type":"object","definitions":{"P":{"type":"object","properties":'
        '{"a":{"type":"array","prefixItems":[{"type":["string","null"]}],"items":false},'
        '"n":{"type":"number","exclusiveMinimum":0}}}},"properties":'
        '{"a":{"type":"array","prefixItems":[{"type":["string","null"]}],"items":false},'
        '"n":{"type":"number","exclusiveMinimum":0}}}}]}'
    ]),
    ("agent-no-parallel", "load_agent", ['{"limits":{"max_parallel":0}}']),
    ("agent-many-parallel", "load_agent", ['{"limits":{"max_parallel":65}}']),
    ("agent-digest", "load_agent", ['{ "name" : "n", "limits" : { "max_turns" : 3 } }']),
    ("agent-digest-reordered", "load_agent", ['{"limits":{"max_turns":3},"name":"n"}']),
    ("create-bad-agent", "create_agent_state", ["q", '{"dialect":"klingon"}']),
    ("log-empty", "replay_log", [""]),
    ("log-garbage", "replay_log", ["nothing\n"]),
    ("log-unknown-kind", "verify_log", ['{"seq":0,"kind":"rumour"}\n']),
    ("log-empty-explained", "explain_log", [""]),
    ("log-empty-redriven", "redrive_log", [""]),
    ("log-of-another-version-redriven", "redrive_log", [
        '{"seq":0,"kind":"run_started","schema_version":99,"run_id":"r","agent":{}}\n'
    ]),
    ("log-garbage-explained", "explain_log", ["nothing\n"]),
    ("logs-compared", "diff_logs", [
        '{"seq":0,"kind":"run_started","schema_version":1,"run_id":"r","agent":{"name":"a"}}\n'
        '{"seq":1,"kind":"user_message","content":"q"}\n{"seq":2,"kind":"model_response","content":"one"}\n',
        '{"seq":0,"at":5,"kind":"run_started","schema_version":1,"run_id":"s","agent":{ "name":"a" }}\n\n'
        '{"seq":1,"kind":"user_message","content":"q"}\n{"seq":2,"kind":"model_response","content":"two"}\n',
    ]),
    ("logs-compared-one-ends", "diff_logs", [
        '{"seq":0,"kind":"run_started","schema_version":1,"run_id":"r","agent":null}\n', ""
    ]),
    ("logs-compared-same", "diff_logs", ["", ""]),
    ("log-garbage-compared", "diff_logs", ["", "nothing\n"]),
    ("part", "read_output_part", [
        '{"log":"{\\"seq\\":3,\\"kind\\":\\"tool_result\\",\\"tool_name\\":\\"t\\",\\"output\\":\\"\u00fc\U0001f600xyz\\",'
        '\\"call_id\\":\\"call_1\\",\\"ok\\":true}\\n","part":{"seq":3,"begin":1,"end":3}}'
    ]),
    ("part-without-its-line", "read_output_part", ['{"log":"","part":{"seq":3,"begin":1,"end":3}}']),
    ("part-of-nothing", "read_output_part", ['{"log":""}']),
    ("info", "core_info", []),
]  # fmt: skip
