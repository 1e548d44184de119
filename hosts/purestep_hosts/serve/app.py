"""The service as an ASGI application: its routes, and every error as an answer."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.served_agent import ServedAgent, served
from purestep_hosts.extras import SERVE
from purestep_hosts.serve.admission import Admission
from purestep_hosts.serve.endpoints import ENDPOINTS, Answer, Endpoint
from purestep_hosts.serve.faults import ServiceFault, fault_answer, fault_of
from purestep_hosts.serve.limits import ServiceLimits
from purestep_hosts.serve.linked_files import FileOrigins
from purestep_hosts.serve.openapi import openapi
from purestep_hosts.serve.runs import Runs
from purestep_hosts.serve.service import Asked, Service
from purestep_hosts.serve.session_runs import SessionRuns

with SERVE:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.cors import CORSMiddleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_logger: Final = logging.getLogger("purestep_hosts.serve")


def create_app(
    agent: ServedAgent | Agent[Any],
    folder: Path,
    admission: Admission,
    *,
    limits: ServiceLimits | None = None,
    deps: Any = None,
    file_origins: Iterable[str] = (),
) -> Starlette:
    """Return the service of an agent, for any ASGI server.

    folder: where the runs are kept. admission: who may ask. deps: what an `Agent`'s tools get as `Invocation.deps`,
    the same for all runs. file_origins: from where images and files are fetched that clients name by their address,
    such as `https://files.example.com`; from nowhere by default.
    The model of an `Agent` is loaded at the start, so that raises DownloadError, ModelLoadError.
    Before a server is stopped, `app.state.close_runs()` ends what goes on, and so the streams that it would wait for.
    """
    bounds, files = limits or ServiceLimits(), FileOrigins(file_origins)

    async def opened() -> Service:
        runs = Runs(agent if isinstance(agent, ServedAgent) else await served(agent, deps), bounds)
        return Service(
            runs_of=lambda user: SessionRuns(runs, folder / user if user else folder),
            close=runs.close,
            admission=admission,
            limits=bounds,
            file_origins=files,
        )

    return service_app(opened, admission)


def service_app(opened: Callable[[], Awaitable[Service]], admission: Admission) -> Starlette:
    """Return a service as an ASGI application; opened: gives the service when the application starts."""
    parts: list[Service] = []

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service = await opened()
        parts[:] = [service]
        app.state.close_runs = service.close
        try:
            yield
        finally:
            await service.close()

    document = msgspec.json.encode(openapi(is_open=admission.is_open))
    routes = [
        *(Route(path, _answering(found, parts), methods=list(found)) for path, found in _by_path().items()),
        Route("/openapi.json", _constant(document)),
        Route("/health", _constant(b'{"ok":true}')),
    ]
    cross_origin = Middleware(
        CORSMiddleware,
        allow_origins=list(admission.origins),
        allow_methods=["GET", "POST"],
        allow_headers=["*"],
        expose_headers=["Run"],
    )
    return Starlette(
        routes=routes,
        middleware=[cross_origin],
        exception_handlers={HTTPException: _no_route},
        lifespan=lifespan,
    )


def _by_path() -> dict[str, dict[str, Endpoint]]:
    """Return the endpoints of each path by method, so that a wrong method is told all that there are."""
    found: dict[str, dict[str, Endpoint]] = {}
    for each in ENDPOINTS:
        found.setdefault(each.path, {})[each.method] = each
    return found


def _answering(endpoints: dict[str, Endpoint], parts: list[Service]) -> Callable[[Request], Awaitable[Answer]]:
    async def answer(request: Request) -> Answer:
        endpoint = endpoints["GET" if request.method == "HEAD" else request.method]
        try:
            service = parts[0]
            return await endpoint.call(Asked(service, request, service.admission.user(request)))
        except Exception as error:
            return fault_answer(_reported(error))

    return answer


def _reported(error: Exception) -> ServiceFault:
    """Return what a client reads; a defect is logged, with its traceback only where the operator asks for it."""
    fault = fault_of(error)
    if fault.error == "internal_error":
        _logger.error("%s in the service", type(error).__name__, exc_info=bool(os.environ.get("PURESTEP_DEBUG")))
    return fault


def _constant(body: bytes) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return Response(body, media_type="application/json")

    return answer


def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        return fault_answer(
            ServiceFault("method_not_allowed", f"expected the method {headers.get('Allow', '')}"), headers
        )
    return fault_answer(
        ServiceFault("not_found", "there is nothing at this path; GET /openapi.json lists the paths"), headers
    )
