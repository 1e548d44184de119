"""Calls of an MCP server that ask: a person, or the model. Each is held open meanwhile, and goes on with the answer.

A call lives in its process: where that has ended, the answer finds nobody, and the outcome is not known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from purestep import AskedForm, FormAnswer
from purestep_hosts.mcp.forms import RefusedForm, asked_address, asked_form
from purestep_hosts.mcp.sampling import MAX_ASKS, RefusedSampling, Sampling, WantedWords, refused, wanted_words
from purestep_hosts.mcp.tasks import ServerTask
from purestep_hosts.tools.call_note import CallNote, TakeNote

if TYPE_CHECKING:
    from mcp_types import CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams, ElicitResult, ErrorData

_MAX_HELD: Final = 16
"""Calls of one server that wait for a person; the oldest is given up for one more."""

_RELATED: Final = "io.modelcontextprotocol/related-task"
"""The member of `_meta` by which the protocol has a server name the task that a request is of."""


class HeldCall:
    """One call that is under way; `asked` comes to its result, once it was sent."""

    def __init__(self, note: TakeNote) -> None:
        """note: takes what the server tells meanwhile."""
        self.note = note
        self.asked: Future[Any] = Future()
        self.question: Future[AskedForm | WantedWords] = Future()
        self.samplings = 0
        """How often it wanted the model asked."""
        self.may_be_left = False
        """Whether it is made as a task, which goes on without anybody who waits for it."""
        self.task: ServerTask | None = None
        """What it has become, once its server has said so, as it stood last."""
        self.is_left = False
        """Whether its task goes on by itself; else it is cancelled with the call."""
        self._answer: asyncio.Future[Any] | None = None

    def until_asked(self, seconds: float) -> AskedForm | WantedWords | None:
        """Wait until the call has ended or asks; returns what it asks. Raises TimeoutError."""
        done, _ = wait((self.asked, self.question), seconds, FIRST_COMPLETED)
        if not done:
            raise TimeoutError
        return self.question.result() if self.question in done and self.asked not in done else None

    async def answered(self, question: AskedForm | WantedWords) -> Any:
        """Ask, and return the answer once there is one; None where the call ends before it."""
        self._answer = asyncio.get_running_loop().create_future()
        self.question.set_result(question)
        return await self._answer

    def moved(self, task: ServerTask) -> None:
        """Take how its task stands, and tell of it."""
        self.task = task
        self.note(CallNote(text=task.message or f"task {task.status.replace('_', ' ')}"))

    def leave(self) -> ServerTask:
        """Wait no more for its task, which goes on; returns how that stood last."""
        assert self.task is not None, "a call that has become a task"
        self.is_left = True
        self.asked.cancel()
        return self.task

    @property
    def waits(self) -> bool:
        """Whether it is still there to be answered."""
        return self._answer is not None and not self.asked.done()

    def answer(self, value: Any) -> None:
        """Answer what the call has asked; may be called in any thread."""
        waits, self.question = self._answer, Future()
        if waits is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                waits.get_loop().call_soon_threadsafe(_settle, waits, value)


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
        held.answer(None)

    def keep(self, key: str, held: HeldCall) -> None:
        """Keep a call that asks under its key until the answer comes."""
        self._waiting[key] = held
        while len(self._waiting) > _MAX_HELD:
            self._waiting.pop(next(iter(self._waiting))).asked.cancel()

    def go_on(self, key: str, note: TakeNote) -> HeldCall | None:
        """Return the call that has asked, which is to be answered; None where it is not held here any more."""
        held = self._waiting.pop(key, None)
        if held is None or not held.waits:
            return None
        held.note = note
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
        held = next((each for each in self._asking(params) if not each.question.done()), None)
        # Without a call, nothing was called that it could ask for.
        answer: FormAnswer | None = None if held is None else await held.answered(form)
        if answer is None:
            return ElicitResult(action="cancel")
        if not answer.accepted:
            return ElicitResult(action="decline")
        return ElicitResult(action="accept", content=answer.content if params.mode == "form" else None)

    async def sample(
        self, server: str, sampling: Sampling, params: CreateMessageRequestParams
    ) -> CreateMessageResult | ErrorData:
        """Answer a server that wants the model asked: with what it says, later, or with why it is not asked."""
        try:
            words = wanted_words(server, sampling, params)
            held = self._sampling(params)
        except RefusedSampling as error:
            return refused(str(error))
        held.samplings += 1
        answer: CreateMessageResult | ErrorData | None = await held.answered(words)
        return refused("the call has ended") if answer is None else answer

    def _asking(self, params: ElicitRequestParams | CreateMessageRequestParams) -> list[HeldCall]:
        """Return the calls under way that a request may be of: where it names a task, that one's alone.

        A server may ask before it is read here which task it has made of a call.
        """
        related = (params.meta or {}).get(_RELATED)
        if related is None:
            return self._under_way
        task_id = related.get("taskId") if isinstance(related, dict) else None
        known = [each for each in self._under_way if each.task is not None and each.task.id == task_id]
        return known or [each for each in self._under_way if each.may_be_left and each.task is None]

    def _sampling(self, params: CreateMessageRequestParams) -> HeldCall:
        """Return the call that wants the model asked; raises RefusedSampling where that is not known, or asks enough.

        A guess could show one run's words to another run's model, and count them there.
        """
        called, asking = CALL.get(), self._asking(params)
        held = called if called in asking else None
        if held is None and len(asking) != 1:
            raise RefusedSampling(f"{len(asking)} calls are under way, and nothing says which one wants it")
        held = held or asking[0]
        if held.question.done():
            raise RefusedSampling("the call waits for the answer to another question; ask one after another")
        if held.samplings >= MAX_ASKS:
            raise RefusedSampling(f"the call has had it asked {MAX_ASKS} times")
        return held


CALL: Final[ContextVar[HeldCall | None]] = ContextVar("purestep_mcp_call", default=None)
"""The call whose answer is waited for, where the protocol has a server's questions come with it."""


def _settle(waits: asyncio.Future[Any], answer: Any) -> None:
    if not waits.done():  # the call may have ended meanwhile
        waits.set_result(answer)


def _form_of(params: ElicitRequestParams) -> AskedForm:
    if params.mode == "url":
        return asked_address(params.message, params.url)
    return asked_form(params.message, params.requested_schema)
