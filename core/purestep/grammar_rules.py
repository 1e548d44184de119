"""Grammar rules: what a JSON Schema or a dialect's form allows, as expressions that each grammar language prints.

A schema is held to what grammars can say: types, properties in their order, items, enums, unions, local
references. The rest of it (bounds, patterns) is checked when the call is read.
"""

from typing import Any, Final

from msgspec import Struct

from .jsonio import encode_sorted
from .schema import subschema_at


class Literal(Struct, frozen=True):
    """This text."""

    text: str


class Chars(Struct, frozen=True):
    """One character of a class, written as regular expressions do, without the brackets."""

    inside: str


class Ref(Struct, frozen=True):
    """What the rule of that name allows."""

    name: str


class Seq(Struct, frozen=True):
    """One part behind the other."""

    parts: tuple[Any, ...]


class Alt(Struct, frozen=True):
    """One of the parts."""

    parts: tuple[Any, ...]


class Many(Struct, frozen=True):
    """The part any number of times, or so many at most."""

    part: Any
    most: int | None = None


class Until(Struct, frozen=True):
    """Any text up to this, which begins with `<` but for a line break; the whole of a rule."""

    closer: str


Expression = Literal | Chars | Ref | Seq | Alt | Many | Until
EMPTY: Final = Literal("")

MAX_RULES: Final = 4096
"""Rules of one grammar: a schema that needs more is held to JSON alone."""

MAX_DIGITS: Final = 16
"""Digits of an integer or a fraction, as many as 2**53 has: a small model that may go on counting zeros does."""

MAX_EXPONENT_DIGITS: Final = 3
"""Digits of an exponent: the largest double ends in e308."""

_HEX: Final = Chars("0-9a-fA-F")
_DIGIT: Final = Chars("0-9")
_ESCAPE: Final = Seq(
    (Literal("\\"), Alt((Chars('"\\\\/bfnrt'), Seq((Literal("u"), _HEX, _HEX, _HEX, _HEX)))))
)  # fmt: skip
_WHOLE: Final = Seq((Chars("1-9"), Many(_DIGIT, most=MAX_DIGITS - 1)))
_INTEGER: Final = Seq((Many(Literal("-"), most=1), Alt((Literal("0"), _WHOLE))))
_FRACTION: Final = Seq((Literal("."), _DIGIT, Many(_DIGIT, most=MAX_DIGITS - 1)))
_EXPONENT: Final = Seq((Chars("eE"), Many(Chars("+-"), most=1), _DIGIT, Many(_DIGIT, most=MAX_EXPONENT_DIGITS - 1)))
_SPACE: Final = Many(Literal(" "), most=1)

_CHAR: Final = Alt((Chars('^"\\\\\\x00-\\x1f'), _ESCAPE))

BASE: Final[dict[str, Expression]] = {
    "space": _SPACE,
    "string": Seq((Literal('"'), Many(_CHAR), Literal('"'))),
    "integer": _INTEGER,
    "number": Seq((Ref("integer"), Many(_FRACTION, most=1), Many(_EXPONENT, most=1))),
    "boolean": Alt((Literal("true"), Literal("false"))),
    "null": Literal("null"),
    "value": Alt(tuple(Ref(name) for name in ("object", "array", "string", "number", "boolean", "null"))),
    "member": Seq((Ref("string"), Literal(":"), Ref("space"), Ref("value"))),
    "object": Seq((
        Literal("{"), Ref("space"),
        Many(Seq((Ref("member"), Many(Seq((Literal(","), Ref("space"), Ref("member")))))), most=1), Literal("}"),
    )),
    "array": Seq((
        Literal("["), Ref("space"),
        Many(Seq((Ref("value"), Many(Seq((Literal(","), Ref("space"), Ref("value")))))), most=1), Literal("]"),
    )),
}  # fmt: skip
"""Rules that every grammar may refer to: JSON, with one blank at most where one is usual."""


