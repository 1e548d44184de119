"""The page /dashboard: runs, what waits for a person, and one run step by step.

The page has no data in it: it asks its user for the token, keeps that in its memory alone, and asks the service as any
other client. `web/dashboard` has its sources; `node web/dashboard/build.mjs` writes what is served.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from purestep_hosts.extras import SERVE

with SERVE:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

_FOLDER: Final = Path(__file__).parent / "dashboard"
_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""Nothing inline, nothing from elsewhere, and no text that becomes markup or script."""
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_FILES: Final = (
    ("/dashboard", "index.html", "text/html"),
    ("/dashboard/dashboard.js", "dashboard.js", "text/javascript"),
    ("/dashboard/dashboard.css", "dashboard.css", "text/css"),
)


def dashboard_routes() -> list[Route]:
    """Return the routes of the page and of its two files."""
    return [_route(path, (_FOLDER / name).read_bytes(), media_type) for path, name, media_type in _FILES]


def _route(path: str, content: bytes, media_type: str) -> Route:
    async def answer(request: Request) -> Response:
        return Response(content, headers=_HEADERS, media_type=media_type)

    return Route(path, answer)
