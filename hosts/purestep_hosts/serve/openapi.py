"""The OpenAPI document of the service, made of the table of its endpoints and the types that they take and give."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from purestep import __version__
from purestep_hosts.serve.endpoints import ENDPOINTS, Endpoint
from purestep_hosts.serve.event_stream import FORMS
from purestep_hosts.serve.faults import STATUS, ServiceFault
from purestep_hosts.serve.limits import MAX_KEY_CHARS, MAX_LISTED

_REF: Final = "#/components/schemas/{name}"
_PARAMETERS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "form": ("The form of the answer.", {"enum": ["json", *FORMS], "default": "json"}),
    "detached": ("Whether the exchange goes on when its last reader leaves.", {"type": "boolean", "default": False}),
    "before": ("The `next` of the part before.", {"type": "string"}),
    "limit": ("Most runs in the answer.", {"type": "integer", "minimum": 1, "maximum": MAX_LISTED, "default": 20}),
}

_HEADERS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "Idempotency-Key": (
        "A retry with the same key and body gives the same run.",
        {"type": "string", "minLength": 1, "maxLength": MAX_KEY_CHARS},
    ),
}


def openapi(*, is_open: bool, prefix: str = "") -> dict[str, Any]:
    """Return the document, of OpenAPI 3.1.

    is_open: whether the service takes requests without a token. prefix: of the path that it is mounted at.
    """
    types = [kind for each in ENDPOINTS for kind in (each.takes, each.gives) if _has_schema(kind)]
    schemas, components = msgspec.json.schema_components([*types, ServiceFault], ref_template=_REF)
    schema_of = dict(zip([*types, ServiceFault], schemas, strict=True))
    paths: dict[str, Any] = {}
    for each in ENDPOINTS:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schema_of)
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {"title": "purestep", "version": __version__, "description": "An agent as a service."},
        "paths": paths,
        "components": {"schemas": components},
    }
    if prefix:
        document["servers"] = [{"url": prefix}]
    if not is_open:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


def _has_schema(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def _operation(endpoint: Endpoint, schema_of: dict[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": endpoint.call.__name__.lstrip("_"),
        "parameters": [
            *_in_path(endpoint.path),
            *map(_in_query, endpoint.parameters),
            *map(_in_header, endpoint.headers),
        ],
        "responses": _responses(endpoint, schema_of),
    }
    if endpoint.takes is not None:
        content = {"application/json": {"schema": schema_of[endpoint.takes]}}
        found["requestBody"] = {"required": True, "content": content}
    return found


def _responses(endpoint: Endpoint, schema_of: dict[Any, Any]) -> dict[str, Any]:
    kind = endpoint.gives
    content = {kind: {}} if isinstance(kind, str) else {"application/json": {"schema": schema_of[kind]}}
    if "form" in endpoint.parameters:
        content.setdefault("text/event-stream", {})
    codes = ", ".join(f"{code} ({status})" for code, status in STATUS.items())
    fault = {"application/json": {"schema": schema_of[ServiceFault]}}
    text = f"An error. Codes: {codes}; others are 400, input that cannot be used."
    return {
        "200": {"description": endpoint.summary, "content": content},
        "default": {"description": text, "content": fault},
    }


def _in_path(path: str) -> list[dict[str, Any]]:
    names = re.findall(r"{(\w+)}", path)
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _in_header(name: str) -> dict[str, Any]:
    text, schema = _HEADERS[name]
    return {"name": name, "in": "header", "description": text, "schema": schema}


def _in_query(name: str) -> dict[str, Any]:
    text, schema = _PARAMETERS[name]
    return {"name": name, "in": "query", "description": text, "schema": schema}
