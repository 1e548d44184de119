"""Secrets and personal data that are known by their form.

Every pattern takes time linear in the text: repetitions are bounded, or cannot begin again inside themselves. A match
is what is hidden; a group named `it` narrows that to a part of the match.

Sources: the documented forms of the providers' keys, RFC 7519 (tokens), RFC 7468 (PEM), RFC 3986 (user information),
ISO/IEC 7812 (card numbers and their check digit), ISO 13616 (IBANs).
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from ..lazy import lazy_pattern
from ..values import SecretKind

_KEYS: Final = "|".join(
    [
        r"sk-[A-Za-z0-9_-]{16,}",  # OpenAI, Anthropic, OpenRouter and others
        r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
        r"(?:AKIA|ASIA)[A-Z0-9]{16}",  # AWS
        r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}",  # GitHub
        r"glpat-[A-Za-z0-9_-]{16,}",  # GitLab
        r"AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}",  # Google
        r"xox[abeoprs]-[A-Za-z0-9-]{10,}",  # Slack
        r"hf_[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{40,}",
        r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",  # SendGrid
    ]
)
_NAMES: Final = (
    r"pass(?:word|wd|phrase|wort)?|pwd|secret|api[_-]?key|(?:access|auth|refresh|client)[_-]?(?:token|secret|key)"
    r"|secret[_-]?access[_-]?key|private[_-]?key"
)


_IBAN_CHARS: Final = (15, 34)
"""The lengths of the shortest and the longest one."""


_SECRETS: Final = tuple(
    lazy_pattern(form, re.ASCII)
    for form in (
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-(?!----)[^-]*)*"
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        rf"(?<![A-Za-z0-9_-])(?:{_KEYS})",
        r"(?i:\b(?:bearer|basic) {1,4})(?P<it>[A-Za-z0-9._~+/-]{16,}={0,2})",
        r"://[^\s/:@\"'\\]{0,128}:(?P<it>[^\s/@\"'\\]{1,256})@",
        # A value of letters alone is more often a word of a sentence than a password.
        rf"(?<![A-Za-z])(?i:{_NAMES})\\?[\"']? {{0,2}}[:=] {{0,2}}\\?[\"']?"
        r"(?P<it>(?=[^\s\"'\\,;]{0,64}[0-9])[^\s\"'\\,;]{6,})",
    )
)
_EMAILS: Final = lazy_pattern(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])",
    re.ASCII,
)
_CARDS: Final = lazy_pattern(r"(?<![0-9])(?<![0-9][ .-])[2-6][0-9]{3}(?:[ -]?[0-9]){9,15}(?![0-9])", re.ASCII)
_IBANS: Final = lazy_pattern(r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]){11,30}", re.ASCII)
_ENDS_OF_WORDS: Final = lazy_pattern(r"(?<=[A-Z0-9])(?![A-Za-z0-9])", re.ASCII)


def secret_spans(kind: SecretKind, text: str) -> Iterator[tuple[int, int]]:
    """Return where a text has something of a kind, as [begin, end)."""
    return _FINDERS[kind](text)


def _secret_spans(text: str) -> Iterator[tuple[int, int]]:
    for form in _SECRETS:
        for found in form.finditer(text):
            yield found.span("it") if "it" in form.groupindex else found.span()


def _email_spans(text: str) -> Iterator[tuple[int, int]]:
    if "@" in text:
        yield from (found.span() for found in _EMAILS.finditer(text))


def _card_spans(text: str) -> Iterator[tuple[int, int]]:
    for found in _CARDS.finditer(text):
        if _has_check_digit([int(digit) for digit in found[0] if digit in "0123456789"]):
            yield found.span()


def _has_check_digit(digits: list[int]) -> bool:
    """Whether the last digit is the check digit of the others (Luhn)."""
    doubled = [sum(divmod(digit * 2, 10)) for digit in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _iban_spans(text: str) -> Iterator[tuple[int, int]]:
    """Return the IBANs of a text; words that follow one after a blank are no part of it."""
    for found in _IBANS.finditer(text):
        ends = [cut.start() for cut in _ENDS_OF_WORDS.finditer(found[0] + text[found.end() : found.end() + 1])]
        fitting = [end for end in ends if _has_check_digits(found[0][:end].replace(" ", ""))]
        if fitting:
            yield found.start(), found.start() + fitting[-1]


def _has_check_digits(iban: str) -> bool:
    """Whether the number that an IBAN stands for leaves 1 when it is divided by 97."""
    if not _IBAN_CHARS[0] <= len(iban) <= _IBAN_CHARS[1]:
        return False
    return int("".join([str(int(sign, 36)) for sign in iban[4:] + iban[:4]])) % 97 == 1


_FINDERS: Final[dict[SecretKind, Callable[[str], Iterator[tuple[int, int]]]]] = {
    "secrets": _secret_spans,
    "emails": _email_spans,
    "card_numbers": _card_spans,
    "ibans": _iban_spans,
}
