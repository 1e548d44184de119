"""The command `serve`: the agent as a web service, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import replace

from purestep_hosts.async_loop import in_thread
from purestep_hosts.cli import codes
from purestep_hosts.cli.durable_options import DurableOptions, database_of, open_process
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice, InFlight
from purestep_hosts.cli.serving_agent import AgentParts, service_folder
from purestep_hosts.cli.watch_options import (
    METRICS_TOKEN,
    MetricsReaders,
    WatchOptions,
    metrics_token,
    use_root_loggers,
    watched_agent,
)
from purestep_hosts.extras import SERVE
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.regular_files import open_regular
from purestep_hosts.show.printer import Printer, stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line
from purestep_hosts.stop_signals import StopSignals

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

    from purestep_hosts.durable.process import DurableProcess
    from purestep_hosts.serve import Admission, ServedAgent

TOKEN: Final = "PURESTEP_SERVE_TOKEN"
"""The variable with the token: an option would show it to everybody who lists the processes."""
RESULTS_TOKEN: Final = "PURESTEP_RESULTS_TOKEN"
"""The variable with the token of what gives results of calls that go on elsewhere, and does nothing else."""

_logger: Final = logging.getLogger("purestep_hosts.serve")

_LEAVE_S: Final = 5
"""How long open streams may take to end; a run that is cancelled needs up to four seconds."""
_KEEP_ALIVE_S: Final = 30
_MAX_CONNECTIONS: Final = 512
_WAITING: Final = 10
"""Exchanges that may wait for each one that goes on, in a durable service."""


class ServeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the service itself."""

    host: str
    port: int
    tokens: Path | None
    no_token: bool
    origins: tuple[str, ...]
    file_origins: tuple[str, ...]
    sessions: Path | None
    time_limit: float
    max_runs: int
    durable: DurableOptions | None = None
    in_flight: InFlight = "refuse"
    watch: WatchOptions


def serve(choice: AgentChoice, options: ServeOptions) -> int:
    """Serve the agent; the address is printed on stdout once requests are answered."""
    SERVE.require()
    options.watch.require()
    tokens = tokens_of(options)
    admission = _admission(options, tokens)
    _check_file_origins(options)
    listener = _listener(options.host, options.port)
    servers, printer = CommandServers(), stderr_printer()
    with closing(listener), closing(servers):
        with Interrupts() as interrupts:
            secrets = [*(tokens or {}).values(), *filter(None, (metrics_token(), _results_token()))]
            agent = AgentParts(choice, servers, interrupts, printer).served(secrets)
        agent = _taking_over(agent, options)
        with watched_agent(agent, options.watch) as agent:
            _serve_agent(agent, admission, listener, options, printer)
    return codes.DONE


def _taking_over(agent: ServedAgent, options: ServeOptions) -> ServedAgent:
    """Return the agent as it is to treat runs that another definition began; raises UsageError, DurableError."""
    if options.in_flight == "take-over":
        return replace(agent, takes_over=True)
    if options.in_flight == "refuse":
        from purestep_hosts.cli.deploy_checking import check_durable_start, check_start

        if (durable := options.durable) is None:
            check_start(agent.definition, options.sessions)
        else:
            check_durable_start(agent.definition, database_of(durable.database, creates=durable.creates), durable.name)
    return agent


def _serve_agent(
    agent: ServedAgent, admission: Admission, listener: socket.socket, options: ServeOptions, printer: Printer
) -> None:
    if options.durable is None:
        _run(_session_app(agent, admission, options), agent, admission, listener, options, printer)
        return
    with closing(open_process(agent, options.durable)) as process:
        _run(_durable_app(process, agent, admission, options), agent, admission, listener, options, printer)


def _session_app(agent: ServedAgent, admission: Admission, options: ServeOptions) -> Starlette:
    from purestep_hosts.serve import ServiceLimits, create_app

    limits = ServiceLimits(exchange_s=options.time_limit, max_live=options.max_runs)
    folder, files = service_folder(options.sessions), options.file_origins
    return create_app(agent, folder, admission, limits=limits, file_origins=files)


def _durable_app(process: DurableProcess, agent: ServedAgent, admission: Admission, options: ServeOptions) -> Starlette:
    from purestep_hosts.durable.served_runs import durable_app

    # Exchanges wait in the queue, where they cost little; without end they would be no use to who waits.
    return durable_app(
        process, agent, admission, max_followed=_WAITING * options.max_runs, file_origins=options.file_origins
    )


