"""Hides secrets in what enters a run, and gives them back to the tools that its definition names.

Two kinds are hidden: what this host knows to be secret (`Mask`), for good; and what the definition's `redaction` finds,
which is kept in memory for as long as the run is in this process. Nothing of it is written.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from typing import Any, Final, TypeVar

import msgspec

import purestep
from purestep import Agent, RunState, convert_to
from purestep_hosts.mask import Mask

Value = TypeVar("Value")

_SALT_BYTES: Final = 16


class HiddenTexts:
    """The hidden texts of one run; its methods may be called in any thread."""

    def __init__(self, agent: Agent, mask: Mask, salt: str | None) -> None:
        """Begin with nothing hidden.

        salt: of the digests that stand for texts, as for `purestep.redact`; None for a random one.
        """
        self._agent, self._mask = agent, mask
        self._is_active = agent.redaction is not None or any(each.redaction is not None for each in _handed(agent))
        # Most definitions hide nothing, and random bytes cost a call of the system.
        self._salt = secrets.token_hex(_SALT_BYTES) if salt is None and self._is_active else salt or ""
        self._texts: dict[str, str] = {}
        self._lock = threading.Lock()

    def observed(self, observation: purestep.Observation, state: RunState | None) -> Any:
        """Return an observation as it may be logged."""
        masked = self._masked(observation, purestep.Observation)
        if not self._is_active:
            return masked
        with self._lock:
            found = purestep.redact(self._of(state), masked, state, salt=self._salt, hidden=self._texts)
            self._texts = found.hidden
        return found.observation

    def masked(self, observation: purestep.Observation) -> Any:
        """Return an observation for an agent that was called, without the secrets of this host alone."""
        return self._masked(observation, purestep.Observation)

    def masked_result(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a call of such an agent without the secrets of this host."""
        shown: dict[str, Any] = self._mask.value(result)
        return shown

    def messages(self, messages: Any) -> Any:
        """Return messages that were said before as they may be logged; the core redacts them itself."""
        return messages if self._mask.is_empty else self._mask.value(msgspec.to_builtins(messages))

    def result(self, call: purestep.ToolCall, result: dict[str, Any], state: RunState | None) -> dict[str, Any]:
        """Return the result of a call as it may be shown and logged."""
        if not self._is_active or "pending" in result:  # whose words are hidden as they are observed
            shown: dict[str, Any] = self._mask.value(result)
            return shown
        given = {"type": "tool_results", "results": [{**result, "call_id": call.call_id}]}
        found = self.observed(convert_to(given, purestep.ToolResults), state)
        return {name: value for name, value in msgspec.to_builtins(found.results[0]).items() if name != "call_id"}

    def revealed(self, call: purestep.ToolCall, state: RunState) -> purestep.Revealed:
        """Return the arguments that a tool is given, or its result where a text that it needs is not known any more."""
        return purestep.reveal(self._of(state), call.tool, call.params, self._texts)

    def _of(self, state: RunState | None) -> Agent:
        """Return the agent that has the conversation."""
        return self._agent if state is None else self._agent.among(state.agent) or self._agent

    def _masked(self, value: Value, shape: Any) -> Value:
        if self._mask.is_empty:
            return value
        masked: Value = convert_to(self._mask.value(msgspec.to_builtins(value)), shape)
        return masked


def _handed(agent: Agent) -> Iterator[Agent]:
    """Yield the agents that may come to have the conversation of one."""
    for name in sorted(agent.hand_offs):
        yield agent.agents[name]
        yield from _handed(agent.agents[name])


def hidden_words(agent: Agent, mask: Mask, text: str) -> str:
    """Return a user's words without secrets, as what is kept beside a log may have them."""
    said: purestep.UserMessage = HiddenTexts(agent, mask, "").observed(purestep.UserMessage(content=text), None)
    return str(said.content)
