"""Bounds that count characters count the same in JavaScript as in Python, whatever the letters are."""

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
TEXTS = (
    *("", "a", "abcdef", "\u00e9t\u00e9", "\u6771\u4eac\u90fd", "\U0001f600\U0001f601\U0001f602\U0001f603"),
    *(
        "a\U0001f600b\U0001f601c",
        "\U00020000\u6771\U00020001",
        "e\u0301e\u0301",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ),
    *(
        "\u0645\u0631\u062d\u0628\u0627",
        "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
        "\U0001d504\U0001d505",
        "\u2028\u2029\x85\xa0",
    ),
    *("\uffff\ufffd", "\U0010ffff" * 7, "x" * 300, "\U0001f600" * 300, ("a\U0001f600") * 150, "\U0001f1e9\U0001f1ea"),
)
BOUNDS = (1, 2, 3, 4, 5, 6, 60, 100, 255, 299, 300)


def test_first_and_last_characters_are_those_of_python(node: str, package: Path) -> None:
    """At each bound: none is cut in half, and none counts twice."""
    asked = [(text, most) for text in TEXTS for most in BOUNDS]
    given = "".join(json.dumps({"text": text, "most": most}) + "\n" for text, most in asked)
    run = subprocess.run([node, HERE / "characters.mjs"], input=given, capture_output=True, text=True, check=True)
    assert [[text[:most], text[-most:], len(text) > most] for text, most in asked] == [
        json.loads(line) for line in run.stdout.split("\n") if line
    ]
