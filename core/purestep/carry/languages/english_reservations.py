"""English: the words that tie an order to a condition, put it off, or take it back."""

from typing import Final

from .reservations import Reservations

ENGLISH_RESERVATIONS: Final = Reservations(
    conditions=(
        "if", "when", "whenever", "once", "unless", "until", "till", "til", "after", "before", "while", "whether",
        "as soon as", "as long as", "so long as", "in case", "on condition", "provided", "providing", "assuming",
        "supposing", "depending", "subject to", "otherwise", "else", "except", "but", "though", "although", "however",
        "maybe", "perhaps", "possibly", "probably", "might", "or so", "or more", "or less", "or whatever", "and so on",
        "and so forth", "and such", "and the like", "etc", "i guess", "i think", "i suppose", "i m not sure", "unsure",
        "undecided", "pending",
    ),
    delays=(
        "tomorrow", "tonight", "later", "soon", "eventually", "someday", "sometime", "some time", "some day", "one day",
        "morning", "afternoon", "evening", "night", "noon", "midnight", "weekend", "monday", "tuesday", "wednesday",
        "thursday", "friday", "saturday", "sunday", "next week", "next month", "next year", "next time", "next quarter",
        "in a bit", "in a while", "in a moment", "in a minute", "at some point", "end of day", "end of the day", "eod",
        "cob", "overnight", "every day", "every week", "every month", "daily", "weekly", "monthly",
    ),
    told=(
        "ask me first", "ask first", "ask me before", "ask before", "first ask", "asking me first", "ask me again",
        "check with me", "check first", "check back with me", "confirm with me", "confirm first", "first confirm",
        "let me confirm", "let me check", "let me know first", "show me first", "tell me first", "run it by me",
        "wait for me", "wait for my", "wait until i", "wait till i", "not yet", "not now", "don t do it",
        "do not do it", "don t send it", "don t actually", "do not actually", "when i say", "when i tell you",
        "until i say", "until i tell", "once i say", "unless i say", "if i say", "after i confirm", "once i confirm",
        "when i confirm", "if i confirm", "until i confirm", "unless i confirm", "after i approve", "once i approve",
        "when i approve", "if i approve", "until i approve", "only if i", "only when i", "only once i", "only after i",
        "with my approval", "on my signal", "on my mark", "on my go", "just kidding", "only kidding", "i m kidding",
        "am kidding", "kidding", "jk", "just joking", "i m joking", "am joking", "was joking", "only joking",
        "just a joke", "only a joke", "was a joke", "as a joke", "never mind", "nevermind", "nvm", "scratch that",
        "strike that", "forget it", "forget that", "forget about it", "forget i", "ignore that", "disregard",
        "take that back", "i take it back", "no wait", "wait no", "hold on", "hang on", "hold off", "on second thought",
        "on second thoughts", "changed my mind", "change my mind", "nah", "nope", "naw", "or not", "actually no",
        "actually not", "actually don t", "hypothetically", "in theory", "only an example", "just an example",
        "only a test", "just a test",
    ),
    vague=(
        "about", "around", "roughly", "approximately", "approx", "nearly", "almost", "circa", "ca", "over", "under",
        "up to", "at least", "at most", "more than", "less than", "no more than", "between", "maximum", "minimum",
        "max", "min", "half", "half of", "by",
    ),
    plain=("good morning", "good afternoon", "good evening", "good night", "after that", "after which"),
)  # fmt: skip
