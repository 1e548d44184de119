"""Where an argument's value comes from: said by the schema (`x-source`), else guessed by type, format and name.

A source is what kind of value of the user's words or of earlier results an argument may take.
"""

import re
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..schema import Budget, Pattern, SchemaError, compile_pattern, subschema_at, with_pointers
from ..values import ToolSpec
from .languages import LANGUAGES
from .words import fold, words_of

Source = Literal[
    "number", "url", "path", "expression", "quote", "date", "time", "datetime", "email", "code", "glob", "phrase",
    "choice", "boolean", "list", "free",
]  # fmt: skip

SOURCE_KEYWORD: Final = "x-source"
"""The schema keyword that names a source."""


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter of a tool: its name, the words of its name and description, its schema and its source.

    `whole`: a number without a fraction. `item`: the source of a list's items.
    `form`: its pattern, where that tells its values from other words and numbers.
    `alone`: no other text has to be given. `beside_content`: another argument takes all that is said.
    `choices`: the texts of its enum, folded, and their words. `declared`: its schema names the source.
    """

    name: str
    words: tuple[str, ...]
    about: tuple[str, ...]
    schema: dict[str, Any]
    source: Source
    item: Source
    required: bool
    whole: bool = False
    form: Pattern | None = None
    alone: bool = True
    beside_content: bool = False
    choices: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    declared: bool = False


_SPLIT: Final = "(?<=[a-z0-9])(?=[A-Z])|[_.\\- /]+"


def name_words(name: str) -> tuple[str, ...]:
    """Give the words that an identifier is made of, in small letters: "getUserName" is get, user, name."""
    return tuple([fold(word) for word in re.split(_SPLIT, name, flags=re.ASCII) if word])


def parameters_of(spec: ToolSpec) -> tuple[Parameter, ...]:
    """Give the parameters of a tool in the order of its schema."""
    root = with_pointers(spec.parameters)
    properties, required = root.get("properties"), root.get("required")
    names = required if isinstance(required, list) else []
    given = properties if isinstance(properties, dict) else {}
    # A definition is kept with its members sorted; the list of what is required is in the author's order.
    ordered = sorted(given, key=lambda name: names.index(name) if name in names else len(names))
    made = [_parameter(name, given[name], root, name in names) for name in ordered]
    if not _FILES.isdisjoint(name_words(spec.name)):
        made = [
            replace(each, source="path") if each.source == "phrase" and each.words[-1] in _ENDS else each
            for each in made
        ]
    texts = [each for each in made if each.required and each.source in ("phrase", "quote")]
    content = [each.name for each in made if any(word in _CONTENT for word in each.words)]
    return tuple([
        replace(each, alone=len(texts) <= 1, beside_content=any(name != each.name for name in content))
        for each in made
    ])  # fmt: skip


_FILES: Final = frozenset({"file", "files", "directory", "directories", "folder", "folders"})
_ENDS: Final = frozenset({"source", "src", "destination", "dest", "dst"})
"""Where a file is moved from and to, in tools whose name says that they take files."""

_CONTENT: Final = frozenset[str]().union(*(language.content for language in LANGUAGES))


def _parameter(name: str, schema: Any, root: dict[str, Any], required: bool) -> Parameter:
    plain = _resolved(schema, root)
    about = plain.get("description")
    described = tuple([word.text for word in words_of(about)]) if isinstance(about, str) else ()
    words = name_words(name)
    source = _source(plain, words, described)
    item = _source(_resolved(plain.get("items"), root), (*words, *_singular(words)), described)
    return Parameter(
        name=name, words=words, about=described, schema=plain, source=source, item=item, required=required,
        whole=_type(plain) == "integer", form=_form(plain),
        choices=_choices(plain), declared=plain.get(SOURCE_KEYWORD) in tuple(SOURCES),
    )  # fmt: skip


def _form(schema: dict[str, Any]) -> Pattern | None:
    """Give a schema's pattern, if no common word and no small number has its form."""
    source = schema.get("pattern")
    if not isinstance(source, str):
        return None
    try:
        form = compile_pattern(source)
    except SchemaError:
        return None  # a tool with such a schema is refused elsewhere
    return None if any(form.search(text, Budget()) for text in _COMMON) else form


_COMMON: Final = ("value", "two words", "12", "")


