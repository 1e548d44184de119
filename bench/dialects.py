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
from purestep.entry.standalone import StandaloneReading, read_text, specs_of
from purestep.values.reading import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from purestep_formats.families.family_forms import FAMILIES

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("corpus/model_outputs.jsonl", "../shared/corpus/model_outputs.jsonl")
PAGE = ROOT / "docs" / "dialects.md"
AT_LEAST = {True: 96, False: 90}
"""Percent read exactly as expected, of outputs with calls and without; the rest are decisions of the policy."""

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
    """Return the recorded outputs, none where they are not."""
    named = [Path(os.environ["PURESTEP_CORPUS"])] if "PURESTEP_CORPUS" in os.environ else []
    found = next((place for place in (*named, *(ROOT / place for place in PLACES)) if place.is_file()), None)
    lines = found.read_text(encoding="utf-8").split("\n") if found else []
    return [json.loads(line) for line in lines if line]


def is_right(entry: dict[str, Any], reading: StandaloneReading) -> bool:
    """Whether a reading has exactly the calls of one that is expected or accepted."""
    calls = [(call["tool"], call["params"]) for call in reading.calls]
    expected = (entry["expect"], *entry.get("accept", ()))
    return any(calls == [(call["name"], call["arguments"]) for call in each["calls"]] for each in expected)


def names_unknown(entry: dict[str, Any]) -> bool:
    """Whether an engine takes a call of a tool that was not offered; here it is an `unknown_tool` problem."""
    names = {tool.get("function", tool)["name"] for tool in entry["tools"] or ()}
    return bool(names) and any(call["name"] not in names for call in entry["expect"]["calls"])


class Rates:
    """How many recorded outputs there are of each family and are read right, those with calls and those without."""

    def __init__(self) -> None:
        self.total: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        self.right: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
        self.wrong: list[str] = []
        self.unknown: list[str] = []
        """Of the wrong ones, those that call a tool that was not offered."""

    def add(self, entry: dict[str, Any]) -> None:
        """Count one output."""
        good = is_right(entry, read_text(entry["text"], "auto", entry["tools"]))
        has_calls = bool(entry["expect"]["calls"])
        self.total[has_calls][entry["dialect"]] += 1
        self.right[has_calls][entry["dialect"]] += good
        if not good:
            (self.unknown if names_unknown(entry) else self.wrong).append(entry["id"])

    def families(self) -> list[str]:
        """Return the families, those with the most outputs first."""
        return [name for name, _ in (self.total[True] + self.total[False]).most_common()]

    def shown(self, name: str, has_calls: bool) -> str:
        """Return a family's rate for the table."""
        total = self.total[has_calls][name]
        return f"{self.right[has_calls][name]} of {total}" if total else ""

    def percent(self, has_calls: bool) -> float:
        """Return the rate of all families."""
        return 100 * self.right[has_calls].total() / self.total[has_calls].total()


def rates(entries: list[dict[str, Any]]) -> Rates:
    """Count the outputs that `auto` reads right."""
    counted = Rates()
    for entry in entries:
        counted.add(entry)
    return counted


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


def write_page(counted: Rates) -> None:
    """Write the table of the families into the page."""
    call = ReadCall(tool="add", params={"a": 1})
    rows = ["| name | models | a call | with calls | without |", "| --- | --- | --- | --- | --- |"]
    for family, dialect in zip(FAMILIES, FAMILY_DIALECTS, strict=True):
        shown = dialect.write(Sample(calls=(call,))).replace("\n", "\\n").replace("|", "\\|").replace("`", "'")
        read = f"{counted.shown(family.name, True)} | {counted.shown(family.name, False)}"
        rows.append(f"| `{family.name}` | {family.models} | `{shown}` | {read} |")
    rest = sorted(set(counted.families()) - {family.name for family in FAMILIES})
    others = [
        f"{name} {counted.right[True][name] + counted.right[False][name]} of {number}"
        for name in rest
        for number in (counted.total[True][name] + counted.total[False][name],)
    ]
    totals = [f"{counted.right[with_].total()} of {counted.total[with_].total()}" for with_ in (True, False)]
    rows += [
        "",
        f"Read too, without a dialect of their own: {', '.join(others)}.",
        "",
        f"All: {totals[0]} with calls, {totals[1]} without. An output counts as right when it gives exactly the calls "
        f"that are expected. Among the others, {len(counted.unknown)} call a tool that was not offered: the engine "
        "takes the call, here it is an `unknown_tool` correction.",
    ]
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
    counted = rates(entries)
    write_page(counted)
    print(f"dialects: not as expected: {', '.join(counted.wrong)}; unknown tools: {', '.join(counted.unknown)}")
    figures = []
    for name in counted.families():
        number = counted.total[True][name] + counted.total[False][name]
        right = counted.right[True][name] + counted.right[False][name]
        figures.append(Figure(f"{name}, of {number}", 100 * right / number, "%"))
    for with_, said in ((True, "with calls"), (False, "without calls")):
        whole = f"all {said}, of {counted.total[with_].total()}"
        figures.append(Figure(whole, counted.percent(with_), "%", at_least=AT_LEAST[with_]))
    return [*figures, *costs()]
