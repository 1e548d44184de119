"""Chooses the model, from flags, the environment and the working directory's `.env`, in that order of precedence.

A model is named in one of these ways:

    MODEL_PATH                                     a GGUF file, run in this process
    OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL  an OpenAI-compatible server (the URL usually ends in /v1)
    LLM_ENDPOINT, LLM_API_KEY, LLM_MODEL           the same by the full address of its chat completions
    OLLAMA_HOST, GROQ_MODEL, ...                   a kind of server, by its own variables (`models.server_kinds`)
    OPENAI_API_KEY, ANTHROPIC_API_KEY, ...         the same by its key alone

The highest source that names a model wins; within one source the order above does, so that no text leaves this
machine by accident. A key alone comes after all that names a server or a model; of several keys, the first whose kind
has the variable of its model set, else the first in the order of the table. With none of them the built-in model runs.

A key is never sent to an address that comes from a source below its own: a folder's `.env` that names a server does
not get the key of the environment.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypedDict, assert_never
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from purestep_hosts.extras import CLI
from purestep_hosts.mask import secrets_of
from purestep_hosts.models.server_kinds import BY_NAME, SERVER_KINDS, ServerKind, WireName

_OPENAI: Final = BY_NAME["openai"]
NAMES: Final = (
    *("MODEL_PATH", "LLM_ENDPOINT", "LLM_API_KEY", "LLM_MODEL"),
    *(name for kind in SERVER_KINDS for name in (kind.address_name, *kind.key_names, kind.model_name)),
)
# Servers with a single model accept any name.
_ANY_MODEL: Final = "default"
_GIVEN_AS: Final = {"MODEL_PATH": "the model", "OPENAI_BASE_URL": "the base URL"}
"""What people gave as an option or an argument, in words; the name of a variable is not what they wrote."""

Kind = Literal["built_in", "file", "hub", "openai", "responses", "endpoint", "anthropic", "google", "litellm"]
Source = Literal["flag", "environment", ".env", "default"]


class SettingsError(Exception):
    """A setting is wrong; `message` names it, where it came from, and what was expected."""

    code = "bad_setting"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The model chosen, and where each value came from.

    `model_path` is set for the kind `file`, and for `hub` once it is fetched, whose `model` is its name there; `url`
    (where to post), `model` and perhaps `api_key` for `openai`, `responses`, `endpoint`, `anthropic` and `google`,
    whose `model` is None for the only one that the server has; `model` for `litellm`, which finds server and key by
    itself.
    `server_kind` is the name of a row of `server_kinds`. `chosen_by` is the source that decided on the server,
    `chosen_name` the variable in it, `withheld` the variable of a key that its address must not get. Printing never
    shows the key.
    """

    kind: Kind
    model_path: Path | None = None
    url: str | None = None
    model: str | None = None
    api_key: str | None = None
    server_kind: str | None = None
    sources: dict[str, Source] = {}
    chosen_by: Source = "default"
    chosen_name: str = ""
    withheld: str | None = None

    @property
    def runs_here(self) -> bool:
        """Whether the model runs in this process."""
        return self.kind in ("built_in", "file", "hub")

    @property
    def row(self) -> ServerKind | None:
        """The kind of its server; None for a model in this process and for a server of no kind."""
        return None if self.server_kind is None else BY_NAME[self.server_kind]

    @property
    def server(self) -> str:
        """The server's scheme, host and port; empty for a model in this process."""
        parts = urlsplit(self.url or "")
        return f"{parts.scheme}://{parts.netloc}" if self.url else ""

    def __rich_repr__(self) -> list[tuple[str, object]]:
        return [(name, _shown(name, getattr(self, name))) for name in self.__struct_fields__]

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in self.__rich_repr__())})"

    __str__ = __repr__


