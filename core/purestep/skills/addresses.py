"""Values whose form says what they are: e-mail addresses and addresses in the web."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from ..carry import clause_of

_ENDINGS: Final = (
    "com|org|net|edu|gov|info|biz|io|dev|app|ai|eu|de|at|ch|fr|es|it|nl|be|uk|ie|pl|pt|se|no|dk|fi|cz|ru|us|ca|au|nz|jp"
    "|cn|kr|br|mx|ar|za|tr|gr"
)
"""Last labels of hosts that are written without a scheme; others are endings of files or abbreviations, too."""


@cache
def _bare_hosts() -> "re.Pattern[str]":
    label = "[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,61}[A-Za-z0-9\u00c0-\u024f])?"
    before, after = "(?<![A-Za-z0-9\u00c0-\u024f@._/+-])", "(?![A-Za-z0-9\u00c0-\u024f@_-]|\\.[A-Za-z0-9])"
    rest = "(?::[0-9]{1,5})?(?:[/?#][^\\s<>\"'`\u00ab\u00bb\u201c-\u201f\u3000-\u303f\uff01-\uff1f]{0,2000})?"
    return re.compile(rf"{before}(?:{label}\.){{1,4}}(?:{_ENDINGS})(?=[:/?#]|{after}){rest}", re.ASCII)


def emails_in(text: str) -> tuple[tuple[str, int], ...]:
    """Give the e-mail addresses of a text, and where each stands."""
    return tuple([(span.value, span.start) for span in clause_of(text).spans if span.kind == "email"])


def urls_in(text: str) -> tuple[tuple[str, int], ...]:
    """Give the web addresses of a text, with a scheme, `www` or a known ending, and where each stands."""
    spans = [span for span in clause_of(text).spans if span.kind in ("url", "email")]
    taken = marked(text, [(text[span.start : span.end], span.start) for span in spans])
    found = [(span.value, span.start) for span in spans if span.kind == "url"]
    for match in _bare_hosts().finditer(text):
        if not any(taken[match.start() : match.end()]):
            found.append((match[0].rstrip(".,;:!?)]}"), match.start()))
    return tuple(sorted(found, key=lambda each: each[1]))


def marked(text: str, found: Iterable[tuple[str, int]]) -> bytearray:
    """Give a byte for each character of a text, 1 where one of the values stands."""
    marks = bytearray(len(text))
    for value, start in found:
        marks[start : start + len(value)] = b"\x01" * len(value)
    return marks
