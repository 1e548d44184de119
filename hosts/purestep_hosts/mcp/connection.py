"""One MCP server that is connected: the SDK's client in an event loop of its own, asked from any thread."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from purestep import AskedForm, FormAnswer
from purestep_hosts.extras import MCP
from purestep_hosts.mcp.held_calls import CALL, HeldCall, HeldCalls
from purestep_hosts.mcp.listed_tools import ListedTool, RefusedTool, listed_tool, name_of
from purestep_hosts.mcp.replies import SENT
from purestep_hosts.mcp.results import ServerResult, server_result
from purestep_hosts.mcp.sampling import WantedWords, as_answer, refused, refused_by_user
from purestep_hosts.mcp.server_entry import McpError, McpServer
from purestep_hosts.mcp.tasks import (
    BadTask,
    OpenTask,
    ServerTask,
    called_as_task,
    is_call_result,
    is_called_as_task,
    later,
    looked_up,
)
from purestep_hosts.mcp.transports import LastWords, login_for, plain_words, transport_of
from purestep_hosts.tools.call_note import CallNote
from purestep_hosts.tools.later import Later
from purestep_hosts.tools.lent_model import LentModelError
from purestep_hosts.tools.tool import RunningCall, ToolAsks, ToolFailure

if TYPE_CHECKING:
    from mcp import Client

    from purestep_hosts.mcp.login import ShowAddress

CONNECT_S: Final = 60.0
"""Until the tools are listed: `npx` and `uvx` fetch a server with its first start."""

REQUEST_S: Final = 60.0
"""Of one request for a list, a resource or a prompt: as long as a call may take."""

MAX_PAGES: Final = 50
"""Of one list: a server that always names a next page has no end."""

LATE_S: Final = 20.0
"""For what became of a task that an earlier process began: it is known, or it is not."""

_LEAVE_S: Final = 2.0
"""Of a call's time, kept to say that its task goes on."""

_CLOSE_S: Final = 5.0
"""How long a connection may take to close; the keeper ends a program within two seconds."""


