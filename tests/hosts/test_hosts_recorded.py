"""What hosts tell for the log: how a model was asked, when its output began, what it used, when calls ended."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import purestep
import purestep_formats
from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.loop import Run
from purestep_hosts.models.llamacpp import LlamaCppModel
from purestep_hosts.models.model import Model, ModelRequest
from purestep_hosts.models.openai_http import HttpModel, completions_url
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.event_loops import run_in_loop
from tests.hosts.test_agent_loops import both, cancelled_in
from tests.hosts.test_hosts_http_faults import Answer
from tests.hosts.test_hosts_waits import Kept

Web = Callable[[Answer], str]
CALL = calls("add_numbers", a=1, b=2)
DEFINITION = {
    "dialect": "envelope",
    "tools": [{"name": "add_numbers", "parameters": {"type": "object"}}],
    "sampling": {"temperature": 0, "max_tokens": 32, "seed": 1},
}


def lines(log: str, kind: str) -> list[dict[str, Any]]:
    """Return the lines of a kind."""
    return [event for line in log.splitlines() if (event := json.loads(line))["kind"] == kind]


def ran(model: Model, kept: Kept, **definition: Any) -> Any:
    """Run one question in the sync loop; gives how it ended."""
    ports = kept.ports(model)
    return Run(purestep.Agent.load({**DEFINITION, **definition}), ports, "run-1").ask("Go").decision


def verified(log: str) -> bool:
    """Whether a log leads to each of its lines."""
    return bool(json.loads(purestep.verify_log(log))["ok"])


def data(**chunk: Any) -> bytes:
    """Return a chunk as an event of a stream."""
    return b"data: " + json.dumps({"id": "chatcmpl-7", "model": "small-2026", **chunk}).encode() + b"\n\n"


def piece(content: str, tokens: int) -> bytes:
    """Return a chunk with text and the tokens so far, as servers send it that count each chunk."""
    usage = {"prompt_tokens": 20, "completion_tokens": tokens}
    return data(choices=[{"delta": {"content": content}}], usage=usage)


def streaming(*pieces: bytes, hold: threading.Event | None = None) -> Answer:
    """Answer with a stream; it is kept open until the event is set."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for each in pieces:
            handler.wfile.write(each)
            handler.wfile.flush()
        if hold is not None:
            hold.wait(60)

    return answer


def test_a_request_is_logged_as_it_was_sent(web: Web) -> None:
    """Settings under the names that the model takes, the constraint by its kind, and neither messages nor schemas."""
    bodies: list[dict[str, Any]] = []
    done = streaming(piece(says("It is 3."), 9), data(choices=[{"delta": {}, "finish_reason": "stop"}]))

    def answer(handler: Any, number: int) -> None:
        bodies.append(json.loads(handler.body))
        done(handler, number)

    kept = Kept()
    model = HttpModel(completions_url(web(answer)), model="gpt-5-mini")
    models = [{"name": "gpt-5-mini", "supports": ["json_schema"], "profile": "server"}]
    assert isinstance(ran(model, kept, models=models), purestep.Done)
    model.close()
    [output] = lines(kept.log, "model_response")
    expected = {"model": "gpt-5-mini", "max_completion_tokens": 32, "seed": 1, "constraint": "json_schema"}
    assert expected == output["request"]
    assert {name: bodies[0][name] for name in expected if name != "constraint"}.items() <= expected.items()
    assert ("chatcmpl-7", "small-2026") == (output["response_id"], output["model"])
    assert verified(kept.log)


def test_an_output_that_the_core_stopped_has_the_tokens_counted_until_then(web: Web) -> None:
    """The server never sends its last report, since the connection is closed before."""
    hold = threading.Event()
    kept = Kept()
    url = web(streaming(piece(CALL, 11), piece(" and", 12), piece(" more", 13), hold=hold))
    model = HttpModel(completions_url(url), model="small")
    gate = ran_until_tools(model, kept)
    hold.set()
    model.close()
    [output] = lines(gate, "model_response")
    assert CALL == output["content"]
    assert {"prompt_tokens": 20, "completion_tokens": 12} == output["usage"]
    assert ("chatcmpl-7", "stop") == (output["response_id"], output["finish_reason"])


