"""The log of one run in memory, and in a session on disk where there is one."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any

import msgspec

import purestep
from purestep_hosts.agents.result import RunResult
from purestep_hosts.async_loop import in_thread

if TYPE_CHECKING:
    from purestep_hosts.sessions import Session

After = RunResult[Any] | str | None
"""What goes on: a result of this process, or the text of a log."""


class RunLog:
    """The lines of a run so far; `append` keeps more, and returns an awaitable where they go to disk."""

    def __init__(self, run_id: str, text: str, session: Session | None) -> None:
        self.run_id = run_id
        self._parts = [text] if text else []
        self._session = session

    @classmethod
    async def opened(cls, after: After, session: Session | None, run_id: str | None) -> RunLog:
        """Return the log of a new run, or of the one that goes on; raises TypeError for both at once."""
        if session is not None:
            if after is not None or run_id is not None:
                raise TypeError("a session has a log and an id of its own; give it without `after` and `run_id`")
            return cls(session.info.id, await in_thread(lambda: _text_of(session)), session)
        if after is None:
            return cls(run_id or secrets.token_hex(16), "", None)
        if run_id is not None:
            raise TypeError("a run that goes on has an id; give `after` without `run_id`")
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
        session = self._session
        return None if session is None else asyncio.ensure_future(in_thread(lambda: session.append(log, head)))


def _text_of(session: Session) -> str:
    """Return the text of a session's log; a first append that a crash cut off counts as none."""
    text = session.text()
    if text.count("\n") <= 1:
        session.clear()
        return ""
    return text


def _run_id(text: str) -> str:
    try:
        return str(msgspec.json.decode(text.split("\n", 1)[0])["run_id"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        raise purestep.PurestepError("invalid_log", "expected a log that begins with run_started") from None
