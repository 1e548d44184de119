"""What may have been changed, beside the answer of an agent: as data, as rows of a terminal, and as HTML."""

from __future__ import annotations

import json
from typing import Any

from purestep import events
from purestep_hosts import Agent, RunResult, ScriptedModel, approved, calls, refused, says, tool
from purestep_hosts.show.rows import Row, act_rows


@tool(approval="ask")
def pay(to: str, note: str = "") -> str:
    """Pay somebody.

    to: who is paid. note: a word on it.
    """
    return f"{to} paid {note}".strip()


@tool(read_only=True)
def look(to: str) -> str:
    """Look somebody up.

    to: who.
    """
    return to


CLAIM = says("I have paid Ada.")


def asked(*outputs: Any, tools: tuple[Any, ...] = (pay, look)) -> RunResult[str]:
    """Return the result of a run."""
    return Agent(ScriptedModel([*outputs]), tools=tools).run_sync("Pay Ada")


def statuses(result: RunResult[str]) -> list[tuple[str, str]]:
    """Return the tools and statuses of the acts."""
    return [(act.tool, act.status) for act in result.acts or ()]


def test_an_answer_that_claims_what_was_not_done_has_no_acts() -> None:
    """The words and the facts stand side by side."""
    result = asked(CLAIM)
    assert ("I have paid Ada.", ()) == (result.answer, result.acts)
    assert () == asked(calls("look", to="Ada"), CLAIM).acts
    assert "changed    nothing" in str(result)
    assert ">changed</th>" in result._repr_html_()


def test_acts_of_a_run_are_those_that_a_person_let_run() -> None:
    """While it waits nothing has been changed yet; a refusal is told."""
    for answer, status in ((approved, "succeeded"), (refused, "refused")):
        agent = Agent(ScriptedModel([calls("pay", to="Ada"), CLAIM]), tools=[pay])
        waiting = agent.run_sync("Pay Ada")
        assert ("waiting", ()) == (waiting.status, waiting.acts)
        result = agent.run_sync(after=waiting, approvals=[answer(waiting.approvals[0])])
        assert [("pay", status)] == statuses(result)
        said = ("changed    pay to=Ada",) if status == "succeeded" else ("changed    nothing", "not run    pay to=Ada")
        assert [True] * len(said) == [text in str(result) for text in said], str(result)


def test_without_a_tool_that_may_act_there_are_none() -> None:
    """Nothing is said of what cannot be."""
    result = asked(calls("look", to="Ada"), CLAIM, tools=(look,))
    assert None is result.acts
    assert "changed" not in str(result)


def rows(acts: list[dict[str, Any]], **members: Any) -> list[Row]:
    """Return the rows of an ending with these acts."""
    event = {"kind": "final_answer", "content": "Done.", "acts": acts, **members}
    return list(act_rows(events.decode_event(json.dumps(event).encode())))  # type: ignore[arg-type]


def act(status: str = "succeeded", **params: Any) -> dict[str, Any]:
    """Return an act."""
    return {"call_id": "call_1", "tool": "pay", "params": params, "status": status}


def test_rows_say_what_was_done_to_what() -> None:
    """One row an act; how it ended, where it did not succeed."""
    assert [Row("changed", "nothing", "quiet")] == rows([])
    assert [
        Row("changed", "pay to=Ada amount=5 tags=[1]"),
        Row("changed", "pay (nobody knows whether it was done)", "warning"),
    ] == rows(
        [
            act(to="Ada", amount=5, tags=[1]),
            act("unknown"),
        ]
    )
    assert Row("changed", "and 3 more", "warning") == rows([act()], acts_left_out=3)[-1]


def test_what_was_refused_changed_nothing() -> None:
    """It did not run; beside what ran it says only that, and of calls that are not shown nothing is known."""
    refused_row = Row("not run", "pay (refused)", "warning")
    assert [Row("changed", "nothing", "quiet"), refused_row] == rows([act("refused")])
    assert [Row("changed", "pay"), refused_row] == rows([act(), act("refused")])
    assert [refused_row, Row("changed", "and 3 more", "warning")] == rows([act("refused")], acts_left_out=3)


def test_rows_are_short_and_hold_no_codes_for_a_terminal() -> None:
    """What a model wrote into an argument does not write to the screen."""
    (row,) = rows(
        [act(to="Ada\x1b[31m\nRed", note="long " * 100, **{f"more{number}": "x" * 30 for number in range(9)})]
    )
    assert row.text.startswith('pay to="Ada\\nRed" note="long ')
    assert not {"\x1b", "\n"} & set(row.text)
    assert "31m" not in row.text
    assert len(row.text) < 180
