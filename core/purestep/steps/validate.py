"""Validation of states: one may come from a client, and none may make a step fail.

A state is refused when it is of another version, contradicts itself, or holds a call that its definition forbids.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from ..agent import Agent
from ..bounds import (
    COMMON_RUN_ID,
    MAX_DEPTH,
    MAX_EFFECTS,
    MAX_REFUSED,
    MAX_RETRY_AFTER_MS,
    MAX_RUN_ID_CHARS,
    MAX_SENT_CUTS,
    MAX_SENT_PARTS,
    MAX_TOKEN_RATIO,
    RECENT_CALLS,
    SCHEMA_VERSION,
    SIGNATURE_CHARS,
)
from ..errors import PurestepError
from ..json_text import clean_text, decode_json, encode
from ..values import RunState, SentPart, shape_error
from ..window import apart
from .acts import acts_fit
from .attachments import attachments_fit
from .choosing import choice_fits
from .citing import citable_fits
from .evidence import evidence_fits
from .grounding import carried_fits
from .negotiated import negotiated_fits
from .pending_calls import wrong_call
from .pending_checks import judged_fits
from .read_on import cuts_fit
from .skill_calls import skill_fits
from .span_texts import spans_fit
from .steering import queued_fit
from .summing import summing_fits

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
    """Give the error for a state of another schema version."""
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
        return msgspec.json.decode(encode(value), type=RunState)
    except msgspec.ValidationError:
        raise shape_error(RunState, value, "invalid_input") from None


def begun_run_id(agent: Agent, run_id: object) -> str:
    """Give the id of a run that begins: the host's or, where no key protects anything, the one that all others have.

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
    """Give the run id, or raise `invalid_input` when it is empty or too long."""
    if not isinstance(run_id, str) or not 0 < len(run_id) <= MAX_RUN_ID_CHARS:
        raise PurestepError(
            "invalid_input", f"expected a run_id: text of 1 to {MAX_RUN_ID_CHARS} characters", "/run_id"
        )
    return clean_text(run_id)


def _contradiction(agent: Agent, state: RunState) -> str | None:
    """Give the path of the first member that contradicts the others."""
    if len(state.run_id) > MAX_RUN_ID_CHARS or (not state.run_id and (state.seq or state.pending)):
        return "/run_id"
    if (state.pending or state.phase != "model") and not _phase_fits(state):
        return "/phase"
    if state.pending and (wrong := wrong_call(agent, state)) is not None:
        return wrong
    if state.tool_calls > state.calls:
        return "/tool_calls"
    if state.model and state.model >= len(agent.definition.models):
        return "/model"
    if state.withheld and not _withheld_fit(agent, state.withheld):
        return "/withheld"
    if not _is_head(state.head) if state.seq else state.head:
        return "/head"
    if state.preamble > len(agent.preamble) and not state.changed:
        return "/preamble"
    if not state.preamble <= state.kept_from <= state.user_at <= state.messages:
        return "/kept_from"
    if not (state.turn_at == 0 or state.user_at < state.turn_at < state.messages) or state.window > 3:  # noqa: PLR2004
        return "/turn_at"
    if (state.sent is not None or agent.windowed) and not _sizes_fit(agent, state):
        return "/sent"
    return _past_bounds(agent, state)


def _past_bounds(agent: Agent, state: RunState) -> str | None:
    """Give the path of the first member that holds more than a step puts there."""
    if state.cut and not cuts_fit(agent, state):
        return "/cut"
    aside = state.pending or state.skill or state.summing or state.judged
    if aside and (wrong := _wrong_aside(agent, state)) is not None:
        return wrong
    if state.wait_ms and (state.phase != "model" or state.wait_ms > MAX_RETRY_AFTER_MS):
        return "/wait_ms"
    if len(state.recent) > RECENT_CALLS or len(state.refused) > MAX_REFUSED:
        return "/recent"
    if state.attachments and not attachments_fit(state):
        return "/attachments"
    if state.queued and not queued_fit(agent, state):
        return "/queued"
    if state.effects and not _effects_fit(state.effects):
        return "/effects"
    if state.unsettled and not _effects_fit(state.unsettled):
        return "/unsettled"
    if state.said_samples and not agent.samples.issuperset(state.said_samples):
        return "/said_samples"
    if state.tool_choice is not None and not choice_fits(agent, state.tool_choice):
        return "/tool_choice"
    if state.carried is not None and not carried_fits(agent, state.carried):
        return "/carried"
    if state.negotiated is not None and not negotiated_fits(agent, state, state.negotiated):
        return "/negotiated"
    return _past_what_is_known(agent, state)


