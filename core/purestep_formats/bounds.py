"""The bounds of this package, each with the reason for its number; those that it shares are in `purestep`."""

from typing import Final

from purestep.bounds import MAX_DEPTH

# --- replies ------------------------------------------------------------------------------------------------

MAX_REPLY_CHARS: Final = 5_000_000
"""Text and arguments of one model reply: ten times what a 128k-token window can hold as text; past it a server is
stuck in a loop."""

MAX_CALL_NAME_CHARS: Final = 1_000
"""Of a call's name, after which pieces of it add nothing: no tool's name is as long."""

MAX_REPLY_CHOICES: Final = 128
"""Choices of a reply, of which one is asked for: the most that OpenAI's API gives."""

MAX_REPLY_CALLS: Final = 128
"""Tool calls in one reply: the most that the OpenAI API allows in one message."""

MAX_REPLY_PARTS: Final = 256
"""Typed parts of reasoning in one reply; a model that thinks between all its calls has two for each."""

MAX_SCORED_TOKENS: Final = 400
"""Tokens of a reply whose probabilities are read: 32 labels and one for none, of a few pieces each, and some beside."""

MAX_DECISION_CHARS: Final = 512
"""Characters of a reply in which it is decided what is called: a key or two and a tool's name."""

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

# --- grammars -----------------------------------------------------------------------------------------------

MAX_GRAMMAR_DIGITS: Final = 16
"""Digits of an integer or a fraction, as many as 2**53 has: a small model that may go on counting zeros does."""

MAX_EXPONENT_DIGITS: Final = 2
"""Digits of an exponent: with three, a number may be past the largest double, which no reader takes."""

MAX_INDEX_DIGITS: Final = 3
"""Digits of a call's number, where a form has one: it counts on through a conversation."""

MAX_GRAMMAR_RULES: Final = 4096
"""Rules of one grammar: a schema that needs more is held to the style alone."""

MAX_SPAN_TEXT_CHARS: Final = 600
"""Characters of one text of a conversation that arguments are copied from, half of them at either end: a long message
or two results; each word is a rule of every grammar."""

MAX_SPAN_TEXT_WORDS: Final = 90
"""Words of such a text, in the same way: as many as 600 characters of prose have."""

MAX_TOLD_FIGURES: Final = 256
"""Figures that an answer may take: six texts of 300 characters have fewer; those of long instructions are cut."""

# --- calls ------------------------------------------------------------------------------------------------

MAX_COMPARED_TAGS: Final = 64
"""Places in a value that are compared with a tag of another argument: more are a text about such tags."""
