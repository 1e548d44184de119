"""Orders: which acts the user's words clearly ask for, and the tools of the definition that do them.

An order begins with its verb, after polite words, in a sentence or a part of one; in a question only after these. What
is quoted or follows a colon is a text, and so is what follows an order to translate or to sum up.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CLAIM_ITEMS, MAX_CLAIMED_ORDERS, MAX_ORDER_CHARS
from ..carry import fold, words_of
from ..json_text import BLANK
from ..values import OrderedAct
from .effects import Effects, EffectTool, nouns_of, way_of
from .items import Item, is_tag, items_of, without_items
from .languages import CLAIM_LANGUAGES, ENGLISH
from .lexicon import SURE_KINDS, Meaning, all_words, ordering, plain
from .names import names_of, series_of, things_of
from .phrases import phrases
from .requests import asks_ability, content_of, looks_up, requests_act
from .texts import SentencePart, parts_of, unquoted

Verb = tuple[str, tuple[Meaning, ...]]
"""A verb that orders, and what it means."""


class Orders(Struct, frozen=True):
    """What a message orders.

    `is_plain`: it asks nothing, and for no text, so that "done" has to be about an act. `is_text`: it orders a text.
    `is_request`: it asks for some act. `is_assent`: it only agrees. `words`: those that an answer may repeat, where it
    asks for one.
    """

    acts: tuple[OrderedAct, ...]
    is_plain: bool
    is_text: bool
    is_request: bool = False
    is_assent: bool = False
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    things: tuple[str, ...] = ()


def orders_of(message: str, effects: Effects) -> Orders:
    """Read what a user's message orders."""
    message = message[:MAX_ORDER_CHARS]
    items = items_of(message)
    codes = [item for item in items if item.kind == "code"]  # the "t" of "T-8841" denies nothing
    plain_text = without_items(message, codes) if codes else message
    bare = unquoted(plain_text)
    parts = [part for part in parts_of(_before_colons(bare)) if not asks_ability(part, message)]
    parts = _without_intents(parts) if len(parts) > 1 else parts
    opened = [_asked(part) for part in parts]
    verbs = [_verb_of(part, said, effects) for part, (said, _) in zip(parts, opened, strict=True)]
    first = opened[0][0] if parts else ()
    composes = bool(first) and first[0] in all_words("composing")
    found: list[OrderedAct] = []
    open_ = False
    for begin, part in enumerate([] if composes else parts):
        open_ = not all_words("conditions").isdisjoint(part.words) or (open_ and not part.begins)
        verb = None if open_ else verbs[begin]
        if verb is None:
            continue
        if len(found) == MAX_CLAIMED_ORDERS:
            break
        joined = [part, *_without_verb(parts[begin + 1 :], verbs[begin + 1 :])]
        found.append(_act(verb, joined, effects, message, items))
    asks = any(part.asks and not polite for part, (_, polite) in zip(parts, opened, strict=True)) or not parts
    words_text = bool(first) and first[0] in all_words("wording") and not any(act.tools for act in found)
    acts = any(act.tools for act in found) or requests_act(
        parts, opened, effects, names_items=bool(items) or bare != plain_text
    )
    told = [word for part in parts for word in part.words]
    is_request = not composes and (acts or bool(phrases("again").find(told)))
    said = words_of(message) if is_request else ()
    words = content_of(said, items)
    names = names_of(message, said, words)
    return Orders(
        acts=tuple(found),
        is_plain=not (asks or composes),
        is_text=(composes or words_text) and not _goes_on(parts, verbs),
        is_request=is_request,
        is_assent=bool(told) and phrases("assents").words_from(told) == len(told),
        words=words,
        names=names,
        series=series_of(message, said, names),
        things=things_of(message, words) if is_request else (),
    )


def _without_intents(parts: list[SentencePart]) -> list[SentencePart]:
    """Leave out what users will do themselves, beside a question or an order to look something up."""
    intents = [part for part in parts if _is_intent(part.words)]
    others = [part for part in parts if part not in intents] if intents else []
    looks = any(looks_up(part, *_asked(part)) for part in others)
    return others if looks else parts


def _is_intent(words: Sequence[str]) -> bool:
    joined = words[0] in all_words("joints") or words[0] in all_words("reasons")
    said = words[1:] if joined else words
    own = phrases("intents").words_at(said, 0)
    return bool(own) and phrases("openings").words_at(said, 0) <= own  # "quiero que ..." asks the reader


