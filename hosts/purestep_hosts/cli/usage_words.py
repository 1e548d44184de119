"""What is wrong with a command line, in words of this program instead of those of the libraries that found it."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = (
    (r"Input should be a valid integer.*", "expected a whole number"),
    (r"Input should be a valid number.*", "expected a number"),
    (r"Input should be greater than or equal to (\S+)", r"expected at least \1"),
    (r"Input should be less than or equal to (\S+)", r"expected at most \1"),
    (r"Value error, (.{1,200}) is not one of (.{1,200})", r"expected one of \2; got \1"),
    (r"Invalid value for '?(.{1,200}?)'?: ", r"\1: "),
    (r"Got unexpected extra argument\(s\) \((.{1,200})\)", r"more than expected: \1"),
    (r"Option '(.{1,200})' requires an argument", r"\1 needs a value"),
    (r"Option '(.{1,200})' does not take a value", r"\1 takes no value"),
    (r"Missing (?:option|argument|parameter) '?(.{1,200}?)'?(?=$|\. )", r"\1 is missing"),
    (r"Missing command", "a command is missing"),
    (r"No such command '([^']*)'\.?", r"there is no command \1"),
    (r"No such option: (\S+)", r"there is no option \1"),
    (r" \(Possible options: (.{1,200})\)", r" (near it: \1)"),
    (r" Did you mean (.{1,200})\?", r" (near it: \1)"),
)
"""What the libraries say, and what is said instead; what is not here, or is longer, stays as it is."""


def in_own_words(said: str) -> str:
    """Return the message of a library about a command line as one line in plain words."""
    text = " ".join(said.split()).rstrip(".")
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text or "a command is missing"
