"""The help of commands: options and commands in groups, as plain text that a pipe can take.

The groups are those that typer calls panels; its own drawing of them takes a third of a second longer.
"""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperCommand

from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError

EXIT_CODES: Final = "exit-codes"
"""What `purestep help` takes beside the names of commands."""

_FEW: Final = 10
"""Up to so many options need no groups."""


class GroupedCommand(TyperCommand):
    """A command whose help has its options in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments and the options."""
        write_options(self, ctx, formatter)


def write_options(command: Any, ctx: Any, formatter: Any) -> None:
    """Write a command's arguments, and its options by their groups, in the order of each group's first one."""
    arguments: list[tuple[str, str]] = []
    groups: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx)
        if record is None:
            continue
        if parameter.param_type_name == "argument":
            arguments.append(record)
        else:
            groups.setdefault(getattr(parameter, "rich_help_panel", None) or "Options", []).append(record)
    if sum(map(len, groups.values())) <= _FEW:
        groups = {"Options": [record for group in groups.values() for record in group]}
    last = groups.pop("Options")
    for name, records in (("Arguments", arguments), *groups.items(), ("Options", last)):
        if records:
            with formatter.section(name):
                formatter.write_dl(records)


def write_commands(group: Any, ctx: Any, formatter: Any) -> None:
    """Write a group's commands, by the groups of their own."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        panel = getattr(command, "rich_help_panel", None)
        sections.setdefault(panel if isinstance(panel, str) else "Commands", []).append((name, command.short_help))
    for name, records in sections.items():
        with formatter.section(name):
            formatter.write_dl(records)


def print_help(given: Any, names: list[str]) -> None:
    """Print the help of the command that the names lead to from the root, of which () names itself; raises UsageError.

    given: the context of any command.
    """
    if names == [EXIT_CODES]:
        print(f"Exit codes:\n{codes.table()}")
        return
    ctx = given.find_root()
    for name in names:
        command = getattr(ctx.command, "commands", {}).get(name)
        if command is None:
            raise UsageError(f"there is no command {name}; purestep help lists them")
        ctx = type(ctx)(command, info_name=name, parent=ctx)
    print(ctx.get_help())
