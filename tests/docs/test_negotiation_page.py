"""The page of negotiation: its table of rules is the core's."""

from collections import defaultdict
from pathlib import Path

from purestep.values import DEFAULT_RULES, FAULTS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "negotiation.md").read_text(encoding="utf-8")


def _rows(name: str) -> list[list[str]]:
    table = PAGE.partition(f"<!-- {name} -->")[2].partition(f"<!-- /{name} -->")[0]
    lines = [line for line in table.strip().splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_table_of_rules_is_that_of_the_core() -> None:
    """Each cell has the moves that the cause's rules make from that count on, in their order."""
    moves: dict[tuple[str, int], list[str]] = defaultdict(list)
    for rule in DEFAULT_RULES:
        moves[rule.cause, rule.count].append(f"`{rule.move}`" + (f" to `{rule.to}`" if rule.to else ""))
    expected = [[f"`{cause}`", *(", ".join(moves[cause, count]) for count in (1, 2, 3, 4))] for cause in FAULTS]
    assert expected == _rows("rules")
