"""What the endpoints ask of the runs of one user, wherever those are kept."""

from __future__ import annotations

from typing import Protocol

import msgspec

from purestep import Approval, ToolChoice
from purestep_hosts.agents.late import LateResult
from purestep_hosts.attachments import Attachment
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.run_answer import RunAnswer, RunList
from purestep_hosts.serve.run_keys import RunKey
from purestep_hosts.tools.output_parts import Keep


class ExchangeRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a client asks of a run: answers to what waits, then a query; with neither the run goes on as it stands.

    `attachments` are the images and files of the query. `results` are of calls that went on elsewhere, and come first.

    `is_detached`: whether it goes on when its last reader leaves. `cancels`: whether it ends as cancelled instead.
    """

    query: str | None = None
    tool_choice: ToolChoice | None = None
    approvals: tuple[Approval, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    results: tuple[LateResult, ...] = ()
    is_detached: bool = False
    cancels: bool = False


class UserRuns(Protocol):
    """The runs and chats of one user; what is refused is a ServiceError, a SessionError or a PurestepError."""

    async def begin(self, given: ExchangeRequest) -> LiveRun:
        """Begin a run with a query; returns once that is stored."""
        ...

    async def begin_once(self, key: RunKey, given: ExchangeRequest) -> LiveRun | str:
        """Begin a run under a key, or return the run that has it, by its id if it does not go on now."""
        ...

    async def go_on(self, run_id: str, given: ExchangeRequest) -> LiveRun:
        """Go on with a run; returns once that is stored."""
        ...

    async def live(self, run_id: str) -> LiveRun | None:
        """Return the exchange of a run that goes on now."""
        ...

    async def cancel(self, run_id: str) -> None:
        """Have a run end as cancelled, and wait for its end."""
        ...

    async def log(self, run_id: str) -> str:
        """Return the log of a run."""
        ...

    def keep(self, run_id: str) -> Keep:
        """Return what keeps images and files of a run of this user."""
        ...

    async def answer(self, run_id: str) -> RunAnswer:
        """Return where a run stands."""
        ...

    async def listed(self, before: str | None, limit: int) -> RunList:
        """Return runs, newest first, from the one after `before`."""
        ...

    async def run_of(self, thread: str) -> str | None:
        """Return the run of a chat, None for a new one."""
        ...

    async def in_thread_of(self, thread: str, given: ExchangeRequest) -> LiveRun:
        """Go on with the run of a chat, or begin one that the chat stands for from now on."""
        ...
