"""The path /metrics: what the watches of a service have counted, for a scraper that may read it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from purestep_hosts.async_loop import in_thread
from purestep_hosts.extras import METRICS, SERVE, MissingExtraError
from purestep_hosts.serve.faults import ServiceError, ServiceFault, fault_answer, reported
from purestep_hosts.serve.service import Service

with SERVE:
    from starlette.requests import Request
    from starlette.responses import Response

if TYPE_CHECKING:
    from purestep_hosts.watching import Watching
    from purestep_hosts.watching.metrics import RunMetrics

_FLUSH_S: Final = 2.0
"""How long a scrape waits for what is queued: scrapers give up after ten seconds."""
_NONE: Final = (
    "the service counts nothing; start it with --metrics token, or give create_app a Watching([RunMetrics()])"
)


def metrics_answer(service_of: Callable[[], Awaitable[Service]]) -> Callable[[Request], Awaitable[Response]]:
    """Return what answers a scraper."""

    async def answer(request: Request) -> Response:
        try:
            service = await service_of()
            service.admission.check_reader(request)
            return await _scraped(service, request.headers.get("accept", ""))
        except Exception as error:
            return fault_answer(reported(error))

    return answer


async def _scraped(service: Service, accept: str) -> Response:
    metrics, watching = metrics_in(service.watching), service.watching
    if metrics is None or watching is None:
        raise ServiceError("not_found", _NONE)
    metrics.usage = watching.usage
    await in_thread(lambda: watching.flush(_FLUSH_S))
    text, media_type = await in_thread(lambda: metrics.text(accept))
    return Response(text, headers={"Cache-Control": "no-store"}, media_type=media_type)


def count_refusal(service: Service | None, fault: ServiceFault) -> None:
    """Count a request that got an error."""
    metrics = None if service is None else metrics_in(service.watching)
    if metrics is not None:
        metrics.refused_request(fault.error)


def metrics_in(watching: Watching | None) -> RunMetrics | None:
    """Return what counts among watches."""
    if watching is None:
        return None
    try:
        METRICS.require()
    except MissingExtraError:
        return None
    from purestep_hosts.watching.metrics import RunMetrics

    return next((watch for watch in watching.watches if isinstance(watch, RunMetrics)), None)
