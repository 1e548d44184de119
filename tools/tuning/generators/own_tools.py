"""Requests to a user's own tools, made from their schemas: values by type, words from names and descriptions."""

import re
from random import Random
from typing import Any, Final

from tools.tuning import form
from tools.tuning.generators import entities, values
from tools.tuning.generators.drawing import happens
from tools.tuning.generators.made_tools import as_typed
from tools.tuning.generators.values import Speaker, Value
from tools.tuning.tool_files import Example, OwnTools
from tools.tuning.trees import Branch, Turn

_KNOWN: Final = {
    "email": values.text_of(entities.email),
    "mail": values.text_of(entities.email),
    "city": values.text_of(entities.city),
    "location": values.text_of(entities.city),
    "place": values.text_of(entities.city),
    "person": values.text_of(entities.person),
    "user": values.text_of(entities.person),
    "owner": values.text_of(entities.person),
    "id": values.text_of(entities.code),
    "code": values.text_of(entities.code),
    "number": values.text_of(entities.code),
    "path": values.text_of(entities.path),
    "file": values.text_of(entities.path),
    "date": values.day,
    "day": values.day,
    "time": values.clock_time,
}
"""What strings are about, by a word of the parameter's name or its format; others are titles."""

_MISSING: Final = {
    "en": ("Which {}?", "What is the {}?"),
    "de": ("Welcher Wert für {}?", "{}?"),
    "fr": ("Quelle valeur pour {} ?", "{} ?"),
    "es": ("¿Qué valor para {}?", "¿{}?"),
    "it": ("Quale valore per {}?", "{}?"),
    "nl": ("Welke waarde voor {}?", "{}?"),
}
_DEPTH: Final = 3
"""Objects in objects that values are made for."""


def words_of(name: str) -> str:
    """Return a name as words: `getOrder_id` is `get order id`."""
    return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)).lower() or name


def value_of(speaker: Speaker, name: str, schema: dict[str, Any], depth: int = 0) -> Value:
    """Return a value that a schema takes, of its examples and choices if it has them."""
    chance = speaker.chance
    given = schema.get("enum") or (schema.get("examples") if happens(chance, 0.5) else None)
    if "const" in schema:
        given = [schema["const"]]
    if given:
        value = chance.choice(given)
        return Value(value=value, said=_said(value), schema=schema)
    kind = schema.get("type", "string")
    kind = next((each for each in kind if each != "null"), "string") if isinstance(kind, list) else kind
    match kind:
        case "boolean":
            return Value(value=happens(chance, 0.5), said="", schema=schema)
        case "integer" | "number":
            return _number(speaker, schema, whole=kind == "integer")
        case "array" if depth < _DEPTH:
            item = schema.get("items") if isinstance(schema.get("items"), dict) else {}
            least = max(1, schema.get("minItems", 1))
            several = [value_of(speaker, name, item or {}, depth + 1) for _ in range(least + chance.randrange(2))]
            said = values.joined(speaker, [each.said for each in several])
            return Value(value=[each.value for each in several], said=said, schema=schema)
        case "object" if depth < _DEPTH:
            inner = _arguments(speaker, schema, depth + 1)
            said = ", ".join(f"{words_of(key)} {each.said}" for key, each in inner.items())
            return Value(value={key: each.value for key, each in inner.items()}, said=said, schema=schema)
        case "string":
            return _text(speaker, name, schema)
        case _:
            return Value(value={} if kind == "object" else [], said="", schema=schema)


def _number(speaker: Speaker, schema: dict[str, Any], *, whole: bool) -> Value:
    chance = speaker.chance
    least = schema.get("minimum", 1)
    most = max(least, schema.get("maximum", least + chance.choice((9, 99, 999))))
    if whole:
        number = chance.randint(int(least), int(most))
        return Value(value=number, said=values.number_said(speaker, number), schema=schema)
    figure = round(chance.uniform(least, most), chance.choice((0, 1, 2)))
    exact = int(figure) if figure == int(figure) else figure
    return Value(value=exact, said=str(exact), schema=schema)


def _text(speaker: Speaker, name: str, schema: dict[str, Any]) -> Value:
    words = [*words_of(name).split(), str(schema.get("format", ""))]
    draw = next((_KNOWN[word] for word in reversed(words) if word in _KNOWN), values.text_of(entities.title))
    value = draw(speaker)
    most = schema.get("maxLength")
    if isinstance(most, int) and isinstance(value.value, str) and len(value.value) > most:
        return Value(value=value.value[:most].strip(), said=value.value[:most].strip(), schema=schema)
    return value


def _said(value: Any) -> str:
    return value if isinstance(value, str) else form.result_text(value)


