"""The plan of a request: its parts that each ask for a tool; a part that asks for none belongs to one that does.

A request may be cut at "then", at "and", at a comma and between sentences, but never within what is quoted.
"""

import re
from typing import Final

from msgspec import Struct

from ..bounds import MAX_CLAUSES, MAX_PLANS
from ..json_text import BLANK
from .clauses import Clause, Words, clause_of, inner_from, part_of, trimmed, words_in
from .denials import denies
from .implied import with_implied
from .languages import LANGUAGES
from .orders import asks
from .routing import Router
from .series import taken_apart
from .talk import is_small_talk, is_talk, tells, wants_no_tool, wants_words


class Plan(Struct, frozen=True):
    """The request as a whole, and the parts that each are a step; none when no tool is asked for.

    denied: the tools that other parts say must be left alone; a step may call one only if its own words ask for it.
    questions: the parts beside steps that no tool answers, such as "tell me a joke". tools: the tool of each step, ""
    where its words tell; a step that the request only implies has one.
    """

    whole: Clause
    steps: tuple[Clause, ...]
    denied: frozenset[str] = frozenset()
    questions: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()


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
    split = _Split(whole, router)
    for begin, end in _parts_of(whole):
        split.take(begin, end)
    split.close(len(whole.text))
    parts = [split.part(*place) for place in split.steps if place not in split.answers]
    apart = [each for part in parts for each in taken_apart(part, whole, router)]
    made = apart if len(apart) <= MAX_CLAUSES else parts
    full = [step for at, part in enumerate(made) for step in with_implied(part, whole, router, first=at == 0)]
    full = full if len(full) <= MAX_CLAUSES else [(part, "") for part in made]
    steps = tuple([part for part, _ in full])
    questions = tuple([split.part(*place).text.strip(BLANK) for place in split.answers]) if steps else ()
    return Plan(whole, steps, split.denied, questions, tuple([tool for _, tool in full]))


class _Split:
    """A request while it is split: the places of its steps, and the one that is open, to which what follows may belong.

    first: where the next step begins, if none is open. answers: of the steps those that no tool answers. denied: tools
    that a part says must be left alone.
    """

    def __init__(self, whole: Clause, router: Router) -> None:
        self.steps: list[tuple[int, int]] = []
        self.answers: list[tuple[int, int]] = []
        self.denied = frozenset[str]()
        self._whole, self._router = whole, router
        self._parts: dict[tuple[int, int], Clause] = {}
        self._open: tuple[int, int] | None = None
        self._first = 0
        self._is_talk = False
        self._may_be_whole = True

    def part(self, begin: int, end: int) -> Clause:
        """Give a stretch of the request, each as one clause with what was read of it."""
        if (begin, end) not in self._parts:
            self._parts[begin, end] = part_of(self._whole, begin, end)
        return self._parts[begin, end]

    def take(self, begin: int, end: int) -> None:
        """Take the next part of the request."""
        part = self.part(begin, end)
        before = None if self._open is None or self._is_talk else self.part(*self._open)
        if denies(part):
            # What is to be left undone is no step, and gives no value to one.
            rest = self._whole.text[end:]
            self._begin(None, first=end + len(rest) - len(rest.lstrip(_BEFORE_PARTS)))
            self.denied |= self._router.named(words_in(part, self._whole))
        elif self._is_about_talk(part) or not _asks(part, self._whole, self._router, before):
            self._go_on(part, begin, end)
        elif self._open is None:
            self._begin((begin if self._stands_alone(part, self._first, begin) else self._first, end))
        elif before is not None and not self._router.verbs.begins(before) and not _ends_asking(before):
            # "The lamp is broken. Order a new one": what comes first belongs to the order.
            first = self._open[0]
            self._open = (begin if self._stands_alone(part, first, begin) else first, end)
        else:
            self._begin((begin, end))

    def _is_about_talk(self, part: Clause) -> bool:
        """Tell whether a part only goes on about a text to be written ("just show it to me")."""
        language = part.language
        back = any(word.text in language.backward_words | language.referring for word in part.words)
        return self._open is None and not self._may_be_whole and back and not part.spans

    def close(self, end: int) -> None:
        """End the last step; without any the whole may be one."""
        self._begin(None)
        is_whole = self._may_be_whole and not self.denied and not self._first and len(self.steps) == len(self.answers)
        if is_whole and (_asks(self._whole, self._whole, self._router, None) or _is_implied(self._whole, self._router)):
            # Its parts say too little one by one: "what do 3 and 4 add up to".
            self.steps, self.answers = [(0, end)], []

    def _go_on(self, part: Clause, begin: int, end: int) -> None:
        """Take a part that asks for no tool: it wants an answer in words, or belongs to what is open."""
        if wants_no_tool(part):
            self._may_be_whole = False
            self._first = self._first if self._open else end
        if wants_words(part):
            self._begin((begin, end), is_talk=True)
        elif self._open is not None:
            self._open = (self._open[0], end)

    def _stands_alone(self, part: Clause, first: int, begin: int) -> bool:
        """Tell whether a part says by itself which tool it asks for: what was said before it only gives values.

        first: where that begins.

        "I'm home and it's dark. Switch the light on": a statement is no order, whatever words of tools it holds.
        """
        language = part.language
        if not tells(self.part(first, begin)):
            return False
        if any(word.text in language.backward_words | language.referring for word in part.words):
            return False
        if any(first <= span.start < begin and span.kind == "quote" for span in self._whole.spans):
            return False
        routes = self._router.routes(words_in(part, self._whole))
        return bool(routes) and routes[0].by_words >= self._router.threshold

    def _begin(self, place: tuple[int, int] | None, *, first: int | None = None, is_talk: bool = False) -> None:
        """End what is open and begin something else, or nothing."""
        if self._open is not None:
            self.steps.append(self._open)
            if self._is_talk:
                self.answers.append(self._open)
        self._open, self._is_talk = place, is_talk
        self._first = self._first if first is None else first


