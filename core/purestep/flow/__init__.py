"""Information flow: where the text of a call's arguments came from, and which calls a person has to see for that.

Theory of operation. What anybody may have written can hold instructions, and a model may follow them. So a tool's
results have labels: `open` where its annotations say `openWorldHint`, and whatever the definition names. An argument is
looked at by value, never by what the model says of it:

- A value that the user said, or that a result without labels holds, is trusted. It has to stand there whole: `/data`
  does not stand in `/data/anna`, nor `ok@b.example` in `not-ok@b.example`.
- A value that stands in a result with labels carries these.
- What came along with a user message and is not the user's (`data`) is looked at as a result with the label `open`.
- Any other value was worded by the model. Once it has read words with a label, such a value carries all labels that it
  has read: a model may translate, decode or rephrase what it was told. A number alone tells nobody what to do.

Empty texts and truth values count as values; an argument that has its schema's default says nothing, and nor does
null. A call that says nothing counts as worded by the model, so that a tool without arguments is no way out.
Rules say what becomes of a call into whose arguments a label flows (`FlowRules`); without one, `open` text in the
arguments of a destructive tool has a person asked. The result of a call whose arguments carry labels carries them on.

The state keeps the beginnings of texts, bounded, and not digests of their words. A digest short enough for a state can
be forged by whoever writes a page: a word is soon found that has the digest of a word that the user said. Digests of a
page take as much room as its text, and twenty times the time. What no longer fits is `lost`: any value may have come
from it, so that a bound that is passed asks more and never less.

`redaction` hides texts that must stand in no state and no log, before a step sees them.

Sources: dynamic taint tracking and information flow control (Denning 1976), CaMeL (Debenedetti et al. 2025), MCP's
annotations.
"""

from .frame import data_text, framed, unframed, with_data
from .redaction import Hidden, Redaction, revealed
from .rules import MODEL, OPEN, USER, FlowRules, FlowTool
from .standing import has_words, stands_in
from .tracing import Traced, edited_origins, trace

__all__ = [
    "MODEL",
    "OPEN",
    "USER",
    "FlowRules",
    "FlowTool",
    "Hidden",
    "Redaction",
    "Traced",
    "data_text",
    "edited_origins",
    "framed",
    "has_words",
    "revealed",
    "stands_in",
    "trace",
    "unframed",
    "with_data",
]
