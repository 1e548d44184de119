"""Measuring a model on trees: each kind of turn is counted, after the turns before it as they should have gone."""

from itertools import islice
from typing import Any

import purestep
from purestep_hosts.models.model import ModelRequest, ReplySink
from tools.tuning import form
from tools.tuning.generators import trees
from tools.tuning.measuring import instructions_of, measure, tools_of_lines
from tools.tuning.trees import Branch, Tree, Turn

STOCK: dict[str, Any] = {
    "name": "stock_get",
    "description": "Get the stock.",
    "parameters": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
}
CALL = form.call(STOCK, {"sku": "A"})


class Says:
    """A model that says these outputs, one after the other, and keeps what it was sent last."""

    name = "small"

    def __init__(self, *outputs: str) -> None:
        self._outputs = list(outputs)
        self.grammars: list[str | None] = []
        self.sent: list[dict[str, Any]] = []

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
        """Say the next output."""
        self.grammars.append(request.grammar)
        self.sent = request.messages
        reply.text(self._outputs.pop(0))
        return purestep.ModelOutput(content="")

    def stop(self) -> None:
        """Nothing goes on."""


def tree_of(*branches: Branch) -> Tree:
    """A tree with one tool."""
    return Tree(system=form.system_text([STOCK]), branches=branches, tools=(STOCK,))


def test_calls_are_told_by_tool_and_arguments() -> None:
    """A right call, one with another argument, one of another tool, and an answer in its place."""
    branch = (Turn(text="Stock of A", output=CALL),)
    said = (CALL, form.call(STOCK, {"sku": "B"}), '{"tool": "other", "args": {}}', form.answer("no"))
    measured = measure(Says(*said), [tree_of(branch, branch, branch, branch)])
    assert (4, 3, 2, 1) == (measured.calls, measured.called, measured.right_tool, measured.right_arguments)


def test_questions_and_answers_are_counted() -> None:
    """Asking where one should, and calling where nothing is to be called."""
    asked = (Turn(text="Stock?", output=form.ask("Of what?")),)
    talk = (Turn(text="Hello", output=form.answer(""), learnt="branch"),)
    measured = measure(Says(form.ask("Which?"), CALL, CALL, form.answer("Hi")), [tree_of(asked, asked, talk, talk)])
    assert (2, 1, 2, 1) == (measured.questions, measured.asked, measured.answers, measured.answered)
    assert 4 == measured.turns


def test_a_turn_is_asked_after_what_should_have_been_before() -> None:
    """After a wrong call the model is sent the right one with its result, under a grammar."""
    told = Turn(kind="result", text="Error: unknown", output=form.answer("It is unknown."))
    model = Says("nonsense", form.answer("?"))
    measured = measure(model, [tree_of((Turn(text="Stock of A", output=CALL), told))])
    assert [CALL, "Result: Error: unknown"] == [message["content"] for message in model.sent[-2:]]
    assert all(model.grammars)
    assert (0, 1, 0) == (measured.called, measured.answered, measured.unreadable)


def test_tools_are_read_from_their_lines() -> None:
    """The lines of generated prompts give specs that have the same lines."""
    for tree in islice(trees(4), 60):
        specs = tools_of_lines(tree.system)
        assert specs is not None
        assert tree.system == form.system_text(list(specs), instructions_of(tree.system))


def test_lines_that_do_not_say_enough_are_counted() -> None:
    """A tree whose tools cannot be known is not measured."""
    branch = (Turn(text="q", output=CALL),)
    measured = measure(Says(), [Tree(system="Tools:\nwhat is this", branches=(branch,))])
    assert (1, 0) == (measured.unreadable, measured.turns)


def test_the_table_has_shares() -> None:
    """Each row has the number, of how many, and the share; a row of nothing has none."""
    table = measure(Says(CALL), [tree_of((Turn(text="Stock of A", output=CALL),))]).table()
    assert "with all arguments                      1 of 1    100.0 %" in table
    assert "asks where a value is missing           0 of 0        -" in table
