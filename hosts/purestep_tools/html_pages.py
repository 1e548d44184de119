"""Extracts the visible text of an HTML page in linear time.

The standard library's HTMLParser takes minutes for half a megabyte of hostile markup in some supported
Python versions, and is not part of the web bundle, so tags are parsed here. Only elements that hide or separate text
are recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from purestep_tools.character_references import unescaped

# Elements whose content is not visible.
UNSEEN = frozenset({"head", "iframe", "noscript", "object", "script", "select", "style", "svg", "template"})
# Block elements: they start and end a line.
BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "footer"),
        *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre"),
        *("section", "table", "td", "th", "title", "tr", "ul"),
    }
)
# A "<" that starts no tag, comment or declaration is text.
_TEXT = re.compile(r"(?>[^<]+|<(?![A-Za-z/!?]))*+")
_TAG = re.compile(r"<(/?)([a-z][^\s/>]*+)", re.ASCII | re.IGNORECASE)
_UNQUOTED = re.compile("[^\"'>]*+")
# Everything between these and their end tag is text.
_RAW_END = {name: re.compile(rf"</{name}\b", re.ASCII | re.IGNORECASE) for name in ("script", "style", "title")}
# Upper case is ASCII's, as in the names of HTML.
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
# Listed, because \s and str.split depend on the Unicode tables of the Python release.
_SPACES = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def html_text(page: str) -> str:
    """Return the visible text of `page`, the title first, each block on its own line."""
    parts: list[str] = []
    hidden: dict[str, int] = {}
    in_title = False
    for piece, tag in _pieces(page):
        if not tag:
            if in_title or not hidden:
                parts.append(unescaped(piece.replace("\n", " ")))
            continue
        in_title = tag == "title"
        if tag == "body":
            hidden.clear()  # an unclosed head ends here
        name = tag.removeprefix("/")
        if name in UNSEEN:
            _count(hidden, name, 1 if tag == name else -1)
        elif name in BLOCKS:
            parts.append("\n")
    lines = (_SPACES.sub(" ", line).strip(" ") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _count(hidden: dict[str, int], name: str, change: int) -> None:
    """Count the start or end of a hidden element; `hidden` holds the open ones."""
    hidden[name] = hidden.get(name, 0) + change
    if hidden[name] <= 0:
        del hidden[name]


def _pieces(page: str) -> Iterator[tuple[str, str]]:
    """Yield `(text, "")` for text and `("", "name")` or `("", "/name")` for tags, in order."""
    at, size = 0, len(page)
    tags = _Tags(page)
    while at < size:
        start, at = at, _end(_TEXT, page, at)
        yield page[start:at], ""
        match = _TAG.match(page, at)
        if match:
            name = match[2].translate(_LOWER)
            yield "", match[1] + name
            at = tags.end(match.end())
            if name in _RAW_END and not match[1]:
                end = _RAW_END[name].search(page, at)
                yield page[at : end.start() if end else size], ""
                at = end.start() if end else size
        elif page.startswith("<!--", at):
            at = _found(page, "-->", at + 4) + 3
        elif at < size:
            at = _found(page, ">", at) + 1


class _Tags:
    """Finds the ends of tags, each part of the page being looked at a few times at most.

    A tag whose quotes leave it without an end is read to the end of the page. The opening quotes met on the way are
    remembered: whatever tag comes to one of them later has no end either.
    """

    def __init__(self, page: str) -> None:
        self._page = page
        self._dead: set[int] = set()

    def end(self, at: int) -> int:
        """Return the end of the tag whose name ends here, skipping quoted values.

        Where that leaves it without an end, quotes are ordinary characters.
        """
        page, start, opened = self._page, at, list[int]()
        while True:
            at = _end(_UNQUOTED, page, at)
            if page.startswith(">", at):
                return at + 1
            closing = page.find(page[at], at + 1) if at < len(page) and at not in self._dead else -1
            if closing < 0:
                self._dead.update(opened)
                self._dead.add(at)
                return _found(page, ">", start) + 1
            opened.append(at)
            at = closing + 1


def _end(pattern: re.Pattern[str], page: str, at: int) -> int:
    match = pattern.match(page, at)
    return match.end() if match else at


def _found(page: str, what: str, at: int) -> int:
    place = page.find(what, at)
    return len(page) if place < 0 else place
