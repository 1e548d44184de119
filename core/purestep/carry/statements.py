"""Statements: SQL and commands that a tool takes as a text, and what their words tell of a call.

Such a tool may do anything, whatever its name: a "query" with a DELETE acts, and a shell that has run `ls` has not.
"""

import re
from functools import cache
from itertools import pairwise
from typing import Any, Final, Literal

from msgspec import Struct

from ..bounds import MAX_TOLD_CHARS
from ..values import ToolSpec
from .sources import name_words
from .words import word_texts

_SELECTING: Final = frozenset({"select", "show", "describe", "desc", "pragma"})
_ACTING: Final = frozenset({
    "insert", "update", "delete", "drop", "alter", "create", "truncate", "merge", "replace", "upsert", "grant",
    "revoke", "into", "call", "exec", "execute", "copy", "lock", "attach", "vacuum", "nextval", "setval",
})  # fmt: skip
_RUNNING: Final = frozenset({"execute", "exec", "call"})
"""What descriptions say of any statement: "Execute a SELECT query"."""
_QUERIES: Final = frozenset({"query", "statement", "queries", "statements"})
_COMMANDS: Final = frozenset({"command", "cmd", "commands"})
_LOOKING: Final = frozenset({
    "ls", "cat", "head", "tail", "wc", "grep", "egrep", "fgrep", "rg", "find", "du", "df", "pwd", "echo", "printf",
    "whoami", "id", "uname", "ps", "free", "uptime", "stat", "file", "which", "printenv", "tree", "cut", "tr",
    "sort", "nl", "diff", "cmp", "md5sum", "sha1sum", "sha256sum", "basename", "dirname", "realpath", "readlink", "jq",
    "dir", "cd", "lscpu", "nproc", "git status", "git log", "git diff", "git show", "git blame", "docker ps",
    "docker images", "docker logs", "kubectl get", "kubectl describe", "kubectl logs",
})  # fmt: skip
"""Programs that change nothing by themselves; with two words, those of their commands that do not."""


class StatementParameter(Struct, frozen=True):
    """The parameter of a tool that holds statements, and in which language."""

    name: str
    language: Literal["sql", "command"]


def statement_of(spec: ToolSpec) -> StatementParameter | None:
    """Give the parameter of a tool that holds SQL or a command; None where none does."""
    given = spec.parameters.get("properties")
    names = {name: name_words(name) for name in given} if isinstance(given, dict) else {}
    for name, words in names.items():
        if "sql" in words or (not _QUERIES.isdisjoint(words) and _says_sql(spec)):
            return StatementParameter(name, "sql")
    commands = [name for name, words in names.items() if not _COMMANDS.isdisjoint(words)]
    return StatementParameter(commands[0], "command") if commands else None


def _says_sql(spec: ToolSpec) -> bool:
    return any("sql" in word for word in (*name_words(spec.name), *word_texts(spec.description)))


def sql_access(spec: ToolSpec) -> Literal["none", "reads", "any"]:
    """Tell what SQL a tool takes: none, only what reads as its name or description says, or any."""
    statement = statement_of(spec)
    if statement is None or statement.language != "sql":
        return "none"
    said = [*name_words(spec.name), *word_texts(spec.description)]
    if "readonly" in said or ("read", "only") in pairwise(said):
        return "reads"
    looks = "read" in name_words(spec.name) or "select" in said
    return "reads" if looks and (_ACTING - _RUNNING).isdisjoint(said) else "any"


def changes_nothing(statement: StatementParameter, text: Any) -> bool:
    """Tell whether a text, as a statement, changes nothing; in doubt it may."""
    if not isinstance(text, str) or len(text) > MAX_TOLD_CHARS:
        return False
    if statement.language == "command":
        command = _hushing().sub(" ", text)
        return _writing().search(command) is None and all(map(_is_looking, _separator().split(command)))
    said = word_texts(text)
    return bool(said) and said[0] in _SELECTING and _ACTING.isdisjoint(said)


@cache
def _writing() -> "re.Pattern[str]":
    """Give the pattern of what makes any of them write or start another: a redirection, a command within, an option."""
    option = r"[ \t]-(?:delete|exec|execdir|ok|okdir|fprint|fls|o|-output)"
    return re.compile(rf"[>`]|\$\(|<\(|(?<!&)&(?!&)|{option}", re.ASCII)


@cache
def _hushing() -> "re.Pattern[str]":
    """Give the pattern of a redirection that only drops messages."""
    return re.compile(r"[12]?>(?:/dev/null|&1)(?![0-9A-Za-z/])", re.ASCII)


@cache
def _separator() -> "re.Pattern[str]":
    return re.compile(r"\|\|?|&&|;|\n", re.ASCII)


def _is_looking(command: str) -> bool:
    program, _, rest = command.replace("\t", " ").strip(" \r").partition(" ")
    return program in _LOOKING or f"{program} {rest.lstrip(' ').partition(' ')[0]}" in _LOOKING
