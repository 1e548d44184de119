"""The body of a request: read within its bounds, and as the type that the endpoint takes."""

from __future__ import annotations

import asyncio
from codecs import BOM_UTF8
from typing import Any, Final, TypeVar

import msgspec

import purestep
from purestep_hosts.extras import SERVE
from purestep_hosts.serve.faults import ServiceError, shown
from purestep_hosts.serve.limits import ServiceLimits

with SERVE:
    from starlette.requests import ClientDisconnect, Request

Body = TypeVar("Body")

_MAX_PROBLEMS: Final = 3
"""Of those that a sentence names: with more, the body is of another request, and its schema says more."""
_MAX_PLACE_CHARS: Final = 100
"""Of a place, whose names are the client's own text."""


async def read_body(request: Request, kind: type[Body], limits: ServiceLimits) -> Body:
    """Return the body as a value of a type; an empty one is an empty object.

    Raises ServiceError: `unsupported_content_type`, `body_too_large`, `slow_body`, `invalid_input`, and what
    `decode_json` says of a text that is no JSON.
    """
    # A page of any site may send the other types without asking first.
    given = request.headers.get("content-type", "")
    if given.partition(";")[0].strip().lower() != "application/json":
        came = f"got {shown(given)}" if given else "the request has none"
        raise ServiceError("unsupported_content_type", f"expected the header Content-Type: application/json; {came}")
    packed = request.headers.get("content-encoding", "identity")
    if packed.strip().lower() != "identity":
        text = f"expected a body without Content-Encoding; got {shown(packed)}; send the JSON as it is"
        raise ServiceError("unsupported_content_type", text)
    try:
        async with asyncio.timeout(limits.body_s):
            data = await _bounded(request, limits.max_body_bytes)
    except TimeoutError:
        text = (
            f"expected the whole body within {limits.body_s:g} seconds; send a smaller one, or over a faster connection"
        )
        raise ServiceError("slow_body", text) from None
    except ClientDisconnect:
        raise ServiceError("slow_body", "the connection ended before the body did") from None
    if data.startswith(BOM_UTF8):
        text = "expected JSON in UTF-8 without a byte order mark; leave the first three bytes of the body out"
        raise ServiceError("invalid_json", text)
    try:
        value = purestep.decode_json(data or b"{}")
    except purestep.PurestepError as error:
        raise ServiceError(error.code, f"the body: {error.message}") from None
    return converted(value, kind)


def converted(value: Any, kind: type[Body], place: str = "") -> Body:
    """Return a JSON value as a type; raises ServiceError, which says by the type's schema what is wrong where.

    place: of the value in the body, as a JSON pointer.
    """
    try:
        return purestep.convert_to(value, kind)
    except msgspec.ValidationError:
        problems = purestep.check_json(msgspec.json.schema(kind), value).errors
        said = "; ".join([_said(place, each.path, each.message) for each in problems[:_MAX_PROBLEMS]])
        raise ServiceError("invalid_input", f"{said}; GET /openapi.json has the schema of the body") from None


def _said(place: str, path: str, message: str) -> str:
    """Return a problem of a value as one of the body that it stands in."""
    at = place + path
    cut = at if len(at) <= _MAX_PLACE_CHARS else f"{at[:_MAX_PLACE_CHARS]}..."
    return f"{cut or 'the body'}: {message.removeprefix(path or '/').removeprefix(': ')}"


async def _bounded(request: Request, most: int) -> bytes:
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > most:
        raise _too_large(most, f"got {announced[:20]}")
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > most:
            raise _too_large(most, "got more")
    return bytes(data)


def _too_large(most: int, came: str) -> ServiceError:
    return ServiceError("body_too_large", f"expected a body of at most {most} bytes; {came}; send less at once")
