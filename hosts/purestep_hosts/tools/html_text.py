"""Reduces an HTML page to the text that a reader sees, in time proportional to its length.

The standard library's HTMLParser takes minutes for half a megabyte of hostile markup in some of the Python
versions that this runs on, so tags are found here. Only what hides or separates text is understood.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator

_UNSEEN = frozenset({"head", "iframe", "noscript", "object", "script", "select", "style", "svg", "template"})
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "footer"),
        *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre"),
        *("section", "table", "td", "th", "title", "tr", "ul"),
    }
)
_TAG = re.compile(r"<(/?)([a-z][^\s/>]*+)", re.ASCII | re.IGNORECASE)
_REST_OF_TAG = re.compile(r"(?>[^\"'>]+|\"[^\"]*\"|'[^']*')*+>")
# Between these and their end tag everything is text, whatever it looks like.
_RAW_END = {name: re.compile(rf"</{name}\b", re.ASCII | re.IGNORECASE) for name in ("script", "style", "title")}


def html_text(page: str) -> str:
    """Return the visible text of `page`, its title first, one line a block."""
    parts: list[str] = []
    hidden: Counter[str] = Counter()
    in_title = False
    for piece, tag in _pieces(page):
        if not tag:
            if in_title or not hidden.total():
                parts.append(_unescaped(piece))
            continue
        name = tag.removeprefix("/")
        in_title = tag == "title"
        if tag == "body":
            hidden.clear()  # a head that was never closed ends here
        if name in _UNSEEN:
            hidden[name] = max(0, hidden[name] + (1 if tag == name else -1))
        if name in _BLOCKS:
            parts.append("\n")
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _pieces(page: str) -> Iterator[tuple[str, str]]:
    """Yield `(text, "")` for text and `("", "name")` or `("", "/name")` for tags, in order."""
    at, size = 0, len(page)
    while at < size:
        start = _found(page, "<", at)
        yield page[at:start], ""
        match = _TAG.match(page, start)
        if match:
            name = match[2].lower()
            yield "", match[1] + name
            at = _tag_end(page, match.end())
            if name in _RAW_END and not match[1]:
                end = _RAW_END[name].search(page, at)
                yield page[at : end.start() if end else size], ""
                at = end.start() if end else size
        elif page.startswith("<!--", start):
            at = _found(page, "-->", start + 4) + 3
        elif page.startswith(("<!", "<?", "</"), start):
            at = _found(page, ">", start) + 1
        else:
            yield page[start : start + 1], ""
            at = start + 1


def _tag_end(page: str, at: int) -> int:
    """Return where a tag ends, quoted values aside; a quote that never closes is taken as a letter."""
    rest = _REST_OF_TAG.match(page, at)
    return rest.end() if rest else _found(page, ">", at) + 1


def _found(page: str, what: str, at: int) -> int:
    place = page.find(what, at)
    return len(page) if place < 0 else place


def _unescaped(text: str) -> str:
    """Return one line of text with its character references replaced."""
    line = " ".join(text.split("\n"))
    try:
        return html.unescape(line)
    except ValueError:  # a numeric reference of thousands of digits
        return line
