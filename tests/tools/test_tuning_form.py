"""The form of training data: byte for byte what the core sends, however long the conversation is."""

import json
from itertools import islice
from typing import Any

import pytest

import purestep
from purestep_hosts.approval import approve_all
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import ModelRequest, ReplySink
from tools.tuning import form
from tools.tuning.generators import OwnChoice, own_trees, trees
from tools.tuning.measuring import NoLog, TreeTools
from tools.tuning.packing import NOT_LEARNT, PROMPT, Row, encoded, rows, sees
from tools.tuning.tool_files import OwnTools
from tools.tuning.trees import Branch, Tree, Turn

STOCK = {
    "name": "stock_get",
    "description": "Get the stock of an article.",
    "parameters": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
}


def letters(text: str) -> list[int]:
    """An encoder with a token for each character."""
    return [ord(letter) for letter in text]


def text_of(ids: list[int]) -> str:
    """The text of such tokens."""
    return "".join(map(chr, ids))


class Told:
    """A model that says what a branch has it say, and keeps what it was sent."""

    name = "small"

    def __init__(self, branch: Branch) -> None:
        self._outputs = [turn.output if turn.learnt == "all" else form.answer("-") for turn in branch]
        self.sent: list[list[dict[str, Any]]] = []

    def complete(self, request: ModelRequest, reply: ReplySink) -> purestep.ModelOutput:
        """Say the next output; after a call that ends the branch, end the run."""
        if not self._outputs:
            return purestep.ModelOutput(content=form.answer("-"))
        self.sent.append(request.messages)
        return purestep.ModelOutput(content=self._outputs.pop(0))

    def stop(self) -> None:
        """Nothing goes on."""


def sent_texts(tree: Tree, branch: Branch) -> list[str]:
    """What the core sends at each turn of a branch, with the marks of the base model's chat."""
    model, no_log = Told(branch), NoLog()
    tools = TreeTools([turn for turn in branch if turn.kind == "result"])
    ports = Ports(model=model, tools=tools, approve=approve_all, log=no_log, watch=no_log, clock=lambda: 0)
    run = Run(purestep.Agent.load(form.definition(list(tree.tools), tree.instructions)), ports, run_id="r")
    for turn in branch:
        if turn.kind == "user":
            run.ask(turn.text)
    marked = [[f"<|im_start|>{each['role']}\n{each['content']}<|im_end|>\n" for each in sent] for sent in model.sent]
    return ["".join(parts) + "<|im_start|>assistant\n" for parts in marked]


def taught_texts(tree: Tree, branch: Branch) -> list[str]:
    """What the tree has before each output of a branch."""
    row = encoded(Tree(system=tree.system, branches=(branch,)), letters, 100_000)
    assert row is not None
    begins = [at for at in range(1, len(row)) if row.labels[at] != NOT_LEARNT and row.labels[at - 1] == NOT_LEARNT]
    return [text_of(row.ids[:at]) for at in begins]


@pytest.mark.parametrize("calendar", [False, True])
def test_generated_prompts_are_those_that_the_core_sends(calendar: bool) -> None:
    """Each output is learnt after the bytes that the core sends at that turn: tools, past calls, results and all."""
    compared = 0
    for tree in islice(trees(1, calendar=calendar), 60):
        for branch in tree.branches:
            sent, taught = sent_texts(tree, branch), taught_texts(tree, branch)
            assert sent == taught
            compared += len(sent)
    assert compared > 150


def test_prompts_of_own_tools_are_those_that_the_core_sends() -> None:
    """The same holds for a user's own tools."""
    tools = OwnTools(specs=(STOCK, {**STOCK, "name": "stock.find-by"}))
    for tree in islice(own_trees(1, tools, OwnChoice()), 30):
        for branch in tree.branches:
            assert sent_texts(tree, branch) == taught_texts(tree, branch)


