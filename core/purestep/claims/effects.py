"""The effects of a definition: which of its tools act, by which kinds of act, and on what."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from ..carry import (
    LANGUAGES,
    StatementParameter,
    changes_nothing,
    name_words,
    reads_only,
    sql_access,
    statement_of,
    word_texts,
    words_of,
)
from ..values import ToolSpec
from .languages import ENGLISH
from .lexicon import all_words, ordering, stop_words, things, unaccented

_ABOUT_WORDS: Final = 12
"""Words of a description: its first ones say what a tool does, and to what."""
_VERB_WORDS: Final = 3
_GENERIC: Final = frozenset({
    "id", "name", "text", "content", "body", "title", "value", "path", "type", "key", "data", "to", "from", "subject",
    "description", "query", "new", "number", "nummer", "numero", "time", "start", "date", "status",
})  # fmt: skip
"""Names of parameters that say nothing of what a tool acts on."""


Way = Literal["on", "off"]


class EffectTool(Struct, frozen=True):
    """A tool that acts: its kinds of act, and the nouns that it is known by; without a kind it may do anything.

    `statement`: what holds SQL or a command, whose words tell what a call does. `is_for_many`: a call may be about
    several things, which a list names. `in_cents`: the parameters that take an amount in its smallest unit.
    `way`: whether it switches something on or off, where its name says which.
    """

    kinds: frozenset[str]
    nouns: frozenset[str]
    statement: StatementParameter | None = None
    is_for_many: bool = False
    in_cents: tuple[str, ...] = ()
    way: Way | None = None


class Effects(Struct, frozen=True):
    """The tools of a definition that act, by name, and the verbs of their names that no language's file has.

    `own`: a verb, as a kind of act of its own.
    """

    tools: dict[str, EffectTool]
    own: frozenset[str] = frozenset()

    @property
    def is_clear(self) -> bool:
        """Whether the act of one of them is known."""
        return any(not tool.kinds <= _ANY | self.own for tool in self.tools.values())

    def of_kind(self, kind: str) -> frozenset[str]:
        """Give the tools of a kind of act."""
        return frozenset([name for name, tool in self.tools.items() if kind in tool.kinds])

    def open_among(self, names: Iterable[str]) -> bool:
        """Tell whether one of these tools may have done anything: a shell, or one whose act is not known."""
        return any(name in self.tools and self.tools[name].kinds <= _ANY | self.own for name in names)

    def may_act_with(self, tool: str, params: Mapping[str, Any]) -> bool:
        """Tell whether a call may act: of a tool that acts, and no statement that only looks."""
        known = self.tools.get(tool)
        statement = None if known is None else known.statement
        return known is not None and (statement is None or not changes_nothing(statement, params.get(statement.name)))

    def prices_of(self, tool: str, params: Mapping[str, Any]) -> list[str]:
        """Give the amounts that a call has in cents as answers write them: 29.00 for 2900."""
        values = [params.get(name) for name in self.tools[tool].in_cents]
        return [f"{value // 100}.{value % 100:02}" for value in values if type(value) is int and value >= 0]

    def acted_of(self, succeeded: Iterable[str], acted: Collection[str]) -> frozenset[str]:
        """Give the tools that acted of those that succeeded; one of statements only where one of them acted."""
        known = [name for name in succeeded if name in self.tools]
        return frozenset([name for name in known if name in acted or self.tools[name].statement is None])

    def shell_among(self, names: Iterable[str]) -> bool:
        """Tell whether one of these tools runs whatever its argument says: a shell, SQL."""
        return any(name in self.tools and self.tools[name].kinds <= _ANY for name in names)


_ANY: Final = frozenset({"run"})


def effects_of(tools: Mapping[str, ToolSpec], named: Collection[str] | None = None) -> Effects:
    """Give the tools that act; named: those that the definition says, else all that may act."""
    chosen = [name for name, spec in tools.items() if (may_act(spec) if named is None else name in named)]
    made = {name: _effect_tool(tools[name]) for name in sorted(chosen)}
    own = frozenset([kind for tool in made.values() for kind in tool.kinds if kind not in ENGLISH.acts])
    return Effects(made, own)


def _effect_tool(spec: ToolSpec) -> EffectTool:
    return EffectTool(
        kinds=_kinds(spec),
        nouns=_nouns(spec),
        statement=statement_of(spec),
        is_for_many=_takes_many(spec),
        in_cents=_in_cents(spec),
        way=way_of(name_words(spec.name)),
    )


def way_of(words: Collection[str]) -> Way | None:
    """Tell whether words say on or off; None where they say neither or both."""
    is_on, is_off = (not all_words(way).isdisjoint(words) for way in ("on", "off"))
    if is_on == is_off:
        return None
    return "on" if is_on else "off"


def may_act(spec: ToolSpec) -> bool:
    """Tell whether a tool may change something: by its annotations, else by its name."""
    hints = spec.annotations
    if hints is not None and (hints.readOnlyHint is not None or hints.destructiveHint):
        return not hints.readOnlyHint
    access = sql_access(spec)
    if access != "none":
        return access == "any"
    names = name_words(spec.name)
    return all_words("figures").isdisjoint(names) and not (reads_only(spec) or _looks(spec, names))


def _in_cents(spec: ToolSpec) -> tuple[str, ...]:
    """Give the parameters of a tool that take an amount in cents, by their names or descriptions."""
    given = spec.parameters.get("properties")
    members = given.items() if isinstance(given, dict) else ()
    return tuple([name for name, each in members if not _CENTS.isdisjoint((*name_words(name), *_about(each)))])


def _about(member: Any) -> list[str]:
    description = member.get("description") if isinstance(member, dict) else None
    return word_texts(description) if isinstance(description, str) else []


def _takes_many(spec: ToolSpec) -> bool:
    """Tell whether a call may be about several things: by a list that is named so, or by a number of them."""
    given = spec.parameters.get("properties")
    if not isinstance(given, dict):
        return True
    own = nouns_of(name_words(spec.name)) | _THINGS
    lists = [name for name, each in given.items() if not (isinstance(each, dict) and each.get("type") in _SINGLE)]
    return any(not own.isdisjoint(nouns_of(name_words(name))) for name in lists) or any(
        not _QUANTITIES.isdisjoint(name_words(name)) for name in given
    )


_CENTS: Final = frozenset({"cent", "cents", "pence", "centimes", "c\u00e9ntimos"})
_SINGLE: Final = ("string", "integer", "number", "boolean")
_QUANTITIES: Final = frozenset({
    "count", "quantity", "qty", "amount", "copies", "times", "pieces", "units", "seats", "tickets", "menge", "anzahl",
    "cantidad", "quantit\u00e9", "nombre",
})  # fmt: skip
_THINGS: Final = frozenset({"id", "item", "entry", "entrie", "list", "batch"})


def _looks(spec: ToolSpec, names: Sequence[str]) -> bool:
    """Tell whether a tool without annotations only looks: by the verb of its name, before or after what it is about.

    "gmail_search", "printer_status", "post_stats"; not "update_status". Where no word of the name is known as a verb,
    the description's first word tells.
    """
    reads = all_words("reads")
    last = len(names) - 1
    looks = [word in reads and (word not in ordering() or at == last > 0) for at, word in enumerate(names)]
    begins = [look for look, word in zip(looks, names, strict=True) if look or word in _SURELY_ACTING]
    if begins:
        return begins[0]
    if any(_ordered(word) for word in names):
        return False
    about = words_of(spec.description)
    return bool(about) and about[0].text in reads


_SURELY_ACTING: Final = frozenset(("play",)).union(*(each.acting for each in LANGUAGES)) - ENGLISH.things_too
"""Verbs of names that are no names of things: "update_status" and "playTrack" act, "post_stats" does not."""


def _kinds(spec: ToolSpec) -> frozenset[str]:
    """Give the kinds of act that the first verb of a tool's name orders, and that of its description."""
    named = [_ordered(word) for word in name_words(spec.name)]
    found = _first_of(named)
    if not found:
        found = frozenset(_verb_like(spec))  # verbs that no file has: "play_song"
    if not found.isdisjoint(("publish", "make")) and any("send" in each for each in named):
        found = found.union(("send",))  # "post_message"
    about = [word.text for word in words_of(spec.description)[:_VERB_WORDS]]
    ordered = [_ordered(word) or _ordered(word[:-1]) for word in about]
    return found.union(_first_of(ordered))


