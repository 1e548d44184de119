"""The table of docs/rates.md is what the command prints for such logs (requirement 38)."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.core.agents import ADD, call, final, said
from tests.core.driver import Driver

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rates.md"
FEW, MANY = [ADD], [ADD, *({"name": f"tool_{number}"} for number in range(4))]
WRONG = call("add_numbers", a="?")


def log(model: str, tools: list[Any], *outputs: str) -> str:
    """The log of a run in which a model gives these outputs."""
    run = Driver({"models": [{"name": model}], "tools": tools}, "What is 17 plus 25?")
    for output in outputs:
        run.send(said(output, request={"model": model, "constraint": "json_schema"}))
    return run.log


def test_the_table_is_what_the_command_prints(tmp_path: Path) -> None:
    """Row by row, with the causes below it."""
    right, unread, wrong = (final("42"),), ("{x}", "{x}"), (WRONG, WRONG)
    kinds = [
        *((118, log("small", FEW, *right)), (2, log("small", FEW, *unread))),
        *((21, log("small", MANY, *right)), (19, log("small", MANY, *wrong))),
        (40, log("large", MANY, *right)),
    ]
    for kind, (number, text) in enumerate(kinds):
        for copy in range(number):
            (tmp_path / f"{kind}-{copy}.jsonl").write_text(text, "utf-8")
    command = [sys.executable, "-m", "purestep_hosts.cli", "rates", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (shown,) = re.findall(r"^\$ purestep rates logs\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    _, *rows = shown.splitlines()
    assert [re.split(r" {2,}", row) for row in rows] == [re.split(r"\t| {2,}", row) for row in done.stdout.splitlines()]


def test_the_line_of_the_page_is_what_a_choice_logs() -> None:
    """Its figures are those of the table, where the small model has too few right answers (requirement 39)."""
    (line,) = re.findall(r"^\{\"kind\":\"decided\".*$", PAGE.read_text("utf-8"), re.MULTILINE)
    kind = {"tools": "4-8", "arguments": "flat", "attachments": False, "length": "0-200"}
    way = {"dialect": "envelope", "constraint": "json_schema", "kind": kind, "runs": 40}
    rows = [{"model": "small", **way, "succeeded": 21}, {"model": "large", **way, "succeeded": 40}]
    models = [{"name": "small"}, {"name": "large"}]
    policies = [{"use": "rates", "profile": {"rows": rows}}]
    run = Driver({"models": models, "tools": MANY, "policies": policies}, "What is 17 plus 25?")
    (decided,) = run.events("decided")
    parts = line.replace('"4-8",...', '"4-8"').removesuffix(",...]}") + "]}"
    shown = json.loads(parts)
    assert shown["rates"] == decided["rates"][:1]
    assert (shown["reason"], shown["model"]) == (decided["reason"], decided["model"])
    assert shown["request"].items() <= decided["request"].items()
