"""Calls of the tools' pure functions, each with the text that it gives natively: every engine has to give the same."""

import json
import random
from pathlib import Path
from typing import Any

from purestep_tools.json_functions import JSON_FUNCTIONS

HAND_MADE: list[str] = json.loads((Path(__file__).parent / "expressions.json").read_text())
SUMS = [
    '{"a":2,"b":3}',
    '{"a":0.1,"b":0.2}',
    '{"a":1e308,"b":1e308}',
    '{"a":9007199254740991,"b":2.0}',
    '{"a":"1"}',
    "[",
]
FUNCTIONS = ["abs", "ceil", "cos", "exp", "floor", "log", "log10", "log2", "max", "min", "round", "sin", "sqrt", "tan"]
PAGES = [
    "",
    "<title>News</title><script>x()</script><h1>Hi</h1><p>a &amp; b &eacute;&#8212;&#x1F600;&notit;&#0;",
    "<head><title>T</title><body>b<br>c\u00a0\u3000d <!-- e --> 1 < 2 <3",
    "<p>\u6f22\u5b57 &nGt; &CounterClockwiseContourIntegral;</p>\n" * 200,
    "<SVG><text>no</text></SVG>\ufeffyes \u2028 \U0001f600",
    "<" * 3000,
    "&#" + "9" * 5000 + ";",
]
PROBE = '{"model":"Qwen3-0.6B","family":"hermes_json","is_quick":true,"window_tokens":null,"found":[]}'
LOG = (
    '{"kind":"model_response","usage":{"prompt_tokens":9,"completion_tokens":2}}\\n'
    '{"kind":"final_answer","content":"It is 42."}\\n'
)
PROBES = [
    '{"model":"Qwen3-0.6B","quick":true}',
    '{"model":"SmolLM2","window_tokens":4096}',
    f'{{"probe":{PROBE},"seconds":0.15,"log":"{LOG.replace(chr(34), chr(92) + chr(34))}"}}',
    f'{{"probe":{PROBE},"seconds":0,"log":"no log"}}',
    "[",
]
PROBE_CALLS = [
    '{"tool":"calculator","params":{"expression":"17 + 25"}}',
    '{"tool":"lookup_order","params":{"number":"#1042"}}',
    '{"tool":"lookup_order","params":{"number":"nowhere"}}',
    '{"tool":"fetch_page","params":{}}',
    "[",
]


def tool_cases(count: int = 500) -> list[dict[str, Any]]:
    """Return the calls in the form of conformance vectors, `count` of them expressions made by chance."""
    inputs = {"add_numbers": SUMS, "calculate": HAND_MADE + generated(count), "html_text": PAGES}
    inputs |= {"run_probe_step": PROBES, "run_probe_tool": PROBE_CALLS}
    return [
        {"name": f"{name}/{number}", "function": name, "args": [text], "output": JSON_FUNCTIONS[name](text)}
        for name, texts in inputs.items()
        for number, text in enumerate(texts)
    ]


def generated(count: int) -> list[str]:
    """Return expressions made of all that the grammar has, and of some that it has not."""
    rng = random.Random(20_261_122)

    def number() -> str:
        kind = rng.randrange(6)
        if kind == 0:
            return str(rng.randrange(100))
        if kind == 1:
            return str(rng.randrange(10 ** rng.randrange(1, 40)))
        if kind == 2:
            return f"{rng.uniform(0, 100):.{rng.randrange(1, 17)}f}"
        if kind == 3:
            return f"{rng.uniform(0, 10):.4f}e{rng.randrange(-40, 40)}"
        return rng.choice(["pi", "e", "0", "1", "2", "0.5", "10"])

    def expression(depth: int) -> str:
        kind = rng.randrange(10 if depth else 2)
        if kind < 2:
            return number()
        if kind < 6:
            operator = rng.choice(["+", "-", "*", "/", "//", "%", "**", "^", " + ", " * "])
            return f"{expression(depth - 1)}{operator}{expression(depth - 1)}"
        if kind == 6:
            return f"({expression(depth - 1)})"
        if kind == 7:
            return f"-{expression(depth - 1)}"
        name = rng.choice(
            [
                *("abs", "ceil", "cos", "exp", "floor", "log", "log10"),
                *("log2", "max", "min", "round", "sin", "sqrt", "tan"),
            ]
        )
        values = [expression(depth - 1) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        return f"{name}({', '.join(values)})"

    made = [expression(rng.randrange(1, 4)) for _ in range(count)]
    broken = [text[:at] + rng.choice("()+*,.x") + text[at:] for text in made[: count // 10] for at in [len(text) // 2]]
    return made + broken
