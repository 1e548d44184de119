"""The bounds of this package, each with the reason for its number; those that it shares are in `purestep`."""

from typing import Final

from purestep.bounds import MAX_DEPTH

# --- replies ------------------------------------------------------------------------------------------------

MAX_REPLY_CHARS: Final = 5_000_000
"""Text and arguments of one model reply: ten times what a 128k-token window can hold as text; past it a server is
stuck in a loop."""

MAX_REPLY_CALLS: Final = 128
"""Tool calls in one reply: the most that the OpenAI API allows in one message."""

MAX_REPLY_PARTS: Final = 256
"""Typed parts of reasoning in one reply; a model that thinks between all its calls has two for each."""

MAX_SCORED_TOKENS: Final = 400
"""Tokens of a reply whose probabilities are read: 32 labels and one for none, of a few pieces each, and some beside."""

MAX_PARAMETER_CHARS: Final = 256
"""Characters of a parameter's name or text: a model's name, a stop sequence; a longer one is a prompt or a grammar."""

MAX_REPLY_LINE_BYTES: Final = 4 * 1024 * 1024
"""One line or body that a host reads: a whole completion can come as one line, four bytes for each of a million
characters."""

MAX_ERROR_BODY_CHARS: Final = 65_536
"""Of an error reply's body, what a host hands over: it says why in a line or two."""

MIN_HIDDEN_INSIDE_CHARS: Final = 8
"""Of a key, to be hidden inside other words too: keys of providers have 20 and more, while local servers are given "x"
or "none", which stand in words that say something else."""

# --- projections --------------------------------------------------------------------------------------------

MAX_PROJECTION_DEPTH: Final = MAX_DEPTH + 8
"""Nesting of a projection that is handed back: it holds outputs of a log's lines some levels further in."""