class McpConnection:
    """A connected server; `listed` are its tools that can be used, and `refused` the others with why not."""

    def __init__(self, server: McpServer, show: ShowAddress | None = None) -> None:
        """Begin to connect; `wait` says when it is done. show: shows a person the address of a login."""
        MCP.require()
        self._login = login_for(server, show)
        self.server = server
        self.listed: tuple[ListedTool, ...] = ()
        self.refused: tuple[tuple[str, str], ...] = ()
        self._loop = asyncio.new_event_loop()
        self._ready: Future[None] = Future()
        self._said = LastWords()
        self._client: Client | None = None
        self._held = HeldCalls()
        self._stop: asyncio.Event | None = None
        _silence()
        self._thread = threading.Thread(target=self._run, name=f"mcp-{server.name}", daemon=True)
        self._thread.start()

    def is_ready(self, seconds: float) -> bool:
        """Whether the tools are listed, after at most so many seconds; raises McpError."""
        try:
            self._ready.result(seconds)
        except TimeoutError:
            return False
        return True

    def wait(self) -> None:
        """Return when the tools are listed; raises McpError."""
        try:
            while True:
                try:
                    return self._ready.result(CONNECT_S)
                except TimeoutError:
                    if self._login is None or not self._login.is_waiting:
                        raise
        except TimeoutError:
            self.close()
            raise McpError(self._unusable(f"did not list its tools within {CONNECT_S:g} seconds")) from None

    def call(self, tool: str, params: dict[str, Any], running: RunningCall) -> ServerResult | Later:
        """Return the server's result of a call; raises ToolFailure, and ToolAsks where it asks a person.

        Once the call is sent, only an answer of the server says what it did: without one it may have run. A call that
        has become a task, and does not end in time, is one that goes on; it may do so where its server was lost.
        """
        name = self.server.name
        client = self._client
        if client is None:
            raise ToolFailure(f"the MCP server {name} has ended", "io")
        held = self._begun(client, tool, params, running)
        asked = held.asked
        try:
            with running.cut_by(partial(_cancel, asked)):
                if running.answer is not None:
                    _answer(held, running.answer, running)
                if (form := _until_person(held, running)) is None:
                    came = asked.result(0)
                    return later(name, came) if isinstance(came, ServerTask) else server_result(came)
            self._held.keep(running.key, held)
            raise ToolAsks(form)
        except (ToolAsks, ToolFailure):
            raise
        except (TimeoutError, CancelledError) as error:
            if held.task is not None and isinstance(error, TimeoutError):
                return later(name, held.leave())
            asked.cancel()
            raise _unanswered(name, "did not answer in time, or was stopped", tool) from None
        except Exception as error:  # the SDK's, and those of the libraries beneath it
            is_closed = self._client is None or _is_closed(error)
            if is_closed:
                self._client = None
            if held.task is not None and not isinstance(error, BadTask):
                return later(name, held.task, is_known=False)
            if is_closed:
                raise _unanswered(name, "has ended", tool) from None
            if not _is_answer(error):
                raise _unanswered(name, f"failed: {_short(error)}", tool) from None
            raise ToolFailure(f"the MCP server {name} failed: {_short(error)}") from None

    def _begun(self, client: Client, tool: str, params: dict[str, Any], running: RunningCall) -> HeldCall:
        """Return a call that is sent, or the one that has asked and goes on with a person's answer."""
        if running.answer is None:
            return self._held.begin(partial(self._sent, client, tool, params), running.note)
        held = self._held.go_on(running.key, running.note)
        if held is None:
            raise _unanswered(self.server.name, "has not kept the call that asked: its process has ended", tool)
        return held

    def _sent(self, client: Client, tool: str, params: dict[str, Any], held: HeldCall) -> Future[Any]:
        async def told(progress: float, total: float | None, message: str | None) -> None:
            held.note(CallNote(text=message or "", done=progress, total=total))

        async def called() -> Any:
            CALL.set(held)
            if held.may_be_left:
                return await called_as_task(client.session, self.server, tool, params, held, told)
            sent = ((await client.call_tool(tool, params, progress_callback=told)).meta or {}).get(SENT) or {}
            if "task" in sent and not is_call_result(sent):
                raise BadTask("it made the call a task, for which nobody asked")
            return sent

        held.may_be_left = self._is_task(client, tool)
        return asyncio.run_coroutine_threadsafe(called(), self._loop)

    def _is_task(self, client: Client, tool: str) -> bool:
        listed = next((each for each in self.listed if each.name == tool), None)
        return listed is not None and is_called_as_task(client, listed.tasks, self.server.tasks)

    def late(self, tool: str, task_id: str) -> ServerResult | ToolFailure | OpenTask:
        """Return what became of a task that a call has begun, be it in an earlier process; a failure is no exception.

        Where the server does not say, the task stays open.
        """
        name, client = self.server.name, self._client
        if client is None:
            return OpenTask(why=f"the MCP server {name} has ended")
        asked = asyncio.run_coroutine_threadsafe(looked_up(client.session, name, tool, task_id), self._loop)
        try:
            found = asked.result(LATE_S)
        except ToolFailure as failure:
            return failure
        except (TimeoutError, CancelledError):
            asked.cancel()
            return OpenTask(why=f"the MCP server {name} did not say within {LATE_S:g} seconds", is_silent=True)
        except Exception as error:  # the SDK's, and those of the libraries beneath it
            return OpenTask(why=f"the MCP server {name} did not say: {_short(error)}")
        return found if isinstance(found, OpenTask) else server_result(found)

    def has(self, capability: str) -> bool:
        """Whether the server says that it has something, such as `resources`."""
        client = self._client
        return client is not None and getattr(client.server_capabilities, capability, None) is not None

    def request(self, ask: Callable[[Client], Awaitable[Any]]) -> dict[str, Any]:
        """Return what the server sent in answer to a request of the SDK's client; raises McpError."""
        name, client = self.server.name, self._client
        if client is None:
            raise McpError(self._unusable("has ended"))
        asked = asyncio.run_coroutine_threadsafe(_awaited(ask(client)), self._loop)
        try:
            return (asked.result(REQUEST_S).meta or {}).get(SENT) or {}
        except (TimeoutError, CancelledError):
            asked.cancel()
            raise McpError(f"the MCP server {name} did not answer within {REQUEST_S:g} seconds; ask again") from None
        except Exception as error:  # the SDK's, and those of the libraries beneath it
            if self._client is None or _is_closed(error):
                self._thread.join(_CLOSE_S)  # what the program said last is known after its end
                raise McpError(self._unusable("has ended while it was asked")) from None
            raise McpError(f"the MCP server {name} refused: {_short(error)}") from None

    def close(self) -> None:
        """End the connection and the program; returns when both have ended, or after some seconds."""
        self._client = None
        with suppress(RuntimeError):  # the loop is closed: it has ended by itself
            self._loop.call_soon_threadsafe(self._end)
        self._thread.join(_CLOSE_S)

    def _end(self) -> None:
        if self._stop is not None:
            self._stop.set()
        for task in asyncio.all_tasks(self._loop) if not self._ready.done() else ():
            task.cancel()

    def _run(self) -> None:
        try:
            asyncio.set_event_loop(self._loop)
            self._loop.run_until_complete(self._serve())
        except BaseException as error:  # foreign code: whatever ends a connection is its end
            if not self._ready.done():
                self._ready.set_exception(McpError(self._unusable(f"could not be used: {self._why(error)}")))
        finally:
            self._client = None
            self._said.close()
            if self._login is not None:
                self._login.close()
            with suppress(RuntimeError):
                self._loop.run_until_complete(_all_ended(self._loop))
                self._loop.close()
            if not self._ready.done():
                self._ready.set_exception(McpError(self._unusable("ended before it listed its tools")))

    async def _serve(self) -> None:
        from purestep_hosts.mcp.sdk_client import ask_for_log, new_client

        self._stop = asyncio.Event()
        async with AsyncExitStack() as stack:
            transport = await stack.enter_async_context(transport_of(self.server, self._said, self._login))
            client = await stack.enter_async_context(new_client(self.server, transport, self._held, self._login))
            self.listed, self.refused = await _listed(client)
            await ask_for_log(client)
            self._client = client
            self._ready.set_result(None)
            await self._stop.wait()
            self._client = None

    def _why(self, error: BaseException) -> str:
        if self._login is not None and self._login.failure:
            self._said.forget()
            return f"nobody is logged in: {self._login.failure}"
        return _short(error)

    def _unusable(self, what: str) -> str:
        last = self._said.last
        more = f" It said: {last}." if last else ""
        return f"the MCP server {self.server.name} ({self.server.place}) {what}.{more}"


