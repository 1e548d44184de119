"""A recorded run driven again: its facts under another definition, or under this release of the core.

No model is asked and no tool runs. Each fact of the log is given to the step, and what the step derives is compared
with what stands in the log after that fact, up to the first difference: from there on the recorded facts answer
questions that would not have been asked. Compared is what a decision does (`outline`), not the bytes: keys, hashes,
times and wording differ between definitions that decide alike.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import UNSET, Raw, Struct, to_builtins
from msgspec.structs import replace

from ..agent import Agent, agent_from_source
from ..bounds import MAX_RUN_ID_CHARS, SCHEMA_VERSION
from ..draft import Draft
from ..errors import PurestepError
from ..json_text import decode_json, encode, to_bytes
from ..steps import adopt, agent_after, unsupported_version
from ..values import (
    AgentChangedEvent,
    ApprovalEvent,
    ChildLine,
    Event,
    RunStarted,
    RunState,
    decode_event,
    event_below,
    is_derived,
    new_state,
)
from .lines import LogText
from .replay import read_events
from .replayer import draft_of

_SAID: Final[dict[str, tuple[str, ...]]] = {
    "tool_call": ("call_id", "tool_name", "arguments", "checks"),
    "approval_request": ("call_id", "tool_name"),
    "correction": ("cause",),
    "agent_changed": ("handed_to",),
    "skill_started": ("call_id", "skill", "params"),
    "skill_ended": ("call_id", "skill", "ok", "output", "error_kind"),
    "child_ended": ("call_id", "agent", "ok", "output", "error_kind"),
    "decided": ("reason", "tools"),
    "switched": ("what", "to"),
    "final_answer": ("content", "data"),
    "run_failed": ("code",),
}
"""The members of derived lines that say what is done; verdicts only tell why."""


_Outlines = tuple[dict[str, Any], ...]


class Redriven(Struct, frozen=True, kw_only=True):
    """A recorded run driven again.

    `same`: nothing differs. `steps`: facts that led to the same. `line`: the number in the log, from 1, of the first
    fact that does not; `recorded` and `redriven` what it led to in the log and now, and `message` why it could not be
    given to the step. `state` and `log` are the run driven again, up to there.
    """

    same: bool
    steps: int
    state: RunState
    log: str
    line: int | None = None
    recorded: tuple[dict[str, Any], ...] = ()
    redriven: tuple[dict[str, Any], ...] = ()
    message: str | None = None


class _Recorded(Struct, frozen=True):
    """A fact, the number of its line, and what stands in the log after it."""

    line: int
    fact: Event
    outlines: _Outlines
    is_last: bool


def redrive(log: LogText, agent_json: str | bytes | None = None, run_id: str | None = None) -> Redriven:
    """Drive a recorded run again, up to the first fact that leads to something else.

    agent_json: the definition to drive it under, instead of all that the log names; None for those. One without
    `models` has those of the log. run_id: the id of the run driven again, 1 to 128 characters; None for the recorded
    one. Error codes: `invalid_log`, which names the line, `unsupported_version`, `invalid_input`, and the definition's
    own.
    """
    started, facts = _read(log)
    if run_id is not None and not 0 < len(run_id) <= MAX_RUN_ID_CHARS:
        raise PurestepError("invalid_input", f"expected an id of 1 to {MAX_RUN_ID_CHARS} characters", "/run_id")
    agent = agent_from_source(bytes(started.agent) if agent_json is None else with_models(agent_json, started))
    run = _Run(agent, replace(started, run_id=run_id or started.run_id))
    steps = 0
    for recorded in facts:
        if isinstance(recorded.fact, AgentChangedEvent) and agent_json is not None:
            continue
        message, outlines = run.given(recorded.fact)
        came = recorded.outlines
        if recorded.is_last and outlines != came:
            came = _completed(came, outlines if agent_json is None else _last_outlines(started, facts))
        if message is not None or outlines != came:
            return Redriven(
                same=False,
                steps=steps,
                state=run.state,
                log=run.log,
                line=recorded.line,
                recorded=came,
                redriven=outlines,
                message=message,
            )
        run.keep()
        steps += 1
    return Redriven(same=True, steps=steps, state=run.state, log=run.log)


def begun_and_facts(log: LogText) -> tuple[RunStarted, list[tuple[int, Event]]]:
    """Return how a log begins, and its facts with the numbers of their lines; raises as `redrive`."""
    started, facts = _read(log)
    return started, [(each.line, each.fact) for each in facts]


def with_models(agent_json: str | bytes, started: RunStarted) -> bytes:
    """Return a definition with the recorded `models` where it names none: they say how the outputs were asked for."""
    source = to_bytes(agent_json)
    given, recorded = decode_json(source), decode_json(bytes(started.agent))
    if not isinstance(given, dict) or "models" in given or not isinstance(recorded, dict) or "models" not in recorded:
        return source
    return encode({**given, "models": recorded["models"]})


def _completed(came: _Outlines, derived: _Outlines) -> _Outlines:
    """Return what the last fact of a log led to, also where a crash has cut off the end of it."""
    return derived if derived[: len(came)] == came else came


def _last_outlines(started: RunStarted, facts: Sequence[_Recorded]) -> _Outlines:
    """Return what the last fact leads to under the log's own definitions; nothing where a fact is not taken."""
    run = _Run(agent_from_source(bytes(started.agent)), started)
    outlines: _Outlines = ()
    for recorded in facts:
        message, outlines = run.given(recorded.fact)
        if message is not None:
            return ()
        run.keep()
    return outlines