def _past_what_is_known(agent: Agent, state: RunState) -> str | None:
    """Give the path of the first member that keeps of an exchange what no step keeps."""
    if (state.acts or state.acts_left_out) and not acts_fit(agent, state):
        return "/acts"
    if state.span_texts and not spans_fit(agent, state):
        return "/span_texts"
    if (state.evidence is not None or agent.keeps_evidence) and not evidence_fits(agent, state):
        return "/evidence"
    if (state.citable or state.citations) and not citable_fits(agent, state):
        return "/citable"
    return None


def _effects_fit(effects: tuple[str, ...]) -> bool:
    return len(effects) <= MAX_EFFECTS and all(len(each) == SIGNATURE_CHARS for each in effects)


def _wrong_aside(agent: Agent, state: RunState) -> str | None:
    """Give the path of the member that is wrong of what is done beside the conversation: skills, summaries, checks."""
    if (state.skill is not None or state.pending) and not skill_fits(agent, state):
        return "/skill"
    if state.summing is not None and not summing_fits(agent, state, state.summing):
        return "/summing"
    return None if judged_fits(agent, state) else "/judged"


def _sizes_fit(agent: Agent, state: RunState) -> bool:
    """Tell whether sizes are kept as a step keeps them: of messages that there are, in order, in a bounded number."""
    sent = state.sent
    if sent is None:
        return not (agent.windowed and state.messages)
    cuts, before = 0, state.preamble
    others, summary = apart(sent)
    if sent.summary and not (summary and not summary.cuts and summary.begin < summary.end <= sent.known):
        return False
    for part in others:
        if not before <= part.begin < part.end or not _cuts_fit(part):
            return False
        cuts, before = cuts + len(part.cuts), part.end
    known = max(before, sent.known) == state.messages and any(part.begin <= state.user_at for part in others)
    bounded = len(sent.parts) <= MAX_SENT_PARTS and cuts <= MAX_SENT_CUTS
    return agent.windowed and bounded and known and 1000 <= sent.ratio <= MAX_TOKEN_RATIO  # noqa: PLR2004 (per mille)


def _cuts_fit(part: SentPart) -> bool:
    before = (part.begin, 0)
    for cut in part.cuts:
        if not (before <= (cut.message, cut.begin) and cut.message < part.end and cut.begin < cut.end):
            return False
        before = (cut.message, cut.end)
    return True


def _withheld_fit(agent: Agent, withheld: tuple[str, ...]) -> bool:
    """Tell whether tools are withheld as a step withholds them: what a model is offered is kept for each such set."""
    known = set(withheld) if agent.is_open else {name for name in withheld if agent.tool(name) is not None}
    return withheld == tuple(sorted(known))


def _is_head(text: str) -> bool:
    """Tell whether a text is 64 hex digits; every step asks, and this takes half of what a pattern would."""
    return len(text) == 64 and not text.encode().translate(None, _HEX)  # noqa: PLR2004 (a SHA-256)


def _phase_fits(state: RunState) -> bool:
    statuses = {call.status for call in state.pending}
    match state.phase:
        case "model":
            return not statuses or (state.skill is not None and "skill" in statuses and statuses <= {"skill", "done"})
        case "approval":
            return "approval" in statuses
        case "tools":
            return "run" in statuses and "approval" not in statuses
        case "done":
            return not statuses and state.answer is not None
        case _:
            return not statuses and state.failure is not None
