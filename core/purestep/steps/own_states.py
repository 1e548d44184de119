"""States that this process has just given out: one that comes back as it was needs no check, and some no reading.

A state is a function of its run, and reading and checking it are functions of the state, so this changes no result; it
only does not compute again what is known. Any other state, also one in which 1 has become true, is checked as a
client's.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..bounds import MAX_OWN_STATE_BYTES, MAX_OWN_STATES
from ..values import RunState


class OwnStates:
    """The latest states, as they were written or as values, a bounded number; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._written: dict[bytes, RunState | None] = {}
        self._given: dict[int, RunState] = {}

    def note(self, state: RunState, written: bytes) -> None:
        """Keep a state that a step has given, as it was written; one that is plain with its value."""
        if len(written) > MAX_OWN_STATE_BYTES:
            return
        if len(self._written) >= MAX_OWN_STATES:
            for oldest in tuple(self._written)[: MAX_OWN_STATES // 2]:  # half at once, so that a step seldom does this
                self._written.pop(oldest, None)
        self._written[written] = None if state.pending or not _is_plain(state) else state

    def read(self, written: bytes) -> RunState | UnsetType | None:
        """Return the state that was written so; None where it is known and has to be decoded, UNSET for any other."""
        return self._written.get(written, UNSET)

    def has(self, written: bytes) -> bool:
        """Whether a state is one of those kept."""
        return written in self._written

    def give(self, state: RunState) -> None:
        """Keep a state that a step has given as a value, if it waits for the model and is plain."""
        if state.phase != "model" or not _is_plain(state):
            return
        if len(self._given) >= MAX_OWN_STATES:
            for oldest in tuple(self._given)[: MAX_OWN_STATES // 2]:
                self._given.pop(oldest, None)
        self._given[id(state)] = state  # pure: only finds the value again

    def gave(self, state: RunState) -> bool:
        """Whether a state is one of those given, and as it was: not an equal one, but this very value."""
        known = self._given.get(id(state))  # pure: found or not, the step is the same
        return known is state and not (state.exchange.corrections or state.policies)

    def copied(self, state: RunState) -> RunState | None:
        """Return a copy of a state that was given and is as it was; None of any other.

        Its empty objects are all of it that a host could change.
        """
        return (
            replace(state, policies={}, exchange=replace(state.exchange, corrections={})) if self.gave(state) else None
        )

    def forget(self) -> None:
        """Keep none: what comes next is checked."""
        self._written.clear()
        self._given.clear()


def _is_plain(state: RunState) -> bool:
    """Whether a state holds nothing that a host could change, but for empty objects, and no long texts."""
    exchange, run = state.exchange, state.run
    return not (
        state.pending
        or exchange.acts
        or exchange.corrections
        or state.policies
        or run.queued
        or run.late
        or run.refused_members
        or run.carried is not None
        or exchange.data is not None
        or exchange.failure is not None
        or exchange.judged is not None
        or exchange.skill is not None
        or exchange.negotiated is not None
        or exchange.evidence is not None
    )


OWN_STATES = OwnStates()
