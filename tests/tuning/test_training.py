"""The trainer with the real base model: what it calculates is what llama.cpp does, and a short training teaches."""

import json
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
import torch

import purestep
from purestep_formats import ReplyEnd
from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions
from purestep_hosts.models.model import ModelRequest
from tools.tuning import form
from tools.tuning.__main__ import main
from tools.tuning.generators import trees
from tools.tuning.measuring import Heard, measure
from tools.tuning.mix import Generated, Source
from tools.tuning.packing import NOT_LEARNT, Encode, Row, encoded, rows
from tools.tuning.training.adapter_file import AdapterFileError, read_adapter, write_adapter
from tools.tuning.training.base import Base
from tools.tuning.training.batches import batch_of
from tools.tuning.training.llama import Llama
from tools.tuning.training.teaching import Teaching, teach
from tools.tuning.training.trainer import Plan, Progress, Trainer, loss_of, rate_share
from tools.tuning.trees import Tree, Turn

Begun = Callable[[int], Llama]
"""Returns a model of so many layers."""

OPTIONS = LlamaCppOptions(n_ctx=2048, n_threads=1)
ADD: dict[str, Any] = {
    "name": "add_numbers",
    "description": "Add two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
}
SUM = (Turn(text="What is 17 plus 25?", output=form.call(ADD, {"a": 17, "b": 25})),)
TALK = (Turn(text="Hello", output=form.answer(""), learnt="branch"),)
SHIPPED_FILE = SHIPPED[TAUGHT_NAME].path


def tree_of(*branches: tuple[Turn, ...]) -> Tree:
    """A tree with one tool."""
    return Tree(system=form.system_text([ADD]), branches=branches, tools=(ADD,))


def row_of(encode: Encode, *branches: tuple[Turn, ...]) -> Row:
    """The row of a tree with one tool."""
    row = encoded(tree_of(*branches), encode, 1024)
    assert row is not None
    return row


def asked(model: LlamaCppModel, question: str) -> tuple[str, int]:
    """What a model says when the core asks it with one tool, and the tokens of the prompt."""
    step = purestep.start(
        purestep.Agent.load(form.definition([ADD])), purestep.UserMessage(content=question), run_id="r"
    )
    assert isinstance(step.decision, purestep.CallModel)
    messages = [{"role": each.role, "content": each.content} for each in step.messages]
    heard = Heard()
    request = ModelRequest(
        messages=messages, grammar=step.decision.grammar, sampling={"temperature": 0, "max_tokens": 60}
    )
    assert isinstance(model.complete(request, heard), ReplyEnd)
    return heard.said, heard.prompt_tokens


def test_prompts_have_the_tokens_that_llama_cpp_reads(base_path: Path, encode: Encode) -> None:
    """llama.cpp writes the chat with the template in the file, and comes to as many tokens as were taught."""
    model = LlamaCppModel(base_path, OPTIONS)
    for question in ("What is 17 plus 25?", "\u00fcbermorgen um 9:15, \u4f60\u597d \U0001f600", "a  b\n\nc\t1234"):
        prompt = form.system_turn(form.system_text([ADD])) + form.said_turn("user", question)
        assert len(encode(prompt)) == asked(model, question)[1]
    model.close()


def test_a_branch_is_learnt_as_if_it_were_alone(begun: Begun, encode: Encode) -> None:
    """Beside another branch and another tree, the loss of a branch is what it is by itself."""
    model = begun(2)
    alone, other = row_of(encode, SUM), row_of(encode, TALK)
    (packed,) = rows([other, row_of(encode, TALK, SUM)], 1024)
    labels = [
        label if branch == 2 else NOT_LEARNT for label, branch in zip(packed.labels, packed.branches, strict=True)
    ]
    with torch.no_grad():
        (expected, right), (loss, also_right) = (
            loss_of(model, batch_of([row], 384, "cpu")) for row in (alone, Row(**{**fields(packed), "labels": labels}))
        )
    assert float(expected) == pytest.approx(float(loss), rel=1e-4)
    assert right == also_right


def fields(row: Row) -> dict[str, list[int]]:
    """The fields of a row."""
    return {name: getattr(row, name) for name in row.__struct_fields__}


def test_the_shipped_adapter_knows_what_it_was_taught(begun: Begun, base: Base, encode: Encode) -> None:
    """Its matrices are read from the GGUF file, and foretell a call that the base alone does not."""
    model, batch = begun(base.shape.layers), batch_of([row_of(encode, SUM)], 128, "cpu")
    with torch.no_grad():
        untaught, _ = loss_of(model, batch)
        model.start_from(read_adapter(SHIPPED_FILE, base.shape))
        taught, right = loss_of(model, batch)
    assert float(taught) < 0.2
    assert float(untaught) > 0.5
    assert 1.0 == right


