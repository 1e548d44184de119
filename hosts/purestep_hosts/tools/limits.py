"""What the built-in tools may use: one table for native hosts and for web/src/tools, which has it as generated data.

Units stand in the names. The lengths of arguments are not in the tools' schemas, because a bound there would go into
every prompt and grammar.
"""

from __future__ import annotations

from typing import Final

MAX_RESULT_BYTES: Final = 1_000_000
"""Of one tool's result: of UTF-8 for a text, of JSON for other values. It bounds memory only; the core cuts what a
model reads. 64 results at once, the most that a run can have, fit the core's input."""

MAX_RESULT_DEPTH: Final = 56
"""Levels of lists and objects in one tool's result: with what states and logs wrap around it, it keeps to the core's
64 on every host."""

TOOL_TIME_LIMIT_MS: Final = 10_000
"""Of a tool that sets no limit of its own."""

MAX_URL_CHARS: Final = 2000
"""Of an address: browsers and servers take about as many."""

MAX_REDIRECTS: Final = 5
"""Browsers allow 20; honest sites need two or three."""

MAX_PAGE_BYTES: Final = 320 * 1024
"""The text of a long article with its markup. A byte that is no text becomes a character of three: that still fits a
result."""

PAGE_CUT_NOTICE: Final = f"\n[cut: the page has more than {MAX_PAGE_BYTES} bytes; this is the text of the first ones]"
"""Ends the text of a page that was not read to its end."""

FETCH_TIME_LIMIT_MS: Final = 30_000
"""Of one fetch with its redirects."""

REDIRECT_STATUSES: Final = (301, 302, 303, 307, 308)

TEXT_TYPE_STARTS: Final = ("text/", "application/json", "application/xml", "application/xhtml+xml")
TEXT_TYPE_ENDS: Final = ("+json", "+xml")
HTML_TYPES: Final = ("text/html", "application/xhtml+xml")

ACCEPTED_TYPES: Final = "text/html, text/*, application/json"
"""What a fetch asks for."""

MAX_NOTE_CHARS: Final = 2000
MAX_NOTE_QUERY_CHARS: Final = 200
MAX_NOTES_FOUND: Final = 20
"""More than a small model can use; the newest are given."""
