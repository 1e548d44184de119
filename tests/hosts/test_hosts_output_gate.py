"""The loop hands a reply to the core while it comes: shown, ended at the stop, and the same however it came."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from purestep import Agent, Done, ModelError, ModelOutput, Usage
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.generation import Generation
from purestep_hosts.models.llamacpp import LlamaCppModel
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest, ReplySink

FINAL = '{"kind":"final","content":"S\u00f8 \U0001f600"}'
BEHIND = " and more \U0001f600."
USAGE = {"prompt_tokens": 3, "completion_tokens": 5}
WHOLE = {"finish_reason": "length", "usage": USAGE, "model": "reported"}
CUT = {"finish_reason": "stop", "model": "asked"}


class Pieces:
    """A model that says a text in pieces until it is told to stop, and then gives an observation."""

    name = "asked"

    def __init__(self, pieces: Sequence[str], end: ModelEnd | None = None) -> None:
        self.pieces = pieces
        self.said = 0
        whole = ModelOutput(content="".join(pieces), **{**WHOLE, "usage": Usage(**USAGE)})
        self.end = end or whole

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Say the pieces; what comes back is the same whether the text was taken to its end or not."""
        for piece in self.pieces:
            self.said += 1
            if reply.text(piece):
                break
        return self.end


class Gathered:
    """Takes a reply to its end: chunks are kept, and text is dropped, which a model's own observation holds."""

    def __init__(self) -> None:
        self.chunks: list[str | bytes] = []

    def chunk(self, chunk: str | bytes) -> bool:
        """Keep a chunk."""
        self.chunks.append(chunk)
        return False

    def text(self, piece: str) -> bool:
        """Drop a text."""
        return False


class Unstreamed:
    """A model whose reply comes all at once."""

    name = "asked"

    def __init__(self, model: Model) -> None:
        self.model = model

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Return the whole output."""
        gathered = Gathered()
        end = self.model.complete(request, gathered)
        for chunk in gathered.chunks:
            reply.chunk(chunk)
        return end


class Watched:
    """Keeps what a run shows and logs."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.log = ""

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.log += log

    def on_text(self, text: str) -> None:
        """Keep what is shown."""
        self.told.append(text)

    def on_retract(self) -> None:
        """Keep that it was taken back."""
        self.told.append("retract")

    def on_step(self, step: Any) -> None:
        """Nothing is kept of a step."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is kept of a result."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """No tool is called."""
        raise AssertionError(tool)

    def response(self) -> dict[str, Any]:
        """Return the last model output as it is logged."""
        events = [json.loads(line) for line in self.log.splitlines()]
        found = next(event for event in reversed(events) if event["kind"] == "model_response")
        return {name: found[name] for name in ("content", "finish_reason", "usage", "model") if name in found}


def ran(model: Model, **definition: Any) -> tuple[Any, Watched]:
    """Ask one thing; gives how it ended and what was kept."""
    seen = Watched()
    ports = Ports(model=model, tools=seen, approve=lambda calls: (), log=seen, watch=seen, clock=lambda: 1)
    return Run(Agent.load(definition), ports, "run-1").ask("Go").decision, seen


CUTS: dict[str, Callable[[str], list[str]]] = {
    "whole": lambda text: [text],
    "by character": list,
    "by half a character": lambda text: [half for char in text for half in halves(char)],
    "by sevens": lambda text: [text[at : at + 7] for at in range(0, len(text), 7)],
}


def halves(char: str) -> list[str]:
    """Return a character as JSON has it in chunks that are cut between its surrogates."""
    units = char.encode("utf-16-le")
    return [units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2)]


@pytest.mark.parametrize("cut", CUTS)
def test_log_is_the_same_however_the_text_was_cut(cut: str) -> None:
    """The output of a model that went on is its text up to the stop, in whatever pieces it came."""
    decision, seen = ran(Pieces(CUTS[cut](FINAL + BEHIND)))
    assert (Done(answer="S\u00f8 \U0001f600"), {"content": FINAL, **CUT}) == (decision, seen.response())
    assert seen.log == ran(Pieces([FINAL + BEHIND]))[1].log


def test_model_is_ended_with_the_first_piece_behind_the_stop() -> None:
    """One piece more is asked of a model, since its end may come next; then no further one."""
    model = Pieces([*FINAL, " and", " more", " still"])
    ran(model)
    assert len(FINAL) + 1 == model.said


def test_model_that_ends_by_itself_keeps_its_counts() -> None:
    """Where nothing stands behind the stop, finish reason, usage and name are the model's own."""
    assert {"content": FINAL, **WHOLE} == ran(Pieces(list(FINAL)))[1].response()


