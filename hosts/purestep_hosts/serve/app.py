"""The service as an ASGI application: its routes, and every error as an answer."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.late import LateSource
from purestep_hosts.agents.served_agent import ServedAgent, served
from purestep_hosts.extras import SERVE
from purestep_hosts.serve.admission import Admission
from purestep_hosts.serve.dashboard_page import dashboard_routes
from purestep_hosts.serve.endpoints import ENDPOINTS, Answer, Endpoint
from purestep_hosts.serve.faults import ServiceError, ServiceFault, fault_answer, reported, shown
from purestep_hosts.serve.late_finder import finder_of
from purestep_hosts.serve.limits import ServiceLimits
from purestep_hosts.serve.linked_files import FileOrigins
from purestep_hosts.serve.metrics_page import count_refusal, metrics_answer
from purestep_hosts.serve.openapi import openapi
from purestep_hosts.serve.runs import Runs
from purestep_hosts.serve.service import Asked, Service
from purestep_hosts.serve.session_runs import SessionRuns
from purestep_hosts.serve.stored_waits import tell_waiting
from purestep_hosts.watching import Watching

with SERVE:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.cors import CORSMiddleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_READY_S: Final = 5.0
"""How long the storage may take to be written to: a prober waits no longer."""
_LOOK_S: Final = 1.0
"""How often it is written to, however often somebody asks."""

_logger: Final = logging.getLogger("purestep_hosts.serve")


def create_app(
    agent: ServedAgent | Agent[Any],
    folder: str | os.PathLike[str],
    admission: Admission,
    *,
    limits: ServiceLimits | None = None,
    deps: Any = None,
    file_origins: Iterable[str] = (),
    watching: Watching | None = None,
    late: LateSource | None = None,
) -> Starlette:
    """Return the service of an agent, for any ASGI server.

    folder: where the runs are kept. admission: who may ask. deps: what an `Agent`'s tools get as `Invocation.deps`,
    the same for all runs. file_origins: from where images and files are fetched that clients name by their address,
    such as `https://files.example.com`; from nowhere by default. watching: is told of each step; with `RunMetrics` in
    it, the service answers /metrics. late: is asked for results of calls that went on elsewhere, such as `McpServers`.
    The model of an `Agent` is loaded at the start, so that raises DownloadError, ModelLoadError.
    Before a server is stopped, `app.state.close_runs()` ends what goes on, and so the streams that it would wait for.
    """
    bounds, files, place = limits or ServiceLimits(), FileOrigins(file_origins), Path(folder)

    async def opened() -> Service:
        parts = agent if isinstance(agent, ServedAgent) else await served(agent, deps)
        if watching is not None:
            parts = replace(parts, watching=watching)
        if late is not None:
            parts = replace(parts, late=late)
        runs, folders = Runs(parts, bounds), [place / user if user else place for user in admission.users]
        runs.watch_late(folders)
        if parts.watching is not None:
            _read_waiting(parts.watching, folders)
        return Service(
            runs_of=lambda user: SessionRuns(runs, place / user if user else place),
            close=runs.close,
            check=lambda: runs.check(place),
            admission=admission,
            limits=bounds,
            file_origins=files,
            finder=finder_of(parts),
            watching=parts.watching,
        )

    return service_app(opened, admission)


def service_app(opened: Callable[[], Awaitable[Service]], admission: Admission) -> Starlette:
    """Return a service as an ASGI application; opened: gives the service when the application starts."""
    opening = _Opening(opened)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service = await opening.service(is_asked=False)
        app.state.close_runs = service.close
        try:
            yield
        finally:
            opening.forget()
            await service.close()

    async def document(request: Request) -> Response:
        found = openapi(is_open=admission.is_open, prefix=str(request.scope.get("root_path", "")))
        return Response(msgspec.json.encode(found), media_type="application/json")

    routes = [
        *(Route(path, _answering(found, opening), methods=list(found)) for path, found in _by_path().items()),
        Route("/openapi.json", document),
        *dashboard_routes(),
        Route("/metrics", metrics_answer(opening.service)),
        Route("/health", _alive),
        Route("/ready", _ready(opening)),
    ]
    cross_origin = Middleware(
        CORSMiddleware,
        allow_origins=list(admission.origins),
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=["Run", "Retry-After"],
    )
    app = Starlette(
        routes=routes,
        middleware=[cross_origin],
        exception_handlers={HTTPException: _no_route},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # to an address that the client's own `Host` would name
    return app


class _Opening:
    """Opens the service: when the application starts, or with the first request where nobody starts it.

    A server starts the application that it is given, and none that is mounted in that.
    """

    def __init__(self, opened: Callable[[], Awaitable[Service]]) -> None:
        self._opened = opened
        self.found: Service | None = None
        self._lock = asyncio.Lock()

    async def service(self, *, is_asked: bool = True) -> Service:
        """Return the service; is_asked: by a request, not by the server."""
        async with self._lock:
            if self.found is None:
                if is_asked:
                    _logger.warning(
                        "the service was mounted without its lifespan: its runs are cut off when the server stops; "
                        "give router.lifespan_context of the service to the application that it is mounted in"
                    )
                self.found = await self._opened()
            return self.found

    def forget(self) -> None:
        """Have the next start open it anew."""
        self.found = None


def _by_path() -> dict[str, dict[str, Endpoint]]:
    """Return the endpoints of each path by method, so that a wrong method is told all that there are."""
    found: dict[str, dict[str, Endpoint]] = {}
    for each in ENDPOINTS:
        found.setdefault(each.path, {})[each.method] = each
    return found


def _answering(endpoints: dict[str, Endpoint], opening: _Opening) -> Callable[[Request], Awaitable[Answer]]:
    async def answer(request: Request) -> Answer:
        endpoint = endpoints["GET" if request.method == "HEAD" else request.method]
        try:
            service = await opening.service()
            user = _giver(service, request) if endpoint.is_for_tools else service.admission.user(request)
            return await endpoint.call(Asked(service, request, user))
        except Exception as error:
            fault = reported(error)
            count_refusal(opening.found, fault)
            return fault_answer(fault)

    return answer


def _giver(service: Service, request: Request) -> str:
    """Return that a request is nobody's, once it may give results."""
    service.admission.check_giver(request)
    return ""


