"""Arguments at random, written as JSON and damaged in one to three ways, with the value that they stood for.

A damage is cosmetic where the text still has one plausible reading, and structural where something of the value is
lost or could belong elsewhere.
"""

import html
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

HALF, SELDOM = 0.5, 0.15
NAMES: Final = ("city", "days", "note", "tags", "opts", "path", "limit-to", "when", "x", "name")
FREE: Final = ("a", "b", "days", "key", "x")
WORDS: Final = ("Paris", "New York", "it", "is", "rain", "5", "über", "東京", "x-1", "cold", "list", "ok")
TEXTS: Final = (
    *("", "007", "1.2.3", "12:30", "2026-01-05", "+49 30 1234", "true", "None", "C:\\Users\\me\\docs", "a, b", "a: b"),
    *('he said "hi" to me', "it's 5 o'clock", "line one\nline two", "{x: [1]}", "if (a) { b[0]; }", "</tool_call>"),
    *(
        'print("x")',
        "https://x.org/a?b=1#c",
        "50%",
        "a/b // c",
        "tab\there",
        "\\d+\\s",
        "say ] and }",
        '"',
        "'",
        "`ls`",
    ),
    *('5" wide', "“curly”", 'x = {"a": "b"}', "a\\nb", "ends with \\", "Paris, France", "<|END_ACTION|>", "…"),
)


@dataclass(frozen=True, kw_only=True)
class Damaged:
    """Damaged arguments: text, true value, schema, and the names of the damages.

    is_cut: brackets at its end are missing, whatever took them.
    """

    text: str
    truth: dict[str, Any]
    schema: dict[str, Any]
    damages: tuple[str, ...]
    is_cut: bool

    @property
    def is_cosmetic(self) -> bool:
        """Whether the text has one plausible reading."""
        return all(name in COSMETIC or name in WHOLE for name in self.damages)


def damaged(rng: random.Random, *, is_call: bool) -> Damaged:
    """Make arguments and damage them; is_call: inside of a call object of the tool `act`."""
    while True:
        truth, schema = _arguments(rng)
        value = {"name": "act", "arguments": truth} if is_call else truth
        parts = tokens(value, rng.choice(("compact", "spaced", "spaced", "indented")), first=2 if is_call else 0)
        names = _choose(rng)
        done = [name for name in names if name in WHOLE or DAMAGES[name](rng, parts)]
        text = "".join(part.text for part in parts)
        for name in done:
            if name in WHOLE:
                text = WHOLE[name](text)
        if done and text != json.dumps(value):
            return Damaged(text=text, truth=truth, schema=schema, damages=tuple(done), is_cut=_is_cut(parts))


def _is_cut(parts: list["Part"]) -> bool:
    for part in reversed(parts):
        if not part.text:
            return True
        if part.kind not in ("}", "]", "blank"):
            return False
    return False


def _choose(rng: random.Random) -> list[str]:
    names = [*(COSMETIC if rng.random() < HALF else DAMAGES)]
    chosen = rng.sample(names, rng.choice((1, 1, 2, 3)))
    return [*chosen, *([rng.choice([*WHOLE])] if rng.random() < SELDOM else [])]


# --- values and schemas -----------------------------------------------------------------------------------


