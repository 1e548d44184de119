"""Grammar rules: what a JSON Schema allows, in the style in which values are written.

A schema is held to what grammars can say: types, properties in their order, items, enums, unions, local
references. The rest of it (bounds, patterns) is checked when the call is read.
"""

from typing import Any

from purestep.dialects import in_taught_order
from purestep.schema import subschema_at

from ..bounds import MAX_GRAMMAR_RULES
from .expressions import EMPTY, Alt, Expression, Literal, Many, Ref, Seq
from .styles import JSON, Style


def is_composed(schema: dict[str, Any]) -> bool:
    """Whether a parameter says that its text is written by the model, not copied from the conversation."""
    own = schema.get("x-purestep")
    return isinstance(own, dict) and own.get("compose") is True


class GrammarRules:
    """The rules of a grammar being made; `named` holds them by name, in the order made."""

    __slots__ = ("named", "number", "places", "roots")

    def __init__(self, style: Style = JSON) -> None:
        self.named: dict[str, Expression] = dict(style.rules)
        self.number = 0
        self.places: dict[tuple[str, int, str], Ref] = {}
        self.roots: list[Any] = []

    def add(self, expression: Expression) -> Ref:
        """Add a rule; gives a reference to it."""
        self.number += 1
        name = f"r{self.number}"
        self.named[name] = expression
        return Ref(name)

    def of_schema(self, schema: Any, root: Any, style: Style = JSON) -> Expression:
        """Return what a schema allows; `root` is the schema that its references count from."""
        if not isinstance(schema, dict) or self.number > MAX_GRAMMAR_RULES:
            return style.ref("value")
        if isinstance(schema.get("$ref"), str):
            return self._of_reference(schema["$ref"], root, style)
        if "const" in schema:
            return Literal(style.literal(schema["const"]))
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return Alt(tuple(Literal(style.literal(item)) for item in schema["enum"]))
        union = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(union, list) and union:
            return Alt(tuple(self.of_schema(branch, root, style) for branch in union))
        return self._of_types(schema, root, style)

    def _of_types(self, schema: dict[str, Any], root: Any, style: Style) -> Expression:
        given = schema.get("type", "object" if isinstance(schema.get("properties"), dict) else None)
        names = given if isinstance(given, list) else [given]
        parts = tuple(self._of_type(name, schema, root, style) for name in names)
        return parts[0] if len(parts) == 1 else Alt(parts)

    def _of_type(self, name: Any, schema: dict[str, Any], root: Any, style: Style) -> Expression:
        match name:
            case "object" if isinstance(schema.get("properties"), dict) and schema["properties"]:
                return self._object(schema, root, style)
            case "object" if schema.get("additionalProperties") is False:
                return Literal("{}")
            case "array" if "items" in schema:
                item = self.add(self.of_schema(schema["items"], root, style))
                more = Many(Seq((Literal(","), style.blank, item)))
                return Seq((Literal("["), Many(Seq((item, more)), most=1), Literal("]")))
            case "string" if style.copied and not is_composed(schema):
                return Ref(style.copied)
            case "object" | "array" | "string" | "number" | "integer" | "boolean" | "null":
                return style.ref(name)
            case _:
                return style.ref("value")

    def _of_reference(self, reference: str, root: Any, style: Style) -> Expression:
        key = (style.prefix, self._number_of(root), reference)
        if key not in self.places:
            self.places[key] = place = self.add(EMPTY)
            self.named[place.name] = self.of_schema(subschema_at(root, reference), root, style)
        return self.places[key]

    def _number_of(self, root: Any) -> int:
        for number, known in enumerate(self.roots):
            if known is root:
                return number
        self.roots.append(root)
        return len(self.roots) - 1

    def _object(self, schema: dict[str, Any], root: Any, style: Style) -> Expression:
        def pair(key: str, value: Any) -> Expression:
            return Seq((Literal(style.key(key) + ":"), style.blank, self.of_schema(value, root, style)))

        properties = in_taught_order(schema) if style.required_first else schema["properties"]
        members = [(pair(key, value), key in schema.get("required", ())) for key, value in properties.items()]
        comma = Seq((Literal(","), style.blank))
        return Seq((Literal("{"), self.members(members, comma), Literal("}")))

    def members(self, members: list[tuple[Expression, bool]], separator: Expression) -> Expression:
        """Return members in their order, those not required left out or not, separated."""
        first: Expression = EMPTY
        later: Expression = EMPTY
        for member, required in reversed(members):
            rule = self.add(member)
            with_later = Seq((separator, rule, later))
            with_first = Seq((rule, later))
            first = self.add(with_first if required else Alt((with_first, first)))
            later = self.add(with_later if required else Alt((with_later, later)))
        return first
