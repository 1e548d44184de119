"""`purestep models SERVER`: the models that a server has, and how one of them is asked, and why."""

from __future__ import annotations

import time
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.models.named import missing_key, profile_name, profile_of, settings_of, table_profile
from purestep_hosts.models.prices import price_found, shown_prices
from purestep_hosts.models.server_facts import NOTHING, ServerFacts, facts_of
from purestep_hosts.models.server_kinds import BY_NAME
from purestep_hosts.settings import Settings, SettingsError
from purestep_hosts.show.printer import stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

_ASKED: Final = 20
"""Models of a server on this machine that are each asked about: as many as fit a screen."""
_PATIENCE_S: Final = 3.0
"""For all of them together."""
_WIRES: Final = {
    "openai": "chat completions",
    "responses": "OpenAI Responses",
    "anthropic": "Anthropic Messages",
    "google": "Google generateContent",
}
_DIALECTS: Final = {"native": "tools are given to the server", "tool_tags": "calls are written into the text"}
_NO_MODEL: Final = "any"


def print_server_models(name: str | None, base_url: str | None, *, as_json: bool) -> int:
    """Print the models of a server by its kind or address, or how one of them is asked; raises ModelListError."""
    kind, _, model = (name or "").partition(":")
    if name is not None and (base_url is not None or kind not in BY_NAME):
        raise UsageError(
            f"models takes the name of a server, SERVER:NAME or --base-url URL; the names are {', '.join(BY_NAME)}"
        )
    settings = settings_of(name, base_url)
    if model:
        return _print_model(settings, as_json=as_json)
    if (lacks := missing_key(settings)) is not None:
        raise SettingsError(lacks)
    return _print_list(settings, as_json=as_json)


def _print_list(settings: Settings, *, as_json: bool) -> int:
    from purestep_hosts.models.server_models import listed_models

    found = listed_models(settings)
    facts = _facts(settings, [each.id for each in found])
    told = [
        msgspec.structs.replace(fact, window_tokens=fact.window_tokens or each.window_tokens)
        for each, fact in zip(found, facts, strict=True)
    ]
    members = _members(replace(settings, model=_NO_MODEL), NOTHING)
    if as_json:
        models = [{"id": each.id, **_without_source(fact)} for each, fact in zip(found, told, strict=True)]
        print(sanitized_json({"server": settings.server, "profile": members, "models": models}))
        return codes.DONE
    printer = stdout_printer()
    rows = [
        (each.id, _window(fact.window_tokens), _takes(fact), ", ".join(_left_out(settings, each.id, fact)))
        for each, fact in zip(found, told, strict=True)
    ]
    printer.table(("model", "window", "takes", "left out of requests"), rows)
    if not found:
        stderr_printer().row(Row("note", f"{one_line(settings.server)} has no models", "warning"))
    elif settings.row is not None:
        how = f"purestep models {settings.row.name}:NAME shows how one of them is asked, and why"
        stderr_printer().row(Row("note", how, "quiet"))
    return codes.DONE


def _facts(settings: Settings, models: list[str]) -> list[ServerFacts]:
    """Return what the server tells of each model, nothing of those for which there is no time."""
    until = time.monotonic() + _PATIENCE_S
    facts = []
    for number, model in enumerate(models):
        is_asked = number < _ASKED and time.monotonic() < until
        facts.append(facts_of(replace(settings, model=model)) if is_asked else NOTHING)
    return facts


def _print_model(settings: Settings, *, as_json: bool) -> int:
    """Print the profile of one model; nothing but a server on this machine is asked, and no key is needed."""
    facts = facts_of(settings)
    members = _members(settings, facts)
    price, source = price_found(settings)
    if as_json:
        shown: dict[str, Any] = {"server": settings.server, "model": settings.model, "profile": members}
        shown["price"] = {"is": price, "from": source}
        print(sanitized_json({**shown, "told": _without_source(facts)}))
        return codes.DONE
    printer = stdout_printer()
    printer.row(Row("model", one_line(settings.model or ""), "strong"))
    printer.row(Row("server", one_line(settings.server), "plain"))
    told = [("window", _window(facts.window_tokens), facts.source), ("takes", _takes(facts), facts.source)]
    rows = [(name, _words(name, each["is"]), each["from"]) for name, each in members.items()]
    prices = [("price", words, source) for words in shown_prices(price)]
    printer.table(("member", "value", "from"), [*rows, *[row for row in told if row[1]], *prices])
    return codes.DONE


def _members(settings: Settings, facts: ServerFacts) -> dict[str, dict[str, Any]]:
    """Return each member of a model's profile and where it comes from: the server, the model's row or its kind's."""
    kind = profile_name(settings)
    whole = table_profile(settings.model or _NO_MODEL, profile_of(settings, facts))
    of_kind = table_profile(_NO_MODEL, kind)
    told = {"refuses"} if facts.tools is False else set()
    found = {}
    for name, value in whole.items():
        if name == "name":
            continue
        by_kind = name not in told and of_kind.get(name) == value
        source = facts.source if name in told else f"the table: {kind if by_kind else settings.model}"
        found[name] = {"is": value, "from": source}
    return found


def _left_out(settings: Settings, model: str, facts: ServerFacts) -> list[str]:
    named = replace(settings, model=model)
    return list(_members(named, facts).get("refuses", {"is": ()})["is"])


def _words(name: str, value: Any) -> str:
    if name == "wire":
        return _WIRES.get(value, str(value))
    if name == "dialect":
        return f"{value}: {_DIALECTS[value]}" if value in _DIALECTS else str(value)
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _takes(facts: ServerFacts) -> str:
    said = (("tools", facts.tools), ("images", facts.images))
    return ", ".join(name if takes else f"no {name}" for name, takes in said if takes is not None)


def _window(tokens: int | None) -> str:
    return "" if tokens is None else f"{tokens:,}"


def _without_source(facts: ServerFacts) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.to_builtins(replace(facts, source=""))
    return members
