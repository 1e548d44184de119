"""Trees of generated branches: several requests, in several languages, to the same tools."""

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any, Final

import msgspec

import purestep
from tools.tuning import form
from tools.tuning.generators import own_tools
from tools.tuning.generators.drawing import happens
from tools.tuning.generators.languages import CODES, WEIGHTS
from tools.tuning.generators.made_tools import MadeTool, filled, request, tool_set
from tools.tuning.generators.requests import MAKERS, Made
from tools.tuning.generators.talk import implied, talk
from tools.tuning.generators.values import Day, Speaker
from tools.tuning.tool_files import OwnTools
from tools.tuning.trees import Branch, Tree, Turn

_FIRST_DAY: Final = date(2024, 1, 1)
_DAYS: Final = 3650
_MOST_TOOLS: Final = 9
_MOST_BRANCHES: Final = 5


def trees(seed: int, *, calendar: bool = False) -> Iterator[Tree]:
    """Yield trees without end, the same ones for the same seed.

    calendar: the prompts list the next seven days, and dates are those of the list.
    """
    chance = Random(seed)
    while True:
        tree = _tree(chance, calendar=calendar)
        if tree is not None:
            yield tree


def _tree(chance: Random, *, calendar: bool) -> Tree | None:
    known = _day(chance, calendar=calendar)
    tools = tool_set(chance, chance.randrange(1, _MOST_TOOLS + 1))
    branches: list[Branch] = []
    specs: dict[str, dict[str, Any]] = {}
    for _ in range(chance.randrange(1, _MOST_BRANCHES + 1)):
        speaker = Speaker(chance=chance, code=chance.choices(CODES, WEIGHTS)[0], day=known)
        made = _branch(speaker, tools)
        if made is not None and all(specs.get(use, spec) == spec for use, spec in made[1].items()):
            branches.append(made[0])
            specs |= made[1]
    if not branches:
        return None
    return _with_others(chance, tools, specs, branches, known)


def _branch(speaker: Speaker, tools: list[MadeTool]) -> Made | None:
    chance, drawn = speaker.chance, speaker.chance.random()
    if drawn < _TALKS:
        return talk(speaker), {}
    if drawn < _TALKS + _IMPLIES:
        return implied(speaker)
    if drawn < _TALKS + _IMPLIES + _LACKS:
        return _no_tool(speaker, tools)
    makers, weights = zip(*MAKERS.values(), strict=True)
    made: Made | None = chance.choices(makers, weights)[0](speaker, tools)
    return made


_TALKS: Final = 0.12
_IMPLIES: Final = 0.06
_LACKS: Final = 0.08
"""Shares of branches that need no tool, that imply one, and that need one which is not there."""


def _no_tool(speaker: Speaker, tools: list[MadeTool]) -> Made | None:
    """Return a request to a tool that is not there, about a thing that none of the tools has."""
    (other,) = tool_set(speaker.chance, 1)
    if any(other.thing is each.thing for each in tools):
        return None
    words = request(speaker, filled(speaker, other))
    return (Turn(text=words, output=form.answer(speaker.language.no_tool)),), {}


def _with_others(
    chance: Random, tools: list[MadeTool], needed: dict[str, dict[str, Any]], branches: list[Branch], known: Day
) -> Tree | None:
    """Return the tree, with the other tools of the set in its prompt, as many as have room."""
    speaker = Speaker(chance=chance, day=known)
    names = {spec["name"] for spec in needed.values()}
    if len(names) < len(needed):
        return None
    others = [filled(speaker, tool).spec for tool in tools if tool.use not in needed and tool.name not in names]
    while True:
        specs = [*needed.values(), *others]
        chance.shuffle(specs)
        try:
            system = form.system_text(specs, known.line())
        except purestep.PurestepError:
            if not others:
                return None
            others.pop()
            continue
        return Tree(system=system, branches=tuple(branches), instructions=known.line(), tools=tuple(specs))


def _day(chance: Random, *, calendar: bool) -> Day:
    if not calendar and happens(chance, 0.5):
        return Day()
    return Day(today=_FIRST_DAY + timedelta(days=chance.randrange(_DAYS)), calendar=calendar)


class OwnChoice(msgspec.Struct, frozen=True, kw_only=True):
    """How trees of a user's own tools are made: at most so many tools in a prompt, and the languages of requests."""

    most_tools: int = 14
    languages: tuple[str, ...] = ("en",)


def own_trees(seed: int, tools: OwnTools, choice: OwnChoice, *, calendar: bool = False) -> Iterator[Tree]:
    """Yield trees of a user's own tools without end, the same ones for the same seed."""
    chance = Random(seed)
    while True:
        known = _day(chance, calendar=calendar)
        number = min(choice.most_tools, len(tools.specs))
        specs = chance.sample(tools.specs, chance.randint(min(2, number), number))
        branches: list[Branch] = []
        for _ in range(chance.randrange(2, _MOST_BRANCHES + 3)):
            speaker = Speaker(chance=chance, code=chance.choice(choice.languages), day=known)
            spec = chance.choice(specs)
            branches += own_tools.branches(speaker, tools, spec) if not happens(chance, _TALKS) else [talk(speaker)]
        try:
            system = form.system_text(specs, known.line())
        except purestep.PurestepError:
            continue  # more than have room: fewer come next
        if branches:
            yield Tree(system=system, branches=tuple(branches), instructions=known.line(), tools=tuple(specs))