def _arguments(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    names = rng.sample(NAMES, rng.randint(1, 5))
    made = {name: _value(rng, 2) for name in names}
    properties = {name: schema for name, (_, schema) in made.items()}
    if rng.random() < SELDOM:
        properties["spare"] = {"type": "string"}
    schema = {
        "type": "object",
        "properties": properties,
        "required": [name for name in names if rng.random() < HALF],
    }
    return {name: value for name, (value, _) in made.items()}, schema


def _text(rng: random.Random) -> str:
    return rng.choice(TEXTS) if rng.random() < HALF else " ".join(rng.choices(WORDS, k=rng.randint(1, 4)))


def _value(rng: random.Random, depth: int) -> tuple[Any, dict[str, Any]]:
    match rng.choice(
        ("text", "text", "text", "integer", "number", "boolean", "null", *("list", "object") * (depth > 0))
    ):
        case "text":
            return _text(rng), {"type": "string"}
        case "integer":
            return rng.choice((0, 1, -7, 42, 1000, 2**40)), {"type": "integer"}
        case "number":
            return rng.choice((0.5, -1.25, 3, 1e-7, 12.75)), {"type": "number"}
        case "boolean":
            return rng.random() < HALF, {"type": "boolean"}
        case "null":
            return rng.choice((None, _text(rng))), {"type": ["string", "null"]}
        case "list":
            made = [_value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
            same = made[:1] * len(made) if rng.random() < SELDOM else made
            kinds = [schema for _, schema in same]
            return [value for value, _ in same], {"type": "array", "items": {"anyOf": kinds}} if kinds else {
                "type": "array"
            }
        case _:
            return _object(rng, depth)


def _object(rng: random.Random, depth: int) -> tuple[Any, dict[str, Any]]:
    inner = {name: _value(rng, depth - 1) for name in rng.sample(FREE, rng.randint(0, 3))}
    value = {name: each for name, (each, _) in inner.items()}
    if rng.random() < HALF:
        return value, {"type": "object"}
    return value, {"type": "object", "properties": {name: schema for name, (_, schema) in inner.items()}}


# --- text in parts ----------------------------------------------------------------------------------------


@dataclass
class Part:
    """A piece of the text; kind: `{`, `}`, `[`, `]`, `,`, `:`, `key`, `text`, `number`, `word` or `blank`.

    fixed: not to be damaged. value: of a key, text, number or word.
    """

    kind: str
    text: str
    value: Any = None
    fixed: bool = False


def tokens(value: Any, style: str, first: int = 0) -> list[Part]:
    """Return JSON in parts; first: how many members at the beginning stay whole."""
    parts: list[Part] = []
    _write(value, style, 1, parts)
    left = first
    for part in parts:
        if part.kind == "key":
            left -= 1
        if left >= 0 and first:
            part.fixed = True
        if left < 0:
            break
    return parts


def _write(value: Any, style: str, level: int, parts: list[Part]) -> None:
    if isinstance(value, dict | list):
        opener, closer = "{}" if isinstance(value, dict) else "[]"
        parts.append(Part(opener, opener))
        items: list[tuple[str | None, Any]] = (
            [*value.items()] if isinstance(value, dict) else [(None, each) for each in value]
        )
        for place, (key, each) in enumerate(items):
            if place:
                parts.append(Part(",", ","))
            if style != "compact" and (place or style == "indented"):
                parts.append(Part("blank", " " if style == "spaced" else "\n" + "  " * level))
            if key is not None:
                parts += [Part("key", json.dumps(key, ensure_ascii=False), key), Part(":", ":")]
                parts += [Part("blank", " ")] if style != "compact" else []
            _write(each, style, level + 1, parts)
        if style == "indented" and items:
            parts.append(Part("blank", "\n" + "  " * (level - 1)))
        parts.append(Part(closer, closer))
    elif isinstance(value, str):
        parts.append(Part("text", json.dumps(value, ensure_ascii=False), value))
    else:
        is_word = value is None or isinstance(value, bool)
        parts.append(Part("word" if is_word else "number", json.dumps(value), value))


# --- damages ----------------------------------------------------------------------------------------------

Damage = Callable[[random.Random, list[Part]], bool]
"""Damages the parts in place; tells whether there was something to damage."""


def _pick(
    rng: random.Random, parts: list[Part], *kinds: str, where: Callable[[Part], bool] | None = None
) -> Part | None:
    found = [
        part for part in parts if part.kind in kinds and not part.fixed and part.text and (not where or where(part))
    ]
    return rng.choice(found) if found else None


def _rewriting(
    kinds: tuple[str, ...], write: Callable[[Part], str], where: Callable[[Part], bool] | None = None
) -> Damage:
    """Return the damage that writes one part otherwise, or all parts of its kinds."""

    def make(rng: random.Random, parts: list[Part]) -> bool:
        picked = _pick(rng, parts, *kinds, where=where)
        every = rng.random() < HALF
        for part in parts:
            if part is picked or (
                every and picked and part.kind in kinds and not part.fixed and (not where or where(part))
            ):
                part.text = write(part)
        return picked is not None

    return make


def _is_plain(part: Part) -> bool:
    return part.text == json.dumps(part.value, ensure_ascii=False)


def _single_quoted(part: Part) -> str:
    return "'" + json.dumps(part.value, ensure_ascii=False)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def _is_words(part: Part) -> bool:
    text = part.value
    return (
        _is_plain(part)
        and bool(text)
        and text.isascii()
        and all(w.isalpha() for w in text.split(" "))
        and (text.lower() not in ("true", "false", "null", "none"))
    )


def _quotes_in_pairs(part: Part) -> bool:
    return _is_plain(part) and part.value in ('he said "hi" to me', 'print("x")')


def _after(kinds: str, more: str) -> Damage:
    def make(rng: random.Random, parts: list[Part]) -> bool:
        part = _pick(rng, parts, *kinds, where=lambda each: each.text in kinds)
        if part is not None:
            part.text += more
        return part is not None

    return make


def _trailing_comma(rng: random.Random, parts: list[Part]) -> bool:
    places = [
        at
        for at in range(1, len(parts))
        if parts[at].kind in "}]" and parts[at].text and parts[at - 1].text not in "{["
    ]
    places = [at for at in places if not parts[at].fixed and parts[at - 1].kind not in ("blank", ",")]
    if places:
        part = parts[rng.choice(places)]
        part.text = "," + part.text
    return bool(places)


def _comma_left_out(rng: random.Random, parts: list[Part]) -> bool:
    places = [at for at in range(len(parts) - 1) if parts[at].text == "," and parts[at + 1].kind == "blank"]
    if places:
        parts[rng.choice(places)].text = ""
    return bool(places)


def _commas_twice(rng: random.Random, parts: list[Part]) -> bool:
    places = [
        at
        for at in range(len(parts) - 2)
        if parts[at].text == "," and any(p.kind == "key" for p in parts[at + 1 : at + 3])
    ]
    if places:
        parts[rng.choice(places)].text = ",,"
    return bool(places)


def _last_closers_left_out(rng: random.Random, parts: list[Part]) -> bool:
    tail = 0
    while tail < len(parts) and parts[-1 - tail].kind in ("}", "]", "blank"):
        tail += 1
    if not tail or any(part.text not in "}] \n" and part.kind != "blank" for part in parts[-tail:]):
        return False
    for part in parts[len(parts) - tail :][-rng.randint(1, tail) :]:
        part.text = ""
    return True


def _numbers(part: Part) -> str:
    return {0: "0x0", 42: "0x2A", 1000: "1_000", 0.5: ".5", 3: "3."}.get(part.value, f"+{part.text}")


COSMETIC: Final[dict[str, Damage]] = {
    "single quotes": _rewriting(("text", "key"), _single_quoted, _is_plain),
    "curly quotes": _rewriting(
        ("text", "key"),
        lambda part: f"“{part.text[1:-1]}”",
        lambda part: _is_plain(part) and not set(part.text[1:-1]) & set('"“”\\'),
    ),
    "backticks": _rewriting(
        ("text",),
        lambda part: f"`{part.text[1:-1]}`",
        lambda part: _is_plain(part) and not set(part.text[1:-1]) & set('`"\\'),
    ),
    "comment": _after(",{[", " /* why */ "),
    "line comment": _after(",{", ' // why, so: "x"\n'),
    "trailing comma": _trailing_comma,
    "comma left out": _comma_left_out,
    "two commas": _commas_twice,
    "equals sign": _rewriting((":",), lambda _part: "=", lambda part: part.text == ":"),
    "arrow": _rewriting((":",), lambda _part: " => ", lambda part: part.text == ":"),
    "python's words": _rewriting(("word",), lambda part: str(part.value)),
    "capital words": _rewriting(("word",), lambda part: part.text.upper()),
    "numbers": _rewriting(
        ("number",), _numbers, lambda part: isinstance(part.value, int) and part.value >= 0 and _is_plain(part)
    ),
    "last brackets left out": _last_closers_left_out,
    "raw breaks": _rewriting(
        ("text",),
        lambda part: part.text.replace("\\n", "\n").replace("\\t", "\t"),
        lambda part: _is_plain(part) and part.value in ("line one\nline two", "tab\there"),
    ),
    "quotes not escaped": _rewriting(("text",), lambda part: f'"{part.value}"', _quotes_in_pairs),
    "names without quotes": _rewriting(("key",), lambda part: part.value, _is_plain),
    "text without quotes": _rewriting(("text",), lambda part: part.value, _is_words),
    "backslashes not escaped": _rewriting(
        ("text",),
        lambda part: f'"{part.value}"',
        lambda part: _is_plain(part) and part.value in ("C:\\Users\\me\\docs", "\\d+\\s"),
    ),
    "joined strings": _rewriting(("text",), lambda part: f'"{part.value[:2]}" + "{part.value[2:]}"', _is_words),
}
"""Damages that leave one plausible reading, by name."""


def _drop(*kinds: str) -> Damage:
    def make(rng: random.Random, parts: list[Part]) -> bool:
        part = _pick(rng, parts, *kinds)
        if part is not None:
            part.text = ""
        return part is not None

    return make


def _insert(characters: str) -> Damage:
    """Return the damage that puts a character anywhere, inside of strings too."""

    def make(rng: random.Random, parts: list[Part]) -> bool:
        part = rng.choice([each for each in parts if not each.fixed] or parts)
        at = rng.randint(0, len(part.text))
        part.text = part.text[:at] + rng.choice(characters) + part.text[at:]
        return True

    return make


def _lose_quote(rng: random.Random, parts: list[Part]) -> bool:
    part = _pick(rng, parts, "text", "key", where=lambda each: '"' in each.text)
    if part is not None:
        places = [at for at, char in enumerate(part.text) if char == '"']
        at = rng.choice((places[0], places[-1], rng.choice(places)))
        part.text = part.text[:at] + part.text[at + 1 :]
    return part is not None


def _cut(rng: random.Random, parts: list[Part]) -> bool:
    at = rng.randint(next((n for n, part in enumerate(parts) if not part.fixed), 0), len(parts) - 1)
    parts[at].text = parts[at].text[: rng.randint(0, len(parts[at].text))]
    for part in parts[at + 1 :]:
        part.text = ""
    return True


def _lose_escape(rng: random.Random, parts: list[Part]) -> bool:
    part = _pick(rng, parts, "text", where=lambda each: "\\" in each.text)
    if part is not None:
        at = rng.choice([at for at, char in enumerate(part.text) if char == "\\"])
        part.text = part.text[:at] + part.text[at + 1 :]
    return part is not None


def _beside(rng: random.Random, parts: list[Part]) -> bool:
    """Close an object early: the bracket that ends it stands before its last member."""
    places = [at for at, part in enumerate(parts) if part.text == "," and not part.fixed and parts[at + 1 : at + 3]]
    if places:
        parts[rng.choice(places)].text = rng.choice(("},", "}},", "],"))
    return bool(places)


STRUCTURAL: Final[dict[str, Damage]] = {
    "quote lost": _lose_quote,
    "quote put in": _insert('"'),
    "apostrophe put in": _insert("'"),
    "bracket lost": _drop("{", "}", "[", "]"),
    "bracket put in": _insert("{}[]"),
    "comma lost": _drop(","),
    "comma put in": _insert(","),
    "colon lost": _drop(":"),
    "colon put in": _insert(":"),
    "cut": _cut,
    "escape lost": _lose_escape,
    "backslash put in": _insert("\\"),
    "value lost": _drop("text", "number", "word"),
    "name lost": _drop("key"),
    "closed early": _beside,
    "two objects": _after(",", "}{"),
    "ellipsis": _after(",[{", " ... "),
    "words of text": _rewriting(("text",), lambda part: part.value),
    "all quotes swapped": _rewriting(("text", "key"), lambda part: "'" + part.text[1:-1] + "'"),
    "no quote escaped": _rewriting(("text",), lambda part: f'"{part.value}"'),
}
"""Damages after which something is lost or could belong elsewhere, by name."""

DAMAGES: Final = COSMETIC | STRUCTURAL

WHOLE: Final[dict[str, Callable[[str], str]]] = {
    "fence": lambda text: f"```json\n{text}\n```",
    "escaped": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "html": html.escape,
}
"""What is done to a text as a whole."""