def _read(log: LogText) -> tuple[RunStarted, list[_Recorded]]:
    """Return how a log begins, and its facts with what was derived from each."""
    events = list(read_events(log))
    started = events[0][1] if events else None
    if not isinstance(started, RunStarted):
        raise PurestepError("invalid_log", "line 1: expected run_started, with which a log begins", "/1")
    if started.schema_version != SCHEMA_VERSION:
        raise unsupported_version(started.schema_version, "/1")
    return started, list(_facts(events[1:]))


def _facts(events: Sequence[tuple[int, Event]]) -> Iterator[_Recorded]:
    begins = [at for at, (_, event) in enumerate(events) if not is_derived(event)]
    if events and begins[:1] != [0]:
        line = events[0][0]
        raise PurestepError("invalid_log", f"line {line}: a derived line stands where a fact is due", f"/{line}")
    for at, after in zip(begins, (*begins[1:], len(events)), strict=False):
        line, fact = events[at]
        yield _Recorded(line, fact, _outlines([event for _, event in events[at + 1 : after]]), after == len(events))


def _outlines(events: Sequence[Event]) -> _Outlines:
    found = [outline(event) for event in events]
    return tuple([each for each in found if each])


def outline(event: Event) -> dict[str, Any]:
    """Return what a derived line says is done, with its kind; empty for a line that only tells why."""
    if isinstance(event, ChildLine):
        below = outline(event_below(event))
        return {"kind": "child", "call_id": event.call_id, "line": below} if below else {}
    kind = event.__struct_config__.tag
    said = _SAID.get(str(kind), ())
    # A definition stands in its line as it was written, and is no part of what is said.
    members = to_builtins(event, enc_hook=lambda _raw: None) if said else {}
    return {"kind": kind, **{name: members[name] for name in said if name in members}} if said else {}


def _with_keys(fact: Event, state: RunState) -> Event:
    """Return an answer of a person, also one to an agent, with the key that its call has in the run driven again."""
    calls = {call.call_id: call for call in state.pending}
    if isinstance(fact, ApprovalEvent) and fact.call_id in calls:
        return replace(fact, key=calls[fact.call_id].key)
    if isinstance(fact, ChildLine) and fact.call_id in calls:
        child = calls[fact.call_id].child
        inner = event_below(fact)
        if child is not None and isinstance(inner, ApprovalEvent | ChildLine):
            return replace(fact, line=Raw(encode(_with_keys(inner, child))))
    return fact


class _Run:
    """The run driven again, whose steps are kept one by one."""

    def __init__(self, agent: Agent, started: RunStarted) -> None:
        self._agent = agent
        self._draft: Draft | None = None
        self._parts: list[bytes] = []
        self.state: RunState = new_state(agent.digest, started.run_id)
        if started.history is not UNSET:
            at = None if started.at is UNSET else started.at
            self._draft, _ = adopt(agent, started, at)
            self.keep()

    @property
    def log(self) -> str:
        """The lines of the steps that were kept."""
        return b"".join(self._parts).decode()

    def given(self, fact: Event) -> tuple[str | None, _Outlines]:
        """Return why a fact is not taken, if so, and what it leads to."""
        try:
            self._draft = draft_of(self._agent, self.state, _with_keys(fact, self.state))
        except PurestepError as error:
            return error.message, ()
        if not self._draft.lines:
            return "nothing waited for it", ()
        derived = [decode_event(line) for line in self._draft.lines]
        return None, _outlines([event for event in derived if is_derived(event)])

    def keep(self) -> None:
        """Go on from the step that the fact given last has led to."""
        assert self._draft is not None  # a fact was given
        self.state = self._draft.close()
        self._parts += [line + b"\n" for line in self._draft.lines]
        self._agent = agent_after(self._agent, self.state)