def test_connection_that_breaks_behind_the_stop_breaks_nothing() -> None:
    """A text that was whole counts, whatever became of the reply after it; one that was not is asked for again."""
    broken = ModelError(code="unavailable", message="It broke.")
    decision, seen = ran(Pieces(list(FINAL), broken))
    assert (Done(answer="S\u00f8 \U0001f600"), {"content": FINAL, **CUT}) == (decision, seen.response())
    assert "model_error" == ran(Pieces(list(FINAL[:-1]), broken))[0].code


@pytest.mark.parametrize("text", [FINAL, FINAL + BEHIND, "```json\n" + FINAL + "\n```", "Hm. " + FINAL])
def test_decision_is_the_same_without_streaming(text: str) -> None:
    """A model whose text is not heard while it comes leads to the same answer; the note on what followed is its own."""
    heard, whole = ran(Pieces(list(text)))[0], ran(Unstreamed(Pieces([text])))[0]
    assert isinstance(whole, Done)
    assert heard == (replace(whole, problems=msgspec.UNSET) if text == FINAL + BEHIND else whole)


def test_tokens_are_counted_where_they_are_limited() -> None:
    """A run with a budget of tokens hears every output to its end, for their number."""
    model = Pieces([FINAL, *BEHIND])
    _, seen = ran(model, limits={"max_output_tokens": 100})
    assert (len(model.pieces), WHOLE["usage"]) == (model.said, seen.response()["usage"])


def test_reader_is_told_to_take_reasoning_back() -> None:
    """Text that proves to be reasoning is shown as it comes and retracted once that is known."""
    pieces = ["I think ", "so.</think>", "Yes, ", "it is."]
    _, seen = ran(Pieces(pieces, ModelOutput(content="".join(pieces))), dialect="tool_tags")
    assert ["I think", " so.", "retract", "Yes,", " it is."] == seen.told


class Forced:
    """The local model under a grammar that goes on behind the answer."""

    def __init__(self, model: LlamaCppModel) -> None:
        self.model = model
        self.name = model.name

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Complete under the grammar."""
        quoted = FINAL.replace('"', '\\"')
        forced = {"grammar": f'root ::= "{quoted}" " word"{{100}}', "response_format": None}
        return self.model.complete(msgspec.structs.replace(request, **forced), reply)


def test_llama_cpp_stops_generating_at_the_stop(local_model: LlamaCppModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real model generates fewer tokens than without the stop, decides the same, and is free for the next."""
    generated = [0]
    put = Generation._put

    def counted(generation: Any, chunk: dict[str, Any]) -> bool:
        generated[-1] += any(choice["delta"].get("content") for choice in chunk.get("choices", ()))
        return put(generation, chunk)

    monkeypatch.setattr(Generation, "_put", counted)
    heard, seen = ran(Forced(local_model))
    generated.append(0)
    unheard, whole = ran(Unstreamed(Forced(local_model)))
    assert (Done(answer="S\u00f8 \U0001f600"), FINAL) == (heard, seen.response()["content"])
    assert (heard, FINAL) == (unheard, whole.response()["content"])
    early, late = generated
    assert early + 80 < late
