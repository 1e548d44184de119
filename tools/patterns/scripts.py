"""The patterns of the JavaScript sources: listed by the TypeScript compiler, driven in Node."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

from .growth import MOST_POWER, SIZES, TRIES, telling_ns
from .runs import runs_of

ROOT: Final = Path(__file__).resolve().parents[2]
TREES: Final = ("web/src", "web/playground/src")
SUFFIXES: Final = (".ts", ".tsx", ".js", ".mjs")
BUILT: Final = {
    'new RegExp(CANDIDATES, "gu")': "[\u00ad\u200b]",
    'new RegExp(PAIRS, "u")': "[\u2600-\u27bf][\ufe0e\ufe0f]|[\u1820-\u18aa]\u180b",
    'new RegExp(`^${classOf(STYLES)}${classOf(KEYCAPS)}`, "u")': "^[\ufe0e\ufe0f]\u20e3",
    'new RegExp(`${PLACE}(\\\\d+)${PLACE}`, "g")': "\ue000(\\\\d+)\ue000",
}
"""What is built, and a pattern as it is built: each is of classes, or a number between two marks."""
_HERE: Final = Path(__file__).parent
_IN_PYTHON: Final = (
    (r"\\p\{L\}|\\p\{N\}", "\\\\w"),
    (r"\\p\{[^}]*\}", "\\\\W"),
    (r"\[\^\]", "[\\\\s\\\\S]"),
    (r"\(\?<(?![=!])", "(?P<"),
    (r"\\u\{([0-9A-Fa-f]+)\}", ""),
)
"""What Python's parser takes in the place of what only JavaScript has: near enough to read leads and classes from."""


def script_patterns() -> list[dict[str, Any]]:
    """Return the patterns of the sources: place, source and flags; what is built in an unknown way has no source."""
    files = [
        str(path)
        for tree in TREES
        for path in sorted((ROOT / tree).rglob("*"))
        if path.suffix in SUFFIXES and not path.name.endswith(".d.ts")
    ]
    found: list[dict[str, Any]] = _node("literals.mjs", *files)
    named = [{"flags": "gu", **each, "place": str(Path(each["place"]).relative_to(ROOT))} for each in found]
    return [{**each, "source": BUILT[each["built"]]} if each.get("built") in BUILT else each for each in named]


def slow_scripts(patterns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the patterns that are slow, each with a run, its length and the power that the time grows with."""
    given = {
        "patterns": [{**each, "runs": runs_of(_in_python(each["source"]))} for each in patterns],
        "sizes": [(chars, telling_ns(chars) / 1_000_000) for chars in SIZES],
        "tries": TRIES,
        "power": MOST_POWER,
    }
    found: list[dict[str, Any]] = _node("drive.mjs", given=json.dumps(given))
    return found


def _in_python(source: str) -> str:
    for wanted, put in _IN_PYTHON:
        source = re.sub(wanted, put, source)
    return source


def _node(script: str, *arguments: str, given: str = "") -> Any:
    command = ["node", str(_HERE / script), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=True)
    return json.loads(done.stdout)
