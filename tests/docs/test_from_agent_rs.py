"""The page about agent.rs says what happens: each row of its table is run."""

import pytest

import purestep
from tests.seed import STEPS, Row, played, rows, said


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_each_row_is_what_the_core_does(row: Row) -> None:
    """The decision in the third column is the one that the two functions give."""
    assert row.expected == said(played(row, purestep.create_agent_state, purestep.run_agent_step))


def test_every_way_to_play_is_a_row() -> None:
    """No input of the data is left over: the page names them all."""
    assert STEPS.keys() <= {row.name for row in rows()}


def test_an_inconclusive_output_is_kept_and_asked_about() -> None:
    """The decision has the output and names the messages to ask with; asked again, it is the same."""
    row = next(row for row in rows() if row.name == "`I will list the files.`")
    output = played(row, purestep.create_agent_state, purestep.run_agent_step)
    assert {"type": "inconclusive", "output": "I will list the files.", "cause": "inconclusive"} == {
        key: value for key, value in output["decision"].items() if key != "prompt"
    }
    assert [[0, 3]] == output["decision"]["prompt"]
