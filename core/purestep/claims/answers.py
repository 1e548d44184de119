"""What an answer says: which effects it claims, by whom, and whether it denies, asks or puts off."""

from collections.abc import Collection, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from ..carry import word_texts
from .items import ItemsByPart, items_of, without_items
from .languages import ClaimWords
from .lexicon import all_words, denying_forms, doing, stop_words
from .phrases import phrases
from .presented import STRENGTHS, Presented, presented, stronger
from .texts import SentencePart, parts_of, unquoted

By = Literal["doer", "passive", "bare", "finished"]
"""Who is said to have acted: the one who answers, nobody by name, nobody at all, or only that all is done."""


class Claim(Struct, frozen=True):
    """An effect that an answer claims: the kinds of act that its word may mean, by whom, and in which part."""

    kinds: tuple[str, ...]
    word: str
    by: By
    part: SentencePart


class Statement(Struct, frozen=True):
    """A part that an answer tells as a fact, and what it takes to tell how it presents an act."""

    part: SentencePart
    doer: tuple[str, ...]
    """The words of the part before it whose doer goes on; none for one that begins its sentence."""
    is_finished: bool
    """It says that all is done."""
    is_before: bool
    """It says that something was so already."""


class Answer(Struct, frozen=True, dict=True):
    """An answer taken apart.

    How it presents an act is read when it is asked for: where every order was met by a call, nobody does.
    """

    items: ItemsByPart
    """Those of the text and of its parts."""
    claims: tuple[Claim, ...]
    told: tuple[SentencePart, ...]
    """Parts that deny nothing and set no condition."""
    statements: tuple[Statement, ...]
    """What was told as a fact before anything after it denied that."""
    denies: bool
    """It says of something that it was not done, or not surely."""
    plainly: bool
    """It denies with more than an "only" or a "still"."""
    troubled: bool
    """It tells of a state that rules an act out."""
    asks_back: bool
    """It asks the reader something."""
    wonders: bool
    """It asks or sets a condition, whoever is meant."""
    already: bool
    """It says that something was done before."""

    @cached_property
    def _shown(self) -> list[tuple[SentencePart, Presented]]:
        shown = [(each.part, _shown_in(each, self.items.text)) for each in self.statements]
        return [(part, how) for part, how in shown if how != "not"]

    @property
    def presented(self) -> Presented:
        """How its statements present an act as done, whatever its verb."""
        return max([how for _, how in self._shown], key=STRENGTHS.index, default="not")

    @property
    def presenting(self) -> list[SentencePart]:
        """The statements that do."""
        return [part for part, _ in self._shown]

    @property
    def asks(self) -> bool:
        """Whether it asks back, or says what it could do."""
        return self.asks_back or (self.wonders and self.presented == "not")

    @property
    def excuses(self) -> bool:
        """Whether it is open about something that was not done."""
        return self.denies or self.asks or self.troubled


_AUXILIARY_WORDS: Final = 4
_DOER_WORDS: Final = 5
_NEAR_WORDS: Final = 30
_SHORT_WORDS: Final = 5
"""Words of a part that is all claim: "request 5 approved"."""
_FINISHED_WORDS: Final = 7


def may_claim(text: str) -> bool:
    """Tell whether a text has a word without which no answer claims an effect; most answers have none."""
    return not _claiming().isdisjoint(word_texts(text))


@cache
def _claiming() -> frozenset[str]:
    told = [_telling_word(phrase) for phrase in all_words("finished")]
    return frozenset([*doing(), *told]) | all_words("perfect")


def _telling_word(phrase: str) -> str:
    """Give the last word of a phrase that few other texts have."""
    words = phrase.split(" ")  # ascii: one blank parts them
    return next((word for word in reversed(words) if word not in stop_words()), words[-1])


