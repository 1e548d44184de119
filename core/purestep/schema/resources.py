"""Where schemas stand: the documents at hand, the resources and anchors in them, and what a reference names.

A resource is a schema with an address of its own (`$id`, or the document itself). Nothing is ever fetched: a
reference leads into a document that was given, or nowhere (2020-12, core, 8.2 and 9.1).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

import msgspec

from ..bounds import MAX_DYNAMIC_ANCHORS, MAX_SCHEMA_DEPTH
from .addresses import HERE, resolved, unescaped
from .issues import SchemaError, pointer_token
from .metaschema import METASCHEMA, METASCHEMA_ADDRESS

ONE: Final = "one schema"
LIST: Final = "a list of schemas"
MAP: Final = "schemas by name"

SUBSCHEMAS: Final = {
    "$defs": MAP,
    "additionalProperties": ONE,
    "allOf": LIST,
    "anyOf": LIST,
    "contains": ONE,
    "contentSchema": ONE,
    "definitions": MAP,
    "dependentSchemas": MAP,
    "else": ONE,
    "if": ONE,
    "items": ONE,
    "not": ONE,
    "oneOf": LIST,
    "patternProperties": MAP,
    "prefixItems": LIST,
    "properties": MAP,
    "propertyNames": ONE,
    "then": ONE,
    "unevaluatedItems": ONE,
    "unevaluatedProperties": ONE,
}
"""The keywords that hold schemas. Only there `$id` and anchors name something; in `enum` they are plain data."""

_POINTER: Final = r"(?:/(?:[^~/]|~[01])*)*"
_ARRAY_INDEX: Final = r"0|[1-9][0-9]{0,8}"


class Resource:
    """A schema with an address, and the anchors that stand in it by name."""

    __slots__ = ("address", "anchors", "dynamic", "pointer", "schema")

    def __init__(self, schema: object, pointer: str, address: str) -> None:
        self.schema = schema
        self.pointer = pointer
        self.address = address
        self.anchors: dict[str, ResourcePlace] = {}
        self.dynamic: dict[str, ResourcePlace] = {}


class ResourcePlace(msgspec.Struct, frozen=True, eq=False):
    """A schema where it stands: its pointer names it among all documents, its resource is the one around it."""

    schema: Any
    pointer: str
    resource: Resource


class Documents:
    """The document to be compiled, those that were given beside it, and everything in them that has a name."""

    def __init__(self, document: object, path: str, given: Mapping[str, object]) -> None:
        self.path = path
        self.given = {METASCHEMA_ADDRESS: METASCHEMA, **given}
        self.by_address: dict[str, Resource] = {}
        self.by_pointer: dict[str, Resource] = {}
        self.dynamic_places: dict[str, ResourcePlace] = {}
        self.root = self.add(document, "", HERE)

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        """Raise the error for a place."""
        raise SchemaError(code, message, self.path_of(pointer))

    def path_of(self, pointer: str) -> str:
        """The path of a place in errors: in the document itself it counts from the document's own path."""
        return self.path + pointer if pointer[:1] in ("", "/") else pointer

    def add(self, document: object, pointer: str, address: str) -> Resource:
        """Take in a document with all the resources and anchors in it; gives the outermost."""
        outermost = self.by_address[address] = self.by_pointer[pointer] = Resource(document, pointer, address)
        pending: list[tuple[object, str, Resource, int]] = [(document, pointer, outermost, 0)]
        while pending:
            schema, at, resource, depth = pending.pop()
            # What lies deeper is refused when it is compiled.
            if isinstance(schema, dict) and depth <= MAX_SCHEMA_DEPTH:
                resource = self.named(schema, at, resource)
                inside = [(inner, inner_at, resource, depth + 1) for inner, inner_at in _inside(schema, at)]
                pending += reversed(inside)
        # By its own `$id` a document may have another address than the one it was given under.
        self.by_address[address] = self.by_pointer[pointer]
        return self.by_pointer[pointer]

    def named(self, schema: dict[str, Any], pointer: str, around: Resource) -> Resource:
        """Take down the names that a schema gives itself; gives the resource that it belongs to."""
        resource, name = around, schema.get("$id")
        if isinstance(name, str):
            address = resolved(around.address, name.removesuffix("#"))
            if (address, pointer) != (around.address, around.pointer):
                resource = self.by_pointer[pointer] = Resource(schema, pointer, address)
                if self.by_address.setdefault(address, resource) is not resource:
                    self.refuse("invalid_schema", f'another schema has the address "{name}" too', pointer + "/$id")
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(anchor := schema.get(keyword), str):
                self.anchor(keyword, anchor, ResourcePlace(schema, pointer, resource))
        return resource

    def anchor(self, keyword: str, name: str, place: ResourcePlace) -> None:
        """Take down an anchor of the place's resource."""
        known = place.resource.anchors.setdefault(name, place)
        if known.pointer != place.pointer:
            self.refuse("invalid_schema", f'another schema has the anchor "{name}" too', f"{place.pointer}/{keyword}")
        if keyword == "$dynamicAnchor":
            if len(self.dynamic_places) >= MAX_DYNAMIC_ANCHORS:
                message = f"expected at most {MAX_DYNAMIC_ANCHORS} dynamic anchors"
                self.refuse("schema_too_large", message, f"{place.pointer}/{keyword}")
            place.resource.dynamic[name] = self.dynamic_places[place.pointer] = place

    def place(self, schema: object, pointer: str, around: Resource) -> ResourcePlace:
        """The place of a schema that stands inside of a resource, or is one."""
        return ResourcePlace(schema, pointer, self.by_pointer.get(pointer, around))

    def target(self, reference: str, pointer: str, base: Resource) -> tuple[ResourcePlace, str]:
        """The place that a reference in a resource names, and its fragment; `pointer` is where it stands."""
        address, _, escaped = reference.partition("#")
        resource = self.resource(resolved(base.address, address)) if address else base
        fragment = unescaped(escaped)
        if resource is None or fragment is None:
            message = f'expected a reference inside of this schema such as "#/$defs/name", got "{reference}"'
            self.refuse("unresolvable_ref", message, pointer)
        found = _at_pointer(self, resource, fragment) if fragment[:1] in ("", "/") else resource.anchors.get(fragment)
        if found is None or not isinstance(found.schema, dict | bool):
            self.refuse("unresolvable_ref", f'"{reference}" does not lead to a schema', pointer)
        return found, fragment

    def resource(self, address: str) -> Resource | None:
        """The resource of that address; a document that was given is taken in when it is first asked for."""
        if address not in self.by_address and address in self.given:
            return self.add(self.given[address], f"{address}#", address)
        return self.by_address.get(address)


