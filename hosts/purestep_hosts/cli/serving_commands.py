"""The commands that serve: the agent over HTTP and to MCP clients, and the local model."""

from __future__ import annotations

# ruff: noqa: PLR0913 (typer reads a command's options from its parameters)
from pathlib import Path
from typing import Annotated

import typer

from purestep_hosts.cli import durable_options as d
from purestep_hosts.cli import options as o
from purestep_hosts.cli import watch_options as w
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.help_text import GroupedCommand


def add_serving_commands(app: typer.Typer) -> None:
    """Add the commands `serve`, `deploy-check`, `worker`, `backup`, `prune`, `mcp` and `serve-model`."""
    for command, said in (
        (serve, "Serve the agent to web pages and programs."),
        (deploy_check, "Tell what becomes of runs under way under another definition."),
        (worker, "Carry out runs that durable services keep in a database."),
        (backup, "Copy the SQLite database of a durable service, also while it runs."),
        (prune, "Delete old runs from the database of a durable service."),
        (mcp, "Serve the agent to MCP clients over stdio."),
        (serve_model, "Serve the local model to other programs."),
    ):
        app.command(cls=GroupedCommand, rich_help_panel="Serve", short_help=said)(command)


@o.with_options()
def serve(
    *,
    host: Annotated[str, typer.Option("--host", metavar="HOST", help="Where to listen; this machine by default.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    tokens: Annotated[
        Path | None,
        typer.Option(
            "--tokens", metavar="FILE", help="Users and their tokens, NAME TOKEN a line; each has its own runs."
        ),
    ] = None,
    no_token: Annotated[
        bool, typer.Option("--no-token", help="Answer every program of this machine, and no other machine.")
    ] = False,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", metavar="ORIGIN", help="Site whose pages may call the service; repeatable."),
    ] = None,
    files_from: Annotated[
        list[str] | None,
        typer.Option(
            "--files-from", metavar="ORIGIN", help="Site whose images and files clients may name; repeatable."
        ),
    ] = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=1, max=86_400, metavar="SECONDS", help="Longest time for one exchange.")
    ] = 600,
    max_runs: Annotated[
        int, typer.Option("--max-runs", min=1, max=10_000, metavar="N", help="Most exchanges at the same time.")
    ] = 64,
    metrics: w.MetricsOption = None,
    log_format: w.LogFormatOption = w.LogFormat.TEXT,
    traces: w.TracesOption = None,
    durable: Annotated[
        bool, typer.Option("--durable", help="Keep the runs in a database, and go on with them by itself.")
    ] = False,
    database: d.DatabaseOption = None,
    create: d.CreateOption = False,
    name: d.NameOption = None,
    at_once: d.AtOnceOption = None,
    rate: d.RateOption = None,
    lease: d.LeaseOption = 15,
    queue_only: Annotated[
        bool, typer.Option("--queue-only", help="With --durable: leave the runs to the workers of the database.")
    ] = False,
    in_flight: Annotated[
        o.InFlight,
        typer.Option("--in-flight", help="Runs under way that another definition began: refuse to start, or do so."),
    ] = "refuse",
    choice: o.AgentChoice,
    sessions: o.SessionsOption = None,
) -> int:
    """Serve the agent over HTTP: runs that are streamed, approved, cancelled, and survive the service; until Ctrl-C.

    The token is the variable PURESTEP_SERVE_TOKEN. Events come in the forms of AG-UI and of the AI SDK's useChat.
    """
    from purestep_hosts.cli.service import ServeOptions
    from purestep_hosts.cli.service import serve as run_service

    kept = None
    if durable:
        kept = d.DurableOptions(
            database=database, name=name or "local", max_runs=max_runs, at_once=at_once, rate=rate,
            time_limit=time_limit, executes=not queue_only, creates=create, lease_s=lease,
        )  # fmt: skip
    elif queue_only or create or any(option is not None for option in (database, name, at_once, rate)):
        raise UsageError(
            "--database, --create, --name, --at-once, --rate and --queue-only go with --durable; give it as well"
        )
    if durable and sessions is not None:
        raise UsageError("--durable keeps runs in a database, and --sessions in a folder; leave one out")
    options = ServeOptions(
        host=host, port=port, tokens=tokens, no_token=no_token, origins=tuple(allow_origin or ()),
        file_origins=tuple(files_from or ()), sessions=sessions,
        time_limit=time_limit, max_runs=max_runs, durable=kept, in_flight=in_flight,
        watch=w.WatchOptions(metrics=metrics, log_format=log_format, traces=traces),
    )  # fmt: skip
    return run_service(choice, options)


