"""The commands and their options; their code is in the other modules, imported when a command runs."""

from __future__ import annotations

# ruff: noqa: PLR0913, PLR0917 (typer reads a command's options from its parameters)
from pathlib import Path
from typing import Annotated

import typer

from purestep_hosts.cli import codes
from purestep_hosts.cli import options as o

_EPILOG = f"\b\nExit codes:\n{codes.table()}"

app = typer.Typer(
    name="purestep",
    help="Run agents, and replay and verify what they did.",
    epilog=_EPILOG,
    # Plain help: rich's takes a third of a second longer, and its boxes are hard to read in a pipe.
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

_FIRST_STEPS = """\
purestep runs an agent in the terminal; a small model is downloaded when it is first needed.
  purestep run "What is 17 plus 25?"     asks one question
  purestep chat                          holds a conversation; /help lists its commands
  purestep tools                         lists the tools that a model may be offered
  purestep --help                        lists all commands; purestep run --help the options"""
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


@app.command(epilog=_EPILOG)
def run(
    query: Annotated[str | None, typer.Argument(metavar="QUERY", help="What to ask; - reads it from stdin.")] = None,
    agent: o.AgentOption = None,
    model: o.ModelOption = None,
    base_url: o.BaseUrlOption = None,
    dialect: o.DialectOption = None,
    carry: o.CarryOption = None,
    tool_choice: o.ToolChoiceOption = None,
    max_turns: o.MaxTurnsOption = None,
    max_tokens: o.MaxTokensOption = None,
    window_tokens: o.WindowTokensOption = None,
    timeout: o.TimeoutOption = None,
    tools: o.ToolsOption = None,
    functions: o.FunctionsOption = None,
    skills: o.SkillsOption = None,
    mcp: o.McpOption = None,
    root: o.RootOption = None,
    allow_host: o.AllowHostOption = None,
    approve: o.ApproveOption = "ask",
    yes: o.YesOption = False,
    as_json: o.JsonOption = False,
    quiet: o.QuietOption = False,
    stream: o.StreamOption = True,
    sessions: o.SessionsOption = None,
    resume: o.ResumeOption = None,
    script: o.ScriptOption = None,
) -> int:
    """Ask the agent one question. The answer goes to stdout, progress goes to stderr."""
    from purestep_hosts.cli.running import run_once

    choice = o.AgentChoice(
        agent=agent, model=model, base_url=base_url, dialect=dialect, max_turns=max_turns, max_tokens=max_tokens,
        tools=tools, skills=skills, root=root, allow_host=tuple(allow_host or ()), script=script, timeout=timeout,
        carry=carry, window_tokens=window_tokens, functions=tuple(functions or ()),
        mcp=tuple(mcp or ()),
    )  # fmt: skip
    options = o.RunOptions(
        approve="all" if yes else approve, as_json=as_json, quiet=quiet, stream=stream, sessions=sessions,
        resume=resume, tool_choice=tool_choice,
    )  # fmt: skip
    return run_once(query, choice, options)


@app.command(epilog=_EPILOG, short_help="Hold a conversation; Ctrl-D or /quit ends it.")
def chat(
    agent: o.AgentOption = None,
    model: o.ModelOption = None,
    base_url: o.BaseUrlOption = None,
    dialect: o.DialectOption = None,
    carry: o.CarryOption = None,
    tool_choice: o.ToolChoiceOption = None,
    max_turns: o.MaxTurnsOption = None,
    max_tokens: o.MaxTokensOption = None,
    window_tokens: o.WindowTokensOption = None,
    timeout: o.TimeoutOption = None,
    tools: o.ToolsOption = None,
    functions: o.FunctionsOption = None,
    skills: o.SkillsOption = None,
    mcp: o.McpOption = None,
    root: o.RootOption = None,
    allow_host: o.AllowHostOption = None,
    approve: o.ApproveOption = "ask",
    yes: o.YesOption = False,
    as_json: o.JsonOption = False,
    quiet: o.QuietOption = False,
    stream: o.StreamOption = True,
    sessions: o.SessionsOption = None,
    resume: o.ResumeOption = None,
    script: o.ScriptOption = None,
) -> int:
    """Hold a conversation; Ctrl-D or /quit ends it. Without a terminal, each line of stdin is a query."""
    from purestep_hosts.cli.chatting import chat as run_chat

    choice = o.AgentChoice(
        agent=agent, model=model, base_url=base_url, dialect=dialect, max_turns=max_turns, max_tokens=max_tokens,
        tools=tools, skills=skills, root=root, allow_host=tuple(allow_host or ()), script=script, timeout=timeout,
        carry=carry, window_tokens=window_tokens, functions=tuple(functions or ()),
        mcp=tuple(mcp or ()),
    )  # fmt: skip
    options = o.RunOptions(
        approve="all" if yes else approve, as_json=as_json, quiet=quiet, stream=stream, sessions=sessions,
        resume=resume, tool_choice=tool_choice,
    )  # fmt: skip
    return run_chat(choice, options)


@app.command(short_help="Show exactly what the model would be sent.")
def prompt(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What would be asked; - reads it from stdin.")],
    agent: o.AgentOption = None,
    model: o.ModelOption = None,
    base_url: o.BaseUrlOption = None,
    dialect: o.DialectOption = None,
    carry: o.CarryOption = None,
    tool_choice: o.ToolChoiceOption = None,
    max_turns: o.MaxTurnsOption = None,
    max_tokens: o.MaxTokensOption = None,
    tools: o.ToolsOption = None,
    functions: o.FunctionsOption = None,
    skills: o.SkillsOption = None,
    mcp: o.McpOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The body of the request.")] = False,
) -> int:
    """Show exactly what the model would be sent: messages, tools or response format, sampling. Nothing is sent."""
    from purestep_hosts.cli.listing import print_prompt
    from purestep_hosts.cli.running import given_query

    choice = o.AgentChoice(
        agent=agent, model=model, base_url=base_url, dialect=dialect, max_turns=max_turns, max_tokens=max_tokens,
        tools=tools, skills=skills, carry=carry, functions=tuple(functions or ()),
        mcp=tuple(mcp or ()),
    )  # fmt: skip
    return print_prompt(given_query(query), choice, tool_choice, as_json=as_json)


@app.command()
def replay(log: o.LogArgument, as_json: o.DataOption = False, sessions: o.SessionsOption = None) -> int:
    """Print a run from its log, and whether it has ended. Logs of earlier formats are printed too."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.replaying import print_replay

    return print_replay(find_log(log, sessions), as_json=as_json)


@app.command(short_help="Derive a log again and compare the bytes.")
def verify(
    log: o.LogArgument,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HEX", help="Expected last hash of the log, from a copy kept elsewhere."),
    ] = None,
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
) -> int:
    """Derive a log again from its facts and compare the bytes; exit code 6 if they differ."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.replaying import print_verify

    return print_verify(find_log(log, sessions), head, as_json=as_json)


@app.command(short_help="Count the turns, calls, tokens and time of a run.")
def summary(log: o.LogArgument, as_json: o.DataOption = False, sessions: o.SessionsOption = None) -> int:
    """Count the turns, calls, corrections, switches, verdicts, tokens and time of a run."""
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.replaying import print_summary

    return print_summary(find_log(log, sessions), as_json=as_json)


@app.command()
def sessions(sessions: o.SessionsOption = None, as_json: o.DataOption = False) -> int:
    """List the sessions, newest first."""
    from purestep_hosts.cli.listing import print_sessions

    return print_sessions(sessions, as_json=as_json)


@app.command()
def tools(as_json: o.DataOption = False) -> int:
    """List the built-in tools."""
    from purestep_hosts.cli.listing import print_tools

    return print_tools(as_json=as_json)


skills_app = typer.Typer(invoke_without_command=True)
app.add_typer(skills_app, name="skills")
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


@app.command()
def models(as_json: o.DataOption = False) -> int:
    """Show which model is used, and where each setting comes from."""
    from purestep_hosts.cli.listing import print_models

    return print_models(as_json=as_json)


@app.command(short_help="Ask the model a small suite in several ways.")
def probe(
    model: o.ModelOption = None,
    base_url: o.BaseUrlOption = None,
    dialect: Annotated[
        str | None, typer.Option("--dialect", metavar="NAME", help="Dialect of the model's family; else by its name.")
    ] = None,
    timeout: o.TimeoutOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="Four tasks, in the likeliest ways only.")] = False,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the best way as an entry of an agent file.")
    ] = None,
    as_json: o.DataOption = False,
    script: o.ScriptOption = None,
) -> int:
    """Ask the model a small suite in several ways, and print which way suits it; Ctrl-C stops early."""
    from purestep_hosts.cli.probing import probe as run_probe

    choice = o.AgentChoice(model=model, base_url=base_url, dialect=dialect, timeout=timeout, script=script)
    return run_probe(choice, quick=quick, save=save, as_json=as_json)


@app.command(epilog=_EPILOG, short_help="Print the values of one kind that stand in a text.")
def extract(
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="What to extract from; - reads it from stdin.")],
    target: Annotated[str, typer.Option("--target", help="What to extract: date, email, entity, name or url.")],
    model: o.ModelOption = None,
    base_url: o.BaseUrlOption = None,
    carry: o.CarryOption = None,
    timeout: o.TimeoutOption = None,
    script: o.ScriptOption = None,
) -> int:
    """Print the values of one kind that stand in a text, as JSON; the model is asked where their form does not tell."""
    from purestep_hosts.cli.extracting import extract as run_extract

    choice = o.AgentChoice(model=model, base_url=base_url, carry=carry, timeout=timeout, script=script)
    return run_extract(text, target, choice)


@app.command(short_help="Serve the local model to other programs.")
def serve_model(
    model: Annotated[str | None, typer.Option("--model", metavar="FILE", help="GGUF file; else the default.")] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0 takes a free one.")] = 0,
) -> int:
    """Serve the local model on this machine with OpenAI's protocol, until Ctrl-C."""
    from purestep_hosts.cli.serving import serve_model as serve

    return serve(model, port)
