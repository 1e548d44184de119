"""The commands and their options; their code is in the other modules, imported when a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from purestep_hosts.cli import options as o
from purestep_hosts.cli.command_line import QuestionOrCommand
from purestep_hosts.cli.eval_app import eval_app
from purestep_hosts.cli.help_text import GroupedCommand
from purestep_hosts.cli.proof_commands import add_proof_commands
from purestep_hosts.cli.serving_commands import add_serving_commands
from purestep_hosts.cli.skills_app import skills_app

_ASK, _LOGS, _MODELS, _MEASURE = "Ask", "Look at what was done", "Models, tools and skills", "Measure"
"""The groups of commands."""

app = typer.Typer(
    name="purestep",
    cls=QuestionOrCommand,
    help="Run agents, and replay and verify what they did.",
    epilog="purestep QUESTION is purestep run QUESTION. purestep help COMMAND shows the options of one, "
    "purestep help exit-codes the exit codes.",
    # Plain help: rich's takes a third of a second longer, and its boxes are hard to read in a pipe.
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

_FIRST_STEPS = """\
purestep runs an agent in the terminal; a small model is downloaded when it is first needed.
  purestep "What is 17 plus 25?"    asks one question
  purestep chat                     holds a conversation; /help lists its commands
  purestep models                   shows which model answers, and how to choose another
  purestep help                     lists all commands; purestep help run the options of one"""
"""What the command says when nothing follows it."""


def _version(wanted: bool) -> None:
    if wanted:
        from purestep import __version__

        print(f"purestep {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    given: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Run agents, and replay and verify what they did."""
    if given.invoked_subcommand is None:
        print(_FIRST_STEPS)


@app.command(cls=GroupedCommand, rich_help_panel=_ASK, short_help="Ask the agent one question.")
@o.with_options()
def run(
    query: Annotated[str | None, typer.Argument(metavar="QUERY", help="What to ask; - reads it from stdin.")] = None,
    *,
    choice: o.AgentChoice,
    options: o.RunOptions,
) -> int:
    """Ask the agent one question. The answer goes to stdout, progress goes to stderr."""
    from purestep_hosts.cli.running import run_once

    return run_once(query, choice, options)


@app.command(cls=GroupedCommand, rich_help_panel=_ASK, short_help="Hold a conversation; Ctrl-D or /quit ends it.")
@o.with_options()
def chat(*, choice: o.AgentChoice, options: o.RunOptions) -> int:
    """Hold a conversation; Ctrl-D or /quit ends it. Without a terminal, each line of stdin is a query."""
    from purestep_hosts.cli.chatting import chat as run_chat

    return run_chat(choice, options)


@app.command(cls=GroupedCommand, rich_help_panel=_ASK, short_help="Show exactly what the model would be sent.")
@o.with_options(
    "agent",
    "model",
    "adapter",
    "base_url",
    "dialect",
    "carry",
    "max_turns",
    "max_tokens",
    "tools",
    "functions",
    "skills",
    "mcp",
)
def prompt(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What would be asked; - reads it from stdin.")],
    *,
    choice: o.AgentChoice,
    tool_choice: o.ToolChoiceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The body of the request.")] = False,
) -> int:
    """Show exactly what the model would be sent: messages, tools or response format, sampling. Nothing is sent."""
    from purestep_hosts.cli.listing import print_prompt
    from purestep_hosts.cli.running import given_query

    return print_prompt(given_query(query), choice, tool_choice, as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_LOGS, short_help="Print a run from its log.")
