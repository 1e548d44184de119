"""Which MCP server to use: read from a text, as on the command line, or from the member `mcp` of an agent file."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from purestep_hosts.mcp.sampling import SAMPLING, Sampling, as_sampling
from purestep_hosts.mcp.tasks import TASK_USES, TaskUse, as_task_use

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
"""Of a server: it begins the names of its tools, of which providers take 64 characters."""

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STARTERS: Final = re.compile(r"(npx|uvx|uv|pipx|run|tool|exec|bunx|deno|node|bun|python[0-9.]*)")
"""Programs and their words that start another one, after which a server is not named."""

_VERSION: Final = re.compile(r"(?<=.)(@.*|==.*|\.[A-Za-z]+)$")
_PLAIN_PART: Final = re.compile(r"^(mcp[-_]server[-_]|server[-_]|mcp[-_])")
_GENERIC: Final = ("index", "main", "__main__", "server", "cli", "dist", "build", "src", "bin")
THIS_MACHINE: Final = ("localhost", "127.0.0.1", "::1")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_MEMBERS: Final = {
    "command": ("command", "args", "env", "roots", "tools", "lazy", "sampling", "tasks"),
    "url": ("url", "token_env", "tools", "lazy", "sampling", "tasks"),
}
_KINDS: Final = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "empty"}
_EXPECTED: Final = "expected a command with its arguments, or an address that begins with https://"


class BadMcpServer(Exception):
    """An entry is no MCP server; `message` says what was expected, what came and what to do."""

    code = "bad_mcp_server"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class McpError(Exception):
    """A server cannot be used; `message` says which, what happened and what to do."""

    code = "mcp_server"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class McpServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server: a program (`command` with its arguments) or an address (`url`), one of them.

    `name` begins the names of its tools. `env` are variables of this process's environment that the program gets
    besides PATH, HOME and the like. `roots` are folders that it is told of when it asks which ones it may use: no other
    is, and nothing keeps it to them. `token_env` is the variable that holds the address's bearer token. `tools` are
    those to use, by the server's names; None for all. `lazy`: it is not started or asked before one of its tools is
    called, and until then has the tools that it listed last. `sampling`: whether it may have the model asked in the
    middle of a call: `ask`, once a person has allowed it, each time; `auto`, unasked; `off`, never. None is `off` where
    `McpServers` says nothing else. `tasks`: which tools are called as tasks, of a server that has them: `required`,
    those that need it; `optional`, also those that may; `later`, as `optional`, and the model goes on at once.
    """

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    env: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    token_env: str = ""
    tools: tuple[str, ...] | None = None
    lazy: bool = False
    sampling: Sampling | None = None
    tasks: TaskUse = "required"

    @property
    def place(self) -> str:
        """The program with its arguments, or the address without what may be a secret in it."""
        if self.command:
            return shlex.join(self.command)
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def server_of(given: str) -> McpServer:
    """Return the server of a text: a command or an address, with `NAME=` before it or named by itself.

    Raises BadMcpServer.
    """
    head, sign, rest = given.strip().partition("=")
    named = sign == "=" and _NAME.fullmatch(head) is not None
    return _server(head if named else "", rest if named else given, {}, f"the server {given!r}")


def server_entries(member: Any, where: str) -> tuple[McpServer, ...]:
    """Return the servers of the member `mcp` of an agent file: an object of entries by name; raises BadMcpServer.

    An entry is a text, as for `server_of`, or an object with `command` (and `args`) or `url`, and the other members
    of `McpServer`.
    """
    if not isinstance(member, dict):
        raise BadMcpServer(f"{where}: mcp is {_kind(member)}; expected an object of servers by name")
    return tuple(
        _entry(_checked_name(str(name), where), entry, f"{where}, mcp server {name!r}")
        for name, entry in member.items()
    )


def _entry(name: str, entry: Any, where: str) -> McpServer:
    if isinstance(entry, str):
        return _server(name, entry, {}, where)
    if not isinstance(entry, dict):
        raise BadMcpServer(f"{where} is {_kind(entry)}; {_EXPECTED}")
    if ("command" in entry) == ("url" in entry):
        raise BadMcpServer(f"{where} needs either command or url")
    _check_members(entry, where)
    if "url" in entry:
        url = _text(entry, "url", where)
        if not _ADDRESS.match(url.strip()):
            raise BadMcpServer(f"{where}: url is {url!r:.80}; expected an address that begins with https://")
        return _server(name, url, entry, where)
    command, args = entry["command"], _texts(entry, "args", where)
    if isinstance(command, list):
        return _server(name, [*_texts(entry, "command", where), *args], entry, where)
    text = _text(entry, "command", where)
    if _ADDRESS.match(text.strip()):
        raise BadMcpServer(f"{where}: command is the address {text!r:.80}; give it as url")
    return _server(name, [text, *args] if args else text, entry, where)


