"""Reads agent definitions from JSON or YAML files, and fills in the specs of this host's built-in tools.

An entry of `tools` that is a string, or an object with nothing but `name`, names a built-in tool. The core
validates definitions; this module only reads them.
"""

from __future__ import annotations

import json
from collections.abc import Container
from pathlib import Path
from typing import Any, Final

import purestep
from purestep import decode_json
from purestep_hosts.regular_files import read_regular

_OF_PROFILES = ("dialect", "figures")
"""What a profile has besides the members of a model."""

MAX_FILE_BYTES = 4 * 1024 * 1024
"""The largest definitions are a few hundred kilobytes of schemas."""


class AgentFileError(Exception):
    """An agent file cannot be used; `message` says what was expected, what came and what to do."""

    code = "bad_agent_file"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


_HELD: Final = {type(None): "nothing", list: "a list"}


def read_agent_file(path: Path) -> dict[str, Any]:
    """Return the definition in a file, with the profiles of rates that it names by their files; raises AgentFileError.

    Such a name is taken from the folder of the definition's file. `agent_tree` reads those of agents.
    """
    value = _value(path)
    if not isinstance(value, dict):
        held = _HELD.get(type(value), "a text or a number")
        raise AgentFileError(f"{path} holds {held}; expected an object, the agent definition.")
    return with_rates(value, path.parent)


def with_rates(definition: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return a definition with the profiles of rates that it names by files of a folder; raises AgentFileError."""
    policies = definition.get("policies")
    if not isinstance(policies, list):
        return definition
    return {**definition, "policies": [_with_rates(use, folder) for use in policies]}


def _with_rates(use: Any, folder: Path) -> Any:
    if not isinstance(use, dict) or use.get("use") != "rates" or not isinstance(use.get("profile"), str):
        return use
    return {**use, "profile": _value(folder / use["profile"])}


def _value(path: Path) -> Any:
    text = _text(path)
    try:
        return _yaml(text, path) if path.suffix.lower() in (".yaml", ".yml") else _json(text, path)
    except purestep.PurestepError as error:
        raise AgentFileError(f"{path} is not JSON: {error.message}. YAML files end in .yaml or .yml.") from None


def in_file(error: purestep.PurestepError, path: Path) -> purestep.PurestepError:
    """Return the error about a definition with the place in its file that it is about, where that can be found."""
    from purestep_hosts.source_places import place_of

    place = place_of(_text(path), error.path) if error.path else None
    if place is None:
        return purestep.PurestepError(error.code, f"{path}: {error.message}", error.path)
    return purestep.PurestepError(error.code, f"{path}, {place}: {error.message}")


def tool_names(definition: dict[str, Any]) -> list[str]:
    """Return the names of the definition's tools, in order; the core reports entries of a wrong shape."""
    entries = definition.get("tools")
    names = [entry.get("name") if isinstance(entry, dict) else entry for entry in _list(entries)]
    return [name for name in names if isinstance(name, str)]


def with_built_in(definition: dict[str, Any], specs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the definition with entries that name a tool and describe none completed by the tool's spec.

    What such an entry says besides, such as its checks, stands in place of the spec's.
    """
    known = {spec["name"]: spec for spec in specs}
    if not isinstance(definition.get("tools"), list):
        return definition
    return {**definition, "tools": [_filled(entry, known) for entry in definition["tools"]]}


def with_profiles(definition: dict[str, Any]) -> dict[str, Any]:
    """Return the definition with entries of `models` that `purestep probe` wrote as the core takes them.

    The `figures` of a profile are left out. Its `dialect` is the definition's, where that names none; the first counts.
    """
    models = definition.get("models")
    if not isinstance(models, list):
        return definition
    profiles = [entry for entry in models if isinstance(entry, dict)]
    dialects = [entry["dialect"] for entry in profiles if "dialect" in entry]
    taken = {"dialect": dialects[0]} if dialects else {}
    return {**taken, **definition, "models": [_without_figures(entry) for entry in models]}


def _without_figures(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {name: value for name, value in entry.items() if name not in _OF_PROFILES}


def check_tools(names: list[str], known: list[str], where: str, agents: Container[str] = ()) -> None:
    """Raise AgentFileError for a tool that this host cannot run; agents: the names of those that it calls."""
    for name in names:
        if name in agents:
            advice = "its agents are tools already; leave it out of `tools`"
            raise AgentFileError(f"{where} names its agent {name!r} among its tools: {advice}.")
        if name not in known:
            there_are = ", ".join(known)
            advice = "Functions in a Python file are tools with --functions FILE."
            said = f"{where} has a tool {name!r} that this host cannot run; its tools are {there_are}. {advice}"
            raise AgentFileError(said)


def _filled(entry: Any, known: dict[str, dict[str, Any]]) -> Any:
    if isinstance(entry, str):
        return known.get(entry, entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry.keys().isdisjoint(_DESCRIBES):
        return entry
    return {**known.get(entry["name"], {}), **entry}


_DESCRIBES: Final = ("description", "parameters", "inputSchema", "input_schema", "function")
"""Members of an entry that is a tool of its own, whatever it is called."""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(path: Path) -> str:
    try:
        data = read_regular(path, MAX_FILE_BYTES)
        if len(data) > MAX_FILE_BYTES:
            raise AgentFileError(f"{path} has more than {MAX_FILE_BYTES} bytes; expected an agent definition.")
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise AgentFileError(f"{path} cannot be read ({error.strerror}). Expected a JSON or YAML file.") from None
    except UnicodeDecodeError:
        raise AgentFileError(f"{path} is not UTF-8. Expected a JSON or YAML file.") from None


def _json(text: str, path: Path) -> Any:
    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise AgentFileError(f"{path}{_double_key_place(text)}: duplicate key {name!r} in an object; keep one.")
            found[name] = value
        return found

    decode_json(text.encode())  # its error says what is wrong, and where
    return json.loads(text, object_pairs_hook=without_duplicates)


def _double_key_place(text: str) -> str:
    """Return where the first key stands that an object has a second time; its reader for JSON does not say."""
    from purestep_hosts.strict_yaml import MarkedYAMLError, load

    try:
        load(text.replace("\t", " "))
    except MarkedYAMLError as error:
        mark = error.problem_mark
        return f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    except (ValueError, RecursionError):
        return ""
    return ""


def _yaml(text: str, path: Path) -> Any:
    from purestep_hosts.strict_yaml import MarkedYAMLError, YAMLError, load

    try:
        return load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}:" if mark else " is"
        raise AgentFileError(f"{path}{place} not usable YAML: {error.problem}.") from None
    except (YAMLError, RecursionError, ValueError) as error:
        raise AgentFileError(f"{path} is not usable YAML: {' '.join(str(error).split())}.") from None
