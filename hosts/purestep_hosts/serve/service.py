"""The parts of one service, and what its endpoints share: a request with its user's runs."""

from __future__ import annotations

from pathlib import Path

import msgspec

from purestep import PurestepError
from purestep_hosts.async_loop import in_thread
from purestep_hosts.extras import SERVE
from purestep_hosts.serve.admission import Admission
from purestep_hosts.serve.event_stream import FORMS, StreamForm
from purestep_hosts.serve.faults import ServiceError, fault_of
from purestep_hosts.serve.limits import MAX_LISTED, ServiceLimits
from purestep_hosts.serve.linked_files import FileOrigins
from purestep_hosts.serve.live_run import LiveRun
from purestep_hosts.serve.run_answer import RunAnswer, RunEntry, RunList, run_entry
from purestep_hosts.serve.runs import ExchangeRequest, Runs
from purestep_hosts.serve.thread_index import ThreadIndex
from purestep_hosts.sessions import SessionError, SessionStore

with SERVE:
    from starlette.requests import Request


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """What a service is made of; the sessions of a user are in a folder of the user's name."""

    runs: Runs
    admission: Admission
    limits: ServiceLimits
    folder: Path
    file_origins: FileOrigins


class Asked:
    """One request whose user is known, and that user's runs."""

    def __init__(self, service: Service, request: Request, user: str) -> None:
        self.service = service
        self.request = request
        self.user = user
        self.store = SessionStore(service.folder / user if user else service.folder)
        self.threads = ThreadIndex(self.store.root)

    @property
    def is_detached(self) -> bool:
        """Whether the exchange goes on when its last reader leaves."""
        return self.request.query_params.get("detached", "false") == "true"

    @property
    def form(self) -> StreamForm | None:
        """The form that is asked for, None for JSON; raises ServiceError."""
        given = self.request.query_params.get("form", "json")
        for form in FORMS:
            if given == form:
                return form
        if given != "json":
            raise ServiceError("invalid_input", f"expected the form {', '.join(FORMS)} or json")
        return None

    async def log(self, run_id: str) -> str:
        """Return the log of a run; raises SessionError."""
        return (await in_thread(lambda: self.store.read(run_id))).text

    async def answer(self, run_id: str) -> RunAnswer:
        """Return where a run stands."""
        log = await self.log(run_id)
        is_live = self.service.runs.live(self.store, run_id) is not None
        return await in_thread(lambda: self.service.runs.stand(run_id, log, is_live=is_live))

    async def listed(self) -> RunList:
        """Return a part of the runs."""
        given = self.request.query_params
        before, wanted = given.get("before"), given.get("limit", "20")
        if not (wanted.isascii() and wanted.isdigit() and 0 < int(wanted[:9]) <= MAX_LISTED):
            raise ServiceError("invalid_input", f"expected a limit of 1 to {MAX_LISTED}")
        return await in_thread(lambda: self._listed(before, int(wanted)))

    def _listed(self, before: str | None, limit: int) -> RunList:
        ids = [run_id for run_id in self.store.ids() if before is None or run_id < before]
        entries = [entry for entry in map(self._entry, ids[:limit]) if entry is not None]
        return RunList(runs=tuple(entries), next=ids[limit - 1] if len(ids) > limit else None)

    def _entry(self, run_id: str) -> RunEntry | None:
        """Return a run as it stands in a list, None where nothing was asked yet."""
        is_live = self.service.runs.live(self.store, run_id) is not None
        try:
            log = self.store.read(run_id).text
            stand = self.service.runs.stand(run_id, log, is_live=is_live)
            return run_entry(self.store.info(run_id), stand) if log else None
        except (SessionError, PurestepError) as error:
            return RunEntry(run=run_id, problem=fault_of(error).message)

    async def run_of(self, thread: str) -> str | None:
        """Return the run of a chat, None for a new one."""
        return await in_thread(lambda: self.threads.run_of(thread))

    async def in_thread_of(self, thread: str, run_id: str | None, given: ExchangeRequest) -> LiveRun:
        """Go on with the run of a chat, or begin one that the chat stands for from now on."""
        runs = self.service.runs
        if run_id is not None:
            return await runs.go_on(self.store, run_id, given)
        session = await runs.new_session(self.store, given)
        found = await in_thread(lambda: self.threads.keep(thread, session.info.id))
        if found != session.info.id:
            session.close()
            return await runs.go_on(self.store, found, given)
        return await runs.started(self.store, session, given)
