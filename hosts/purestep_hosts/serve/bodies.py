"""The body of a request: read within its bounds, and as the type that the endpoint takes."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import msgspec

import purestep
from purestep_hosts.extras import SERVE
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.limits import ServiceLimits

with SERVE:
    from starlette.requests import ClientDisconnect, Request

Body = TypeVar("Body")


async def read_body(request: Request, kind: type[Body], limits: ServiceLimits) -> Body:
    """Return the body as a value of a type; an empty one is an empty object.

    Raises ServiceError: `unsupported_content_type`, `body_too_large`, `slow_body`, `invalid_input`; PurestepError for
    what is no JSON.
    """
    # A page of any site may send the other types without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ServiceError("unsupported_content_type", "expected the header Content-Type: application/json")
    try:
        async with asyncio.timeout(limits.body_s):
            data = await _bounded(request, limits.max_body_bytes)
    except TimeoutError:
        raise ServiceError("slow_body", f"expected the whole body within {limits.body_s:g} seconds") from None
    except ClientDisconnect:
        raise ServiceError("slow_body", "the connection ended before the body did") from None
    return converted(purestep.decode_json(data or b"{}"), kind)


def converted(value: Any, kind: type[Body]) -> Body:
    """Return a JSON value as a type; raises ServiceError, which names the place."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ServiceError("invalid_input", str(error)) from None


async def _bounded(request: Request, most: int) -> bytes:
    announced = request.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > most:
        raise _too_large(most)
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > most:
            raise _too_large(most)
    return bytes(data)


def _too_large(most: int) -> ServiceError:
    return ServiceError("body_too_large", f"expected a body of at most {most} bytes")