async def _all_ended(loop: asyncio.AbstractEventLoop) -> None:
    """End what follows tasks of the server, which go on without it."""
    following = asyncio.all_tasks(loop) - {asyncio.current_task()}
    for each in following:
        each.cancel()
    await asyncio.gather(*following, return_exceptions=True)


def _until_person(held: HeldCall, running: RunningCall) -> AskedForm | None:
    """Wait until the call has ended or asks a person; what it has the model asked unasked is answered here."""
    while (question := held.until_asked(_wait_s(held, running))) is not None:
        form = question.form if isinstance(question, WantedWords) else question
        if form is not None:
            return form
        assert isinstance(question, WantedWords)  # a form is asked of a person
        held.answer(_said(question, running))
    return None


def _wait_s(held: HeldCall, running: RunningCall) -> float:
    """Return for how many seconds a call is waited for."""
    return max(0.0, running.remaining_s() - _LEAVE_S) if held.may_be_left else running.remaining_s()


def _answer(held: HeldCall, answer: FormAnswer, running: RunningCall) -> None:
    """Answer what a call has asked by what a person said: itself, or with what the model says where they allow it."""
    question = held.question.result()
    if isinstance(question, WantedWords):
        held.answer(_said(question, running) if answer.accepted else refused_by_user())
    else:
        held.answer(answer)


def _said(words: WantedWords, running: RunningCall) -> Any:
    """Ask the model of the run; returns what the server is told. Raises TimeoutError, CancelledError."""
    if running.model is None:
        return refused("there is none here that a server may use")
    try:
        return as_answer(running.model.ask(words.messages, words.max_tokens, running))
    except LentModelError as error:
        return refused(error.message)


async def _listed(client: Client) -> tuple[tuple[ListedTool, ...], tuple[tuple[str, str], ...]]:
    """Return the tools that can be used, and how the others are named and why they cannot."""
    found: list[ListedTool] = []
    refused: list[tuple[str, str]] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        taken = {tool.name for tool in page.tools}
        for number, entry in enumerate(_entries(page), len(found) + len(refused) + 1):
            try:
                tool = listed_tool(entry)
                if tool.name not in taken:  # the SDK has left it out, as the protocol has it
                    raise RefusedTool("what it says of headers (x-mcp-header) cannot be kept to")
                found.append(tool)
            except RefusedTool as error:
                refused.append((name_of(entry, number), str(error)))
        cursor = page.next_cursor
        if not cursor:
            break
    return tuple(found), tuple(refused)


def _entries(page: Any) -> list[Any]:
    sent = (page.meta or {}).get(SENT) or {}
    tools = sent.get("tools")
    if tools is not None and not isinstance(tools, list):
        raise McpError("it lists its tools as no list")
    return tools or []


async def _awaited(answer: Awaitable[Any]) -> Any:
    return await answer


def _cancel(asked: Future[Any]) -> None:
    asked.cancel()


def _unanswered(server: str, what: str, tool: str) -> ToolFailure:
    return ToolFailure(f"the MCP server {server} {what}; {tool} may have run", "interrupted")


def _is_answer(error: BaseException) -> bool:
    """Whether an error is what the server says of the call; the SDK has codes for what came of no answer."""
    from mcp import MCPError
    from mcp_types import INTERNAL_ERROR, PARSE_ERROR, REQUEST_TIMEOUT

    return isinstance(error, MCPError) and error.code not in (INTERNAL_ERROR, PARSE_ERROR, REQUEST_TIMEOUT)


def _is_closed(error: BaseException) -> bool:
    from mcp_types import CONNECTION_CLOSED

    return getattr(error, "code", None) == CONNECTION_CLOSED


def _short(error: BaseException) -> str:
    """Return what an error says, in a line; of a group of errors, the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return plain_words(str(getattr(error, "message", "") or error) or type(error).__name__)


def _silence() -> None:
    """Keep the SDK's log of a server's faults off stderr, where a program has not asked for it."""
    logger = logging.getLogger("mcp")
    if not any(isinstance(each, logging.NullHandler) for each in logger.handlers):
        logger.addHandler(logging.NullHandler())
