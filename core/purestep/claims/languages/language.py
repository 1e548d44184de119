"""What a language's file holds: the words by which orders to act, claims of effects and denials are told."""

from msgspec import Struct


class Act(Struct, frozen=True):
    """The words of one kind of act: verbs that order it, and forms that say that it was done."""

    orders: frozenset[str]
    done: frozenset[str]


class ClaimWords(Struct, frozen=True, kw_only=True):
    """The data of one language; all words in lower case, as `words_of` folds them."""

    name: str
    acts: dict[str, Act]
    """By kind, the same kinds in all languages."""
    openings: tuple[str, ...]
    """Phrases before the verb of an order."""
    things: dict[str, tuple[str, ...]]
    """Nouns and the English ones that tools are named by."""
    loose: frozenset[str]
    """Verbs that often order a text, not a tool."""
    composing: frozenset[str]
    """Verbs that order a text, in which other words are not the user's orders."""
    doubts: frozenset[str]
    """Words that make an order unclear."""
    doers: frozenset[str]
    """Words for the one who answers, and may claim to have acted: "I", "we"."""
    addressed: frozenset[str]
    """Words for the reader and for others, who act themselves."""
    auxiliaries: frozenset[str]
    """Words before the participle of a passive."""
    modals: frozenset[str]
    """Verbs before what is possible, due or to come."""
    conditions: frozenset[str]
    """Words before what is not a fact."""
    denials: frozenset[str]
    """Words by which an answer says that something was not done, or not surely."""
    harmless: tuple[str, ...]
    """Phrases with words of `denials` that deny nothing."""
    already: frozenset[str]
    """Words for what was done before."""
    finished: tuple[str, ...]
    """Phrases that say that all is done."""
    asking: tuple[str, ...]
    """Phrases that ask the user for something."""
    courtesy: tuple[str, ...]
    """Phrases of offers that ask for nothing."""
    offers: tuple[str, ...]
    """Phrases that say what could be done."""
    joints: frozenset[str]
    """Words between two statements or two orders."""
    mine: frozenset[str]
    """Words for the user as the receiver of a text, which is then only shown."""
    units: frozenset[str]
    """What a number counts that says how long or how often."""
    texts: frozenset[str]
    """Words for parts of a text, which a model changes by itself."""
    preludes: frozenset[str]
    """Words before `finished` ("that is")."""
    firm: frozenset[str]
    """Verbs that mean no text, though most of their kind may."""
    participles: tuple[str, ...]
    """Patterns of words that tell what was done, whatever the verb."""
    irregular: frozenset[str]
    """Participles and pasts that have none of these patterns."""
    unlike: frozenset[str]
    """Words of these patterns that are none."""
    private: frozenset[str]
    """Participles and pasts of verbs that leave the world as it is: of reading, thinking, wording."""
    attributes: frozenset[str]
    """Words before a participle that only describes the noun after it."""
    present: frozenset[str]
    """Words that say that something holds from now on."""
    hedges: frozenset[str]
    """Those of `denials` that deny less than a plain "it is done" says."""
    troubles: tuple[str, ...]
    """Phrases by which a state rules out an act ("out of paper")."""
    polite: frozenset[str]
    """Words by which any statement asks for something."""
    subjects: frozenset[str]
    """Words that begin a statement or a question, not an order."""
    showing: frozenset[str]
    """Verbs that order something to be shown, told or found."""
    months: tuple[str, ...]
    """Names of the months, January first."""
    numbers: tuple[str, ...]
    """Words for numbers, from two on."""
    drafts: frozenset[str]
    """Words for a text that is only proposed."""
    limits: frozenset[str]
    """Words before how few there are, or before a condition."""
    interjections: frozenset[str]
    """Words before a statement that are no part of it."""
    yours: frozenset[str]
    """Words for what is the reader's."""
    days: frozenset[str]
    """Names of the days, and other words for when, which a call says in another way: "tomorrow", "o'clock"."""
    titles: frozenset[str]
    """Words before a person's name that no call has: "Mrs"."""
    perfect: frozenset[str]
    """Forms of the verb that a perfect has."""
    wording: frozenset[str]
    """Verbs that order a text."""
    ands: frozenset[str]
    """Words between the last two of a series."""
    gone: tuple[str, ...]
    """Those of `harmless` that tell of a deletion, and deny any other act."""
    progress: tuple[str, ...]
    """Patterns of words for what goes on."""
    idle: frozenset[str]
    """Words of these patterns that tell of no act."""
    becomes: frozenset[str]
    """Forms of the verb "to be"."""
    invites: tuple[str, ...]
    """Phrases that make a courtesy an offer of the act."""
    handing: frozenset[str]
    """Verbs that hand over or show, by who gets it."""
    reads: frozenset[str]
    """Words of names and descriptions of tools that only look."""
    places: frozenset[str]
    """Words before a name."""
    intents: tuple[str, ...]
    """Phrases by which users tell of what they will do themselves."""
    reasons: frozenset[str]
    """Words before why something is so."""
    failures: frozenset[str]
    """What a result calls a failure, as a member or a status."""
    failing: tuple[str, ...]
    """What a text begins with that tells of a failure: its words, in small letters, without apostrophes."""
    deadlines: frozenset[str]
    """Those of `doubts` that only set a time where they follow an order."""
    readers: frozenset[str]
    """Words for the reader."""
    leaving: frozenset[str] = frozenset()
    """Verbs that leave a thing as it is, before its state."""
    outcomes: frozenset[str] = frozenset()
    """Words that say how something ended, which one that was only begun does not yet know."""
    most: tuple[str, ...] = ()
    """Those of `troubles` that say how many there are at most, which is no trouble where the user said so."""
    general: frozenset[str] = frozenset()
    """Verbs that order any act on what a tool is known by."""
    ends: frozenset[str] = frozenset()
    """Forms of `done` that count at the end of a statement only."""
    figures: frozenset[str] = frozenset()
    """Nouns of what is only computed."""
    things_too: frozenset[str] = frozenset()
    """Verbs of names of tools that are names of things as well."""
    clitics: tuple[str, ...] = ()
    """Pronouns at the end of a verb that orders."""
    separable: tuple[tuple[str, str, str], ...] = ()
    """The first and the last word of an order, and its kind."""
    on: frozenset[str] = frozenset()
    """What orders to switch something on have."""
    off: frozenset[str] = frozenset()
    """What orders to switch something off have."""
    degrees: frozenset[str] = frozenset()
    """Units of what is measured: a number of them is no count."""
    completed: frozenset[str] = frozenset()
    """What something is marked as that is done."""
    assents: tuple[str, ...] = ()
    """Words of a message that only agrees to what was offered."""
    again: tuple[str, ...] = ()
    """Phrases that order once more what was ordered before."""
    verb_last: bool = False
    """An order may end with its verb."""
