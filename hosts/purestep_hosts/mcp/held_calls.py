"""Calls of an MCP server that ask a person: each is held open while the run waits, and goes on with the answer.

A call lives in its process: where that has ended, the answer finds nobody, and the outcome is not known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TYPE_CHECKING, Any, Final

from purestep import AskedForm, FormAnswer
from purestep_hosts.mcp.forms import RefusedForm, asked_address, asked_form
from purestep_hosts.tools.call_note import CallNote, TakeNote

if TYPE_CHECKING:
    from mcp_types import ElicitRequestParams, ElicitResult, ErrorData

_MAX_HELD: Final = 16
"""Calls of one server that wait for a person; the oldest is given up for one more."""


class HeldCall:
    """One call that is under way; `asked` comes to its result, once it was sent."""

    def __init__(self, note: TakeNote) -> None:
        """note: takes what the server tells meanwhile."""
        self.note = note
        self.asked: Future[Any] = Future()
        self.question: Future[AskedForm] = Future()
        self.answer: asyncio.Future[FormAnswer] | None = None

    def until_asked(self, seconds: float) -> AskedForm | None:
        """Wait until the call has ended or asks; returns what it asks. Raises TimeoutError."""
        done, _ = wait((self.asked, self.question), seconds, FIRST_COMPLETED)
        if not done:
            raise TimeoutError
        return self.question.result() if self.question in done and self.asked not in done else None


class HeldCalls:
    """The calls of one connection that are under way or wait for a person."""

    def __init__(self) -> None:
        self._under_way: list[HeldCall] = []
        self._waiting: dict[str, HeldCall] = {}

    def begin(self, send: Callable[[HeldCall], Future[Any]], note: TakeNote) -> HeldCall:
        """Send a call. It is known before that: the server may ask at once, on the thread of the connection."""
        held = HeldCall(note)
        self._under_way.append(held)
        held.asked = send(held)
        held.asked.add_done_callback(lambda _: self._end(held))
        return held

    def _end(self, held: HeldCall) -> None:
        if held in self._under_way:
            self._under_way.remove(held)

    def keep(self, key: str, held: HeldCall) -> None:
        """Keep a call that asks under its key until the answer comes."""
        self._waiting[key] = held
        while len(self._waiting) > _MAX_HELD:
            self._waiting.pop(next(iter(self._waiting))).asked.cancel()

    def go_on(self, key: str, answer: FormAnswer, loop: asyncio.AbstractEventLoop, note: TakeNote) -> HeldCall | None:
        """Give a call its answer; None where it is not held here any more."""
        held = self._waiting.pop(key, None)
        if held is None or held.asked.done() or held.answer is None:
            return None
        waits, held.question, held.note = held.answer, Future(), note
        loop.call_soon_threadsafe(_settle, waits, answer)
        return held

    def note(self, note: CallNote) -> None:
        """Take a line of the server's log: it names no call, so it is told of the first one under way, if any is."""
        for held in self._under_way[:1]:
            held.note(note)

    async def ask(self, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        """Answer a server's question: as a person does, later; as an error, in words, where nobody is asked it."""
        from mcp_types import INVALID_REQUEST, ElicitResult, ErrorData

        try:
            form = _form_of(params)
        except RefusedForm as error:
            return ErrorData(code=INVALID_REQUEST, message=f"the form is not shown to the user: {error}")
        held = next((each for each in self._under_way if not each.question.done()), None)
        if held is None:  # nothing was called that it could ask for
            return ElicitResult(action="cancel")
        held.answer = asyncio.get_running_loop().create_future()
        held.question.set_result(form)
        answer = await held.answer
        if not answer.accepted:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content=answer.content if params.mode == "form" else None)


def _settle(waits: asyncio.Future[FormAnswer], answer: FormAnswer) -> None:
    if not waits.done():  # the call may have ended meanwhile
        waits.set_result(answer)


def _form_of(params: ElicitRequestParams) -> AskedForm:
    if params.mode == "url":
        return asked_address(params.message, params.url)
    return asked_form(params.message, params.requested_schema)
