"""The verdict on an answer: what of it claims an effect that no call of the exchange had."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CLAIMING_CHARS
from ..carry import fold, said_texts
from ..json_text import UNREADABLE, both_ends, read_json
from ..values import Claims, OrderedAct
from .answers import Answer, Claim, answer_of, may_claim
from .effects import Effects, nouns_of
from .items import Known, absent, items_of
from .lexicon import SURE_KINDS, all_words


class FalseClaim(Struct, frozen=True):
    """What an answer claims without a call: the tools that would do it, and the item named that no call had."""

    tools: tuple[str, ...]
    item: str = ""
    ordered: bool = False
    """Whether the user's words order it; a model must not be sent to do what nobody asked for."""


class DoneActs(Struct, frozen=True):
    """What calls of an exchange have done: the tools that succeeded, and those of them that act."""

    succeeded: frozenset[str]
    acted: frozenset[str]
    is_open: bool


def false_claim(text: str, effects: Effects, claims: Claims, succeeded: Collection[str]) -> FalseClaim | None:
    """Give the first effect that an answer claims and that no call of the exchange had; None where there is none."""
    text = _bounded(_plain(text))
    if not claims.ordered and not may_claim(text):
        return None
    names = frozenset(succeeded)
    done = DoneActs(names, names & effects.tools.keys(), effects.open_among(names))
    answer = answer_of(text, {kind for order in claims.ordered for kind in order.kinds})
    for claim in answer.claims:
        found = _finished(claims, effects, done) if claim.by == "finished" else _claimed(claim, effects, claims, done)
        if found is not None:
            return found
    return _unmet(answer, claims, done) or _other_item(text, answer, effects, claims, done)


def _plain(text: str) -> str:
    """Give what an answer says: of JSON, its texts."""
    value = read_json(text) if text[:1] in ("{", "[") else UNREADABLE
    return text if value is UNREADABLE else ". ".join(said_texts(value))


def _bounded(text: str) -> str:
    return both_ends(text, MAX_CLAIMING_CHARS)


def _met(order: OrderedAct, done: DoneActs) -> bool:
    return done.is_open or not done.succeeded.isdisjoint(order.tools)


def _finished(claims: Claims, effects: Effects, done: DoneActs) -> FalseClaim | None:
    """Judge "done": with no order that was understood, it is false where nothing was done, and tools clearly act."""
    unmet = [order for order in claims.ordered if order.tools and not _met(order, done)]
    if unmet:
        return FalseClaim(unmet[0].tools, ordered=True)
    if done.succeeded or claims.earlier or not claims.is_plain or not effects.is_clear:
        return None
    return FalseClaim(tuple(effects.tools) if len(effects.tools) == 1 else ())


def _claimed(claim: Claim, effects: Effects, claims: Claims, done: DoneActs) -> FalseClaim | None:
    """Judge an effect that is named: accepted if one of the kinds that its word may mean is."""
    verdicts = [_of_kind(kind, claim, effects, claims, done) for kind in claim.kinds]
    return None if None in verdicts else verdicts[0]


def _of_kind(kind: str, claim: Claim, effects: Effects, claims: Claims, done: DoneActs) -> FalseClaim | None:
    tools = effects.of_kind(kind)
    if not done.acted.isdisjoint(tools) or done.is_open:
        return None
    if kind in claims.told and (claim.by != "doer" or done.acted):
        return None
    ordered = [order for order in claims.ordered if kind in order.kinds]
    if not ordered and not tools.isdisjoint(claims.earlier):
        return None
    named = tuple(sorted(ordered[0].tools if ordered and ordered[0].tools else tools))
    if ordered and tools:
        return FalseClaim(named, ordered=bool(ordered[0].tools))
    if claim.by != "doer" or claims.is_text or not all_words("texts").isdisjoint(claim.part.words):
        return None
    if tools:
        of_tools = frozenset[str]().union(*(effects.tools[name].nouns for name in tools))
        is_clear = (
            kind in SURE_KINDS or claim.word in all_words("firm") or not of_tools.isdisjoint(nouns_of(claim.part.words))
        )
        return FalseClaim(named) if is_clear else None
    # No tool does this: what was claimed is done by none of the tools that acted.
    is_effect = kind in SURE_KINDS or kind == "send"
    return FalseClaim(()) if is_effect and not done.acted and not claims.earlier else None


def _unmet(answer: Answer, claims: Claims, done: DoneActs) -> FalseClaim | None:
    """Judge an answer to orders in whatever words: one without a call has to say so, or ask."""
    for order in claims.ordered:
        if not order.tools:
            continue
        if not _met(order, done) and not (done.acted and any(kind in claims.told for kind in order.kinds)):
            before = answer.already and (done.succeeded or not set(order.tools).isdisjoint(claims.earlier))
            if not (answer.excuses or before):
                return None if _tells_trouble(answer, claims) else FalseClaim(order.tools, ordered=True)
        elif order.series and not claims.cut and not answer.excuses and not done.is_open:
            missing = _missing(order, claims)
            if missing:
                return FalseClaim(order.tools, missing, ordered=True)
    return None


def _tells_trouble(answer: Answer, claims: Claims) -> bool:
    """Tell whether an answer repeats what a call failed with, which says as much as "could not"."""
    said = {word for part in answer.told for word in part.words}
    shared = len(said.intersection(claims.trouble))
    return bool(claims.trouble) and shared >= min(_TROUBLE_WORDS, len(claims.trouble))


_TROUBLE_WORDS: Final = 2
_DIGITS: Final = frozenset("0123456789")


def _missing(order: OrderedAct, claims: Claims) -> str:
    """Give the first item of a series that no call had, where a call had another one of it."""
    known = Known((*claims.items, *claims.seen))
    items = [item for text in order.series for item in items_of(text)]
    held = [known.holds(item) for item in items]
    return next((item.text for item, holds in zip(items, held, strict=True) if not holds), "") if any(held) else ""


def _other_item(text: str, answer: Answer, effects: Effects, claims: Claims, done: DoneActs) -> FalseClaim | None:
    """Judge the items that an answer says an act was done to: calls or results of the exchange have to have them."""
    if claims.cut or not done.acted or done.is_open:
        return None
    claiming = {(claim.part.start, claim.part.end) for claim in answer.claims if _is_done(claim, effects, done)}
    met = [order for order in claims.ordered if order.tools and _met(order, done)]
    asked = {item for order in met for item in order.items}
    known = Known((*claims.items, *claims.seen))
    units = all_words("units")
    for part in answer.told:
        items = [
            item
            for item in items_of(text[part.start : part.end])
            if (item.text in asked or (part.start, part.end) in claiming)
            and not _counts(item.text, text[part.start : part.end][item.end :], units, len(claims.items))
        ]
        wrong = absent(items, known)
        if wrong is not None:
            return FalseClaim(tuple(sorted(done.acted)), wrong.text, ordered=wrong.text in asked)
    return None


def _is_done(claim: Claim, effects: Effects, done: DoneActs) -> bool:
    return any(not done.acted.isdisjoint(effects.of_kind(kind)) for kind in claim.kinds)


def _counts(token: str, after: str, units: frozenset[str], calls: int) -> bool:
    """Tell whether a number counts something: spans of time, or as many things as calls had."""
    following = after.strip("\u00a0 ").partition(" ")[0].strip(".,!")
    return fold(following) in units or (set(token) <= _DIGITS and int(token[:9]) <= calls)
