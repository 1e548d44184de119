"""The log of one run in memory, and in a store where there is one: a session on disk, or a program's own."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable
from typing import Any, Protocol

import msgspec

import purestep
from purestep_hosts.agents.result import RunResult
from purestep_hosts.async_loop import called

After = RunResult[Any] | str | None
"""What goes on: a result of this process, or the text of a log."""


class RunStore(Protocol):
    """Keeps the log of one run, for one host at a time: a `Session`, or a program's own, as over a database.

    Each method may be async; one that is not is called in a thread. An attribute `attachments`, an `AttachmentStore`,
    keeps the run's images and files; without it they are in memory.
    """

    @property
    def run_id(self) -> str:
        """The run's id, which no other run has."""
        ...

    def text(self) -> Any:
        """Return the lines that are kept, as they were appended; an empty text for a new run."""
        ...

    def append(self, log: str, head: str) -> Any:
        """Keep the lines, all or none; `head` is the hash over all lines up to these.

        Nothing is acted on before this has returned, so the lines must be durable by then. What it raises ends the run.
        """
        ...

    def clear(self) -> Any:
        """Remove what is kept: of a first append that a crash cut off, nothing was acted on."""
        ...


class RunLog:
    """The lines of a run so far; `append` keeps more, and returns an awaitable where they go to disk."""

    def __init__(self, run_id: str, text: str, session: RunStore | None) -> None:
        self.run_id = run_id
        self._parts = [text] if text else []
        self._session = session

    @classmethod
    async def opened(cls, after: After, session: RunStore | None, run_id: str | None) -> RunLog:
        """Return the log of a new run, or of the one that goes on, of which one at most is given."""
        if session is not None:
            return cls(session.run_id, await _text_of(session), session)
        if after is None:
            return cls(run_id or secrets.token_hex(16), "", None)
        return cls.of(after if isinstance(after, str) else after.log)

    @classmethod
    def of(cls, text: str) -> RunLog:
        """Return the log of a text; raises PurestepError for one that does not begin as a log."""
        return cls(_run_id(text), text, None)

    @property
    def is_new(self) -> bool:
        """Whether nothing is logged yet."""
        return not self._parts

    @property
    def text(self) -> str:
        """The lines."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return "".join(self._parts)

    def found(self) -> purestep.Replayed:
        """Return the run that the log is replayed into; a torn last line is cut off. Raises PurestepError."""
        found = purestep.replay(self.text)
        if found.torn_bytes:
            self._parts = [self.text.encode()[: -found.torn_bytes].decode()]
        return found

    def append(self, log: str, head: str) -> Awaitable[None] | None:
        """Keep lines of a step."""
        if log:
            self._parts.append(log)
        return None if self._session is None else called(self._session.append, log, head)


async def _text_of(session: RunStore) -> str:
    """Return the text that a store keeps; a first append that a crash cut off counts as none."""
    text: str = await called(session.text)
    if text and text.count("\n") <= 1:
        if text.endswith("\n"):
            _run_id(text)  # raises for what is no log, which is not ours to remove
        await called(session.clear)
        return ""
    return text


def _run_id(text: str) -> str:
    try:
        return str(msgspec.json.decode(text.split("\n", 1)[0])["run_id"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        raise purestep.PurestepError("invalid_log", "expected a log that begins with run_started") from None