def _verb_like(spec: ToolSpec) -> Sequence[str]:
    """Give the first word of a tool's name, and the first that names no parameter: "kind_abmelden" takes a "kind"."""
    names, given = name_words(spec.name), spec.parameters.get("properties")
    given_words = {word for name in given for word in name_words(name)} if isinstance(given, dict) else set[str]()
    return [*names[:1], *[word for word in names if word not in given_words][:1]]


def _first_of(kinds: Sequence[frozenset[str]]) -> frozenset[str]:
    """Give the first that is not empty."""
    for each in kinds:
        if each:
            return each
    return frozenset()


def _ordered(word: str) -> frozenset[str]:
    return frozenset([kind for kind, _ in ordering().get(unaccented().get(word, word), ())])


def _nouns(spec: ToolSpec) -> frozenset[str]:
    properties = spec.parameters.get("properties")
    given = properties if isinstance(properties, dict) else {}
    names = [word for name in given for word in name_words(name) if word not in _GENERIC]
    about = [word.text for word in words_of(spec.description)[:_ABOUT_WORDS]]
    return nouns_of([*name_words(spec.name), *names, *about])


def nouns_of(words: Iterable[str]) -> frozenset[str]:
    """Give the nouns among words, each as one thing, with the English ones."""
    known = things()
    kept = {word for word in words if len(word) > 1} - stop_words()
    meant = kept.union(*(known[word] for word in kept & known.keys()))  # order: a set again
    return frozenset([word.removesuffix("s") for word in meant])