def answer_of(items: ItemsByPart, ordered: Collection[str], said_before: Collection[str] = ()) -> Answer:
    """Take an answer apart.

    items: the answer with its items. ordered: kinds of act that the user ordered, whose forms deny nothing: "rejected",
    where that was the order.
    said_before: the user's words; a state that they name ("offline") is what they ordered, no trouble.
    """
    harmless = ("harmless", "gone") if "delete" in ordered else ("harmless",)
    text, plain = items.text, unquoted(items.text)
    reading = _Reading(items)
    fact, conditional = True, False
    parts = parts_of(without_items(plain, items.whole if plain == text else items_of(plain)))
    for part, after in zip(parts, (*parts, None)[1:], strict=True):
        said = _without_own(_without(harmless, part.words))
        denials = _denials(said, ordered)
        denies = bool(denials)
        opens = (len(said) > 1 and not all_words("conditions").isdisjoint(said)) or _asks(part, said)
        opens = opens or (after is not None and not after.begins and _waits(said, after))
        own = part.begins or not all_words("doers").isdisjoint(said)
        conditional = opens if part.begins else conditional  # "when all is assigned, we set the dates"
        fact = not (denies or opens or conditional) and (fact or own)
        reading.denies |= denies
        reading.plainly |= not denials <= all_words("hedges")
        reading.troubled |= _is_troubled(said, said_before)
        if opens and not _is_courtesy(part):
            reading.wonders = True
            reading.asks |= not all_words("readers").isdisjoint(part.words)
        if fact:
            reading.take(part, is_before=not all_words("already").isdisjoint(said))
        elif denies and not part.begins:
            reading.take_back(is_reason=part.words[0] in all_words("reasons"))
        if own:
            reading.doer = part.words
    return reading.answer()


def _denials(said: Sequence[str], ordered: Collection[str]) -> frozenset[str]:
    """Give the words of a part that deny something: not those that tell of what was ordered."""
    found = all_words("denials").intersection(said)
    return found.difference(*(denying_forms(kind) for kind in ordered)) if found else found


def _waits(said: Sequence[str], after: SentencePart) -> bool:
    """Tell whether a part says what is so only under the condition after it: "it goes out only once you have paid"."""
    return not (all_words("limits").isdisjoint(said) or all_words("conditions").isdisjoint(after.words))


class _Reading:
    """What is read of an answer so far, part by part."""

    def __init__(self, items: ItemsByPart) -> None:
        self.denies = self.plainly = self.troubled = self.asks = self.wonders = False
        self.doer: tuple[str, ...] = ()
        """The words of the latest part with a doer of its own."""
        self._already = False
        self._items = items
        self._claims: list[Claim] = []
        self._told: list[SentencePart] = []
        self._statements: list[Statement] = []

    def take(self, part: SentencePart, *, is_before: bool) -> None:
        """Take a part as a fact; is_before: it says that something was so already."""
        self._told.append(part)
        claims = _claims(part, self._claims[-1:])
        finished = any(claim.by == "finished" for claim in claims)
        self._statements.append(Statement(part, () if part.begins else self.doer, finished, is_before))
        self._already |= is_before
        self._claims += claims

    def take_back(self, *, is_reason: bool) -> None:
        """Take the part before one that denies it for no fact: "invoice 8, however, was not"; is_reason: "since"."""
        if self._told and (is_reason or not (self._claims and self._claims[-1].part is self._told[-1])):
            self._told.pop()

    def answer(self) -> Answer:
        """Give what was read."""
        return Answer(
            items=self._items,
            claims=tuple(self._claims),
            told=tuple(self._told),
            statements=tuple(self._statements),
            denies=self.denies,
            plainly=self.plainly,
            troubled=self.troubled,
            asks_back=self.asks,
            wonders=self.wonders,
            already=self._already,
        )


def _shown_in(statement: Statement, text: str) -> Presented:
    """Tell how a statement of a text presents an act as done."""
    part = statement.part
    shown = presented(part, text, statement.doer)
    if statement.is_finished:
        announces = ":" in text[part.end - 1 : part.end]  # "Done: 21.5"
        shown = "not" if announces else stronger(shown, "begun")
    return "not" if statement.is_before and shown != "own" else shown


