"""What `$ref` and `$dynamicRef` name: the schema resources and anchors in the documents at hand (`$id`, `$anchor`).

A schema resource is a schema with a URI of its own, by `$id` or as the root of a document. Nothing is ever fetched: a
reference leads into a document that was given, or nowhere (2020-12, core, 8.2 and 9.1).

`with_pointers` rewrites references as JSON pointers, for readers that know neither URIs nor anchors.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

import msgspec
from msgspec import UNSET

from ..bounds import MAX_DYNAMIC_ANCHORS, MAX_SCHEMA_DEPTH
from .addresses import (
    DEFAULT_BASE,
    is_pointer,
    percent_decode,
    percent_encode,
    pointer_token,
    pointer_tokens,
    resolve,
    value_at,
)
from .issues import SchemaError
from .keywords import SUBSCHEMAS
from .metaschema import METASCHEMA, METASCHEMA_ADDRESS


class Resource:
    """A schema resource: a schema with a URI, and the anchors in it by name."""

    __slots__ = ("address", "anchors", "dynamic", "pointer", "schema")

    def __init__(self, schema: object, pointer: str, address: str) -> None:
        self.schema = schema
        self.pointer = pointer
        self.address = address
        self.anchors: dict[str, ResourcePlace] = {}
        self.dynamic: dict[str, ResourcePlace] = {}


class ResourcePlace(msgspec.Struct, frozen=True, eq=False):
    """A schema and its place: `pointer` names it among all documents, `resource` is the one it belongs to."""

    schema: Any
    pointer: str
    resource: Resource


class Documents:
    """The document to be compiled, those given beside it, and every resource and anchor in them."""

    def __init__(self, document: object, path: str, given: Mapping[str, object]) -> None:
        self.path = path
        self.given = {METASCHEMA_ADDRESS: METASCHEMA, **given}
        self.by_address: dict[str, Resource] = {}
        self.by_pointer: dict[str, Resource] = {}
        self.dynamic_places: dict[str, ResourcePlace] = {}
        self.root = self.register(document, "", DEFAULT_BASE)

    def refuse(self, code: str, message: str, pointer: str) -> NoReturn:
        """Raise SchemaError for a place in this document or another."""
        raise SchemaError(code, message, self.path_of(pointer))

    def path_of(self, pointer: str) -> str:
        """Return the path that errors name for a place; in the document itself it counts from its own path."""
        return self.path + pointer if pointer[:1] in ("", "/") else pointer

    def register(self, document: object, pointer: str, address: str) -> Resource:
        """Register a document with all resources and anchors in it; give its root resource."""
        outermost = self.by_address[address] = self.by_pointer[pointer] = Resource(document, pointer, address)
        pending: list[tuple[object, str, Resource, int]] = [(document, pointer, outermost, 0)]
        while pending:
            schema, at, resource, depth = pending.pop()
            # A deeper subschema is refused when it is compiled.
            if isinstance(schema, dict) and depth <= MAX_SCHEMA_DEPTH:
                resource = self.register_names(schema, at, resource)
                inside = [(inner, inner_at, resource, depth + 1) for inner, inner_at in _inside(schema, at)]
                pending += reversed(inside)
        # By its own `$id` a document may have another URI than the one it was given under.
        self.by_address[address] = self.by_pointer[pointer]
        return self.by_pointer[pointer]

    def register_names(self, schema: dict[str, Any], pointer: str, around: Resource) -> Resource:
        """Register the `$id` and anchors of one schema; give the resource that it belongs to."""
        resource, name = around, schema.get("$id")
        if isinstance(name, str):
            address = resolve(around.address, name.removesuffix("#"))
            if (address, pointer) != (around.address, around.pointer):
                resource = self.by_pointer[pointer] = Resource(schema, pointer, address)
                if self.by_address.setdefault(address, resource) is not resource:
                    self.refuse("invalid_schema", f'another schema has the address "{name}" too', pointer + "/$id")
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(anchor := schema.get(keyword), str):
                self.register_anchor(keyword, anchor, ResourcePlace(schema, pointer, resource))
        return resource

    def register_anchor(self, keyword: str, name: str, place: ResourcePlace) -> None:
        """Register an anchor of the place's resource; `keyword` is `$anchor` or `$dynamicAnchor`."""
        known = place.resource.anchors.setdefault(name, place)
        if known.pointer != place.pointer:
            self.refuse("invalid_schema", f'another schema has the anchor "{name}" too', f"{place.pointer}/{keyword}")
        if keyword == "$dynamicAnchor":
            if len(self.dynamic_places) >= MAX_DYNAMIC_ANCHORS:
                message = f"expected at most {MAX_DYNAMIC_ANCHORS} dynamic anchors"
                self.refuse("schema_too_large", message, f"{place.pointer}/{keyword}")
            place.resource.dynamic[name] = self.dynamic_places[place.pointer] = place

    def place(self, schema: object, pointer: str, around: Resource) -> ResourcePlace:
        """Return the place of a schema inside a resource, or of one that is a resource itself."""
        return ResourcePlace(schema, pointer, self.by_pointer.get(pointer, around))

    def target(self, reference: str, pointer: str, base: Resource) -> tuple[ResourcePlace, str]:
        """Return the place that a reference names, and the reference's fragment.

        pointer: where the reference stands. base: the resource it stands in. Raises `unresolvable_ref`.
        """
        address, _, escaped = reference.partition("#")
        resource = self.resource(resolve(base.address, address)) if address else base
        fragment = percent_decode(escaped)
        if resource is None or fragment is None:
            message = f'expected a reference inside of this schema such as "#/$defs/name", got "{reference}"'
            self.refuse("unresolvable_ref", message, pointer)
        found = _at_pointer(self, resource, fragment) if fragment[:1] in ("", "/") else resource.anchors.get(fragment)
        if found is None or not isinstance(found.schema, dict | bool):
            self.refuse("unresolvable_ref", f'"{reference}" does not lead to a schema', pointer)
        return found, fragment

    def resource(self, address: str) -> Resource | None:
        """Return the resource of that URI; a document that was given is registered when it is first needed."""
        if address not in self.by_address and address in self.given:
            return self.register(self.given[address], f"{address}#", address)
        return self.by_address.get(address)