class Rules:
    """Rules being made; `named` holds them by name, in the order made."""

    __slots__ = ("named", "number", "places", "roots")

    def __init__(self) -> None:
        self.named: dict[str, Expression] = {}
        self.number = 0
        self.places: dict[tuple[int, str], Ref] = {}
        self.roots: list[Any] = []

    def add(self, expression: Expression) -> Ref:
        """Add a rule; gives a reference to it."""
        self.number += 1
        name = f"r{self.number}"
        self.named[name] = expression
        return Ref(name)

    def of_schema(self, schema: Any, root: Any) -> Expression:
        """Give what a schema allows; `root` is the whole that its references count from."""
        if not isinstance(schema, dict) or self.number > MAX_RULES:
            return Ref("value")
        if isinstance(schema.get("$ref"), str):
            return self._of_reference(schema["$ref"], root)
        if "const" in schema:
            return json_literal(schema["const"])
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return Alt(tuple(json_literal(item) for item in schema["enum"]))
        union = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(union, list) and union:
            return Alt(tuple(self.of_schema(branch, root) for branch in union))
        return self._of_types(schema, root)

    def _of_types(self, schema: dict[str, Any], root: Any) -> Expression:
        given = schema.get("type", "object" if isinstance(schema.get("properties"), dict) else None)
        names = given if isinstance(given, list) else [given]
        parts = tuple(self._of_type(name, schema, root) for name in names)
        return parts[0] if len(parts) == 1 else Alt(parts)

    def _of_type(self, name: Any, schema: dict[str, Any], root: Any) -> Expression:
        match name:
            case "object" if isinstance(schema.get("properties"), dict) and schema["properties"]:
                return self._object(schema, root)
            case "object" if schema.get("additionalProperties") is False:
                return Literal("{}")
            case "array" if "items" in schema:
                item = self.add(self.of_schema(schema["items"], root))
                more = Many(Seq((Literal(","), Ref("space"), item)))
                return Seq((Literal("["), Many(Seq((item, more)), most=1), Literal("]")))
            case "object" | "array" | "string" | "number" | "integer" | "boolean" | "null":
                return Ref(name)
            case _:
                return Ref("value")

    def _of_reference(self, reference: str, root: Any) -> Expression:
        key = (self._number_of(root), reference)
        if key not in self.places:
            self.places[key] = place = self.add(EMPTY)
            self.named[place.name] = self.of_schema(subschema_at(root, reference), root)
        return self.places[key]

    def _number_of(self, root: Any) -> int:
        for number, known in enumerate(self.roots):
            if known is root:
                return number
        self.roots.append(root)
        return len(self.roots) - 1

    def _object(self, schema: dict[str, Any], root: Any) -> Expression:
        def pair(key: str, value: Any) -> Expression:
            return Seq((json_literal(key), Literal(":"), Ref("space"), self.of_schema(value, root)))

        members = [(pair(key, value), key in schema.get("required", ())) for key, value in schema["properties"].items()]
        comma = Seq((Literal(","), Ref("space")))
        return Seq((Literal("{"), self.members(members, comma), Literal("}")))

    def members(self, members: list[tuple[Expression, bool]], separator: Expression) -> Expression:
        """Give members in their order, those not required left out or not, separated."""
        first: Expression = EMPTY
        later: Expression = EMPTY
        for member, required in reversed(members):
            rule = self.add(member)
            with_later = Seq((separator, rule, later))
            with_first = Seq((rule, later))
            first = self.add(with_first if required else Alt((with_first, first)))
            later = self.add(with_later if required else Alt((with_later, later)))
        return first


def json_literal(value: Any) -> Literal:
    """Give a value as compact JSON."""
    return Literal(encode_sorted(value).decode())


def reachable(root: Expression, named: dict[str, Expression]) -> dict[str, Expression]:
    """Give the rules that an expression needs, in the order in which it comes to them."""
    known = {**BASE, **named}
    found: dict[str, Expression] = {}
    waiting = [root]
    while waiting:
        for name in _names(waiting.pop()):
            if name not in found:
                found[name] = known[name]
                waiting.append(known[name])
    return found


def _names(expression: Any) -> list[str]:
    match expression:
        case Ref(name):
            return [name]
        case Seq(parts) | Alt(parts):
            return [name for part in parts for name in _names(part)]
        case Many(part):
            return _names(part)
        case _:
            return []
