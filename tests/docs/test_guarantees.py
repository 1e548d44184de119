"""The page of guarantees: each command on it exists, and each attack stands beside a promise."""

import re
from pathlib import Path

import pytest

from tools.breaking.attacks import ALL
from tools.exploring.definitions import CASES
from tools.exploring.mutants import MUTANTS
from tools.exploring.rules import RULES
from tools.exploring.rules.trees import TREE_RULES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/guarantees.md").read_text(encoding="utf-8")
PROMISES, _, EXPLORED = PAGE.partition("## Every sequence of observations")
NAMED = [name for names in re.findall(r"`\./build\.sh break \d+ ([a-z -]+)`", PAGE) for name in names.split()]


def test_every_attack_has_its_promise_on_the_page() -> None:
    """Each attack is the command of a row, and each named command is an attack."""
    assert {attack.name for attack in ALL} == set(NAMED)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`\./build\.sh test (\S+)`", PAGE))))
def test_every_named_test_file_exists(path: str) -> None:
    """A row's test file is there to be run."""
    assert (ROOT / path).is_file()


def test_every_row_has_all_its_cells() -> None:
    """A promise says where it holds, where not, and how to try."""
    rows = [line for line in PROMISES.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    assert [] == [row for row in rows if row.count(" | ") != 3 and "|  |" not in row and "| | " not in row]


def test_every_rule_and_definition_that_is_explored_is_named() -> None:
    """The page has each rule of the exploration, each definition, and the number of mutants."""
    names = [*[rule.name for rule in RULES], *[name for name, _ in TREE_RULES]]
    assert [] == [name for name in names if name not in EXPLORED]
    (listed,) = re.findall(r"^The definitions: (.*)\.$", EXPLORED, re.MULTILINE)
    assert sorted(case.name for case in CASES) == sorted(re.findall("`([a-z-]+)`", listed))
    assert f"takes {len(CASES)} small definitions" in EXPLORED
    assert f"seeds {len(MUTANTS)} faults" in EXPLORED
