"""The parts of one service, and what its endpoints share: a request with its user's runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from purestep_hosts.extras import SERVE
from purestep_hosts.serve.admission import Admission
from purestep_hosts.serve.event_stream import FORMS, StreamForm
from purestep_hosts.serve.faults import ServiceError, shown
from purestep_hosts.serve.late_finder import LateFinder, give_found
from purestep_hosts.serve.limits import MAX_LISTED, ServiceLimits
from purestep_hosts.serve.linked_files import FileOrigins
from purestep_hosts.serve.run_answer import RunList
from purestep_hosts.serve.user_runs import ExchangeRequest, UserRuns
from purestep_hosts.watching import Watching

with SERVE:
    from starlette.requests import Request


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """What a service is made of: `runs_of` gives the runs of a user, `close` ends what goes on.

    `check` raises ServiceError while no run can be taken.
    """

    runs_of: Callable[[str], UserRuns]
    close: Callable[[], Awaitable[None]]
    check: Callable[[], Awaitable[None]]
    admission: Admission
    limits: ServiceLimits
    file_origins: FileOrigins
    finder: LateFinder
    watching: Watching | None = None


class Asked:
    """One request whose user is known, and that user's runs."""

    def __init__(self, service: Service, request: Request, user: str) -> None:
        self.service = service
        self.request = request
        self.user = user
        self.runs = service.runs_of(user)

    @property
    def is_detached(self) -> bool:
        """Whether the exchange goes on when its last reader leaves; raises ServiceError."""
        given = self.request.query_params.get("detached", "false")
        if given not in ("true", "false"):
            raise ServiceError(
                "invalid_input", f"expected the parameter detached to be true or false; got {shown(given)}"
            )
        return given == "true"

    @property
    def form(self) -> StreamForm | None:
        """The form that is asked for, None for JSON; raises ServiceError."""
        given = self.request.query_params.get("form", "json")
        for form in FORMS:
            if given == form:
                return form
        if given != "json":
            raise ServiceError(
                "invalid_input", f"expected the parameter form to be {', '.join(FORMS)} or json; got {shown(given)}"
            )
        return None

    async def read_late(self, run_id: str | None, given: ExchangeRequest) -> None:
        """Have a run read what has come of calls that went on elsewhere, before its user's next message."""
        if run_id is not None and given.query is not None:
            await give_found(self.runs, run_id, self.service.finder)

    async def listed(self) -> RunList:
        """Return a part of the runs."""
        given = self.request.query_params
        before, wanted = given.get("before"), given.get("limit", "20")
        if not (wanted.isascii() and wanted.isdigit() and 0 < int(wanted[:9]) <= MAX_LISTED):
            text = f"expected the parameter limit to be a number from 1 to {MAX_LISTED}; got {shown(wanted)}"
            raise ServiceError("invalid_input", text)
        return await self.runs.listed(before, int(wanted))