def _goes_on(parts: Sequence[SentencePart], verbs: Sequence[Verb | None]) -> bool:
    """Tell whether something else is ordered after a text: "summarise ... and post it"."""
    return any(not part.begins and verb is not None for part, verb in zip(parts, verbs, strict=True))


def _asked(part: SentencePart) -> tuple[tuple[str, ...], bool]:
    """Give the words of a part after greetings and polite words, and whether these ask the reader for something."""
    begin = phrases("openings").words_from(part.words)
    opening = part.words[:begin]
    asks = begin > 0 and any(not all_words(each).isdisjoint(opening) for each in ("polite", "addressed", "modals"))
    return part.words[begin:], asks


def _before_colons(text: str) -> str:
    return _after_colon().sub(_end_of, text)


def _end_of(cut: "re.Match[str]") -> str:
    """Give what ends a statement in place of its colon: a question after it may be about a name: "Order 7: ...?"."""
    head = words_of(cut.string[max(0, cut.start() - _HEAD_CHARS) : cut.start()])
    is_question = cut[0].rstrip(BLANK).endswith(("?", "\uff1f"))
    return "?" if is_question and ordering().keys().isdisjoint([word.text for word in head]) else "."


_HEAD_CHARS: Final = 80


@cache
def _after_colon() -> "re.Pattern[str]":
    return re.compile(r":[ \n][^\n]*", re.ASCII)


def _without_verb(parts: Sequence[SentencePart], verbs: Sequence[Verb | None]) -> list[SentencePart]:
    """Give the parts of the same sentence that go on with an order: "restart web-1 | and web-2"."""
    found: list[SentencePart] = []
    for part, verb in zip(parts, verbs, strict=True):
        if part.begins or verb is not None:
            break
        found.append(part)
    return found


def _verb_of(part: SentencePart, said: tuple[str, ...], effects: Effects) -> Verb | None:
    """Give the verb that a part of a message orders with; said: its words after greetings and polite words."""
    is_asked = part.asks and len(said) == len(part.words)
    if not said or is_asked or (said[0] in all_words("handing") and _is_told(said, effects)):
        return None
    apart = _separable(said)
    meanings = apart or ordering().get(said[0], ()) or _with_clitic(said[0])
    verb = said[-1] if apart else said[0]
    if not part.asks or _asked(part)[1]:  # the first word of a name may be no verb: "... of bed 1 and bed 2?"
        meanings = (*meanings, *[(own, ENGLISH) for own in sorted(effects.own) if _is_form(verb, own)])
    if not meanings:
        last = ordering().get(said[-1], ())
        meanings = tuple([each for each in last if each[1].verb_last and said[-1].endswith("n")])
        verb = said[-1]
    meanings = tuple([each for each in meanings if (each[1].doubts - each[1].deadlines).isdisjoint(part.words)])
    return (verb, meanings) if meanings else None


def _is_told(said: Sequence[str], effects: Effects) -> bool:
    """Tell whether the answer itself is ordered: "tell me ...", "tell a joke", and not "tell Ben ...".

    Nor is it where a tool sends to what is named: "tell his parents".
    """
    if not all_words("mine").isdisjoint(said[1:2]):
        return True
    named = nouns_of(said[2:3])
    reached = any("send" in tool.kinds and not named.isdisjoint(tool.nouns) for tool in effects.tools.values())
    return not (reached or all_words("attributes").isdisjoint(said[1:2]))


def _with_clitic(word: str) -> tuple[Meaning, ...]:
    """Give what a verb with a pronoun at its end orders: "avísale"."""
    if word.isascii():
        return ()
    for language in CLAIM_LANGUAGES:
        ending = next((each for each in language.clitics if word.endswith(each)), "")
        found = ordering().get(plain(word.removesuffix(ending)), ()) if ending else ()
        if found:
            return tuple([each for each in found if each[1] is language])
    return ()


def _is_form(word: str, verb: str) -> bool:
    """Tell whether a word is a verb of a tool's name, or another form of an infinitive in -ar, -er, -ir or -en."""
    if word == verb:
        return True
    stem = verb.removesuffix(verb[-2:]) if verb.endswith(("ar", "er", "ir", "en")) else ""
    return len(stem) >= _MIN_STEM_CHARS and word.startswith(stem) and len(word) <= len(stem) + _MAX_ENDING_CHARS


_MIN_STEM_CHARS: Final = 3
_MAX_ENDING_CHARS: Final = 3


