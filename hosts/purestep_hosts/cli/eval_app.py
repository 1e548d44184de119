"""The commands of `purestep eval`: a suite is run where no other command is named."""

from __future__ import annotations

# ruff: noqa: PLR0913 (typer reads a command's options from its parameters)
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from purestep_hosts.cli import options as o
from purestep_hosts.cli.help_text import GroupedCommand

_RUN = "suite"


class _SuiteFirst(TyperGroup):
    """Takes `purestep eval FILE` for `purestep eval suite FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Name the command where the arguments begin with none of its own."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = [_RUN, *args]
        return super().parse_args(ctx, args)


eval_app = typer.Typer(cls=_SuiteFirst, invoke_without_command=True)

_FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of an evaluation.")]
_ReportOption = Annotated[Path | None, typer.Option("--report", metavar="FILE", help="Write a page of it, too.")]


@eval_app.callback()
def _eval(given: typer.Context) -> None:
    """Run a suite of cases with several models and ways of asking, and compare: purestep eval SUITE.jsonl."""
    if given.invoked_subcommand is None:
        print(given.get_help())


@eval_app.command(_RUN, cls=GroupedCommand, short_help="Run a suite; the word may be left out.")
def run_suite(
    suite: Annotated[Path, typer.Argument(metavar="SUITE", help="The cases, a JSON object a line.")],
    *,
    models: Annotated[
        str | None,
        typer.Option("--models", metavar="A,B", help="Models, as for --model of run; bundled; script: the case's own."),
    ] = None,
    dialects: Annotated[
        str | None, typer.Option("--dialects", metavar="A,B", help="Dialects; by default the definition's.")
    ] = None,
    carry: Annotated[
        str | None,
        typer.Option("--carry", metavar="A,B", help="Levels: off, ground; by default the definition's."),
    ] = None,
    repeats: Annotated[
        int, typer.Option("--repeats", min=1, max=1000, metavar="N", help="How often each case is run.")
    ] = 1,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Only the first cases of the suite.")
    ] = None,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", min=1, max=256, metavar="N", help="Runs of a model at once; in this process one."
        ),
    ] = 4,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Where results and logs are kept; evaluation-SUITE by default."),
    ] = None,
    agent: o.AgentOption = None,
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="MODEL", help="The model that judges answers by a rubric.")
    ] = None,
    user: Annotated[
        str | None,
        typer.Option("--user", metavar="A,B", help="Models that play users; the first, where none is named."),
    ] = None,
    base_url: o.BaseUrlOption = None,
    timeout: o.TimeoutOption = None,
    form: Annotated[
        str,
        typer.Option("--format", help="purestep; bfcl: a category of that leaderboard; openai-evals."),
    ] = "purestep",
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="The answers of a BFCL category.")
    ] = None,
    playground: Annotated[
        str | None,
        typer.Option("--playground", metavar="ADDRESS", help="Where links of the report open a run, step by step."),
    ] = None,
    as_json: o.JsonOption = False,
    quiet: o.QuietOption = False,
) -> int:
    """Run a suite and print what came of it; a run that has a result is not made again, so a stopped one goes on."""
    from purestep_hosts.cli.evaluating import SuiteOptions, evaluate

    return evaluate(
        SuiteOptions(
            suite=suite,
            models=models,
            dialects=dialects,
            carry=carry,
            repeats=repeats,
            limit=limit,
            concurrency=concurrency,
            out=out,
            agent=agent,
            judge=judge,
            user=user,
            base_url=base_url,
            timeout=timeout,
            form=form,
            answers=answers,
            playground=playground,
            as_json=as_json,
            quiet=quiet,
        )
    )


@eval_app.command("compare", short_help="Show what got better and worse.")
def compare(
    one: _FolderArgument,
    other: Annotated[Path, typer.Argument(metavar="OTHER", help="Folder to compare with it.")],
    report: _ReportOption = None,
    as_json: o.DataOption = False,
) -> int:
    """Compare two evaluations case by case, with McNemar's test: what OTHER got right that FOLDER did not."""
    from purestep_hosts.cli.comparing import print_comparison

    return print_comparison(one, other, report, as_json=as_json)
