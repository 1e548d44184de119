"""What a language's file holds: the words by which orders to act, claims of effects and denials are told."""

from msgspec import Struct


class Act(Struct, frozen=True):
    """The words of one kind of act: verbs that order it, and forms that say that it was done."""

    orders: frozenset[str]
    done: frozenset[str]


class ClaimWords(Struct, frozen=True, kw_only=True):
    """The data of one language; all words in lower case, as `words_of` folds them.

    acts: by kind, the same kinds in all languages. separable: the first and the last word of an order, and its kind.
    openings: phrases before the verb of an order, longest first. verb_last: an order may end with its verb.
    things: nouns and the English ones that tools are named by. loose: verbs that often order a text, not a tool.
    composing: verbs that order a text, in which other words are not the user's orders. doubts: words that make an order
    unclear. doers: who claims to have acted. addressed: the reader. auxiliaries: before the form of a passive.
    modals: before what is possible, due or to come. conditions: words before what is not a fact. denials: words by
    which an answer says that something was not done, or not surely. harmless: phrases with such words that deny
    nothing. already: words for what was done before. finished: phrases that say that all is done. asking: phrases that
    ask the user for something. courtesy: phrases of offers that ask for nothing. offers: phrases that say what could be
    done. joints: words between two statements or two orders. mine: the receiver of a text that is only shown.
    units: what a number counts that is a span of time. texts: what a model changes in a text by itself.
    preludes: words before `finished` ("that is"). firm: words of kinds that mostly mean texts, which mean none
    themselves. general: verbs that order any act on what a tool is known by. ends:
    forms of `done` that count at the end of a statement only. figures: nouns of what is only computed.
    """

    name: str
    acts: dict[str, Act]
    openings: tuple[str, ...]
    things: dict[str, tuple[str, ...]]
    loose: frozenset[str]
    composing: frozenset[str]
    doubts: frozenset[str]
    doers: frozenset[str]
    addressed: frozenset[str]
    auxiliaries: frozenset[str]
    modals: frozenset[str]
    conditions: frozenset[str]
    denials: frozenset[str]
    harmless: tuple[str, ...]
    already: frozenset[str]
    finished: tuple[str, ...]
    asking: tuple[str, ...]
    courtesy: tuple[str, ...]
    offers: tuple[str, ...]
    joints: frozenset[str]
    mine: frozenset[str]
    units: frozenset[str]
    texts: frozenset[str]
    preludes: frozenset[str]
    firm: frozenset[str]
    general: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    figures: frozenset[str] = frozenset()
    separable: tuple[tuple[str, str, str], ...] = ()
    verb_last: bool = False
