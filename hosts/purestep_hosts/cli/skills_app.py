"""The commands of `purestep skills`, which look at folders of skills."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from purestep_hosts.cli import options as o

skills_app = typer.Typer(invoke_without_command=True)
_SkillsArgument = Annotated[Path, typer.Argument(metavar="DIR", help="A skill, or a folder of skills.")]


@skills_app.callback()
def _skills(given: typer.Context) -> None:
    """Look at folders of skills (SKILL.md)."""
    if given.invoked_subcommand is None:
        print(given.get_help())


@skills_app.command("list", short_help="List the skills in a folder.")
def list_skills(folder: _SkillsArgument, as_json: o.DataOption = False) -> int:
    """List the skills in a folder; one that cannot be used is named on stderr."""
    from purestep_hosts.cli.skills import print_skills

    return print_skills(folder, as_json=as_json)


@skills_app.command("lint", short_help="Check skills strictly by the specification.")
def lint_skills(folder: _SkillsArgument) -> int:
    """Check skills strictly by the Agent Skills specification; exit code 1 if one does not fit."""
    from purestep_hosts.cli.skills import lint_skills as lint

    return lint(folder)