def _without(members: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    said = tuple(words)
    for member in members:
        said = phrases(member).without(said)
    return said


def _without_own(words: tuple[str, ...]) -> tuple[str, ...]:
    """Give words without those that deny where they are told of others, and are an act here: "I have declined"."""
    if all_words("denials").isdisjoint(words):
        return words  # as most parts
    begins = (all_words("doers"), all_words("perfect"))
    own = {word for before, word in pairwise(words) if any(before in each for each in begins) and word in doing()}
    return words if own.isdisjoint(all_words("denials")) else tuple([word for word in words if word not in own])


def _is_troubled(said: Sequence[str], said_before: Collection[str]) -> bool:
    numbers = [word for word in said if "0" <= word[:1] <= "9"]
    if said[0] in all_words("limits") and numbers:
        return True  # "only 40 are in stock"
    if numbers and all(word in said_before for word in numbers):
        said = phrases("most").without(tuple(said))  # "at most 70", where the user set 70
    found = phrases("troubles").find(said)
    return bool(found) and not any(word in said_before for word in found)


def _is_courtesy(part: SentencePart) -> bool:
    return bool(phrases("courtesy").find(part.words)) and not phrases("invites").find(part.words)


def _asks(part: SentencePart, said: Sequence[str]) -> bool:
    if _is_courtesy(part):
        return True  # it claims nothing either
    return part.asks or any(phrases(member).find(said) for member in ("asking", "offers"))


def _says_finished(words: Sequence[str]) -> bool:
    """Tell whether words say that all is done, perhaps after "that is" and the like."""
    at = 0
    while at < len(words) and not phrases("finished").words_at(words, at):
        if words[at] not in all_words("preludes"):
            return False
        at += 1
    return at < len(words)


def _claims(part: SentencePart, before: Sequence[Claim]) -> list[Claim]:
    """Give the claims of a part; before: the claim before it, whose doer goes on in a part without its own."""
    words = part.words
    start = 1 if words[0] in all_words("joints") and len(words) > 1 else 0
    found: list[Claim] = []
    if len(words) - start <= _FINISHED_WORDS and _says_finished(words[start:]):
        found.append(Claim((), "", "finished", part))
    for at in range(start, len(words)):
        by: By | None = None
        kinds: list[str] = []
        for kind, language in doing().get(words[at], ()):
            told_by = _by(words, start, at, language)
            if told_by is not None:
                by = by or told_by
                kinds.append(kind)
        if by is not None:
            if by == "bare" and at == start and not part.begins and before:
                by = before[0].by
            found.append(Claim(tuple(sorted(set(kinds))), words[at], by, part))
    return found


def _by(words: Sequence[str], start: int, at: int, language: ClaimWords) -> By | None:
    """Tell who is said to have done what a word names; None where nobody is."""
    before, after = words[max(start, at - _NEAR_WORDS) : at], words[at + 1 : at + _NEAR_WORDS]
    near = before[-_DOER_WORDS:]
    if not language.modals.isdisjoint(before if language.verb_last else near):
        return None
    if not language.leaving.isdisjoint(near):
        return None  # "I left it closed"
    if language.verb_last and not language.modals.isdisjoint(after):
        return None
    if words[at] in language.ends and after and after[0] not in language.auxiliaries:
        return None
    who = next((word for word in reversed(near) if word in language.doers or word in language.addressed), "")
    if who in language.doers or (language.verb_last and not language.doers.isdisjoint((*before, *after))):
        return "doer"
    if who:
        return None
    if language.name == "spanish" and words[at].endswith(("é", "amos")):
        return "doer"
    auxiliaries = before if language.verb_last else before[-_AUXILIARY_WORDS:]
    if not language.auxiliaries.isdisjoint(auxiliaries):
        return "passive"
    is_short = len(words) - start <= _SHORT_WORDS and not after
    return "bare" if not before or is_short else None
