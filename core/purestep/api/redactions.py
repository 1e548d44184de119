"""Hiding texts before a step, and showing them to a tool: for hosts that keep what was hidden in their memory.

A step hides what the definition asks for also where a host calls none of these; then nobody has the texts any more.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from .. import draft, steps
from ..agent import BARE_AGENT, Agent, agent_by_digest, agent_from_source
from ..bounds import MAX_SALT_CHARS
from ..draft import Redacted, Revealed
from ..errors import PurestepError
from ..json_text import check_bounds, check_stack, encode, to_bytes
from ..lazy import decoder_of
from ..values import Observation, RunState
from .typed import observed

Observed = TypeVar("Observed", bound=Observation)


class _RedactInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: Raw | UnsetType = UNSET
    state: RunState | UnsetType = UNSET
    observation: Observation
    salt: str = ""
    hidden: dict[str, str] = {}


class _RevealInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    agent: Raw | UnsetType = UNSET
    state: RunState | UnsetType = UNSET
    tool: str
    params: dict[str, Any]
    hidden: dict[str, str] = {}


def redact(
    agent: Agent,
    observation: Observed,
    state: RunState | None = None,
    *,
    salt: str = "",
    hidden: Mapping[str, str] | None = None,
) -> Redacted[Observed]:
    """Return an observation with the texts hidden that its definition asks for, and these texts.

    agent: of the run. state: None before the first step. salt: of the digests, up to 256 characters, the same for the
    whole run; random and kept to the host, it keeps short texts from being guessed. hidden: what was hidden before, by
    what stands for it; such a text is hidden wherever it stands. Error codes: `invalid_input`.
    """
    if len(salt) > MAX_SALT_CHARS:
        raise PurestepError("invalid_input", f"expected a salt of at most {MAX_SALT_CHARS} characters", "/salt")
    checked: Any = observed(observation)
    return draft.redact(agent, state, checked, salt, hidden or {})


def reveal(agent: Agent, tool: str, params: dict[str, Any], hidden: Mapping[str, str]) -> Revealed:
    """Return the arguments of a call as its tool is given them: with hidden texts where the definition says `reveal`.

    hidden: as `redact` gave it. Where a text is not among these, the call is not run, and `result` is its result.
    """
    return draft.reveal(agent, tool, params, hidden)


def redacted_json(input_json: str | bytes) -> bytes:
    """Return what `redact_observation` gives, as bytes."""
    given: _RedactInput = _read(input_json, _RedactInput)
    state = None if given.state is UNSET else given.state
    return encode(redact(_agent_of(given), given.observation, state, salt=given.salt, hidden=given.hidden))


def revealed_json(input_json: str | bytes) -> bytes:
    """Return what `reveal_params` gives, as bytes."""
    given: _RevealInput = _read(input_json, _RevealInput)
    return encode(reveal(_agent_of(given), given.tool, given.params, given.hidden))


def _agent_of(given: _RedactInput | _RevealInput) -> Agent:
    """Return the definition: that of the state, which may have been sent as well, else the one that was sent."""
    sent = None if given.agent is UNSET else agent_from_source(bytes(given.agent))
    if given.state is UNSET:
        return BARE_AGENT if sent is None else sent
    return (None if sent is None else sent.among(given.state.agent)) or agent_by_digest(given.state.agent)


def _read(input_json: str | bytes, shape: Any) -> Any:
    data = to_bytes(input_json)
    check_stack(data)
    check_bounds(data)
    decode = decoder_of(shape).decode
    try:
        return decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return steps.read_input(shape, decode, data)
