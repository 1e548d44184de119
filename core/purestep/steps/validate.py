"""Validation of states: one may come from a client, and none may make a step fail.

A state is refused when it is of another version, lacks what a step reads of it, or holds a call that its definition
forbids. That it is the state of this run is not looked into: a seal says so, or the replay of the run's log.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from ..agent import Agent
from ..bounds import COMMON_RUN_ID, MAX_AGENT_DEPTH, MAX_DEPTH, MAX_RETRY_AFTER_MS, MAX_RUN_ID_CHARS, SCHEMA_VERSION
from ..draft import (
    attachments_fit,
    carried_fits,
    choice_fits,
    found_fits,
    handed_out,
    history_fits,
    negotiated_fits,
    plan_fits,
    refusals_fit,
    requests_fit,
)
from ..errors import PurestepError
from ..json_text import clean_text, decode_json, encode
from ..lazy import decode_as
from ..values import RunState, shape_error
from .pending_calls import wrong_call, wrong_late
from .pending_checks import judged_fits
from .skill_calls import skill_fits

Shape = TypeVar("Shape")

_HEX: Final = b"0123456789abcdef"


def check_state(agent: Agent, state: RunState) -> None:
    """Raise `unsupported_version` or `invalid_state` for a state that no step of this version can have made."""
    if state.schema_version != SCHEMA_VERSION:
        raise unsupported_version(state.schema_version, "/state/schema_version")
    agent.policies.read(state.policies)
    path = _contradiction(agent, state)
    if path is not None:
        raise PurestepError(
            "invalid_state", "expected a state made by this core; this one contradicts itself there", f"/state{path}"
        )


def unsupported_version(got: int, path: str) -> PurestepError:
    """Return the error for a state of another schema version."""
    return PurestepError(
        "unsupported_version",
        f"expected schema_version {SCHEMA_VERSION}; got {got}; use the purestep that wrote it",
        path,
    )


def check_version(value: Any, path: str) -> None:
    """Raise `unsupported_version` for a decoded state that names another version, before any other check."""
    version = value.get("schema_version") if isinstance(value, dict) else None
    if isinstance(version, int) and version != SCHEMA_VERSION:
        raise unsupported_version(version, f"{path}/schema_version")


def read_input(shape: type[Shape], decode: Callable[[bytes], Shape], data: bytes, depth: int = MAX_DEPTH) -> Shape:
    """Read an input that may hold a state: surrogates and doubled keys decided, or say what is wrong with it.

    A state of another version is named first, since nothing else about it can be judged. depth: its levels at most.
    """
    value = decode_json(data, depth)
    check_version(value.get("state") if isinstance(value, dict) else None, "/state")
    try:
        return decode(encode(value))
    except msgspec.ValidationError:
        raise shape_error(shape, value, "invalid_input") from None


def read_state(data: bytes) -> RunState:
    """Read a small state alone, as `read_input` reads one in an input."""
    value = decode_json(data)
    check_version(value, "")
    try:
        return decode_as(encode(value), RunState)
    except msgspec.ValidationError:
        raise shape_error(RunState, value, "invalid_input") from None


def begun_run_id(agent: Agent, run_id: object) -> str:
    """Return the id of a run that begins: the host's or, where no key protects anything, the one that all others have.

    Error codes: `missing_run_id`, `invalid_input`.
    """
    if run_id is not None:
        return check_run_id(run_id)
    if agent.guarded_tool is not None:
        raise PurestepError(
            "missing_run_id",
            f'expected a run_id: the tool "{agent.guarded_tool}" acts or asks for approval, and the keys of its calls '
            "must not be those of another run; give each run an id of its own",
            "/run_id",
        )
    return COMMON_RUN_ID


def check_run_id(run_id: object) -> str:
    """Return the run id, or raise `invalid_input` when it is empty or too long."""
    if not isinstance(run_id, str) or not 0 < len(run_id) <= MAX_RUN_ID_CHARS:
        raise PurestepError(
            "invalid_input", f"expected a run_id: text of 1 to {MAX_RUN_ID_CHARS} characters", "/run_id"
        )
    return clean_text(run_id)


def _contradiction(agent: Agent, state: RunState) -> str | None:
    """Return the path of the first member that a step would fail on, or that is to run what it may not."""
    run, window = state.run, state.window
    if len(state.run_id) > MAX_RUN_ID_CHARS or (not state.run_id and (run.seq or state.pending)):
        return "/run_id"
    if (state.pending or state.phase != "model") and not _phase_fits(state):
        return "/phase"
    if state.pending and (wrong := wrong_call(agent, state)) is not None:
        return wrong
    if state.pending and (wrong := _wrong_child(agent, state)) is not None:
        return wrong
    if not _is_head(state.head) if run.seq else state.head:
        return "/head"
    if window.model and window.model >= len(agent.definition.models):
        return "/window/model"
    if not window.preamble <= window.kept_from <= window.user_at <= state.messages:
        return "/window/kept_from"
    if not (window.turn_at == 0 or window.user_at < window.turn_at < state.messages):
        return "/window/turn_at"
    if agent.windowed != (window.sent is not None) and (state.messages or window.sent is not None):
        return "/window/sent"
    if (window.sent is not None or window.history is not None) and not history_fits(agent, state):
        return "/window/history"
    if window.attachments and not attachments_fit(state):
        return "/window/attachments"
    return _wrong_choice(agent, state) or _wrong_aside(agent, state)


def _wrong_child(agent: Agent, state: RunState) -> str | None:
    """Return the path of the first run of an agent, or of its member, that no step can have left in its call."""
    for index, call in enumerate(state.pending):
        child, called, path = call.child, agent.agents.get(call.tool), f"/pending/{index}/child"
        if child is None:
            continue
        below = called.among(child.agent) if called is not None and agent.has_below(call.tool) else None
        if below is None or call.status != "run" or child.run_id != call.key:
            return path
        if child.schema_version != SCHEMA_VERSION or not child.messages or child.phase in ("done", "failed"):
            return path
        below.policies.read(child.policies)
        wrong = _contradiction(below, child)
        if wrong is not None:
            return f"{path}{wrong}"
    if agent.agents and state.phase == "tools":
        due = handed_out(state.pending, agent.max_parallel)
        if any(call.child is None and agent.has_below(call.tool) and not call.checks for call in due):
            return "/pending"
    return None


def _wrong_choice(agent: Agent, state: RunState) -> str | None:
    """Return the path of the member that asks the model in a way that its definition does not have."""
    exchange, run = state.exchange, state.run
    if exchange.tool_choice is not None and not choice_fits(agent, exchange.tool_choice):
        return "/exchange/tool_choice"
    if exchange.negotiated is not None and not negotiated_fits(agent, exchange.negotiated):
        return "/exchange/negotiated"
    if exchange.found and not found_fits(agent, exchange.found):
        return "/exchange/found"
    if exchange.wait_ms > MAX_RETRY_AFTER_MS:
        return "/exchange/wait_ms"
    if len(run.handed) > MAX_AGENT_DEPTH:
        return "/run/handed"
    if run.late and (wrong := wrong_late(state)) is not None:
        return wrong
    if run.queued and not all(each.tool_choice is None or choice_fits(agent, each.tool_choice) for each in run.queued):
        return "/run/queued"
    if run.carried is not None and not carried_fits(agent, run.carried):
        return "/run/carried"
    if run.refused_members and not refusals_fit(agent, run.refused_members):
        return "/run/refused_members"
    return None


def _wrong_aside(agent: Agent, state: RunState) -> str | None:
    """Return the path of the member that is wrong of what is done aside: skills, summaries, plans, checks."""
    exchange = state.exchange
    if (exchange.skill is not None or state.pending) and not skill_fits(agent, state):
        return "/exchange/skill"
    if exchange.summing is not None and not (state.phase == "model" and agent.windowed):
        return "/exchange/summing"
    if state.run.plan_requests and not requests_fit(state):
        return "/run/plan_requests"
    if exchange.plan is not None and not plan_fits(agent, state):
        return "/exchange/plan"
    aside = state.pending or exchange.judged is not None
    return None if not aside or judged_fits(agent, state) else "/exchange/judged"


def _is_head(text: str) -> bool:
    """Whether a text is 64 hex digits; every step asks, and this takes half of what a pattern would."""
    return len(text) == 64 and not text.encode().translate(None, _HEX)  # noqa: PLR2004 (a SHA-256)


def _phase_fits(state: RunState) -> bool:
    statuses = {call.status for call in state.pending}
    match state.phase:
        case "model":
            return not statuses or (
                state.exchange.skill is not None and "skill" in statuses and statuses <= {"skill", "done"}
            )
        case "approval":
            return "approval" in statuses or ("asks" in statuses and "run" not in statuses)
        case "tools":
            return "run" in statuses and "approval" not in statuses
        case "done":
            return not statuses and state.exchange.answer is not None
        case _:
            return not statuses and state.exchange.failure is not None
