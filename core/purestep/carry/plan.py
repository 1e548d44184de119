"""The plan of a request: its parts that each ask for a tool; a part that asks for none belongs to one that does.

A request may be cut at "then", at "and", at a comma and between sentences, but never within what is quoted.
"""

import re
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CLAUSES, MAX_PLANS
from ..json_text import BLANK
from .clauses import Clause, Words, clause_of, inner_from, part_of, trimmed
from .orders import asks
from .routing import THRESHOLD, Router
from .series import taken_apart


class Plan(Struct, frozen=True):
    """The request as a whole, and the parts that each are a step; none when no tool is asked for."""

    whole: Clause
    steps: tuple[Clause, ...]


def plan_of(text: str, router: Router) -> Plan:
    """Split a request into its steps; the latest plans are kept, as pure results."""
    plan: Plan | None = router.plans.get(text)
    if plan is None:
        plan = router.plans[text] = _planned(text, router)
        if len(router.plans) > MAX_PLANS:
            router.plans.popitem(last=False)
    return plan


def _planned(text: str, router: Router) -> Plan:
    whole = clause_of(text)
    steps: list[tuple[int, int]] = []
    open_: tuple[int, int] | None = None
    for begin, end in _parts_of(whole):
        part, before = part_of(whole, begin, end), open_ and part_of(whole, *open_)
        if not _asks(part, whole, router, before):
            open_ = open_ and (open_[0], end)
            continue
        if open_ is not None and before is not None and not router.verbs.begins(before):
            # "The lamp is broken. Order a new one": what comes first belongs to the order.
            open_ = (open_[0], end)
        elif open_ is not None:
            steps.append(open_)
            open_ = (begin, end)
        else:
            open_ = (0, end)
    if open_ is not None:
        steps.append(open_)
    elif _asks(whole, whole, router, None):
        # Its parts say too little one by one: "what do 3 and 4 add up to".
        steps = [(0, len(whole.text))]
    parts = [part_of(whole, first, last) for first, last in steps]
    apart = [each for part in parts for each in taken_apart(part, whole, router)]
    return Plan(whole, tuple(apart if len(apart) <= MAX_CLAUSES else parts))


def _asks(part: Clause, whole: Clause, router: Router, before: Clause | None) -> bool:
    """Tell whether a part asks for a tool; once a step has begun before it, only words can begin another."""
    begun = before is not None
    if is_small_talk(part) or (not begun and is_musing(part)) or (begun and not router.verbs.begins(part)):
        return False
    if before is not None and not set(_labels(before)).isdisjoint(_labels(part, first=True)):
        return False  # "invoice 12 and invoice 17": no verb
    # What an earlier step will give is not known yet: a part that looks back may take its value from it.
    words = Words(part, whole, ("0",) if begun else ())
    routes = router.routes(words)
    if before is not None and words.looks_back and router.told(words) >= THRESHOLD:
        # "... in Paris, and is it cold?" asks what the step before it gives.
        told_before = router.nearest(Words(before, whole))[:1]
        return not asks(part, whole) or router.nearest(words)[:1] != told_before
    return bool(routes) and (not begun or max(route.by_words for route in routes) >= THRESHOLD)


def _labels(clause: Clause, *, first: bool = False) -> list[tuple[str, str]]:
    """Give the words that stand right before a value, each with the value's kind.

    first: only if it is the first word.
    """
    kinds = {span.start: span.kind for span in clause.spans}
    words = clause.words[:1] if first else clause.words
    return [(word.text, kinds[word.end + 1]) for word in words if word.end + 1 in kinds]


def is_musing(clause: Clause) -> bool:
    """Tell whether a text asks for an opinion or an explanation: it begins as such questions do, and names no value."""
    said = " ".join([word.text for word in clause.words])
    begins = any(said == start or said.startswith(f"{start} ") for start in clause.language.musing)
    return begins and all(span.kind in ("number", "quote") for span in clause.spans)


def holds_value(clause: Clause) -> bool:
    """Tell whether a text holds a value whose form tells its kind, other than a number: questions have those too."""
    return any(span.kind != "number" for span in clause.spans)


def is_small_talk(clause: Clause) -> bool:
    """Tell whether a text holds nothing but greetings and thanks, or no words."""
    language = clause.language
    return all(word.text in language.small_talk or word.text in language.stop_words for word in clause.words)


def _parts_of(clause: Clause) -> tuple[tuple[int, int], ...]:
    """Give where the parts of a request begin and end at which another step could begin; no quoted text is split."""
    cuts = _cuts(clause)
    begins, ends = [0, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), len(clause.text)]
    found = [(begin, end) for begin, end in zip(begins, ends, strict=True) if trimmed(clause.text[begin:end])]
    return tuple(found) or ((0, len(clause.text)),)


def _cuts(clause: Clause) -> list[tuple[int, int]]:
    """Give where the request may be cut: before which place a part ends, and at which the next begins."""
    inner = inner_from(clause)
    cuts = [(match.start(), match.end()) for match in re.finditer(_SENTENCE, clause.text, re.ASCII)]
    commas = re.finditer(_COMMA, clause.text, re.ASCII)
    cuts += [(match.start(), match.end()) for match in commas if match.start() < inner]
    words = clause.words
    for index in range(1, len(words)):
        for phrase in clause.language.clause_words:
            length = phrase.count(" ") + 1
            if " ".join([word.text for word in words[index : index + length]]) == phrase:
                # Within a value only a word that says what comes next begins a step: "and" joins there as well.
                if words[index].start < inner or phrase not in clause.language.joints:
                    cuts.append((words[index].start, words[index + length - 1].end))
                break
    return _apart(sorted(cuts), clause)[:MAX_CLAUSES]


_SENTENCE: Final = r"(?<=[.!?;])[ \n]+|\n+|[\uff0c\u3002\uff1b\uff1f\uff01]"

_COMMA: Final = r", +(?=[^0-9\s])"


def _apart(cuts: list[tuple[int, int]], clause: Clause) -> list[tuple[int, int]]:
    """Give the cuts outside of quotes, those side by side as one."""
    quotes = [span for span in clause.spans if span.kind == "quote"]
    kept: list[tuple[int, int]] = []
    for cut in cuts:
        if any(quote.start < cut[0] < quote.end or quote.start < cut[1] < quote.end for quote in quotes):
            continue
        if kept and not clause.text[kept[-1][1] : cut[0]].strip(BLANK):
            kept[-1] = (kept[-1][0], max(cut[1], kept[-1][1]))
        else:
            kept.append(cut)
    return kept


__all__ = ["Plan", "holds_value", "is_musing", "is_small_talk", "plan_of"]