def _choices(schema: dict[str, Any]) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Give the texts of an enum, each with its folded form and its words."""
    given = schema.get("enum")
    texts = [value for value in given if isinstance(value, str) and value] if isinstance(given, list) else []
    return tuple([(text, fold(text), tuple([w.text for w in words_of(text.replace("_", " "))])) for text in texts])


def _singular(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([word[:-1] for word in words if word.endswith("s")])


def _resolved(schema: Any, root: dict[str, Any]) -> dict[str, Any]:
    """Give a schema after its reference, and without the null that makes it optional."""
    for _ in range(4):
        if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
            schema = subschema_at(root, schema["$ref"])
            continue
        union = schema.get("anyOf") or schema.get("oneOf") if isinstance(schema, dict) else None
        branches = [each for each in union if each != {"type": "null"}] if isinstance(union, list) else []
        if len(branches) != 1:
            break
        about = {key: schema[key] for key in ("description", SOURCE_KEYWORD) if key in schema}
        schema = {**branches[0], **about} if isinstance(branches[0], dict) else {}
    return schema if isinstance(schema, dict) else {}


def _type(schema: dict[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), None)
    return kind if isinstance(kind, str) else ""


_FORMATS: Final[dict[str, Source]] = {
    "uri": "url", "url": "url", "uri-reference": "url", "iri": "url", "email": "email", "idn-email": "email",
    "date": "date", "time": "time", "date-time": "datetime",
}  # fmt: skip


def _source(schema: dict[str, Any], words: tuple[str, ...], about: tuple[str, ...]) -> Source:
    said = schema.get(SOURCE_KEYWORD)
    if isinstance(said, str) and said in SOURCES:
        return SOURCES[said]
    if "enum" in schema or "const" in schema:
        return "choice"
    kind = _type(schema)
    match kind:
        case "integer" | "number":
            return "number"
        case "boolean":
            return "boolean"
        case "array":
            return "list"
        case "string" | "":
            return _FORMATS.get(str(schema.get("format"))) or _named(words, about) if kind else "free"
        case _:
            return "free"


SOURCES: Final[dict[str, Source]] = {
    "number": "number", "url": "url", "path": "path", "expression": "expression", "quote": "quote", "date": "date",
    "time": "time", "datetime": "datetime", "email": "email", "code": "code", "glob": "glob", "phrase": "phrase",
}  # fmt: skip
"""What `x-source` may say."""

_BY_NAME: Final[dict[str, Source]] = {
    "url": "url", "uri": "url", "link": "url", "website": "url", "webpage": "url", "href": "url", "path": "path",
    "file": "path", "filename": "path", "filepath": "path", "directory": "path", "folder": "path", "dir": "path",
    "email": "email", "mail": "email", "expression": "expression", "formula": "expression",
    "calculation": "expression", "equation": "expression", "date": "date", "day": "date", "deadline": "date",
    "due": "date", "time": "time", "start": "datetime", "end": "datetime", "datetime": "datetime",
    "timestamp": "datetime", "id": "code", "code": "code", "sku": "code", "identifier": "code", "number": "code",
    "hash": "code", "sha": "code", "iban": "code", "no": "code", "isbn": "code", "flight": "code", "serial": "code",
    "reference": "code", "ticket": "code", "account": "code", "commit": "code", "revision": "code", "datum": "date",
    "uhrzeit": "time", "zeit": "time", "datei": "path", "pfad": "path", "ordner": "path", "pattern": "glob",
    "glob": "glob",
}  # fmt: skip
IDENTIFYING: Final = frozenset(word for word, source in _BY_NAME.items() if source == "code")
"""Words of arguments that identify something, by a number perhaps."""
_BY_ABOUT: Final[dict[str, Source]] = {
    "url": "url", "expression": "expression", "path": "path", "filename": "path", "email": "email",
    "8601": "datetime", "datetime": "datetime", "timestamp": "datetime", "glob": "glob",
}  # fmt: skip


def _named(words: tuple[str, ...], about: tuple[str, ...]) -> Source:
    """Guess the source of a text by its name, the last word first, then by its description."""
    for word in reversed(words):
        if word in _BY_NAME:
            return _BY_NAME[word]
    if len(about) <= _MAX_ABOUT_WORDS:
        for word in about:
            if word in _BY_ABOUT:
                return _BY_ABOUT[word]
    return "phrase"


_MAX_ABOUT_WORDS: Final = 12
"""A longer description names more than the value's kind."""


def has_form(parameter: Parameter, value: Any) -> bool:
    """Tell whether a value has the form that its parameter's pattern asks for, as far as that is known."""
    return parameter.form is None or not isinstance(value, str) or parameter.form.search(value, Budget())


def fits(schema: dict[str, Any], value: Any) -> bool:
    """Tell whether a value keeps the type and the bounds of its schema: a call outside of them would only come back."""
    if isinstance(value, str):
        return _between(len(value), schema.get("minLength"), schema.get("maxLength"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        if schema.get("type") == "integer" and value != int(value):
            return False
        return _between(value, schema.get("minimum"), schema.get("maximum"))
    return True


def _between(value: float, least: Any, most: Any) -> bool:
    return not (isinstance(least, int | float) and value < least) and not (
        isinstance(most, int | float) and value > most
    )