def _read_waiting(watching: Watching, folders: Iterable[Path]) -> None:
    threading.Thread(target=lambda: tell_waiting(watching, folders), name="purestep-waits", daemon=True).start()


async def _alive(request: Request) -> Response:
    return Response(b'{"ok":true}', media_type="application/json")


def _ready(opening: _Opening) -> Callable[[Request], Awaitable[Response]]:
    """Answer whether a run can be taken; whoever asks often gets what the last look has found."""
    lock = asyncio.Lock()
    last: list[tuple[float, ServiceFault | None]] = []

    async def looked() -> ServiceFault | None:
        try:
            async with asyncio.timeout(_READY_S):
                await (await opening.service()).check()
        except TimeoutError:
            return reported(ServiceError("storage_failed", f"the storage does not answer within {_READY_S:g} seconds"))
        except Exception as error:
            return reported(error)
        return None

    async def answer(request: Request) -> Response:
        now = asyncio.get_running_loop().time
        async with lock:
            if not last or now() - last[0][0] > _LOOK_S:
                fault = await looked()
                last[:] = [(now(), fault)]
        fault = last[0][1]
        return Response(b'{"ready":true}', media_type="application/json") if fault is None else fault_answer(fault)

    return answer


def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = " or ".join(headers.get("Allow", "").split(", "))
        return fault_answer(
            ServiceFault(
                "method_not_allowed", f"expected the method {allowed} at this path; got {shown(request.method)}"
            ),
            headers,
        )
    return fault_answer(
        ServiceFault("not_found", "there is nothing at this path; GET /openapi.json lists the paths"), headers
    )