def _inside(schema: dict[str, Any], pointer: str) -> Iterator[tuple[object, str]]:
    """The schemas directly inside of a schema, with their pointers."""
    for keyword, value in schema.items():
        form = SUBSCHEMAS.get(keyword)
        if form is ONE:
            yield value, f"{pointer}/{keyword}"
        elif form is LIST and isinstance(value, list):
            yield from [(inner, f"{pointer}/{keyword}/{place}") for place, inner in enumerate(value)]
        elif form is MAP and isinstance(value, dict):
            yield from [(inner, f"{pointer}/{keyword}{pointer_token(name)}") for name, inner in value.items()]


def _at_pointer(documents: Documents, resource: Resource, fragment: str) -> ResourcePlace | None:
    """The place at a JSON pointer into a resource (RFC 6901); it may lead into a resource inside of that one."""
    if re.fullmatch(_POINTER, fragment, re.ASCII) is None:
        return None
    place = ResourcePlace(resource.schema, resource.pointer, resource)
    for token in fragment.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        inner = _step_into(place.schema, name)
        if inner is None:
            return None
        place = documents.place(inner, place.pointer + pointer_token(name), place.resource)
    return place


def _step_into(value: object, token: str) -> object:
    if isinstance(value, dict):
        return value.get(token)
    if isinstance(value, list) and re.fullmatch(_ARRAY_INDEX, token, re.ASCII) and int(token) < len(value):
        return value[int(token)]
    return None
