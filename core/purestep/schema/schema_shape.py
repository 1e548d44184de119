"""What a value is expected to be under a schema: its types, its properties, its items."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..bounds import MAX_FOLLOWED_REFERENCES
from .references import subschema_at
from .subschemas import kind_of


class SchemaShape:
    """The shape of a value under a schema; root: the whole that its references count from."""

    __slots__ = ("known", "root", "schema")

    def __init__(self, schema: Any, root: Any) -> None:
        self.schema, self.root = _followed(schema, root), root
        self.known: dict[str, Any] | None = None

    def types(self) -> Mapping[str, None]:
        """Return the types that the schema allows, by name; none: any."""
        types, values = allowed_values(self.schema, self.root)
        return types if values is None else {name: None for value in values for name in type_names(value)}

    def member(self, key: str, made: Mapping[str, Any]) -> "SchemaShape | None":
        """Return the shape of a property."""
        known = self.properties()
        if known and key in known:
            return SchemaShape(known[key], self.root)
        more = self.schema.get("additionalProperties") if isinstance(self.schema, dict) else None
        return SchemaShape(more, self.root) if isinstance(more, dict) else None

    def item(self) -> "SchemaShape | None":
        """Return the shape of the items."""
        items = self.schema.get("items") if isinstance(self.schema, dict) else None
        return SchemaShape(items, self.root) if isinstance(items, dict) else None

    def has(self, key: str) -> bool | None:
        """Whether the schema names a property; None where it names none at all."""
        known = self.properties()
        return key in known if known else None

    def is_same_listed(self) -> bool:
        """Whether a value alone means the same as an array of it: in data it does not."""
        return False

    def properties(self) -> dict[str, Any]:
        """Return the properties that the schema or its branches name."""
        if self.known is None:
            self.known = _properties(self.schema, self.root, 0)
        return self.known


def _followed(schema: Any, root: Any) -> Any:
    for _ in range(MAX_FOLLOWED_REFERENCES):
        if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
            break
        schema = subschema_at(root, schema["$ref"])
    return schema


def _branches(schema: dict[str, Any]) -> Iterator[Any]:
    for keyword in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(keyword)
        yield from branches[:MAX_FOLLOWED_REFERENCES] if isinstance(branches, list) else ()


def _properties(schema: Any, root: Any, depth: int) -> dict[str, Any]:
    schema = _followed(schema, root)
    if not isinstance(schema, dict) or depth > MAX_FOLLOWED_REFERENCES:
        return {}
    own = schema.get("properties")
    found: dict[str, Any] = dict(own) if isinstance(own, dict) else {}
    for branch in _branches(schema):
        found = _properties(branch, root, depth + 1) | found
    return found


def allowed_values(schema: Any, root: Any, depth: int = 0) -> tuple[dict[str, None], list[Any] | None]:
    """Return the types that a schema allows by name (none: any), and the values, where it lists them.

    depth: of the schema in those that it is a branch of.
    """
    schema = _followed(schema, root)
    if not isinstance(schema, dict) or depth > MAX_FOLLOWED_REFERENCES:
        return {}, None
    if isinstance(schema.get("enum"), list):
        return {}, schema["enum"]
    if "const" in schema:
        return {}, [schema["const"]]
    given = schema.get("type")
    if given is not None:
        names = given if isinstance(given, list) else [given]
        return dict.fromkeys(name for name in names if isinstance(name, str)), None
    branches = [allowed_values(branch, root, depth + 1) for branch in _branches(schema)]
    if not branches and isinstance(schema.get("properties"), dict):
        return {"object": None}, None
    types = {name: None for inner, _ in branches for name in inner}
    return types | {name: None for _, values in branches for value in values or () for name in type_names(value)}, None


def type_names(value: Any) -> dict[str, None]:
    """Return the types that a value has, by name."""
    return dict.fromkeys(("integer", "number") if type(value) is int else (kind_of(value) or "string",))