def test_an_adapter_is_written_as_it_is_read(base: Base, base_path: Path, tmp_path: Path) -> None:
    """The shipped matrices, read and written again, are the same, and llama.cpp answers the same with them."""
    matrices = read_adapter(SHIPPED_FILE, base.shape)
    write_adapter(tmp_path / "again.gguf", matrices)
    again = read_adapter(tmp_path / "again.gguf", base.shape)
    assert matrices.keys() == again.keys()
    assert all(torch.equal(matrices[name][part], again[name][part]) for name in matrices for part in (0, 1))
    said = []
    for path in (SHIPPED_FILE, tmp_path / "again.gguf"):
        model = LlamaCppModel(base_path, OPTIONS, adapter=path)
        said.append(asked(model, "What is 17 plus 25?")[0])
        model.close()
    assert [SUM[0].output] * 2 == said


def test_a_file_that_is_no_adapter_is_an_error(base: Base, base_path: Path, tmp_path: Path) -> None:
    """A model's own file and a damaged one are refused with what was expected."""
    (tmp_path / "damaged.gguf").write_bytes(SHIPPED_FILE.read_bytes()[:1000])
    for path in (base_path, tmp_path / "damaged.gguf", tmp_path / "missing.gguf"):
        with pytest.raises(AdapterFileError, match="expected a GGUF adapter"):
            read_adapter(path, base.shape)


def endless(encode: Encode) -> Iterator[Row]:
    """Rows of generated trees."""
    return rows((row for tree in trees(1) if (row := encoded(tree, encode, 192)) is not None), 192)


def trained(model: Llama, encode: Encode, plan: Plan) -> list[Progress]:
    """What the steps of a training do."""
    made: list[Progress] = []
    Trainer(model, endless(encode), plan, "cpu").run(made.append)
    return made


def test_a_training_goes_on_where_it_was_left(begun: Begun, encode: Encode, tmp_path: Path) -> None:
    """One step and then two from the checkpoint lose what three steps lose, with the same rows."""
    shared = {"rate": 1e-3, "rows": 1, "length": 192, "checkpoint_steps": 1}
    kept = tmp_path / "kept.pt"
    whole = trained(begun(1), encode, Plan(steps=3, **shared))
    # As a training that was ended after its first step.
    ended = Trainer(begun(1), endless(encode), Plan(steps=3, checkpoint=kept, **shared), "cpu")
    with pytest.raises(KeyboardInterrupt):
        ended.run(interrupted_at(2))
    rest = trained(begun(1), encode, Plan(steps=3, checkpoint=kept, **shared))
    assert [2, 3] == [progress.step for progress in rest]
    assert whole[-1].loss == pytest.approx(rest[-1].loss, rel=1e-3)


def interrupted_at(step: int) -> Any:
    """What ends a training at a step."""

    def tell(progress: Progress) -> None:
        if progress.step == step:
            raise KeyboardInterrupt

    return tell


def test_the_rate_rises_and_falls() -> None:
    """It warms up, and a cosine ends it at a small share."""
    shares = [rate_share(step, step / 100, 10) for step in range(101)]
    assert shares[0] < shares[5] < shares[9]
    assert all(later <= earlier for earlier, later in pairwise(shares[10:]))
    assert 0.03 == pytest.approx(shares[100])


def test_smoothing_takes_its_share_of_the_labels(begun: Begun, encode: Encode) -> None:
    """Half of the labels smoothed is half of the loss of all tokens alike."""
    model, batch = begun(1), batch_of([row_of(encode, SUM)], 128, "cpu")
    with torch.no_grad():
        plain, half, whole = (float(loss_of(model, batch, share)[0]) for share in (0.0, 0.5, 1.0))
    assert (plain + whole) / 2 == pytest.approx(half, rel=1e-4)


def test_the_command_teaches_own_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a file of tools to an adapter, which goes on from the shipped one; what cannot be learnt is said."""
    tools, target = tmp_path / "tools.json", tmp_path / "mine.gguf"
    tools.write_text(json.dumps({"tools": [ADD]}))
    shared = ["--tools", str(tools), "--out", str(target), "--steps", "1", "--rows", "1", "--workers", "1"]
    assert 1 == main([*shared, "--generated", "4", "--length", "16"])
    assert "no tree fits into 16 tokens" in capsys.readouterr().err
    assert 0 == main([*shared, "--generated", "4", "--length", "256", "--measured", "1"])
    assert f"{target}: 10408256 bytes" in capsys.readouterr().out


def test_a_short_training_makes_an_adapter_that_answers(base_path: Path, tmp_path: Path) -> None:
    """From generated trees to a decision: prepare, train from nothing until the loss falls, write, load, and ask."""
    target = tmp_path / "adapter.gguf"
    plan = Plan(steps=6, rate=2e-3, rows=1, length=256)
    teaching = Teaching(base=base_path, start=None, rank=32, plan=plan, workers=1)
    sources = [Source(name="generated", weight=1.0, of=Generated(seed=1, number=20))]
    made = teach(teaching, sources, target, lambda _: None)
    assert sum(each.loss for each in made[-2:]) < sum(each.loss for each in made[:2])
    model = LlamaCppModel(base_path, OPTIONS, adapter=target)
    measured = measure(model, islice(trees(99), 1))
    model.close()
    assert measured.turns > 0
