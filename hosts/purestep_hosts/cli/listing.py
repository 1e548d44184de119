"""The commands `sessions`, `tools` and `models`, and `prompt`, which shows what a model would be sent."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from rich.text import Text

import purestep
from purestep_hosts.cli import codes
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import DEFAULT_TOOLS, AgentChoice
from purestep_hosts.cli.own_tools import own_tools
from purestep_hosts.cli.skills import skills_of
from purestep_hosts.cli.wiring import agent_for, known_specs, model_name, tool_choice_for
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.named import missing_key, settings_of, with_model
from purestep_hosts.models.server_kinds import LOOPBACK, SERVER_KINDS, near_names
from purestep_hosts.session_names import short_ids
from purestep_hosts.sessions import SessionError, SessionInfo, SessionStore
from purestep_hosts.settings import Settings, SettingsError
from purestep_hosts.show.printer import stdout_printer
from purestep_hosts.show.rows import EventRows, Row, Tone, is_made_without_model
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json

_QUERY_CHARS = 60
_TONES: dict[str, Tone] = {"system": "quiet", "user": "strong"}


def print_sessions(folder: Path | None, *, as_json: bool) -> int:
    """Print all sessions, newest first, with how each ended."""
    store = SessionStore(folder)
    listed = [(info, _ended(store, info)) for info in store.list()]
    if as_json:
        print(sanitized_json([{**msgspec.to_builtins(info), "result": ended} for info, ended in listed]), flush=True)
        return codes.DONE
    printer = stdout_printer()
    if not listed:
        printer.line(f"no sessions in {store.root}")
        return codes.DONE
    is_terminal = printer.console.is_terminal
    said, named = (_in_words, short_ids(store.ids())) if is_terminal else (str, {})
    rows = [
        (named.get(info.id, info.id), _moment(info.created_ms), said(ended), one_line(info.model), _query(info))
        for info, ended in listed
    ]
    printer.table(("session", "started", "result", "model", "query"), rows)
    return codes.DONE


def _ended(store: SessionStore, info: SessionInfo) -> str:
    """Return how a session's run ended, by the last line of its log."""
    if info.problem:
        return "damaged"
    try:
        lines = store.read(info.id).text.rstrip("\n").split("\n")
        last: dict[str, Any] = msgspec.json.decode(lines[-1]) if lines[-1] else {}
    except (SessionError, msgspec.MsgspecError):
        return "damaged"
    match last.get("kind"):
        case "final_answer":
            return "done"
        case "run_failed":
            return f"failed: {last.get('code')}"
    return "open"


def _in_words(ended: str) -> str:
    """Return how a run ended as people say it; programs get the code."""
    return "stopped" if ended == "failed: cancelled" else ended.replace("_", " ")


def _query(info: SessionInfo) -> str:
    text = one_line(info.problem or info.query)
    return text if len(text) <= _QUERY_CHARS else f"{text[:_QUERY_CHARS]}…"


