"""Reduces an HTML page to the text that a reader sees, in time proportional to its length.

The standard library's HTMLParser takes minutes for half a megabyte of hostile markup in some of the Python
versions that this runs on, and no bundle for the web carries it, so tags are found here. Only what hides or
separates text is understood.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from purestep_tools.character_references import unescaped

# Elements whose inside no reader sees.
UNSEEN = frozenset({"head", "iframe", "noscript", "object", "script", "select", "style", "svg", "template"})
# Elements that begin and end a line.
BLOCKS = frozenset(
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
# Upper case is ASCII's, as in the names of HTML.
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
# Spelled out, because what \s and str.split take for white space is a table of the Python release.
_SPACES = re.compile("[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def html_text(page: str) -> str:
    """Return the visible text of `page`, its title first, one line a block."""
    parts: list[str] = []
    hidden: Counter[str] = Counter()
    in_title = False
    for piece, tag in _pieces(page):
        if not tag:
            if in_title or not hidden.total():
                parts.append(unescaped(piece.replace("\n", " ")))
            continue
        name = tag.removeprefix("/")
        in_title = tag == "title"
        if tag == "body":
            hidden.clear()  # a head that was never closed ends here
        if name in UNSEEN:
            hidden[name] = max(0, hidden[name] + (1 if tag == name else -1))
        if name in BLOCKS:
            parts.append("\n")
    lines = (_SPACES.sub(" ", line).strip(" ") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _pieces(page: str) -> Iterator[tuple[str, str]]:
    """Yield `(text, "")` for text and `("", "name")` or `("", "/name")` for tags, in order."""
    at, size = 0, len(page)
    while at < size:
        start = _found(page, "<", at)
        yield page[at:start], ""
        match = _TAG.match(page, start)
        if match:
            name = match[2].translate(_LOWER)
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
