"""Asks a person once about what came with a folder or from somebody else, before anything of it is used."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

import purestep
from purestep_hosts.agents_below import with_below
from purestep_hosts.approval import can_ask
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.sessions import SessionInfo
from purestep_hosts.settings import Settings
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json
from purestep_hosts.state_folder import digest_of, is_confirmed, remember

if TYPE_CHECKING:
    from purestep_hosts.mcp import McpServer

_HARMLESS = ("readOnlyHint", "idempotentHint")


class NotConfirmed(Exception):
    """A person refused, or nobody could be asked; `message` says what to do instead."""

    code = "not_confirmed"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def confirm_server(settings: Settings, folder: Path, interrupts: Interrupts) -> None:
    """Ask once per folder about a server that its `.env` names; raises NotConfirmed.

    Everything that is asked goes there, and what it answers calls the tools.
    """
    if settings.chosen_by != ".env" or settings.url is None:
        return
    server = settings.server
    digest = digest_of(str(folder.resolve()), settings.url)
    if is_confirmed("address", digest):
        return
    rows = (
        Row("server", f"{one_line(server)}, named by {one_line(str(folder / '.env'))}", "warning"),
        Row("", "it receives your questions and the results of tools, and its answers decide which tools are called"),
    )
    advice = f"give --base-url {one_line(server)}, set it in the environment, or start once in a terminal and confirm"
    _ask(rows, f"The folder's .env names the server {one_line(server)}", advice, interrupts)
    remember("address", digest)


def confirm_agent(agent: purestep.Agent, specs: Sequence[dict[str, Any]], name: str, interrupts: Interrupts) -> None:
    """Ask once about an agent file that lets tools run unasked which ask by themselves; raises NotConfirmed.

    specs: of the host's tools. One that asks by itself, and in the definition does not, or is said to be harmless when
    it is repeated although it is not, has to be confirmed.
    """
    unasked = [spec["name"] for spec in specs if spec.get("approval") == "ask" and _is_loosened(agent, spec)]
    if not unasked:
        return
    digest = digest_of(_content(agent))
    if is_confirmed("agent", digest):
        return
    names = " and ".join(unasked)
    rows = (Row("agent", f"{one_line(name)} lets {names} run without asking you", "warning"),)
    advice = "leave out its approval rule, give --yes, or start once in a terminal and confirm"
    _ask(rows, f"{one_line(name)} lets {names} run without asking", advice, interrupts)
    remember("agent", digest)


def confirm_functions(path: Path, source: bytes, agent: str, interrupts: Interrupts) -> None:
    """Ask once about the content of a Python file that an agent file names, before it is run; raises NotConfirmed."""
    digest = digest_of(str(path.resolve()), hashlib.sha256(source).hexdigest())
    if is_confirmed("functions", digest):
        return
    name = one_line(str(path))
    rows = (
        Row("functions", f"{one_line(agent)} has tools in the Python file {name}", "warning"),
        Row("", "it is run with all that you may do on this machine; look at it first"),
    )
    advice = f"give --functions {name}, give --yes, or start once in a terminal and confirm"
    _ask(rows, f"{one_line(agent)} runs the Python file {name}", advice, interrupts)
    remember("functions", digest)


def confirm_servers(servers: Sequence[McpServer], name: str, folder: Path, interrupts: Interrupts) -> None:
    """Ask once about the MCP servers that an agent file names; raises NotConfirmed.

    A program of it is started before anything is asked of it, and means what it does in the folder that it starts in.
    """
    digest = digest_of(str(folder.resolve()), msgspec.json.encode(tuple(servers)).decode())
    if is_confirmed("mcp", digest):
        return
    rows = [Row("mcp", f"{one_line(name)} uses {len(servers)} MCP servers, which are no part of purestep", "warning")]
    for server in servers:
        rows.append(Row("starts" if server.command else "asks", one_line(f"{server.name}: {server.place}"), "warning"))
        if passed := [*server.env, *filter(None, (server.token_env,))]:
            rows.append(Row("", one_line(f"it gets your {' and '.join(passed)}"), "warning"))
        if server.sampling in ("ask", "auto"):
            first = ", each time once you allow it" if server.sampling == "ask" else ", unasked"
            rows.append(Row("", f"it may have the model asked what it wants{first}", "warning"))
    advice = "give the server with --mcp, give --yes, or start once in a terminal and confirm"
    _ask(rows, f"{one_line(name)} starts or asks MCP servers", advice, interrupts)
    remember("mcp", digest)


def confirm_session(
    info: SessionInfo, found: purestep.Replayed | None, agent: purestep.Agent, interrupts: Interrupts
) -> None:
    """Ask about a session that this user did not make here, before it goes on; raises NotConfirmed."""
    everyone = [each.host_tools.items() for each in with_below(agent)]
    unasked = [name for tools in everyone for name, tool in tools if tool.approval == "auto"]
    decisions = (found.decision, *(found.also or ())) if found else ()
    handed = [each for each in decisions if isinstance(each, purestep.InvokeTool | purestep.InvokeSkill)]
    calls = [call for decision in handed for call in decision.calls]
    rows = (
        Row("session", f"{one_line(info.id)} was made by another user, or on another machine", "warning"),
        Row("query", one_line(info.query)),
        Row("folder", one_line(info.root or "the working folder")),
        Row("unasked", f"tools that run without asking: {', '.join(map(one_line, dict.fromkeys(unasked))) or 'none'}"),
        *(Row("open", f"{one_line(call.tool)} {sanitized_json(call.params)}", "warning") for call in calls),
    )
    advice = "look at it with purestep replay; resume it in a terminal and confirm, or give --yes"
    _ask(rows, f"Session {one_line(info.id)} was not made by this user on this machine", advice, interrupts)


def _is_loosened(agent: purestep.Agent, spec: dict[str, Any]) -> bool:
    return any(_loosens(each, spec) for each in with_below(agent))


def _loosens(agent: purestep.Agent, spec: dict[str, Any]) -> bool:
    tool = agent.host_tools.get(spec["name"])
    if tool is None:
        return False
    claimed = {name for name in _HARMLESS if tool.spec.annotations and getattr(tool.spec.annotations, name)}
    return tool.approval == "auto" or any(not spec["annotations"].get(name) for name in claimed)


def _ask(rows: Sequence[Row], what: str, advice: str, interrupts: Interrupts) -> None:
    if not can_ask():
        raise NotConfirmed(f"{what}, which has to be confirmed, and there is no terminal; {advice}.")
    printer = stderr_printer()
    for row in rows:
        printer.row(row)
    with interrupts.raising():
        print("Go on? [y]es, [n]o: ", end="", file=sys.stderr, flush=True)
        word = sys.stdin.readline().strip().lower()
    if word not in ("y", "yes"):
        raise NotConfirmed(f"{what}, and that was not confirmed; {advice}.")


def _content(agent: purestep.Agent) -> str:
    """Return a definition as text, without what options of the command change."""
    return "\n".join(map(_own_content, with_below(agent)))


def _own_content(agent: purestep.Agent) -> str:
    settable = {"limits": type(agent.definition.limits)(), "sampling": {}, "dialect": "", "models": (), "agents": {}}
    definition: Any = replace(agent.definition, **settable)
    return msgspec.json.encode(definition, order="sorted").decode()