def _check_members(entry: Mapping[Any, Any], where: str) -> None:
    """Raise BadMcpServer for a member that says nothing here: it would be taken for something that holds."""
    kind = "url" if "url" in entry else "command"
    for member in entry:
        if member not in _MEMBERS[kind]:
            known = ", ".join(_MEMBERS[kind])
            raise BadMcpServer(f"{where} has the member {str(member)!r:.80}; with {kind} its members are {known}")


def _server(name: str, given: str | list[str], entry: Mapping[str, Any], where: str) -> McpServer:
    tools = tuple(_texts(entry, "tools", where)) if "tools" in entry else None
    lazy = entry.get("lazy", False)
    if not isinstance(lazy, bool):
        raise BadMcpServer(f"{where}: lazy is {_kind(lazy)}; expected true or false")
    sampling = as_sampling(entry["sampling"]) if "sampling" in entry else None
    if "sampling" in entry and sampling is None:
        raise BadMcpServer(f"{where}: sampling is {entry['sampling']!r:.80}; expected {', '.join(SAMPLING)}")
    tasks = as_task_use(entry.get("tasks", "required"))
    if tasks is None:
        raise BadMcpServer(f"{where}: tasks is {entry['tasks']!r:.80}; expected {', '.join(TASK_USES)}")
    if isinstance(given, str) and _ADDRESS.match(given.strip()):
        url, token = given.strip(), _text(entry, "token_env", where) if "token_env" in entry else ""
        _check_url(url, token, where)
        found = _checked_name(name or _host_name(url), where)
        return McpServer(name=found, url=url, token_env=token, tools=tools, lazy=lazy, sampling=sampling, tasks=tasks)
    try:
        words = shlex.split(given) if isinstance(given, str) else given
    except ValueError as error:
        raise BadMcpServer(f"{where}: {str(error).lower()}; {_EXPECTED}") from None
    if not words or not all(word and "\0" not in word for word in words):
        raise BadMcpServer(f"{where}: {_EXPECTED}")
    env = tuple(_texts(entry, "env", where))
    for variable in env:
        if not _VARIABLE.fullmatch(variable):
            raise BadMcpServer(f"{where}: env has {variable!r}; expected names of variables, whose values stay outside")
    roots = tuple(_texts(entry, "roots", where))
    if not all(root and "\0" not in root for root in roots):
        raise BadMcpServer(f"{where}: roots has an empty name; expected folders")
    found = _checked_name(name or _program_name(words), where)
    program = tuple(words)
    return McpServer(
        name=found, command=program, env=env, roots=roots, tools=tools, lazy=lazy, sampling=sampling, tasks=tasks
    )


def _check_url(url: str, token: str, where: str) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        raise BadMcpServer(f"{where}: the address cannot be read; {_EXPECTED}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise BadMcpServer(f"{where}: {_EXPECTED}, or http:// on this machine")
    if parts.scheme == "http" and host not in THIS_MACHINE:
        raise BadMcpServer(
            f"{where}: http:// is for this machine only, since anybody on the way could answer; use https://"
        )
    if token and not _VARIABLE.fullmatch(token):
        raise BadMcpServer(f"{where}: token_env names the variable that holds the token, such as EXAMPLE_TOKEN")


def _checked_name(name: str, where: str) -> str:
    if not _NAME.fullmatch(name) or "__" in name:
        raise BadMcpServer(
            f"{where}: the name {name!r:.80} cannot begin the name of a tool; "
            "expected at most 32 letters, digits, _ and -"
        )
    return name


def _program_name(words: list[str]) -> str:
    """Return a name for a server from its command: of `npx -y @scope/server-files@2 /tmp` it is `files`."""
    for word in words:
        bare = PurePath(word).name
        if word.startswith("-") or _STARTERS.fullmatch(bare):
            continue
        return _as_name(_PLAIN_PART.sub("", _telling_part(word)))
    return _as_name(PurePath(words[0]).name)


def _telling_part(word: str) -> str:
    """Return the last part of a path or package that says what it is, without its version and ending."""
    parts = [_VERSION.sub("", part) for part in reversed(PurePath(word).parts)]
    return next((part for part in parts if part not in _GENERIC), parts[0])


def _host_name(url: str) -> str:
    return _as_name(urlsplit(url).hostname or "")


def _as_name(text: str) -> str:
    return re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_-]", "_", text)).strip("_-")[:32] or "server"


def _text(entry: Mapping[str, Any], member: str, where: str) -> str:
    if not isinstance(entry[member], str):
        raise BadMcpServer(f"{where}: {member} is {_kind(entry[member])}; expected a text")
    return str(entry[member])


def _texts(entry: Mapping[str, Any], member: str, where: str) -> list[str]:
    found = entry.get(member, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise BadMcpServer(f"{where}: {member} is {_kind(found)}; expected a list of texts")
    return list(found)


def _kind(value: Any) -> str:
    """Return what a value of a JSON or YAML file is, in the words of its author."""
    if isinstance(value, list) and value:
        return f"a list with {_kind(next((each for each in value if not isinstance(each, str)), ''))} in it"
    return _KINDS.get(type(value), "a number" if isinstance(value, int | float) else "no text")
