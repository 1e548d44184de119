"""What a command line means: a command, or a question that is asked without naming one.

A first argument with a blank, a question mark or a Chinese character in it is a question, and `run` is left out. Every
other word is the name of a command, so that a mistyped one reaches no model.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any, Final

from typer.core import TyperGroup

from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.help_text import write_commands, write_options

RUN: Final = "run"

_QUESTION: Final = re.compile(
    r"\s|[?\u037e\u055e\u061f\u2047-\u2049\ufe16\ufe56\uff1f]|[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
)
"""A blank, the question marks of all scripts, or an ideograph: Chinese and Japanese put no blanks between words."""

_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*(=|$)", re.ASCII)
"""A question may begin with a dash, too."""

_LONG_CHARS: Final = 6
"""Of a name in which a second slip is forgiven, too; of a shorter one that would be half of the word."""

_MOST_CHARS: Final = 40
"""Of a word that is compared with names: no slip makes one longer."""

_OWN: Final = ("-h", "--help", "--version")
"""The options that stand alone."""


class QuestionOrCommand(TyperGroup):
    """The commands, with `run` where the arguments are a question."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; raises UsageError for words that are neither a command nor a question."""
        return super().parse_args(ctx, with_command(args, tuple(self.commands), _taking_values(self.commands[RUN])))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, and the commands in their groups."""
        write_options(self, ctx, formatter)
        write_commands(self, ctx, formatter)


def with_command(arguments: Sequence[str], commands: Sequence[str], valued: Collection[str] = ()) -> list[str]:
    """Return the arguments with `run` before those that ask a question; raises UsageError.

    valued: the options of `run` after which a value stands.
    """
    given = list(arguments)
    if not given or given[0] in (*_OWN, *commands):
        return given
    words = _words(given, valued)
    if not words:
        return given
    at, word = words[0]
    if word in ("-", "--"):
        return [RUN, *given]
    if word in commands:
        line = shlex.join(["purestep", word, *given[at + 1 :], *given[:at]])
        raise UsageError(f"options stand after the command: {line}")
    if not _QUESTION.search(word):
        raise UsageError(_no_command([word for _, word in words], commands))
    if word.startswith("-"):
        return [RUN, *given[:at], *given[at + 1 :], "--", word]
    return [RUN, *given]


def _words(given: Sequence[str], valued: Collection[str]) -> list[tuple[int, str]]:
    """Return the arguments that are neither an option nor its value, with their places."""
    return [
        (at, word)
        for at, (before, word) in enumerate(pairwise(["", *given]))
        if before not in valued and not _OPTION.match(word)
    ]


def _taking_values(command: Any) -> set[str]:
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    return {name for option in options if not option.is_flag for name in option.opts}


def _no_command(words: Sequence[str], commands: Sequence[str]) -> str:
    name = words[0]
    # Hardly anybody errs in the first letter but by the second one: "what" is not "chat".
    slips = {command: _slips(name.lower(), command) for command in commands if name[0].lower() in command[:2]}
    near = min(slips, key=lambda command: slips[command], default="")
    if near and slips[near] <= (2 if len(near) >= _LONG_CHARS else 1):
        return f"there is no command {name}; did you mean {near}?"
    if f"--{name}" in _OWN:
        return f"there is no command {name}; did you mean --{name}?"
    if len(words) > 1:
        return f'there is no command {name}; a question stands in quotes: purestep "{" ".join(words)}"'
    return f"there is no command {name}; purestep help lists them, and purestep run {name} asks that"


def _slips(typed: str, meant: str) -> int:
    """Return how many slips part two words: a letter too much, too little or wrong, or two that changed places."""
    rows = [list(range(len(meant) + 1))]
    for at, letter in enumerate(typed[:_MOST_CHARS], 1):
        row = [at]
        for to, other in enumerate(meant, 1):
            least = min(rows[-1][to] + 1, row[-1] + 1, rows[-1][to - 1] + (letter != other))
            if at > 1 and to > 1 and typed[at - 2 : at] == meant[to - 2 : to][::-1]:
                least = min(least, rows[-2][to - 2] + 1)
            row.append(least)
        rows.append(row)
    return rows[-1][-1]
