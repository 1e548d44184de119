"""The table of docs/wires.md is that of the tests."""

import re
from pathlib import Path

from tests.hosts.wires import test_conformance
from tests.hosts.wires.servers import SERVERS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "wires.md"
OTHERWISE = {("OpenAI chat", "reasoning sent back"): "none is told", ("Anthropic", "usage"): "without thoughts"}
"""Cells whose test expects less."""


def test_the_table_has_a_row_for_each_server_and_a_column_for_each_test() -> None:
    """What is no test is not in it."""
    columns = [
        name.removeprefix("test_").replace("_", " ") for name in vars(test_conformance) if name.startswith("test_")
    ]
    rows = [
        f"| {server.name} | " + " | ".join(OTHERWISE.get((server.name, column), "yes") for column in columns) + " |"
        for server in SERVERS
    ]
    table = re.findall(r"^\|(?!---).*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [f"| | {' | '.join(columns)} |", *rows] == table[: len(rows) + 1]