@o.with_options()
def deploy_check(
    *,
    database: d.DatabaseOption = None,
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
    choice: o.AgentChoice,
) -> int:
    """Tell what becomes of the runs of a service that are under way; exit code 1 if one of them cannot go on.

    The agent is that of the options, as `serve` takes them; nothing is written, and no model is asked.
    """
    from purestep_hosts.cli.deploy_checking import deploy_check as check

    return check(choice, sessions, database, as_json=as_json)


@o.with_options()
def worker(
    *,
    database: d.DatabaseOption = None,
    create: d.CreateOption = False,
    name: d.NameOption = None,
    take_over: Annotated[
        list[str] | None,
        typer.Option(
            "--take-over", metavar="NAME", help="Go on at once with the runs of a process that died; repeatable."
        ),
    ] = None,
    max_runs: Annotated[
        int, typer.Option("--max-runs", min=1, max=10_000, metavar="N", help="Most exchanges at the same time.")
    ] = 64,
    at_once: d.AtOnceOption = None,
    rate: d.RateOption = None,
    lease: d.LeaseOption = 15,
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=1, max=86_400, metavar="SECONDS", help="Longest time for one exchange.")
    ] = 600,
    log_format: w.LogFormatOption = w.LogFormat.TEXT,
    traces: w.TracesOption = None,
    choice: o.AgentChoice,
) -> int:
    """Carry out runs of a database, with the same agent and model as the services that put them there; until Ctrl-C."""
    from purestep_hosts.cli.durable_commands import own_name, work

    options = d.DurableOptions(
        database=database, name=name or own_name(), max_runs=max_runs, at_once=at_once, rate=rate,
        time_limit=time_limit, creates=create, lease_s=lease,
    )  # fmt: skip
    watch = w.WatchOptions(log_format=log_format, traces=traces)
    return work(choice, options, tuple(take_over or ()), watch)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; a new file.")],
    database: d.DatabaseOption = None,
) -> int:
    """Copy the SQLite database of a durable service to a file, also while runs go on in it."""
    from purestep_hosts.cli.durable_commands import back_up

    return back_up(file, database)


def prune(
    days: Annotated[
        int, typer.Option("--older-than", min=0, max=36_500, metavar="DAYS", help="Days without anything new.")
    ],
    database: d.DatabaseOption = None,
    delete: Annotated[bool, typer.Option("--delete", help="Delete them; without it they are only counted.")] = False,
) -> int:
    """Delete runs that have ended and are old from the database of a durable service, also while others go on in it."""
    from purestep_hosts.cli.durable_commands import prune_runs

    return prune_runs(days, database, deletes=delete)


@o.with_options()
def mcp(*, choice: o.AgentChoice, sessions: o.SessionsOption = None) -> int:
    """Serve the agent, and the functions that read, check, verify and replay, as tools of an MCP server over stdio."""
    from purestep_hosts.cli.mcp_command import serve_mcp

    return serve_mcp(choice, sessions)


def serve_model(
    model: Annotated[str | None, typer.Option("--model", metavar="FILE", help="GGUF file; else the default.")] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on loopback; 0 takes a free one.")] = 0,
) -> int:
    """Serve the local model on this machine with OpenAI's protocol, until Ctrl-C."""
    from purestep_hosts.cli.serving import serve_model as serve

    return serve(model, port)