def _separable(said: Sequence[str]) -> tuple[Meaning, ...]:
    known = {key: each for key in (said[-1], *said[-2:-1]) for each in _separated().get((said[0], key), ())}
    return tuple(known.values())


@cache
def _separated() -> dict[tuple[str, str], tuple[Meaning, ...]]:
    return {(first, last): ((kind, each),) for each in CLAIM_LANGUAGES for first, last, kind in each.separable}


def _act(
    ordered: Verb,
    parts: Sequence[SentencePart],
    effects: Effects,
    message: str,
    told: Sequence[Item],
) -> OrderedAct:
    verb, meanings = ordered
    said = [word for part in parts for word in part.words if word != verb]
    kinds = frozenset([kind for kind, _ in meanings])
    items = tuple([item for item in told if parts[0].start <= item.start < parts[-1].end])
    nouns = nouns_of(said).union(*(_KNOWN_BY.get(item.kind, ()) for item in items))
    if any(item.text[0] == "#" and is_tag(item) for item in items):
        nouns |= {"channel"}
    if verb in all_words("general"):
        kinds = kinds.union(*(tool.kinds for tool in effects.tools.values() if not nouns.isdisjoint(tool.nouns)))
    alike = kinds | {"change"} if "switch" in kinds else kinds  # a light is turned on by what sets its brightness
    if "change" in kinds and not all_words("completed").isdisjoint(said):  # "mark the task as done"
        alike |= {"complete"}
    near = [name for name, tool in effects.tools.items() if alike & tool.kinds and kinds != _ANY]
    is_firm = verb in all_words("firm") or not kinds.isdisjoint(SURE_KINDS | effects.own)
    is_sure = is_firm and verb not in all_words("loose")
    in_names = [name for name in near if verb in effects.tools[name].nouns or items]
    if is_sure and not near:
        near = [name for name, tool in effects.tools.items() if any(noun.startswith(verb) for noun in tool.nouns)]
    named = [name for name in near if not nouns.isdisjoint(effects.tools[name].nouns)]
    if named:  # a tool for anything has no noun: "HassTurnOn" turns on the light, beside "HassLightSet"
        is_exact = any(kinds & effects.tools[name].kinds for name in named)
        named = [name for name in near if name in named or _is_for_anything(effects.tools[name], verb, kinds, is_exact)]
    way = way_of((verb, *said)) if "switch" in kinds else None
    near = [name for name in near if way is None or effects.tools[name].way in (None, way)]
    named = [name for name in named if name in near]
    is_mine = "send" in kinds and not all_words("mine").isdisjoint(said[:1])
    if all_words("texts").isdisjoint(said) and is_sure and not is_mine:
        named = named or near
    elif verb not in all_words("loose") and not is_mine and all_words("texts").isdisjoint(said):
        named = named or in_names
    if named and verb in all_words("wording"):  # "write Anna a mail" is met by whatever acts on a mail
        named = [name for name, tool in effects.tools.items() if not nouns.isdisjoint(tool.nouns)]
    texts = tuple(dict.fromkeys(item.text for item in items))[:MAX_CLAIM_ITEMS]
    return OrderedAct(
        kinds=tuple(sorted(kinds)), tools=tuple(named), items=texts, series=_series(message, items)[:MAX_CLAIM_ITEMS]
    )


def _is_for_anything(tool: EffectTool, verb: str, kinds: frozenset[str], is_exact: bool) -> bool:
    """Tell whether a tool may do what was ordered, though another is known by the noun.

    is_exact: whether that one does this kind of act; where it does not, every tool that does may be meant.
    """
    return verb in tool.nouns or (not is_exact and not kinds.isdisjoint(tool.kinds))


_ANY: Final = frozenset({"run"})
_KNOWN_BY: Final = {"email": ("email", "mail"), "path": ("file", "path")}


def _series(message: str, items: Sequence[Item]) -> tuple[str, ...]:
    """Give the items of one kind that stand in a row: "12, 13 and 14"."""
    found: list[str] = []
    joins = all_words("ands")
    codes = [item for item in items if item.kind not in ("number", "date", "time")]
    for one, other in (*pairwise(items), *pairwise(codes)):
        between = fold(message[one.end : other.start])
        joined = "," in between or "&" in between or not joins.isdisjoint(between.split(" "))
        if one.kind == other.kind and joined and len(between) <= _MAX_BETWEEN:
            found += [one.text, other.text]
    return tuple(dict.fromkeys(found))


_MAX_BETWEEN: Final = 20