def replay(
    log: o.LogArgument,
    as_json: o.DataOption = False,
    reasoning: o.ReasoningOption = False,
    at: o.LineOption = None,
    sessions: o.SessionsOption = None,
) -> int:
    """Print a run from its log, and whether it has ended. Logs of earlier formats are printed too."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.replaying import print_replay

    found = find_log(log, sessions)
    return print_replay(found if at is None else found.up_to(at), as_json=as_json, whole_reasoning=reasoning)


@app.command(
    cls=GroupedCommand,
    rich_help_panel=_LOGS,
    short_help="Drive recorded runs again, and show the first decision that differs.",
)
def redrive(
    log: Annotated[str, typer.Argument(metavar="LOG", help="last, a session's id, a file, - , or a folder of logs.")],
    agent: o.AgentOption = None,
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
) -> int:
    """Return the recorded outputs to another definition, or to this release; exit code 6 if a decision differs.

    No model is asked and no tool runs. A definition without models has those of the log.
    """
    from purestep_hosts.cli.redriving import logs_of, print_redrive

    return print_redrive(logs_of(log, sessions), agent, as_json=as_json)


@app.command(
    "policy-diff",
    cls=GroupedCommand,
    rich_help_panel=_LOGS,
    short_help="Show every decision that another definition would have taken otherwise.",
)
def policy_diff(
    logs: Annotated[list[str], typer.Argument(metavar="LOG...", help="Logs or folders of logs, named as for redrive.")],
    agent: Annotated[Path, typer.Option("--agent", metavar="FILE", help="The other definition, JSON or YAML.")],
    as_json: o.DataOption = False,
    comment: Annotated[
        Path | None, typer.Option("--comment", metavar="FILE", help="Write the table as Markdown, for a pull request.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the table as a page; needs the extra eval.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option("--processes", min=1, max=1024, metavar="N", help="At most; else one for each core.")
    ] = None,
    sessions: o.SessionsOption = None,
) -> int:
    """Compare what runs did at each point with what another definition does there; exit code 6 if they differ.

    No model is asked and no tool runs. Each point is looked at by itself, from what was recorded up to there.
    """
    from purestep_hosts.cli.policy_diffing import print_policy_diff
    from purestep_hosts.cli.redriving import distinct_logs

    found = distinct_logs(logs, sessions)
    return print_policy_diff(found, agent, as_json=as_json, comment=comment, html=html, processes=processes)


@app.command(
    "cache-audit",
    cls=GroupedCommand,
    rich_help_panel=_LOGS,
    short_help="Show what prompt caches could have had, and what was billed again.",
)
def cache_audit(
    logs: Annotated[
        list[str] | None, typer.Argument(metavar="LOG...", help="Logs or folders of logs, named as for redrive.")
    ] = None,
    requests: Annotated[
        Path | None,
        typer.Option(
            "--requests", metavar="FILE", help="Requests of another program in OpenAI's form, a line of JSON each."
        ),
    ] = None,
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
) -> int:
    """Compare each request with the one before: how much of it stood there, and why the rest did not."""
    from purestep_hosts.cli.cache_auditing import print_cache_audit
    from purestep_hosts.cli.redriving import distinct_logs

    return print_cache_audit(distinct_logs(logs or (), sessions), requests, as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_LOGS, short_help="Show where two runs part.")
def diff(
    one: o.LogArgument,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The log to compare it with, named in the same ways.")],
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
) -> int:
    """Show the first line in which two runs differ, but for times, hashes, keys and usage; exit code 6 if they do."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.redriving import print_diff

    return print_diff(find_log(one, sessions), find_log(other, sessions), as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_LOGS, short_help="Begin a session with a part of a run.")
def fork(
    log: o.LogArgument,
    at: o.LineOption = None,
    agent: o.AgentOption = None,
    sessions: o.SessionsOption = None,
) -> int:
    """Begin a new session with a run up to a line, also under another definition; the run itself stays as it is."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.redriving import print_fork

    return print_fork(find_log(log, sessions), at, agent, sessions)


add_proof_commands(app, _LOGS)


@app.command(cls=GroupedCommand, rich_help_panel=_LOGS, short_help="Count the turns, calls, tokens and time of a run.")
def summary(log: o.LogArgument, as_json: o.DataOption = False, sessions: o.SessionsOption = None) -> int:
    """Count the turns, calls, corrections, switches, verdicts, tokens and time of a run."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.replaying import print_summary

    return print_summary(find_log(log, sessions), as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_MEASURE, short_help="Count how often models succeed, from logs.")
