"""Chooses the model, from flags, the environment and the working directory's `.env`, in that order of precedence.

A model is named in one of three ways:

    MODEL_PATH                                     a GGUF file, run in this process
    OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL  an OpenAI-compatible server (the URL usually ends in /v1)
    LLM_ENDPOINT, LLM_API_KEY, LLM_MODEL           the same by the full address of its chat completions

A key is never sent to an address that comes from a source below its own: a folder's `.env` that names a server does
not get the key of the environment.

The highest source that names a model wins; within one source the order above does, so that no text leaves this
machine by accident. OPENAI_MODEL with OPENAI_API_KEY and no URL means OpenAI itself. With none of them the built-in
model runs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from purestep_hosts.extras import CLI
from purestep_hosts.mask import secrets_of

OPENAI_BASE_URL = "https://api.openai.com/v1"
NAMES = (
    "MODEL_PATH",
    "OPENAI_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_MODEL",
    "LLM_ENDPOINT",
    "LLM_API_KEY",
    "LLM_MODEL",
)
# Servers with a single model accept any name.
_ANY_MODEL = "default"

Kind = Literal["built_in", "file", "hub", "openai", "endpoint", "anthropic", "google", "litellm"]
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
    (where to post), `model` and perhaps `api_key` for `openai`, `endpoint`, `anthropic` and `google`; `model` for
    `litellm`, which finds server and key by itself. `chosen_by` is the source that decided on the server, `withheld`
    the variable of a key that its address must not get. Printing never shows the key.
    """

    kind: Kind
    model_path: Path | None = None
    url: str | None = None
    model: str | None = None
    api_key: str | None = None
    sources: dict[str, Source] = {}
    chosen_by: Source = "default"
    withheld: str | None = None

    @property
    def runs_here(self) -> bool:
        """Whether the model runs in this process."""
        return self.kind in ("built_in", "file", "hub")

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
    found = _GivenSettings(
        {
            "flag": {name: value for name, value in flags.items() if value is not None},
            "environment": os.environ if environment is None else environment,
            ".env": _dotenv((folder or Path.cwd()) / ".env"),
        }
    )
    match found.kind():
        case "file":
            return Settings(kind="file", model_path=_model_file(found), sources=found.sources("MODEL_PATH"))
        case "openai":
            return _server(found, "openai", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL")
        case "endpoint":
            return _server(found, "endpoint", "LLM_ENDPOINT", "LLM_API_KEY", "LLM_MODEL")
    return Settings(kind="built_in")


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
        return SettingsError(f"{name} (from {self._sources.get(name, 'default')}) {problem}")

    def kind(self) -> Kind:
        """Return the kind whose setting has the highest precedence."""
        ways: dict[Kind, str] = {"file": "MODEL_PATH", "openai": self._openai(), "endpoint": "LLM_ENDPOINT"}
        given = [kind for kind, name in ways.items() if name in self._values]
        return min(given, key=lambda kind: self._order.index(self._sources[ways[kind]]), default="built_in")

    def _openai(self) -> str:
        """Return the variable whose presence selects an OpenAI-compatible server."""
        if "OPENAI_BASE_URL" in self._values or "OPENAI_MODEL" not in self._values:
            return "OPENAI_BASE_URL"
        return "OPENAI_MODEL"


def _server(found: _GivenSettings, kind: Literal["openai", "endpoint"], address: str, key: str, model: str) -> Settings:
    from purestep_hosts.models.openai_http import completions_url

    url = found.get(address)
    if url is None and found.get(key) is None:
        raise found.wrong(model, f"is set, but neither {key} nor {address} is. Set what your server needs.")
    checked = _checked_url(found, address, url or OPENAI_BASE_URL)
    secret = _checked_key(found, key)
    is_withheld = secret is not None and not found.may_receive(address, key)
    return Settings(
        kind=kind,
        url=completions_url(checked) if kind == "openai" else checked,
        model=found.get(model) or _ANY_MODEL,
        api_key=None if is_withheld else secret,
        sources=found.sources(address, key, model),
        chosen_by=found.source(address if url is not None else model),
        withheld=key if is_withheld else None,
    )


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
    return secrets_of(environment, [name for name in NAMES if name.endswith("_KEY")])


def _shown(name: str, value: object) -> object:
    return "[hidden]" if name == "api_key" and value is not None else value
