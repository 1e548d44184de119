"""A schema for readers that know only pointers: model servers, and the makers of samples.

Most read `{"$ref": "#/$defs/name"}` and neither addresses nor anchors. What is written here takes at least what
the schema takes, which is enough where the schema itself judges afterwards.
"""

from typing import Any, Final

from .addresses import escaped, unescaped
from .issues import pointer_token
from .resources import LIST, MAP, ONE, SUBSCHEMAS, Documents, Resource

_NAMES: Final = frozenset({"$anchor", "$dynamicAnchor", "$id", "$vocabulary"})


def with_pointers(schema: Any) -> Any:
    """The schema with every reference as a pointer from its root, and no names that would be needed otherwise.

    schema: one that compiles. A `$dynamicRef` becomes the reference that it is where nothing extends the schema; a
    reference into another document allows anything. What has only pointers comes back equal.
    """
    documents = Documents(schema, "", {})
    return _plain(documents, schema, "", documents.root)


def _plain(documents: Documents, schema: Any, pointer: str, around: Resource) -> Any:
    if not isinstance(schema, dict):
        return schema
    resource = documents.place(schema, pointer, around).resource
    plain: dict[str, Any] = {}
    others: list[dict[str, Any]] = []
    for keyword, value in schema.items():
        at = pointer + pointer_token(keyword)
        if keyword in ("$ref", "$dynamicRef"):
            target = _target(documents, value, at, resource)
            if target is not None and "$ref" in plain:
                others.append({"$ref": target})
            elif target is not None:
                plain["$ref"] = target
        elif keyword not in _NAMES:
            plain[keyword] = _inner(documents, keyword, value, at, resource)
    # Two references beside one another are two conjuncts.
    return plain | {"allOf": [*plain.get("allOf", ()), *others]} if others else plain


def _target(documents: Documents, reference: str, at: str, resource: Resource) -> str | None:
    """What the reference names as a pointer of this document; None when it leads out of it."""
    if resource.pointer == "" and (reference == "#" or reference.startswith("#/")):
        return reference
    target = documents.target(reference, at, resource)[0].pointer
    return f"#{escaped(target)}" if target[:1] in ("", "/") else None


def _inner(documents: Documents, keyword: str, value: Any, at: str, resource: Resource) -> Any:
    form = SUBSCHEMAS.get(keyword)
    if form is ONE:
        return _plain(documents, value, at, resource)
    if form is LIST and isinstance(value, list):
        return [_plain(documents, inner, f"{at}/{place}", resource) for place, inner in enumerate(value)]
    if form is MAP and isinstance(value, dict):
        return {name: _plain(documents, inner, at + pointer_token(name), resource) for name, inner in value.items()}
    return value


def subschema_at(root: Any, reference: str) -> Any:
    """What a pointer from a schema's root names, `#/$defs/name` for one; None when it leads nowhere."""
    pointer = unescaped(reference.removeprefix("#"))
    if pointer is None or not (reference == "#" or reference.startswith("#/")):
        return None
    node = root
    for token in pointer.split("/")[1:]:
        node = _member(node, token.replace("~1", "/").replace("~0", "~"))
    return node


def _member(node: Any, name: str) -> Any:
    if isinstance(node, dict):
        return node.get(name)
    if isinstance(node, list) and name in _PLACES[: len(node)]:
        return node[int(name)]
    return None


_PLACES: Final = tuple(str(place) for place in range(64))
"""Places in a list of subschemas that are looked up: no real union is as long."""
