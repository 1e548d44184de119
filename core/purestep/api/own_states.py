"""States that this process has just given out: one that comes back byte for byte needs no check.

A state is a function of its run and the check one of the state, so this changes no result; it only does not compute
again what is known. Any other state, also one in which 1 has become true, is checked as a client's.
"""

from ..bounds import MAX_OWN_STATE_BYTES, MAX_OWN_STATES


class OwnStates:
    """The latest states as they were written, a bounded number; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._written: dict[bytes, None] = {}

    def note(self, written: bytes) -> None:
        """Keep a state that a step has given."""
        if len(written) > MAX_OWN_STATE_BYTES:
            return
        if len(self._written) >= MAX_OWN_STATES:
            for oldest in tuple(self._written)[: MAX_OWN_STATES // 2]:  # half at once, so that a step seldom does this
                self._written.pop(oldest, None)
        self._written[written] = None

    def has(self, written: bytes) -> bool:
        """Tell whether a state is one of those kept."""
        return written in self._written

    def forget(self) -> None:
        """Keep none: what comes next is checked."""
        self._written.clear()


OWN_STATES = OwnStates()