def _asks(part: Clause, whole: Clause, router: Router, before: Clause | None) -> bool:
    """Tell whether a part asks for a tool; once a step has begun before it, only words can begin another."""
    if is_small_talk(part):
        return False
    if before is None:
        return not is_talk(part, whole, router.verbs) and bool(router.routes(words_in(part, whole)))
    if not router.verbs.begins(part) or not set(_labels(before)).isdisjoint(_labels(part, first=True)):
        return False  # "invoice 12 and invoice 17": no verb
    # What an earlier step will give is not known yet: a part that looks back may take its value from it.
    words = Words(part, whole, ("0",))
    looks_back = words.looks_back or not part.language.referring.isdisjoint([word.text for word in part.words])
    if looks_back and router.told(words) >= router.threshold:
        # "... in Paris, and is it cold?" asks what the step before it gives.
        told_before = router.nearest(words_in(before, whole))[:1]
        return not asks(part, whole) or router.nearest(words)[:1] != told_before
    return router.names_call(words)


def _is_implied(whole: Clause, router: Router) -> bool:
    """Tell whether a request lacks a value that a look-up gives: "mail Ben Okafor: the boat is ready"."""
    return not is_talk(whole, whole, router.verbs) and len(with_implied(whole, whole, router, first=True)) > 1


def _ends_asking(part: Clause) -> bool:
    return part.text.rstrip(BLANK).endswith(("?", "\uff1f"))


def _labels(clause: Clause, *, first: bool = False) -> list[tuple[str, str]]:
    """Give the words that stand right before a value, each with the value's kind.

    first: only if it is the first word.
    """
    kinds = {span.start: span.kind for span in clause.spans}
    words = clause.words[:1] if first else clause.words
    return [(word.text, kinds[word.end + 1]) for word in words if word.end + 1 in kinds]


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
    # What is told after "that" ends with its sentence, what stands after a colon does not.
    is_open = clause.text[inner : inner + 1] == ":"
    outer = len(clause.text) if is_open else next((end for start, end in cuts if start >= inner), len(clause.text))
    commas = re.finditer(_COMMA, clause.text, re.ASCII)
    cuts += [(match.start(), match.end()) for match in commas if not inner <= match.start() < outer]
    words, joining = clause.words, _JOINING[clause.language.name]
    texts = tuple([word.text for word in words])
    for index in range(1, len(words)):
        for phrase, said in joining.get(words[index].text, ()):
            length = len(said)
            if texts[index : index + length] == said:
                if _joins_numbers(clause, words[index].start, words[index + length - 1].end):
                    break
                # Within a value only a word that says what comes next begins a step: "and" joins there as well.
                if not inner <= words[index].start < outer or phrase not in clause.language.joints:
                    cuts.append((words[index].start, words[index + length - 1].end))
                break
    return _apart(sorted(cuts), clause)[:MAX_CLAUSES]


def _by_first_word(phrases: tuple[str, ...]) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Give phrases and their words by the first one, in their order."""
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for phrase in phrases:
        said = tuple(phrase.split(" "))  # ascii: one blank parts them
        found.setdefault(said[0], []).append((phrase, said))
    return found


_JOINING: Final = {language.name: _by_first_word(language.clause_words) for language in LANGUAGES}


def _joins_numbers(clause: Clause, begin: int, end: int) -> bool:
    """Tell whether a word stands right between two numbers, which belong together: "put 58 and 67 together"."""
    numbers = [span for span in clause.spans if span.kind == "number"]
    return any(span.end + 1 == begin for span in numbers) and any(span.start == end + 1 for span in numbers)


_BEFORE_PARTS: Final = " \n,.;!?"

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


__all__ = ["Plan", "plan_of"]
