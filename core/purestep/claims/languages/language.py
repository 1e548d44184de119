"""What a language's file holds: the words by which orders to act, claims of effects and denials are told."""

from msgspec import Struct


class Act(Struct, frozen=True):
    """The words of one kind of act: verbs that order it, and forms that say that it was done."""

    orders: frozenset[str]
    done: frozenset[str]


class ClaimWords(Struct, frozen=True, kw_only=True):
    """The data of one language; all words in lower case, as `words_of` folds them.

    acts: by kind, the same kinds in all languages. separable: the first and the last word of an order, and its kind.
    openings: phrases before the verb of an order, longest first. verb_last: an order may end with its verb. things:
    nouns and the English ones that tools are named by. loose: verbs that often order a text, not a tool. composing:
    verbs that order a text, in which other words are not the user's orders. doubts: words that make an order unclear.
    doers: who claims to have acted. addressed: the reader. auxiliaries: before the form of a passive. modals: before
    what is possible, due or to come. conditions: words before what is not a fact. denials: words by which an answer
    says that something was not done, or not surely. harmless: phrases with such words that deny nothing. already: words
    for what was done before. finished: phrases that say that all is done. asking: phrases that ask the user for
    something. courtesy: phrases of offers that ask for nothing. offers: phrases that say what could be done. joints:
    words between two statements or two orders. mine: the receiver of a text that is only shown. units: what a number
    counts that is a span of time. texts: what a model changes in a text by itself. preludes: words before `finished`
    ("that is"). firm: words of kinds that mostly mean texts, which mean none themselves. general: verbs that order any
    act on what a tool is known by. ends: forms of `done` that count at the end of a statement only. figures: nouns of
    what is only computed. things_too: verbs of names of tools that are names of things as well. participles: patterns
    of words that tell what was done, whatever the verb. irregular: such words without a pattern. unlike: words of a
    pattern that tell nothing of the kind. private: such forms of verbs that leave the world as it is: reading,
    thinking, wording. attributes: words before a participle that only describes the noun after it. present: words that
    say that something holds from now on. hedges: those of `denials` that deny less than a plain "it is done" says.
    troubles: phrases by which a state rules out an act ("out of paper"). polite: words by which any statement asks for
    something. places: words before a name. reads: words of names and descriptions of tools that only look. becomes:
    forms of the verb "to be". invites: phrases that make a courtesy an offer of the act. handing: verbs that hand over
    or show, by who gets it. gone: those of `harmless` that tell of a deletion, and deny any other act. progress:
    patterns of words for what goes on. idle: such words that tell of no act. ands: words between the last two of a
    series. perfect: forms of the verb that a perfect has. wording: verbs that order a text. yours: words for what is
    the reader's. weekdays: their names, and other words that a call says in another way or not at all: "tomorrow",
    "Mrs". interjections: words before a statement that are no part of it. limits: words before how few there are, or
    before a condition. drafts: words for a text that is only proposed. subjects: words
    that begin a statement or a question, not an order. showing: verbs that order something to be shown, told or found.
    months: their names, January first. numbers: words from two on. outcomes: words that say how something ended, which
    one that was only begun does not yet know. intents: phrases by which users tell of what they will do themselves.
    reasons: words before why something is so. failures: what a result calls a failure, as a member or a status.
    deadlines: those of `doubts` that only set a time where they follow an order. readers: words for the reader.
    clitics: pronouns at the end of a verb that orders.
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
    participles: tuple[str, ...]
    irregular: frozenset[str]
    unlike: frozenset[str]
    private: frozenset[str]
    attributes: frozenset[str]
    present: frozenset[str]
    hedges: frozenset[str]
    troubles: tuple[str, ...]
    polite: frozenset[str]
    subjects: frozenset[str]
    showing: frozenset[str]
    months: tuple[str, ...]
    numbers: tuple[str, ...]
    drafts: frozenset[str]
    limits: frozenset[str]
    interjections: frozenset[str]
    yours: frozenset[str]
    weekdays: frozenset[str]
    perfect: frozenset[str]
    wording: frozenset[str]
    ands: frozenset[str]
    gone: tuple[str, ...]
    progress: tuple[str, ...]
    idle: frozenset[str]
    becomes: frozenset[str]
    invites: tuple[str, ...]
    handing: frozenset[str]
    reads: frozenset[str]
    places: frozenset[str]
    intents: tuple[str, ...]
    reasons: frozenset[str]
    failures: frozenset[str]
    deadlines: frozenset[str]
    readers: frozenset[str]
    outcomes: frozenset[str] = frozenset()
    general: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    figures: frozenset[str] = frozenset()
    things_too: frozenset[str] = frozenset()
    clitics: tuple[str, ...] = ()
    separable: tuple[tuple[str, str, str], ...] = ()
    verb_last: bool = False