def tokens_of(options: ServeOptions) -> Mapping[str, str] | None:
    """Return the token of each user, None if the service shall have none; raises UsageError."""
    named = os.environ.get(TOKEN, "").strip()
    if options.no_token:
        if named or options.tokens is not None:
            raise UsageError(f"--no-token goes with neither --tokens nor {TOKEN}; leave one out")
        if options.host not in _loopback():
            raise UsageError("--no-token is for this machine alone; leave --host out, or give a token")
        return None
    if options.tokens is not None:
        if named:
            raise UsageError(f"--tokens and {TOKEN} are two sources of tokens; leave one out")
        return _read_tokens(options.tokens)
    if not named:
        raise UsageError(
            f"the service needs a token; set {TOKEN}, for instance to what openssl rand -base64 32 gives, "
            "or give --tokens FILE, or --no-token to serve this machine alone"
        )
    return {"": named}


def _loopback() -> frozenset[str]:
    from purestep_hosts.serve.admission import LOOPBACK

    return LOOPBACK


def _read_tokens(path: Path) -> dict[str, str]:
    """Return the tokens of a file with a line NAME TOKEN for each user."""
    try:
        with open_regular(path) as file:
            lines = file.read().decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--tokens {path} cannot be read ({reason})") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        user, *tokens = words
        if len(tokens) != 1 or user in found:
            raise UsageError(f"{path}, line {number}: expected a user's name and a token, each name once")
        found[user] = tokens[0]
    return found


def _admission(options: ServeOptions, tokens: Mapping[str, str] | None) -> Admission:
    from purestep_hosts.serve.admission import Admission, BadAdmission

    token, is_open = metrics_token(), options.watch.metrics is MetricsReaders.OPEN
    if options.watch.metrics is MetricsReaders.TOKEN and tokens is not None and len(tokens) > 1 and not token:
        raise UsageError(
            f"/metrics tells of all users together, so with --tokens it has a token of its own; set {METRICS_TOKEN}, "
            "or give --metrics open"
        )
    try:
        return Admission(
            tokens,
            origins=options.origins,
            metrics_token=token,
            has_open_metrics=is_open,
            results_token=_results_token(),
        )
    except BadAdmission as error:
        raise UsageError(str(error)) from None


def _results_token() -> str:
    """Return the token of what gives results of calls that go on elsewhere, "" for none."""
    return os.environ.get(RESULTS_TOKEN, "").strip()


def _check_file_origins(options: ServeOptions) -> None:
    """Refuse what is no origin, before a model is loaded for nothing."""
    from purestep_hosts.serve.linked_files import BadFileOrigin, FileOrigins

    try:
        FileOrigins(options.file_origins)
    except BadFileOrigin as error:
        raise UsageError(f"--files-from: {error}") from None


def _listener(host: str, port: int) -> socket.socket:
    """Listen, before a model is loaded for nothing."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise UsageError(f"{host} port {port} cannot be used ({error.strerror}); give another") from None
    return listener


def _run(
    app: Starlette, agent: ServedAgent, admission: Admission, listener: socket.socket, options: ServeOptions,
    printer: Printer,
) -> None:  # fmt: skip
    """Answer requests until a signal comes; the server has a thread of its own, which leaves signals to this one."""
    import uvicorn

    server = uvicorn.Server(
        uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, ws="none", lifespan="on",
            limit_concurrency=_MAX_CONNECTIONS, timeout_keep_alive=_KEEP_ALIVE_S, timeout_graceful_shutdown=_LEAVE_S,
        )
    )  # fmt: skip
    if options.watch.is_json:
        use_root_loggers("uvicorn", "uvicorn.error")
    listener.listen(_MAX_CONNECTIONS)
    stopping = StopSignals()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(app, server, listener, stopping)))
    thread.start()
    host = f"[{options.host}]" if ":" in options.host else options.host
    url = f"http://{host}:{listener.getsockname()[1]}"
    name = agent.definition.definition.name or "an agent"
    if options.watch.is_json:
        _logger.warning("serving %s, %s at %s", name, agent.model.name, url)
    else:
        printer.row(Row("serving", one_line(f"{name}, {agent.model.name}"), "good"))
        printer.row(Row("try it", one_line(_trial(url, is_open=admission.is_open)), "quiet"))
        printer.row(Row("stop", "Ctrl-C", "quiet"))
    print(url, flush=True)
    stopping.wait()
    thread.join()


async def _serve(app: Starlette, server: uvicorn.Server, listener: socket.socket, stopping: StopSignals) -> None:
    """Serve until a signal comes; runs are cancelled first, so that their streams end by themselves."""
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    stopped = asyncio.ensure_future(in_thread(stopping.wait))
    await asyncio.wait((serving, stopped), return_when=asyncio.FIRST_COMPLETED)
    stopping.stop()
    if not serving.done():
        await app.state.close_runs()
    server.should_exit = True
    await serving


def _trial(url: str, *, is_open: bool) -> str:
    token = "" if is_open else f' -H "Authorization: Bearer ${TOKEN}"'
    return f"curl {url}/runs{token} -H 'Content-Type: application/json' -d '{{\"query\": \"Hello\"}}'"
