"""What a language's file holds: the words by which requests are split, grounded and routed."""

from msgspec import Struct

from .clock import Clock
from .denials import Denials


def words(text: str) -> frozenset[str]:
    """Give the words of a text that are parted by white space."""
    return frozenset(word for word in text.replace("\n", " ").split(" ") if word)


class Language(Struct, frozen=True, kw_only=True):
    """The data of one language; all words in lower case, as `words_of` folds them.

    stop_words: words that say nothing of the task. clause_words: a step may begin after one ("then"), longest
    first. backward_words: they refer to what came before ("it"). number_words: a word and its value. number_joints:
    words between two numbers that only join them. operators: a word or phrase and the sign it stands for. folded: a
    phrase before two numbers ("the sum of") and sign. reversed: the same, where the second number comes first
    ("subtract 3 from 10"). percent: words for a share of. closing: words of a request's end that belong to no value
    ("today"). content: parameters that take all that is said. musing: how questions begin that ask for an opinion
    or an explanation. courtesies: how thanks and wishes begin. opinion: phrases that ask for one in any place ("do
    you think"). ability: how questions begin that ask what can be done. pointing: words that point at something of
    its own ("my"). subjects: words that a statement begins with. persons: those of them that a verb always follows.
    pronouns: subjects within one. finite: verbs that follow a subject and order nothing. wishes: words by which a
    statement asks for something ("need"). tags: how a statement ends that asks to be agreed with. leads: a value
    may follow directly ("called"). telling: leads that all that follows belongs to ("that"). places: words before a
    part of the request ("in", "for"). slots: a parameter's word and the words before its value ("to" before a
    recipient). short: a parameter's word and its abbreviation. counts: a parameter's word and the words before its
    number ("last" before a tail). money: a word and the code of the currency that it names. opening: words of a
    request's beginning that belong to no value ("please"). suffixes: endings that a stem drops. kin: groups of
    words that ask for the same kind of act. small_talk: words of greeting and thanks. joints: clause words that
    join within a value, too. times: words that say when. polite: words that begin an order in the form of a
    question. acting: verbs of tools' names that change something ("delete"). reading: verbs of those that only look
    ("get"). verb_kin: verbs that order the same, beside kin, where they stand first. order_openings: phrases before
    the verb of an order ("could you"). doubt: words that make an order unclear ("already"). denials: how an order
    says that something be left undone. withdrawing: words that take a request back ("forget it"). inflected:
    endings of verbs that do not order ("refunded"). verb_last: a polite order may end with its verb. asking: words
    that begin a question. looking: verbs that order something to be shown or found. not_looking: phrases that begin
    with one and order something else ("get rid"). naming: words before a name ("called"). acting_first: verbs of
    tools' names that are names of things as well. series: words that join the last of several values ("Paris and
    Rome"). alternatives: those that join what may be chosen ("or"). pairing: words before two values that belong
    together ("between"). articles: small words that may stand before each of several. paths: words for what a path
    leads to, folders first. single: words of parameters that name one thing each ("city"). joint_names: words of
    those whose names may hold "and" ("band"). joined_names: names that do. capitals: whether only names have one
    within a sentence. stops: words at which a name ends ("is"). units: words beside a number that say what it
    counts ("percent"). clock: words for dates, times and lengths of time. measures: a unit's names and its sign
    ("miles"). compositions: kinds of texts that a model writes by itself ("poem"). frequent_verbs: common verbs that
    may begin an order and are never names. told_by: a phrase and the word that says the same ("in total", "add").
    before_pronouns: words after which "one" counts nothing ("each one"). single_leads: leads after which one word is
    the value ("the word"). referring: words for what a sentence before named, beside backward_words ("her").
    backward_phrases: phrases that refer to what came before, if no value follows ("the number").
    letter: the word for what a single letter is.
    composing: verbs by which a text is ordered ("write"). placing: words before what takes it ("as a note"). general:
    how a question of any case begins ("is it"), the word after its adjective ("to"), and words in between that make it
    one of a case ("going"). back: the word for what a step before gave. contents: words of tools that give a text.
    fetching: verbs of those. looking_phrases: beginnings of orders to show something ("give me"). removing: verbs that
    take something away ("delete"). making: verbs of tools that make or send something ("write"). quantities: words for
    how many or which of some, which name none ("everything"). universals: those that leave none out. fillers: words
    that take nothing from an order and add nothing to it ("quickly"). around: words before what something is a part of,
    or near ("inside"). opposites: a word and those of a tool's name that it contradicts ("off", "on"). thousands: the
    sign that parts a number's thousands. subunits: units that are a part of one of money ("cents").
    """

    name: str
    stop_words: frozenset[str]
    clause_words: tuple[str, ...]
    backward_words: frozenset[str]
    number_words: dict[str, int]
    operators: dict[str, str]
    number_joints: frozenset[str]
    folded: dict[str, str]
    reversed: dict[str, tuple[str, str]]
    percent: tuple[str, ...]
    closing: frozenset[str]
    content: frozenset[str]
    musing: tuple[str, ...]
    courtesies: tuple[str, ...]
    opinion: tuple[str, ...]
    ability: tuple[str, ...]
    pointing: frozenset[str]
    subjects: frozenset[str]
    persons: frozenset[str]
    pronouns: frozenset[str]
    finite: frozenset[str]
    wishes: frozenset[str]
    tags: tuple[str, ...]
    leads: frozenset[str]
    telling: frozenset[str]
    places: frozenset[str]
    slots: dict[str, tuple[str, ...]]
    short: dict[str, str]
    counts: dict[str, tuple[str, ...]]
    money: dict[str, str]
    opening: frozenset[str]
    suffixes: tuple[str, ...]
    kin: tuple[tuple[str, ...], ...]
    small_talk: frozenset[str]
    joints: frozenset[str]
    times: frozenset[str]
    polite: frozenset[str]
    acting: frozenset[str]
    reading: frozenset[str]
    verb_kin: tuple[tuple[str, ...], ...]
    order_openings: tuple[str, ...]
    doubt: frozenset[str]
    denials: Denials
    withdrawing: frozenset[str]
    inflected: tuple[str, ...]
    verb_last: bool
    asking: frozenset[str]
    looking: frozenset[str]
    not_looking: tuple[str, ...]
    acting_first: frozenset[str]
    capitals: bool
    naming: frozenset[str]
    stops: frozenset[str]
    units: frozenset[str]
    series: frozenset[str]
    alternatives: frozenset[str]
    pairing: frozenset[str]
    articles: frozenset[str]
    paths: tuple[str, ...]
    single: frozenset[str]
    joint_names: frozenset[str]
    joined_names: frozenset[str]
    clock: Clock
    measures: dict[str, str]
    compositions: frozenset[str]
    frequent_verbs: frozenset[str]
    told_by: dict[str, str]
    before_pronouns: frozenset[str]
    single_leads: frozenset[str]
    referring: frozenset[str]
    letter: str
    backward_phrases: tuple[str, ...]
    back: str
    contents: frozenset[str]
    fetching: frozenset[str]
    looking_phrases: frozenset[str]
    removing: frozenset[str]
    making: frozenset[str]
    quantities: frozenset[str]
    universals: frozenset[str]
    fillers: frozenset[str]
    around: frozenset[str]
    opposites: dict[str, tuple[str, ...]]
    thousands: str
    subunits: frozenset[str]
    composing: frozenset[str]
    placing: frozenset[str]
    general: tuple[tuple[str, ...], str, frozenset[str]]
