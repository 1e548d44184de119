"""Information flow: once text from the open world was read, what acts is called with the user's words or by a person.

What anybody may have written can hold instructions, and a model may follow them. It may translate, encode or split
what it was told, so no look at the text helps. One rule does: an argument of a tool that may act must stand in the
user's own words, or be given by the definition (`default`, `const`, a single choice); else a person is asked.

Theory of operation. A tool's results have labels: `open` where its annotations say `openWorldHint`, and whatever its
spec names in `labels`. What came along with a user message (`data`), or was attached to it, is `open`. Before anything
with a label was read, nothing is asked. After it, every text, number and truth value of a call is looked for in what
the user has said, whole: `/data` does not stand in `/data/anna`, nor `ok@b.example` in `not-ok@b.example`. Letters and
numbers have no exceptions: a long number may be the codes of letters, and a letter may be of a script that nobody
listed. A value that the user has not said carries all labels that were read. A call that says nothing carries them as
well, so that a tool without arguments is no way out.

Rules of the definition say otherwise where it knows better: `{"from": "open", "to": "save/text", "then": "allow"}`. A
label of one's own has no rule until the definition gives it one.

The state keeps the beginnings of texts, bounded: of the user's words, since what is past the bound is asked about; of
results, since a person who is asked is told which of them holds the value.

Sources: dynamic taint tracking and information flow control (Denning 1976), CaMeL (Debenedetti et al. 2025), MCP's
annotations.
"""

from .policy import POLICY

__all__ = ["POLICY"]