def _inside(schema: dict[str, Any], pointer: str) -> Iterator[tuple[object, str]]:
    """Yield the direct subschemas of a schema with their pointers."""
    for keyword, value in schema.items():
        form = SUBSCHEMAS.get(keyword)
        if form == "one":
            yield value, f"{pointer}/{keyword}"
        elif form == "list" and isinstance(value, list):
            yield from [(inner, f"{pointer}/{keyword}/{place}") for place, inner in enumerate(value)]
        elif form == "map" and isinstance(value, dict):
            yield from [(inner, f"{pointer}/{keyword}{pointer_token(name)}") for name, inner in value.items()]


def _at_pointer(documents: Documents, resource: Resource, fragment: str) -> ResourcePlace | None:
    """Return the place at a JSON pointer into a resource; it may lead into an embedded resource."""
    if not is_pointer(fragment):
        return None
    place = ResourcePlace(resource.schema, resource.pointer, resource)
    for name in pointer_tokens(fragment):
        inner = value_at(place.schema, [name])
        if inner is UNSET:
            return None
        place = documents.place(inner, place.pointer + pointer_token(name), place.resource)
    return place


_IDENTIFIERS: Final = frozenset({"$anchor", "$dynamicAnchor", "$id", "$vocabulary"})


def with_pointers(schema: Any, base: str = "#") -> Any:
    """Return the schema with every reference as a JSON pointer, and without `$id` and anchors.

    schema: one that compiles. base: the reference to where it is to stand, by default the root of a document. What
    comes back accepts at least what the schema accepts: a `$dynamicRef` becomes the reference that it is where nothing
    extends the schema, and a reference into another document accepts anything. A schema that has only pointers comes
    back equal.
    """
    return _WithPointers(Documents(schema, "", {}), base).schema(schema, "", None)


class _WithPointers:
    def __init__(self, documents: Documents, base: str) -> None:
        self.documents = documents
        self.base = base

    def schema(self, schema: Any, pointer: str, around: Resource | None) -> Any:
        if not isinstance(schema, dict):
            return schema
        resource = self.documents.by_pointer.get(pointer, around or self.documents.root)
        rewritten: dict[str, Any] = {}
        others: list[dict[str, Any]] = []
        for keyword, value in schema.items():
            at = pointer + pointer_token(keyword)
            if keyword in ("$ref", "$dynamicRef"):
                target = self.target(value, at, resource)
                if target is not None and "$ref" in rewritten:
                    others.append({"$ref": target})
                elif target is not None:
                    rewritten["$ref"] = target
            elif keyword not in _IDENTIFIERS:
                rewritten[keyword] = self.inner(keyword, value, at, resource)
        # Two references beside one another must both hold.
        return rewritten | {"allOf": [*rewritten.get("allOf", ()), *others]} if others else rewritten

    def target(self, reference: str, at: str, resource: Resource) -> str | None:
        """Return the reference from the base; None when it leads out of the document."""
        if resource.pointer == "" and (reference == "#" or reference.startswith("#/")):
            return self.base + reference[1:]
        target = self.documents.target(reference, at, resource)[0].pointer
        return self.base + percent_encode(target) if target[:1] in ("", "/") else None

    def inner(self, keyword: str, value: Any, at: str, resource: Resource) -> Any:
        form = SUBSCHEMAS.get(keyword)
        if form == "one":
            return self.schema(value, at, resource)
        if form == "list" and isinstance(value, list):
            return [self.schema(inner, f"{at}/{place}", resource) for place, inner in enumerate(value)]
        if form == "map" and isinstance(value, dict):
            return {name: self.schema(inner, at + pointer_token(name), resource) for name, inner in value.items()}
        return value


def subschema_at(root: Any, reference: str) -> Any:
    """Return what a pointer from a schema's root names, such as `#/$defs/name`; None when it leads nowhere."""
    pointer = percent_decode(reference.removeprefix("#"))
    if pointer is None or not (reference == "#" or reference.startswith("#/")):
        return None
    found = value_at(root, pointer_tokens(pointer))
    return None if found is UNSET else found
