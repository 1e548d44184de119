"""Statements: SQL that a tool takes as a text, and what its words tell of the call.

Such a tool may do anything, whatever its name: "query" with a DELETE acts, and "execute_sql" with a SELECT has not.
"""

from itertools import pairwise
from typing import Any, Final

from ..bounds import MAX_TOLD_CHARS
from ..carry import name_words, word_texts
from ..values import ToolSpec

_LOOKING: Final = frozenset({"select", "show", "describe", "desc", "pragma"})
_ACTING: Final = frozenset({
    "insert", "update", "delete", "drop", "alter", "create", "truncate", "merge", "replace", "upsert", "grant",
    "revoke", "into", "call", "exec", "execute", "copy", "lock", "attach", "vacuum", "nextval", "setval",
})  # fmt: skip
_RUNNING: Final = frozenset({"execute", "exec", "call"})
"""What descriptions say of any statement: "Execute a SELECT query"."""
_QUERIES: Final = frozenset({"query", "statement", "queries", "statements"})


def statement_of(spec: ToolSpec) -> str:
    """Give the parameter of a tool that holds SQL; "" where none does."""
    given = spec.parameters.get("properties")
    names = list[str](given) if isinstance(given, dict) else []
    for name in names:
        if "sql" in name_words(name):
            return name
    if not any("sql" in word for word in (*name_words(spec.name), *word_texts(spec.description))):
        return ""
    return next((name for name in names if not _QUERIES.isdisjoint(name_words(name))), "")


def says_read_only(spec: ToolSpec) -> bool:
    """Tell whether a tool's name or description says that its statements only read."""
    said = [*name_words(spec.name), *word_texts(spec.description)]
    if "readonly" in said or ("read", "only") in pairwise(said):
        return True
    return ("read" in name_words(spec.name) or "select" in said) and (_ACTING - _RUNNING).isdisjoint(said)


def only_selects(statement: Any) -> bool:
    """Tell whether a statement only reads; one in doubt acts."""
    if not isinstance(statement, str) or len(statement) > MAX_TOLD_CHARS:
        return False
    said = word_texts(statement)
    return bool(said) and said[0] in _LOOKING and _ACTING.isdisjoint(said)