def test_arguments_are_in_the_order_of_the_grammar() -> None:
    """Required arguments come first, as listed, then the others by name; nested objects likewise."""
    inner = {"type": "object", "properties": {"z": {}, "a": {}}, "required": ["z"]}
    properties = {"b": {"type": "integer"}, "a": {"type": "integer"}, "o": inner}
    spec = {"name": "t", "parameters": {"type": "object", "properties": properties, "required": ["b", "o"]}}
    written = form.call(spec, {"a": 1, "o": {"a": 2, "z": 3}, "b": 4})
    assert '{"tool": "t", "args": {"b": 4, "o": {"z": 3, "a": 2}, "a": 1}}' == written


@pytest.mark.parametrize(
    ("output", "name"),
    [
        (form.call(STOCK, {"sku": "x"}), "stock_get"),
        (form.ask("Which?"), "ask"),
        (form.answer("42"), "answer"),
        ('{"answer": "cut', "answer"),
        ("[]", ""),
        ("no", ""),
    ],
)
def test_first_name_of_an_output(output: str, name: str) -> None:
    """An output is told by what it does first."""
    assert name == form.first_name(output)


def tree_of(*branches: Branch) -> Tree:
    """A tree with one tool."""
    return Tree(system=form.system_text([STOCK]), branches=branches, tools=(STOCK,))


CALL = (Turn(text="Stock of A?", output=form.call(STOCK, {"sku": "A"})),)
TALK = (Turn(text="Hello", output=form.answer(""), learnt="branch"),)


def test_only_outputs_are_learnt() -> None:
    """The learnt tokens are the output and its end; of talk, that it answers and nothing more."""
    row = encoded(tree_of(CALL, TALK), letters, 10_000)
    assert row is not None
    learnt = [
        text_of(
            [
                label
                for label, branch in zip(row.labels, row.branches, strict=True)
                if branch == number and label != NOT_LEARNT
            ]
        )
        for number in (1, 2)
    ]
    assert [CALL[0].output + form.END, form.ANSWER_HEAD] == learnt


def test_branches_go_on_from_the_prompt() -> None:
    """Each branch's positions begin where the prompt ends, as if there were no other branch."""
    row = encoded(tree_of(CALL, TALK), letters, 10_000)
    assert row is not None
    prompt = row.branches.count(PROMPT)
    firsts = [next(at for at, each in enumerate(row.branches) if each == number) for number in (1, 2)]
    assert [prompt, prompt] == [row.positions[at] for at in firsts]


def test_a_token_sees_its_prompt_and_its_branch() -> None:
    """Nothing of another branch or another tree is seen, and nothing that comes later."""
    one = encoded(tree_of(CALL, TALK), letters, 10_000)
    assert one is not None
    (row,) = rows([one, one], 10_000)
    last = len(one) - 1
    seen = [at for at in range(len(row)) if sees(row, last, at)]
    assert [at for at in range(len(one)) if one.branches[at] in (PROMPT, 2)] == seen
    assert [] == [at for at in range(len(one)) if sees(row, len(row) - 1, at)]


def test_what_has_no_room_is_left_out() -> None:
    """A branch that is too long is dropped, a tree without branches too, and rows are filled up to their length."""
    whole = encoded(tree_of(CALL, TALK), letters, 10_000)
    assert whole is not None
    shorter = encoded(tree_of(CALL, TALK), letters, len(whole) - 1)
    assert shorter is not None
    assert {PROMPT, 1} == set(shorter.branches)
    assert encoded(tree_of(CALL), letters, len(form.system_turn(tree_of(CALL).system))) is None
    made = list(rows([whole, whole, shorter], 2 * len(whole)))
    assert [2 * len(whole), len(shorter)] == [len(row) for row in made]
    assert [] == list(rows([whole], len(whole) - 1))


def test_rows_do_not_share_lists() -> None:
    """A row that is filled leaves the next one empty."""
    first = Row()
    first.add([1], [True], 0, PROMPT)
    assert ([], 1) == (Row().ids, len(first))


def test_results_are_written_as_hosts_hand_them_on() -> None:
    """A result's text is what the core reads of a tool's output."""
    assert json.dumps({"a": [1]}, separators=(",", ":")) == form.result_text({"a": [1]})
    assert "Result: " + '{"a": [1]}' in form.said_turn("result", form.result_text({"a": [1]}))
