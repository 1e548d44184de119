"""The plan of a request: its parts that each ask for a tool; a part that asks for none belongs to one that does."""

from msgspec import Struct

from ..bounds import MAX_PLANS
from .clauses import clause_of, part_of, parts_of
from .grounding import Words
from .phrases import Clause
from .routing import THRESHOLD, Router, is_question


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
    for begin, end in parts_of(whole):
        part = part_of(whole, begin, end)
        if not _asks(part, whole, router, begun=open_ is not None):
            open_ = open_ and (open_[0], end)
            continue
        if open_ is not None:
            steps.append(open_)
            open_ = (begin, end)
        else:
            open_ = (0, end)
    if open_ is not None:
        steps.append(open_)
    elif _asks(whole, whole, router, begun=False):
        # Its parts say too little one by one: "what do 3 and 4 add up to".
        steps = [(0, len(whole.text))]
    return Plan(whole, tuple([part_of(whole, first, last) for first, last in steps]))


def _asks(part: Clause, whole: Clause, router: Router, *, begun: bool) -> bool:
    """Tell whether a part asks for a tool; once a step has begun, only words can begin another."""
    if is_small_talk(part) or (not begun and is_musing(part)):
        return False
    # What an earlier step will give is not known yet: a part that looks back may take its value from it.
    results = ("0",) if begun else ()
    routes = router.routes(Words(part, whole, results))
    return bool(routes) and (not begun or max(route.by_words for route in routes) >= THRESHOLD)


def is_musing(clause: Clause) -> bool:
    """Tell whether a text asks for an opinion or an explanation: it begins as such questions do, and names no value."""
    said = " ".join([word.text for word in clause.words])
    begins = any(said == start or said.startswith(f"{start} ") for start in clause.language.musing)
    return begins and all(span.kind in ("number", "quote") for span in clause.spans)


def is_small_talk(clause: Clause) -> bool:
    """Tell whether a text holds nothing but greetings and thanks, or no words."""
    language = clause.language
    return all(word.text in language.small_talk or word.text in language.stop_words for word in clause.words)


__all__ = ["Plan", "is_question", "is_small_talk", "plan_of"]
