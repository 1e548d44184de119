"""The model of a run as a tool may have it asked in the middle of its call: in plain words, without the conversation.

The loop that runs the call lends it (`lending`), and counts what it used in the call's result. Where nobody lends one,
a tool has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Final, Protocol

import msgspec


class PlainMessage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A message for the model: `role` is `system`, `user` or `assistant`."""

    role: str
    text: str


class LentReply(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What the model said, by which name it is called, and whether it was cut at its limit."""

    text: str
    model: str
    is_cut: bool = False


class LentModelError(Exception):
    """The model gave no words; `message` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class StoppableCall(Protocol):
    """A call as far as the model's reply depends on it: how long it may take, and that a stop ends it."""

    def remaining_s(self) -> float:
        """Return the seconds left."""
        ...

    def cut_by(self, cut: Any) -> AbstractContextManager[None]:
        """Have a stop call `cut`."""
        ...


class LentModel(Protocol):
    """A model that a call may have asked."""

    @property
    def path(self) -> tuple[str, ...]:
        """The names of the agents down to the one whose call that is; none for that which the run began with."""
        ...

    def ask(self, messages: Sequence[PlainMessage], max_tokens: int, call: StoppableCall) -> LentReply:
        """Ask it and wait; raises LentModelError, TimeoutError past the call's time, CancelledError after a stop."""
        ...


_LENT: Final[ContextVar[LentModel | None]] = ContextVar("purestep_lent_model", default=None)


def lent_model() -> LentModel | None:
    """Return the model that is lent to the call that runs here."""
    return _LENT.get()


@contextmanager
def lending(model: LentModel) -> Iterator[None]:
    """Lend a model to the call that the block runs."""
    token = _LENT.set(model)
    try:
        yield
    finally:
        _LENT.reset(token)