def load_settings(
    flags: Mapping[str, str | None],
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """Return the effective settings.

    `flags` maps names of NAMES to the values of the command line, None if absent. `environment` is
    the process's unless given, `folder` the working directory, whose `.env` alone is read. Raises
    SettingsError.
    """
    found = _given(flags, environment, folder)
    name, way = found.chosen(())
    match way:
        case "built_in":
            return Settings(kind="built_in")
        case "file":
            path = _model_file(found)
            sources = found.sources("MODEL_PATH")
            return Settings(kind="file", model_path=path, sources=sources, chosen_by=sources[name], chosen_name=name)
        case "endpoint":
            return _endpoint(found)
        case ServerKind():
            return _server(found, way, name)
    assert_never(way)


def server_settings(
    kind: ServerKind | None,
    model: str | None,
    *,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings | None:
    """Return the settings of a model on a kind of server, or on the one that is chosen where the kind is None.

    model: None for what a variable names, else the only one that the server has. None where no server is chosen. The
    others are those of `load_settings`. Raises SettingsError.
    """
    found = _given({}, environment, folder)
    name, way = ("", kind) if kind is not None else found.chosen(("file",))
    if isinstance(way, ServerKind):
        settings = _server(found, way, name)
    elif way == "endpoint":
        settings = _endpoint(found)
    else:
        return None
    if kind is not None:
        # It is named for this command, also where a folder says at what address it is, which is confirmed then.
        chosen = found.source(kind.address_name)
        settings = replace(settings, chosen_by=".env" if chosen == ".env" else "flag", chosen_name="")
    return settings if model is None else replace(settings, model=model)


def _given(
    flags: Mapping[str, str | None], environment: Mapping[str, str] | None, folder: Path | None
) -> _GivenSettings:
    return _GivenSettings(
        {
            "flag": {name: value for name, value in flags.items() if value is not None},
            "environment": os.environ if environment is None else environment,
            ".env": _dotenv((folder or Path.cwd()) / ".env"),
        }
    )


_Way = Literal["built_in", "file", "endpoint"] | ServerKind


class _GivenSettings:
    """The values given for NAMES, each from the source with the highest precedence."""

    def __init__(self, places: Mapping[Source, Mapping[str, str]]) -> None:
        self._order = list(places)
        self._values: dict[str, str] = {}
        self._sources: dict[str, Source] = {}
        for source, values in places.items():
            for name in NAMES:
                value = values.get(name, "").strip()
                if value and name not in self._values:
                    self._values[name], self._sources[name] = value, source

    def get(self, name: str) -> str | None:
        return self._values.get(name)

    def sources(self, *names: str) -> dict[str, Source]:
        return {name: self._sources.get(name, "default") for name in names}

    def source(self, name: str) -> Source:
        return self._sources.get(name, "default")

    def may_receive(self, address: str, key: str) -> bool:
        """Return whether the source of an address is trusted as much as that of the key; OpenAI's own is built in."""
        ranks = {"default": -1, **{source: rank for rank, source in enumerate(self._order)}}
        return ranks[self.source(address)] <= ranks[self.source(key)]

    def wrong(self, name: str, problem: str) -> SettingsError:
        source = self.source(name)
        said = _GIVEN_AS.get(name) if source == "flag" else None
        return SettingsError(f"{said or f'{name} (from {source})'} {problem}")

    def first(self, names: tuple[str, ...]) -> str | None:
        """Return the first of some variables that has a value."""
        return next((name for name in names if name in self._values), None)

    def chosen(self, without: tuple[str, ...]) -> tuple[str, _Way]:
        """Return the variable that chooses the model, and the way that it stands for, but for those left out."""
        named = [(name, way) for name, way in self._named() if name in self._values and way not in without]
        if named:
            return min(named, key=lambda each: self._order.index(self._sources[each[0]]))
        keys = [(name, kind) for kind in SERVER_KINDS if not kind.is_local and (name := self.first(kind.key_names))]
        by_key: list[tuple[str, _Way]] = [*sorted(keys, key=lambda each: each[1].model_name not in self._values)]
        return by_key[0] if by_key else ("", "built_in")

    def _named(self) -> list[tuple[str, _Way]]:
        """Return the variables that name a server or a model, in their order within one source."""
        others = [kind for kind in SERVER_KINDS if kind is not _OPENAI]
        reached = [kind for kind in others if kind.is_local or self.first((kind.address_name, *kind.key_names))]
        return [
            ("MODEL_PATH", "file"),
            (_OPENAI.address_name if _OPENAI.address_name in self._values else _OPENAI.model_name, _OPENAI),
            ("LLM_ENDPOINT", "endpoint"),
            *((kind.address_name, kind) for kind in others if kind.has_host),
            *((kind.model_name, kind) for kind in reached),
        ]


def _endpoint(found: _GivenSettings) -> Settings:
    url = _checked_url(found, "LLM_ENDPOINT", found.get("LLM_ENDPOINT") or "")
    sources = found.sources("LLM_ENDPOINT", "LLM_API_KEY", "LLM_MODEL")
    return Settings(
        kind="endpoint",
        url=url,
        model=found.get("LLM_MODEL") or _ANY_MODEL,
        sources=sources,
        chosen_by=sources["LLM_ENDPOINT"],
        chosen_name="LLM_ENDPOINT",
        **_key(found, "LLM_ENDPOINT", "LLM_API_KEY"),
    )


def _server(found: _GivenSettings, kind: ServerKind, name: str) -> Settings:
    """Return the settings for a kind of server, which the variable `name` chose."""
    address, model = kind.address_name, kind.model_name
    key = found.first(kind.key_names) or (kind.key_names or ("",))[0]
    if name == _OPENAI.model_name and found.get(address) is None and found.get(key) is None:
        raise found.wrong(name, f"is set, but neither {key} nor {address} is. Set what your server needs.")
    is_any = kind is _OPENAI and name == address  # an address of any server that is compatible with OpenAI's
    base = _checked_address(found, kind)
    wire = kind.wire_at(base)
    return Settings(
        kind=wire,
        url=_posted_to(wire, base),
        model=found.get(model) or (_ANY_MODEL if is_any else None),
        server_kind=None if is_any else kind.name,
        sources=found.sources(address, *filter(None, (key,)), model),
        chosen_by=found.source(name),
        chosen_name=name,
        **_key(found, address, key),
    )


class _SentKey(TypedDict):
    api_key: str | None
    withheld: str | None


def _key(found: _GivenSettings, address: str, name: str) -> _SentKey:
    secret = _checked_key(found, name)
    is_withheld = secret is not None and not found.may_receive(address, name)
    return {"api_key": None if is_withheld else secret, "withheld": name if is_withheld else None}


def _posted_to(wire: WireName, base: str) -> str:
    """Return where to post for a base URL."""
    match wire:
        case "openai":
            from purestep_hosts.models.openai_http import completions_url

            return completions_url(base)
        case "responses":
            from purestep_hosts.models.responses import responses_url

            return responses_url(base)
        case "anthropic":
            from purestep_hosts.models.anthropic import messages_url

            return messages_url(base)
    return base  # the address of Google's has the model in it


def _checked_address(found: _GivenSettings, kind: ServerKind) -> str:
    name = kind.address_name
    given = found.get(name)
    if given is not None and not kind.has_host:
        given = _checked_url(found, name, given)
    try:
        return kind.base_url(given)
    except ValueError:
        where = urlsplit(kind.url).netloc
        raise found.wrong(name, f"is no address of a server. Expected something like {where}.") from None


def _model_file(found: _GivenSettings) -> Path:
    path = Path(found.get("MODEL_PATH") or "").expanduser()
    if not path.is_file():
        raise found.wrong("MODEL_PATH", f"names {path}, which is not a file. Give the path of a GGUF file.")
    return path


def _checked_url(found: _GivenSettings, name: str, url: str) -> str:
    if not _is_web_address(url):
        raise found.wrong(name, "is not a web address. Expected something like http://127.0.0.1:8080/v1.")
    if "@" in urlsplit(url).netloc:
        raise found.wrong(name, "holds a user name or password. Put the key in the variable for keys.")
    return url


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and url.isprintable()
            and " " not in url
        )
    except ValueError:
        return False


def _checked_key(found: _GivenSettings, name: str) -> str | None:
    key = found.get(name)
    if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
        raise found.wrong(name, "holds characters that no key can have. Copy it again, without line breaks.")
    return key


def _dotenv(path: Path) -> dict[str, str]:
    """Return the values of a `.env` file, {} without one; taken literally, without expansion."""
    if not path.is_file():
        return {}
    with CLI:
        from dotenv.parser import parse_stream

    try:
        with path.open(encoding="utf-8-sig") as stream:
            bindings = list(parse_stream(stream))
    except (OSError, UnicodeDecodeError) as error:
        text = f"{path} cannot be read ({type(error).__name__}). Expected lines like NAME=value."
        raise SettingsError(text) from None
    for binding in bindings:
        if binding.error:
            raise SettingsError(f"{path}, line {binding.original.line}, is not of the form NAME=value.")
    return {binding.key: binding.value for binding in bindings if binding.key and binding.value is not None}


def known_secrets(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> set[str]:
    """Return the keys of the environment and of a folder's `.env`, and what else is secret there by its name."""
    try:
        dotenv = _dotenv((folder or Path.cwd()) / ".env")
    except (SettingsError, OSError, ImportError):
        dotenv = {}
    return environment_secrets(os.environ if environment is None else environment) | environment_secrets(dotenv)


def environment_secrets(environment: Mapping[str, str]) -> set[str]:
    """Return the keys of models in an environment, and what else is secret there by its name."""
    keys = [name for kind in SERVER_KINDS if not kind.is_local for name in kind.key_names]
    return secrets_of(environment, ["LLM_API_KEY", *keys])


def _shown(name: str, value: object) -> object:
    return "[hidden]" if name == "api_key" and value is not None else value