def rates(
    logs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LOGS]...", help="Logs, folders of logs or session ids; else all sessions."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the rates as a profile for agent files.")
    ] = None,
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
) -> int:
    """Count how often models have answered, by the way they were asked and what for, with what went wrong."""
    from purestep_hosts.cli.rating import print_rates

    return print_rates(logs or (), sessions, out, as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_LOGS, short_help="List the sessions, newest first.")
def sessions(sessions: o.SessionsOption = None, as_json: o.DataOption = False) -> int:
    """List the sessions, newest first."""
    from purestep_hosts.cli.listing import print_sessions

    return print_sessions(sessions, as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_MODELS, short_help="List the tools that a model may be offered.")
@o.with_options("functions", "mcp")
def tools(*, choice: o.AgentChoice, as_json: o.DataOption = False) -> int:
    """List the tools that a model may be offered: the built-in ones, and those of --functions and --mcp."""
    from purestep_hosts.cli.listing import print_tools

    return print_tools(choice, as_json=as_json)


app.add_typer(eval_app, name="eval", rich_help_panel=_MEASURE, short_help="Run a suite of cases, count and compare.")
app.add_typer(skills_app, name="skills", rich_help_panel=_MODELS, short_help="Look at folders of skills (SKILL.md).")


@app.command(
    cls=GroupedCommand, rich_help_panel=_MODELS, short_help="Show which model is used, or list those of a server."
)
def models(
    server: Annotated[
        str | None,
        typer.Argument(
            metavar="[SERVER[:NAME]]",
            help="A server, or SERVER:NAME to see how a model is asked.",
        ),
    ] = None,
    base_url: o.BaseUrlOption = None,
    as_json: o.DataOption = False,
) -> int:
    """Show which model is used and why; with SERVER, the models that it has; with SERVER:NAME, how one is asked."""
    from purestep_hosts.cli.server_listing import print_server_models

    if server is None and base_url is None:
        from purestep_hosts.cli.listing import print_models

        return print_models(as_json=as_json)
    return print_server_models(server, base_url, as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_MEASURE, short_help="Ask the model a small suite in several ways.")
@o.with_options("model", "base_url", "timeout", "script")
def probe(
    *,
    choice: o.AgentChoice,
    dialect: Annotated[
        str | None, typer.Option("--dialect", metavar="NAME", help="Dialect of the model's family; else by its name.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Four tasks, in the likeliest ways only.")] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the best way as an entry of an agent file.")
    ] = None,
    as_json: o.DataOption = False,
) -> int:
    """Ask the model a small suite in several ways, and print which way suits it; Ctrl-C stops early."""
    from purestep_hosts.cli.probing import probe as run_probe

    return run_probe(replace(choice, dialect=dialect), quick=quick, save=save, as_json=as_json)


@app.command(cls=GroupedCommand, rich_help_panel=_ASK, short_help="Print the values of one kind that stand in a text.")
@o.with_options("model", "base_url", "timeout", "script")
def extract(
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="What to extract from; - reads it from stdin.")],
    target: Annotated[str, typer.Option("--target", help="What to extract: date, email, entity, name or url.")],
    *,
    choice: o.AgentChoice,
) -> int:
    """Print the values of one kind that stand in a text, as JSON; the model is asked where their form does not tell."""
    from purestep_hosts.cli.extracting import extract as run_extract

    return run_extract(text, target, choice)


add_serving_commands(app)


@app.command("help", cls=GroupedCommand, rich_help_panel="Help", short_help="Show the help of a command.")
def help_(
    given: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="A command; exit-codes lists those.")
    ] = None,
) -> None:
    """Show the help of a command, the list of all, or the exit codes."""
    from purestep_hosts.cli.help_text import print_help

    print_help(given, command or [])
