"""Calls with input that is refused, and the smallest ones that are not, as data."""

DEEP = "[" * 3000 + "]" * 3000

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
        '{"state_json":"{\\"schema_version\\":3,\\"history\\":[],\\"run\\":{\\"schema_version\\":3,\\"agent\\":null,'
        '\\"run_id\\":\\"r\\",\\"pending\\":[{\\"call_id\\":\\"c\\",\\"tool\\":\\"t\\",\\"params\\":{\\"a\\":'
        + DEEP + '}}]}}","model_output":"x"}'
    ]),
    ("deep-last-line", "replay_log", [
        '{"seq":1,"kind":"tool_result","call_id":"c","tool_name":"t","ok":true,"output":' + DEEP + "}"
    ]),
    ("long-number", "run_agent_step", ['{"observation":' + "1" * 641 + "}"]),
    ("unknown-version", "run_agent_step", ['{"state":{"schema_version":99}}']),
    ("unknown-agent", "run_agent_step", [
        '{"state":{"schema_version":3,"agent":"' + "0" * 64 + '","run_id":"r","phase":"model","head":"",'
        '"messages":1,"run":{"seq":0,"calls":0},"exchange":{"used":{"turns":0}},"window":{}}}'
    ]),
    ("torn-state", "run_agent_step", [
        '{"state":{"schema_version":3,"agent":null,"run_id":"r","phase":"tools","head":"","messages":1,'
        '"run":{"seq":0,"calls":0},"exchange":{"used":{"turns":0}},"window":{}}}'
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
    ("agent-cost-without-price", "load_agent", [
        '{"limits":{"max_cost":9},"models":[{"name":"a","price":{}},{"name":"b"}]}'
    ]),
    ("agent-cost-without-model", "load_agent", ['{"limits":{"max_cost":9}}']),
    ("agent-several-units", "load_agent", [
        '{"models":[{"name":"a","price":{}},{"name":"b","price":{"input":1,"unit":"USD"}},'
        '{"name":"c","price":{"output":1}}]}'
    ]),
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
        '{"seq":0,"kind":"run_started","schema_version":3,"run_id":"r","agent":{"name":"a"}}\n'
        '{"seq":1,"kind":"user_message","content":"q"}\n{"seq":2,"kind":"model_response","content":"one"}\n',
        '{"seq":0,"at":5,"kind":"run_started","schema_version":3,"run_id":"s","agent":{ "name":"a" }}\n\n'
        '{"seq":1,"kind":"user_message","content":"q"}\n{"seq":2,"kind":"model_response","content":"two"}\n',
    ]),
    ("logs-compared-one-ends", "diff_logs", [
        '{"seq":0,"kind":"run_started","schema_version":3,"run_id":"r","agent":null}\n', ""
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

CALLS = {name: (function, *args) for name, function, args in ERRORS}
