"""How many recorded outputs of each family are read right, and what a reading costs; writes the table of the docs.

The recorded outputs are no part of the repository: they are read from $PURESTEP_CORPUS or a neighbouring folder.
"""

import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

from bench.figures import Figure, cpu_us
from bench.runs import LongRun
from bench.steps import floor
from purestep.dialects import Sample, dialect_named, read_output
from purestep.dialects.families import FAMILY_DIALECTS
from purestep.dialects.family_forms import FAMILIES
from purestep.entry.standalone import StandaloneReading, read_text, specs_of
from purestep.values.reading import ReadCall

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("corpus/model_outputs.jsonl", "../shared/corpus/model_outputs.jsonl")
PAGE = ROOT / "docs" / "dialects.md"
LARGE = 10
"""Recorded outputs from which on a family's rate has a target."""

TOOL: dict[str, Any] = {
    "name": "get_weather",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "note": {"type": "string"}},
        "required": ["city"],
    },
}
ARGUMENTS = {"city": "San Francisco", "days": 3, "note": "whether it rains, and how warm it gets in the evening, " * 3}


def corpus() -> list[dict[str, Any]]:
    """Give the recorded outputs, none where they are not."""
    named = [Path(os.environ["PURESTEP_CORPUS"])] if "PURESTEP_CORPUS" in os.environ else []
    found = next((place for place in (*named, *(ROOT / place for place in PLACES)) if place.is_file()), None)
    lines = found.read_text(encoding="utf-8").split("\n") if found else []
    return [json.loads(line) for line in lines if line]


def is_right(entry: dict[str, Any], reading: StandaloneReading) -> bool:
    """Tell whether a reading has the calls of one that is expected or accepted; an unknown tool's is a problem."""
    names = {tool.get("function", tool)["name"] for tool in entry["tools"] or ()}
    unknown = sum(problem.code == "unknown_tool" for problem in reading.problems)
    calls = [(call["tool"], call["params"]) for call in reading.calls]
    for expected in (entry["expect"], *entry.get("accept", ())):
        wanted = [(call["name"], call["arguments"]) for call in expected["calls"]]
        known = [call for call in wanted if not names or call[0] in names]
        if calls == wanted or (calls == known and unknown == len(wanted) - len(known)):
            return True
    return False


def rates(entries: list[dict[str, Any]]) -> tuple[Counter[str], Counter[str], list[str]]:
    """Give how many outputs there are of each family, how many are read right by `auto`, and which are not."""
    total: Counter[str] = Counter()
    right: Counter[str] = Counter()
    wrong = []
    for entry in entries:
        good = is_right(entry, read_text(entry["text"], "auto", entry["tools"]))
        total[entry["dialect"]] += 1
        right[entry["dialect"]] += good
        wrong += [] if good else [entry["id"]]
    return total, right, wrong


def costs() -> list[Figure]:
    """Measure the reading of one call of about 300 bytes in each family's form against the bare loop, side by side.

    A call alone is canonical; one with text before it is what the scanner reads.
    """
    tools, call = specs_of([TOOL]), ReadCall(tool="get_weather", params=ARGUMENTS)
    auto, bare = dialect_named("auto"), floor(LongRun(10))
    figures = []
    for use, lead, limit in (("its dialect", "", 12), ("auto", "", 15), ("its dialect, after text", "I look.\n", None)):
        texts = [
            (auto if use == "auto" else each, lead + each.write(Sample(calls=(call,)))) for each in FAMILY_DIALECTS
        ]
        reads = [lambda r=reader, t=text: read_output(r, t, tools) for reader, text in texts]
        floor_us, *taken = cpu_us([bare, *reads], 50, 15)
        dearest = max(range(len(taken)), key=taken.__getitem__)
        named = f"dearest reading of a call to bare loop, by {use} ({FAMILY_DIALECTS[dearest].name})"
        figures.append(Figure(named, taken[dearest] / floor_us, "times", at_most=limit))
    return figures


def write_page(total: Counter[str], right: Counter[str]) -> None:
    """Write the table of the families into the page."""
    call = ReadCall(tool="add", params={"a": 1})
    rows = ["| name | models | a call | read right |", "| --- | --- | --- | --- |"]
    for family, dialect in zip(FAMILIES, FAMILY_DIALECTS, strict=True):
        shown = dialect.write(Sample(calls=(call,))).replace("\n", "\\n").replace("|", "\\|").replace("`", "'")
        rate = f"{right[family.name]} of {total[family.name]}" if total[family.name] else ""
        rows.append(f"| `{family.name}` | {family.models} | `{shown}` | {rate} |")
    rest = sorted(set(total) - {family.name for family in FAMILIES})
    rows += [
        "",
        "Read too, without a dialect of their own: " + ", ".join(f"{n} {right[n]} of {total[n]}" for n in rest),
    ]
    rows[-1] += f". All: {right.total()} of {total.total()}."
    text = PAGE.read_text(encoding="utf-8")
    made = re.sub(
        r"(<!-- rates -->\n).*?(<!-- /rates -->)", lambda m: m[1] + "\n".join(rows) + "\n" + m[2], text, flags=re.S
    )
    PAGE.write_text(made, encoding="utf-8")


def measure() -> list[Figure]:
    """Measure the rates, where the recorded outputs are, and the costs."""
    entries = corpus()
    if not entries:
        print("dialects: no recorded outputs here; set PURESTEP_CORPUS to their file for the rates")
        return costs()
    total, right, wrong = rates(entries)
    write_page(total, right)
    print(f"dialects: not as expected: {', '.join(wrong)}")
    figures = [
        Figure(f"{name}, of {number}", 100 * right[name] / number, "%", at_least=97 if number >= LARGE else None)
        for name, number in total.most_common()
    ]
    whole = Figure(f"all, of {total.total()}", 100 * right.total() / total.total(), "%", at_least=97)
    return [*figures, whole, *costs()]