def _moment(created_ms: int) -> str:
    try:
        return datetime.fromtimestamp(created_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "unknown"


def print_tools(choice: AgentChoice, *, as_json: bool) -> int:
    """Print the built-in tools, and those of the files of functions and MCP servers that the options name."""
    with Interrupts() as interrupts, closing(CommandServers()) as servers:
        given = own_tools(choice, servers, interrupts).specs()
    # As in a run: who brings tools is not offered the default ones beside them.
    offered = {spec["name"] for spec in given} or set(DEFAULT_TOOLS)
    specs = [*given, *known_specs()]
    if as_json:
        print(sanitized_json(specs), flush=True)
        return codes.DONE
    rows = [
        (spec["name"], ", ".join(spec["parameters"].get("properties", ())), _offered(spec, offered), _described(spec))
        for spec in specs
    ]
    stdout_printer().table(("tool", "arguments", "offered", "what it does"), rows)
    return codes.DONE


def _offered(spec: dict[str, Any], offered: set[str]) -> str:
    how = "by default" if spec["name"] in offered else "when named"
    return f"{how}, asks first" if spec.get("approval") == "ask" else how


def _described(spec: dict[str, Any]) -> str:
    return spec.get("description") or ""


def _shown_url(url: str | None) -> str | None:
    """Return an address without its query string, which may hold a key."""
    return url if url is None else url.partition("?")[0]


def print_models(*, as_json: bool) -> int:
    """Print which model is used and where each setting came from, the kinds of servers, and the default model."""
    from purestep_hosts.download import MODEL_NAME, default_model_path

    settings = settings_of(None, None)
    lacks = missing_key(settings) or _lacks_model(settings)
    name = None if lacks else model_name(AgentChoice())
    servers = _servers()
    path = default_model_path()
    default = {"name": MODEL_NAME, "path": str(path), "is_there": path.is_file()}
    if as_json:
        used = {"kind": settings.kind, "model": name, "url": _shown_url(settings.url), "missing": lacks}
        known = {"api_key_is_set": settings.api_key is not None, "sources": settings.sources}
        where = {"path": str(settings.model_path or "") or None, **known, "default": default, "servers": servers}
        print(sanitized_json({**used, **where}))
        return codes.DONE
    printer = stdout_printer()
    printer.row(Row("model", one_line(name or "none"), "strong"))
    for label, value in (("file", settings.model_path), ("server", _shown_url(settings.url)), ("missing", lacks)):
        if value is not None:
            printer.row(Row(label, one_line(str(value)), "warning" if label == "missing" else "plain"))
    for variable, source in settings.sources.items():
        printer.row(Row("setting", f"{variable} from {source}", "quiet"))
    there = "downloaded" if default["is_there"] else "downloaded when it is first needed"
    printer.row(Row("default", f"{MODEL_NAME}, {there}: {path}", "quiet"))
    printer.table(("--model", "server", "found"), [(f"{it['name']}:NAME", it["url"], it["found"]) for it in servers])
    return codes.DONE


def _lacks_model(settings: Settings) -> str | None:
    """Return why a server has no model that is meant; one that a folder names is not asked."""
    if settings.chosen_by == ".env" or settings.model is not None:
        return None
    try:
        with_model(settings)
    except SettingsError as error:
        return error.message
    return None


def _servers() -> list[dict[str, Any]]:
    """Return each kind of server with its address, what was found of it, and what it lacks."""
    from purestep_hosts.models.local_servers import LocalLook
    from purestep_hosts.models.server_models import models_url

    running = {server.kind: server for server in LocalLook().found()}
    rows: list[dict[str, Any]] = []
    for kind in SERVER_KINDS:
        try:
            settings = settings_of(kind.name, None)
        except SettingsError as error:
            rows.append({"name": kind.name, "url": None, "is_ready": False, "found": error.message})
            continue
        base = (
            models_url(settings.url or "", kind.wire_at(settings.url or "")).partition("?")[0].removesuffix("/models")
        )
        row = {"name": kind.name, "url": one_line(base)}
        if kind.is_local and urlsplit(base).hostname in LOOPBACK:
            server = running.get(kind.name)
            has = f"answers; {near_names('', list(server.models))}" if server and server.models else "answers"
            found = "nothing answers there" if server is None else one_line(has)
            rows.append({**row, "is_ready": server is not None, "found": found})
            continue
        given = [f"{name} from {source}" for name, source in settings.sources.items() if source != "default"]
        lacks = missing_key(settings) is not None
        found = f"set {kind.key_name}" if lacks else ", ".join(given)
        rows.append({**row, "is_ready": not lacks, "found": found})
    return rows


def print_prompt(query: str, choice: AgentChoice, tool_choice: str | None = None, *, as_json: bool) -> int:
    """Print exactly what the model would be sent for a query; nothing is sent."""
    from purestep_hosts.effects import model_request
    from purestep_hosts.models.model import chat_body

    with Interrupts() as interrupts, closing(CommandServers()) as servers:
        # The servers' tools are in the prompt, so they are started, and confirmed before.
        agent = agent_for(choice, skills_of(choice), own_tools(choice, servers, interrupts))
    message = purestep.UserMessage(content=query, tool_choice=tool_choice_for(agent, tool_choice))
    step = purestep.start(agent, message, run_id="prompt")
    if not isinstance(step.decision, purestep.CallModel):
        return _print_decided(step, as_json=as_json)
    body = chat_body(model_request(step.decision, list(step.messages)), model_name(choice))
    if as_json:
        print(sanitized_json(body, indent=2), flush=True)
        return codes.DONE
    printer = stdout_printer()
    for message in body.pop("messages"):
        printer.row(Row(message["role"], sanitize(message["content"] or ""), _TONES.get(message["role"], "plain")))
    printer.line()
    for name, value in body.items():
        printer.line(Text(f"{name}: {sanitized_json(value)}", "dim"))
    return codes.DONE


def _print_decided(step: purestep.Step, *, as_json: bool) -> int:
    """Print what is decided about a query before any model is asked."""
    happened = [purestep.events.decode_event(line) for line in step.log.encode().splitlines()]
    decided = [event for event in happened if is_made_without_model(event)]
    if not decided:
        raise purestep.PurestepError("invalid_agent", "the limits of this agent allow no model call")
    if as_json:
        print(sanitized_json({"decision": msgspec.to_builtins(step.decision)}, indent=2), flush=True)
        return codes.DONE
    printer, rows = stdout_printer(), EventRows()
    for event in happened:
        if not isinstance(event, purestep.events.RunStarted | purestep.events.UserMessageEvent):
            for row in rows.rows(event):
                printer.row(row)
    printer.row(Row("note", "--tool-choice auto shows what a model would be sent", "quiet"))
    return codes.DONE
