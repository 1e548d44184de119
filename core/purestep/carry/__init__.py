"""What carries a small model: the words of a request, the values in them, and the tools that they ask for.

Theory of operation. A request is split into parts; a part that asks for a tool is a step. For a step the tools are
ranked by the words and typed values of its part (`Router`), and each argument gets the values that stand in the user's
words or in earlier results (`ground`). A model is then asked only for what is left open, and not at all where one call
is left. Nothing here knows of a run: all of it is text and tools in, values out, the same on every host.

Sources: inverse document frequency (word overlap), copy mechanisms (values are copied, never made up).
"""

from ..text import Scalar, WrittenValues, WrittenWords, amounts_of, first_absent, said_texts, shortens_hash
from .choosing import NO_TOOL, chosen_among, chosen_of_all
from .clauses import Words, clause_of, trimmed, words_in
from .grounding import Grounded, ground
from .languages import LANGUAGES, words
from .orders import asks, only_looks, reads_only, withdraws
from .plan import Plan, plan_of
from .routing import DROPPED, MARGIN, SURE, THRESHOLD, Route, Router
from .sources import SOURCE_KEYWORD, SOURCES, Parameter, name_words, parameters_of
from .spans import Span
from .statements import StatementParameter, changes_nothing, sql_access, statement_of
from .talk import asks_ability, holds_value, is_greeting, is_musing, is_small_talk
from .words import Word, fold, is_word_character, language_of, word_texts, words_of