def _arguments(speaker: Speaker, schema: dict[str, Any], depth: int = 0, *, without: str = "") -> dict[str, Value]:
    properties = schema.get("properties") if isinstance(schema.get("properties"), dict) else {}
    required = schema.get("required") or []
    named = [name for name in properties or {} if name in required or happens(speaker.chance, 0.4)]
    drawn = {name: value_of(speaker, name, (properties or {})[name], depth) for name in named if name != without}
    # What cannot be said is not asked for.
    return {name: value for name, value in drawn.items() if value.said or name in required}


def request(speaker: Speaker, spec: dict[str, Any], given: dict[str, Value]) -> str:
    """Return how a user may ask for a call: what the tool is for, in its own words, with the values."""
    chance, language = speaker.chance, speaker.language
    about = _task(chance, spec)
    said = [_value_said(chance, name, value) for name, value in given.items()]
    chance.shuffle(said)
    text = " ".join(part for part in (about, values.joined(speaker, said) if said else "") if part)
    return as_typed(chance, chance.choice(language.openings).format(text) + chance.choice(language.endings))


def _task(chance: Random, spec: dict[str, Any]) -> str:
    """Return what a tool does as words that one asks with: from its description or its name."""
    description = re.split(r"[.;(\n]", spec.get("description") or "")[0].strip()
    name = words_of(spec["name"].rpartition(".")[2])
    words = description.split()
    if not words or happens(chance, 0.3):
        return name
    words[0] = words[0].lower()
    if happens(chance, 0.3):  # a few of the words, as people say less than descriptions do
        words = words[: chance.randrange(2, 7)]
    return " ".join(words[:12])


def _value_said(chance: Random, name: str, value: Value) -> str:
    if isinstance(value.value, bool):
        return words_of(name) if value.value else f"no {words_of(name)}"
    if happens(chance, 0.45):
        return value.said
    return chance.choice(
        (f"{words_of(name)} {value.said}", f"{words_of(name)}: {value.said}", f"with {words_of(name)} {value.said}")
    )


def call_of(speaker: Speaker, spec: dict[str, Any]) -> Branch:
    """Return a request to a tool and its call, at times with the result and what is said of it."""
    given = _arguments(speaker, spec["parameters"])
    output = form.call(spec, {name: value.value for name, value in given.items()})
    first = Turn(text=request(speaker, spec, given), output=output)
    return (first, _done(speaker)) if happens(speaker.chance, 0.2) else (first,)


def _done(speaker: Speaker) -> Turn:
    answer = form.answer(speaker.chance.choice(speaker.language.done))
    return Turn(kind="result", text=speaker.chance.choice(("ok", "done", '{"ok":true}')), output=answer)


def question_of(speaker: Speaker, spec: dict[str, Any]) -> Branch | None:
    """Return a request that lacks a required value, and the question; None for a tool that requires none."""
    required = spec["parameters"].get("required") or []
    if not required:
        return None
    missing = speaker.chance.choice(required)
    given = _arguments(speaker, spec["parameters"], without=missing)
    asked = speaker.chance.choice(_MISSING[speaker.code]).format(words_of(missing))
    return (Turn(text=request(speaker, spec, given), output=form.ask(asked)),)


def varied(speaker: Speaker, spec: dict[str, Any], example: Example) -> Example:
    """Return an example with other values where its own stand in its words, each once: one example makes many."""
    say, arguments = example.say, dict(example.args)
    properties = spec["parameters"].get("properties") or {}
    for name, value in example.args.items():
        # As a word of its own: the 4 of another number is none.
        found = list(re.finditer(rf"(?<![\w-]){re.escape(_said(value))}(?![\w-])", say))
        if name not in properties or len(found) != 1 or happens(speaker.chance, 0.2):
            continue
        drawn = value_of(speaker, name, properties[name])
        if drawn.said:
            say = say[: found[0].start()] + drawn.said + say[found[0].end() :]
            arguments[name] = drawn.value
    return Example(say=say, args=arguments)


def example_of(speaker: Speaker, spec: dict[str, Any], example: Example) -> Branch:
    """Return an example of the user's, with values of its own or others, opened as people do."""
    example = varied(speaker, spec, example)
    opened = speaker.chance.choice(speaker.language.openings).format(example.say)
    text = opened if happens(speaker.chance, 0.4) else example.say
    return (Turn(text=as_typed(speaker.chance, text), output=form.call(spec, example.args)),)


def branches(speaker: Speaker, tools: OwnTools, spec: dict[str, Any]) -> list[Branch]:
    """Return one branch for a tool: of its examples in half of the cases where it has some, else made up."""
    chance, examples = speaker.chance, tools.examples.get(spec["name"], ())
    if examples and happens(chance, 0.5):
        return [example_of(speaker, spec, chance.choice(examples))]
    made = question_of(speaker, spec) if happens(chance, 0.2) else call_of(speaker, spec)
    return [made] if made is not None else []