def ran_until_tools(model: Model, kept: Kept) -> str:
    """Ask until the first call runs, which ends the test's run; gives the log."""

    class Ended(Exception):
        pass

    def run(name: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        raise Ended

    kept.run = run  # type: ignore[method-assign]
    with pytest.raises(Ended):
        ran(model, kept)
    return kept.log


def test_first_token_and_calls_are_timed_by_the_hosts_clock(tmp_path: Path) -> None:
    """One clock gives all times; the order in which things happened is that of the times."""
    kept, clock = Kept(), count(1_000)
    box = Toolbox(ToolConfig(session_dir=tmp_path, names=("add_numbers",)))
    ports = kept.ports(ScriptedModel([both(CALL, calls("add_numbers", a=3, b=4)), says("It is 3.")]))
    ports = type(ports)(
        **{name: getattr(ports, name) for name in ports.__struct_fields__} | {"tools": box, "clock": clock.__next__}
    )
    agent = Agent(ScriptedModel([]), tools=list(box._tools.values()))
    Run(agent.definition, ports, "run-1").ask("Go")
    first, second = lines(kept.log, "model_response")
    for output in (first, second):
        assert output["asked_at"] < output["first_token_at"] < output["at"]
    ends = [result["ended_at"] for result in lines(kept.log, "tool_result")]
    assert 2 == len(set(ends))
    assert all(
        first["at"] < end < result["at"] for end, result in zip(ends, lines(kept.log, "tool_result"), strict=True)
    )
    assert verified(kept.log)


def test_calls_that_run_beside_each_other_have_their_own_ends() -> None:
    """The slow one holds the results back, and the quick one's end is its own."""
    now, is_slow = [0], threading.Event()

    @tool
    def quick() -> str:
        """End at once."""
        return "quick"

    @tool
    def slow() -> str:
        """End once the time has passed."""
        is_slow.wait(30)
        return "slow"

    def clock() -> int:
        now[0] += 1
        if now[0] > 6:
            is_slow.set()
        return now[0] * 1_000 if is_slow.is_set() else now[0]

    def ticking() -> None:
        while not is_slow.is_set():
            time.sleep(0.01)
            clock()

    threading.Thread(target=ticking, daemon=True).start()
    model = ScriptedModel([both(calls("slow"), calls("quick")), says("Both ended.")])
    result = Agent(model, tools=[quick, slow], clock=clock).run_sync("Go")
    ends = {line["tool_name"]: line["ended_at"] for line in lines(result.log, "tool_result")}
    assert ends["quick"] < ends["slow"]
    [at] = {line["at"] for line in lines(result.log, "tool_result")}
    assert ends["slow"] <= at


def test_a_run_that_is_cancelled_tells_what_the_output_had_used(web: Web) -> None:
    """In the event loop: the stream stands open, and the last count before the stop is in the log."""
    hold, came = threading.Event(), threading.Event()
    url = web(streaming(piece("I think", 3), piece(" so", 4), hold=hold))
    log: list[str] = []
    model = HttpModel(completions_url(url), model="small")
    chunk = Told(model, came, 2)
    run_in_loop(cancelled_in(Agent(chunk, dialect="tool_tags"), came.is_set, log))
    hold.set()
    model.close()
    [cancelled] = lines("".join(log), "cancelled")
    assert {"prompt_tokens": 20, "completion_tokens": 4} == cancelled["usage"]
    assert ("small", "chatcmpl-7") == (cancelled["request"]["model"], cancelled["response_id"])
    assert cancelled["asked_at"] <= cancelled["first_token_at"] <= cancelled["at"]
    assert verified("".join(log))


class Told:
    """Asks a model, and tells when so many chunks have come."""

    def __init__(self, model: HttpModel, came: threading.Event, chunks: int) -> None:
        self.name, self._model, self._came, self._left = model.name, model, came, chunks
        self.stop, self.stop_reply = model.stop, model.stop_reply

    def complete(self, request: ModelRequest, reply: Any) -> Any:
        """Ask it."""

        class Sink:
            def chunk(_, chunk: str | bytes) -> bool:  # noqa: N805
                is_over: bool = reply.chunk(chunk)
                self._left -= 1
                if not self._left:
                    self._came.set()
                return is_over

        return self._model.complete(request, Sink())  # type: ignore[arg-type]


def test_ctrl_c_tells_what_the_output_had_used(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the sync loop too, where the model may go on in its thread."""
    kept = Kept()
    model = HttpModel(completions_url(web(streaming(piece("I think", 3)))), model="small")
    ports = kept.ports(model)

    def interrupted(work: Callable[[], Any]) -> Any:
        work()
        raise KeyboardInterrupt

    monkeypatch.setattr(ports.interrupts, "run", interrupted)
    decision = Run(purestep.Agent.load(DEFINITION), ports, "run-1").ask("Go").decision
    model.close()
    assert isinstance(decision, purestep.Failed)
    assert "cancelled" == decision.code
    [cancelled] = lines(kept.log, "cancelled")
    assert {"prompt_tokens": 20, "completion_tokens": 3} == cancelled["usage"]
    expected = {"model": "small", "temperature": 0, "max_tokens": 32, "seed": 1, "constraint": "json_schema"}
    assert (expected, 0, 0) == (cancelled["request"], cancelled["asked_at"], cancelled["first_token_at"])


def test_a_reply_that_breaks_off_tells_what_it_had_used(web: Web) -> None:
    """The connection ends in the middle; each try is asked for and counted on its own."""
    kept = Kept()
    model = HttpModel(completions_url(web(streaming(piece("I think", 3)))), model="small")
    ran(model, kept)
    model.close()
    errors = lines(kept.log, "model_error")
    assert 3 == len(errors)
    assert all({"prompt_tokens": 20, "completion_tokens": 3} == error["usage"] for error in errors)
    assert verified(kept.log)


def test_a_model_in_this_process_counts_what_was_stopped(local_model: LlamaCppModel) -> None:
    """llama.cpp tells the tokens beside each of them, so a stopped reply has its count."""
    reply = purestep_formats.open_reply(model=local_model.name)
    seen: list[purestep_formats.Reply] = [reply]

    class Sink:
        def chunk(self, chunk: str | bytes) -> bool:
            seen.append(purestep_formats.feed_reply(seen[-1], chunk, 5)[0])
            return len(seen) > 6

        def text(self, piece: str) -> bool:
            raise AssertionError(piece)

    asked = ModelRequest(messages=[{"role": "user", "content": "Tell a story."}], sampling={"max_tokens": 200})
    local_model.complete(asked, Sink())
    cancel, _ = purestep_formats.close_reply(seen[-1], purestep.Cancel(reason="enough"))
    assert cancel.usage is not None
    assert 1 <= (cancel.usage.completion_tokens or 0) <= 6
    assert (cancel.usage.prompt_tokens or 0) > 10
    assert (cancel.response_id or "").startswith("chatcmpl-")
    assert 5 == cancel.first_token_at
