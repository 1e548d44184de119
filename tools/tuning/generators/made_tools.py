"""Made-up tools: something that is done with a thing, in one of the styles in which people name and describe tools."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec

from tools.tuning.generators.acts import ACTS, Act
from tools.tuning.generators.drawing import happens
from tools.tuning.generators.fields import CODE, FIELDS, Field
from tools.tuning.generators.things import THINGS, Thing
from tools.tuning.generators.values import Speaker, Value

STYLES: Final = ("snake", "snake", "snake", "camel", "kebab", "dotted", "pascal")
"""How names are written; most tools have words in small letters with lines between them."""

_BY_CODE: Final = ("get", "delete", "update")
"""What is done with one thing that is there already."""


def styled(words: Sequence[str], style: str) -> str:
    """Return words as one name."""
    small = [part for word in words for part in word.split("_")]
    match style:
        case "camel":
            return small[0] + "".join(word.capitalize() for word in small[1:])
        case "pascal":
            return "".join(word.capitalize() for word in small)
        case "kebab":
            return "-".join(small)
        case "dotted":
            return f"{small[-1]}.{'_'.join(small[:-1])}" if len(small) > 1 else small[0]
        case _:
            return "_".join(small)


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a made-up tool, and the field that it takes."""

    name: str
    field: Field
    required: bool


class MadeTool(msgspec.Struct, frozen=True, kw_only=True):
    """A made-up tool: what it does with which thing, and its parameters; a speaker's values complete its schema."""

    act: Act
    act_name: str
    thing: Thing
    style: str
    name: str
    description: str
    parameters: tuple[Parameter, ...]

    @property
    def use(self) -> str:
        """What it is for: of two tools for the same, nobody could say which one is meant."""
        return f"{self.act_name} {self.thing.name}"

    def spec(self, schemas: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """Return the spec, with these schemas of its parameters."""
        properties = {each.name: _described(schemas[each.name], each.field) for each in self.parameters}
        required = [each.name for each in self.parameters if each.required]
        parameters = {"type": "object", "properties": properties, "required": required}
        return {"name": self.name, "description": self.description, "parameters": parameters}


def _described(schema: dict[str, Any], field: Field) -> dict[str, Any]:
    return {**schema, "description": field.about}


def made_tool(chance: Random, style: str, thing: Thing | None = None, act_name: str | None = None) -> MadeTool:
    """Return a tool; the style is that of all tools of a set, as on one server."""
    thing = thing or chance.choice(THINGS)
    act_name = act_name or chance.choice(tuple(ACTS))
    act = ACTS[act_name]
    noun = thing.plural if act_name == "find" else thing.name
    words = [chance.choice(act.verbs), noun]
    about = chance.choice(act.about).format(d=f"the {thing.name}", i=thing.said["en"][1], p=thing.plural)
    return MadeTool(
        act=act,
        act_name=act_name,
        thing=thing,
        style=style,
        name=styled(words, style),
        description=_description(chance, about, thing),
        parameters=_parameters(chance, style, thing, act_name),
    )


def _description(chance: Random, about: str, thing: Thing) -> str:
    """Return a description: short, with more after it, or none at all."""
    return chance.choice(
        (about, f"{about}.", f"{about}. Needs the rights of an editor.", f"{about} ({thing.plural}).", "")
    )


def _parameters(chance: Random, style: str, thing: Thing, act_name: str) -> tuple[Parameter, ...]:
    names = [name for name in thing.fields if name in FIELDS]
    chance.shuffle(names)
    by_code = act_name in _BY_CODE
    most = {"create": 4, "find": 2, "get": 0, "delete": 0, "update": 2}[act_name]
    chosen = names[: chance.randrange(min(1, most), most + 1)] if most else []
    found = [_parameter(chance, style, thing, CODE, required=True)] if by_code else []
    for number, name in enumerate(chosen):
        needed = act_name == "create" and (number == 0 or happens(chance, 0.5))
        found.append(_parameter(chance, style, thing, FIELDS[name], required=needed))
    unique = {each.name: each for each in reversed(found)}
    return tuple(reversed(unique.values()))


def _parameter(chance: Random, style: str, thing: Thing, field: Field, *, required: bool) -> Parameter:
    name = chance.choice(field.names).format(thing.name)
    # Names of parameters have no dots or dashes, in most servers and in ours.
    return Parameter(name=styled([name], "camel" if style == "camel" else "snake"), field=field, required=required)


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """A tool with values for the parameters that a request names."""

    tool: MadeTool
    values: dict[str, Value]
    spec: dict[str, Any]

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the call that is meant."""
        return {name: value.value for name, value in self.values.items()}


def filled(speaker: Speaker, tool: MadeTool, *, without: str = "") -> Filled:
    """Return a tool with values: of the required ones but `without`, and of some of the others."""
    drawn = {each.name: each.field.draw(speaker) for each in tool.parameters}
    named = [
        each.name
        for each in tool.parameters
        if each.name != without
        and (each.required or tool.act_name in ("find", "update") or happens(speaker.chance, 0.5))
    ]
    schemas = {name: value.schema for name, value in drawn.items()}
    return Filled(tool=tool, values={name: drawn[name] for name in named}, spec=tool.spec(schemas))


def request(speaker: Speaker, made: Filled) -> str:
    """Return how a user asks for it: the act, the thing, and the values that are named."""
    definite, indefinite, several = made.tool.thing.said[speaker.code]
    chance, language = speaker.chance, speaker.language
    act = chance.choice(made.tool.act.said[speaker.code]).format(d=definite, i=indefinite, p=several)
    fields = {each.name: each.field for each in made.tool.parameters}
    first = [name for name in made.values if fields[name] is CODE]
    rest = [name for name in made.values if fields[name] is not CODE]
    chance.shuffle(rest)
    said = [chance.choice(fields[name].said[speaker.code]).format(made.values[name].said) for name in [*first, *rest]]
    text = re.sub(r"\s+:", ":", " ".join([act, *said]))
    opened = chance.choice(language.openings).format(text) + chance.choice(language.endings)
    return as_typed(chance, opened)


def as_typed(chance: Random, text: str) -> str:
    """Return a text as people type: with a capital letter, without, or with a full stop."""
    if happens(chance, 0.5):
        text = text[:1].upper() + text[1:]
    return text + "." if text[-1].isalnum() and happens(chance, 0.3) else text


def tool_set(chance: Random, number: int) -> list[MadeTool]:
    """Return tools of one server, of one style: some do different things with the same thing, and so look alike."""
    style = chance.choice(STYLES)
    close = chance.choice(THINGS)
    tools: dict[str, MadeTool] = {}
    for _ in range(4 * number):
        if len(tools) == number:
            break
        tool = made_tool(chance, style, close if happens(chance, 0.5) else None)
        tools.setdefault(tool.use, tool)
    return list({tool.name: tool for tool in tools.values()}.values())
