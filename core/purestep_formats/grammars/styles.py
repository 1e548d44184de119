"""How values are written inside of calls: as JSON, as Python does, or as bare names and marked strings.

A style is what grammar rules need of it: the words, the strings, and the rules for values of any kind. Names of
rules are letters and digits only, since no other characters are names in all of GBNF, EBNF and Lark.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from purestep.dialects import spaced_json
from purestep.json_text import encode_sorted

from ..bounds import MAX_EXPONENT_DIGITS, MAX_GRAMMAR_DIGITS
from ..written_forms import python_literal, quoted
from .expressions import Alt, CharacterClass, Expression, Literal, Many, Ref, Seq, Until

_HEX: Final = CharacterClass("0-9a-fA-F")
_DIGIT: Final = CharacterClass("0-9")
_ESCAPE: Final = Seq(
    (Literal("\\"), Alt((CharacterClass('"\\\\/bfnrt'), Seq((Literal("u"), _HEX, _HEX, _HEX, _HEX)))))
)  # fmt: skip
_WHOLE: Final = Seq((CharacterClass("1-9"), Many(_DIGIT, most=MAX_GRAMMAR_DIGITS - 1)))
_FRACTION: Final = Seq((Literal("."), _DIGIT, Many(_DIGIT, most=MAX_GRAMMAR_DIGITS - 1)))
_EXPONENT: Final = Seq(
    (CharacterClass("eE"), Many(CharacterClass("+-"), most=1), _DIGIT, Many(_DIGIT, most=MAX_EXPONENT_DIGITS - 1))
)
_CHAR: Final = Alt((CharacterClass('^"\\\\\\x00-\\x1f'), _ESCAPE))
_JSON_STRING: Final = Seq((Literal('"'), Many(_CHAR), Literal('"')))

SHARED: Final[dict[str, Expression]] = {
    "space": Many(Literal(" "), most=1),
    "integer": Seq((Many(Literal("-"), most=1), Alt((Literal("0"), _WHOLE)))),
    "number": Seq((Ref("integer"), Many(_FRACTION, most=1), Many(_EXPONENT, most=1))),
}
"""Rules that are the same in every style; one blank at most where one is usual."""


_BLANK: Final = Ref("space")


class Style(Struct, frozen=True, kw_only=True):
    """A way to write values.

    prefix: before the names of its rules. literal: one value as text. key: the name of an object's member as text.
    rules: how values are written whose schema says no more than their type. blank: what stands after a colon and
    a comma. copied: the rule of strings that are copied from the conversation; "" where they are free. required_first:
    whether the required members of an object come first, in the order of their list.
    """

    prefix: str
    literal: Callable[[Any], str]
    key: Callable[[str], str]
    rules: dict[str, Expression]
    blank: Expression = _BLANK
    copied: str = ""
    required_first: bool = False

    def ref(self, name: str) -> Ref:
        """Return a reference to the rule of that name in this style."""
        return Ref(name if name in SHARED else self.prefix + name)


def _rules(
    prefix: str, words: tuple[str, str, str], string: Expression, key: Expression, blank: Expression = _BLANK
) -> dict[str, Expression]:
    def own(name: str) -> Ref:
        return Ref(prefix + name)

    def listed(item: Ref) -> Expression:
        return Many(Seq((item, Many(Seq((Literal(","), blank, item))))), most=1)

    inside = (blank,) if blank is _BLANK else ()  # a blank that has to be there is none after a bracket
    true, false, null = map(Literal, words)
    kinds = (own("object"), own("array"), own("string"), Ref("number"), own("boolean"), own("null"))
    rules = {
        "string": string,
        "boolean": Alt((true, false)),
        "null": null,
        "value": Alt(kinds),
        "member": Seq((key, Literal(":"), blank, own("value"))),
        "object": Seq((Literal("{"), *inside, listed(own("member")), Literal("}"))),
        "array": Seq((Literal("["), *inside, listed(own("value")), Literal("]"))),
    }
    return {**SHARED, **{prefix + name: rule for name, rule in rules.items()}}


def compact_json(value: Any) -> str:
    """Return a value as compact JSON."""
    return encode_sorted(value).decode()


JSON: Final = Style(
    prefix="",
    literal=compact_json,
    key=compact_json,
    rules=_rules("", ("true", "false", "null"), _JSON_STRING, Ref("string")),
)
SPACED: Final = Style(
    prefix="sp",
    literal=spaced_json,
    key=compact_json,
    rules=_rules("sp", ("true", "false", "null"), _JSON_STRING, Ref("spstring"), Literal(" ")),
    blank=Literal(" "),
    required_first=True,
)
COPIED: Final = "copied"
"""The rule of strings that are copied from the conversation."""
TOLD: Final = "told"
"""The rule of an answer's text whose figures are copied from the conversation."""


def copied(style: Style) -> Style:
    """Return a style whose strings are copied from the conversation."""
    return replace(style, copied=COPIED)


PYTHON: Final = Style(
    prefix="py",
    literal=python_literal,
    key=compact_json,
    rules=_rules("py", ("True", "False", "None"), _JSON_STRING, Ref("pystring")),
)


def pairs(quote: str) -> Style:
    """Return the style of bare names and of strings between marks instead of quotes."""
    name = Seq((CharacterClass("a-zA-Z_"), Many(CharacterClass("a-zA-Z0-9_"))))
    string = Seq((Literal(quote), Ref("marktext")))
    rules = _rules("mark", ("true", "false", "null"), string, name)
    return Style(
        prefix="mark",
        literal=lambda value: quoted(quote, value),
        key=lambda key: key,
        rules={**rules, "marktext": Until(quote)},
    )
