"""Models by name: a GGUF file, one of a hub, of ollama, of LiteLLM or of a server, or the bundled one."""

from __future__ import annotations

import difflib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from purestep import Agent, ModelSpec
from purestep_hosts.models.adapters import adapted_model, adapter_file, with_taught
from purestep_hosts.models.model import ANY_SERVER, LOCAL_SUPPORTS, LOCAL_WINDOW_TOKENS, Model, as_served
from purestep_hosts.models.prefixed_names import (
    HUB,
    LITELLM,
    hub_name,
    litellm_name,
    server_name,
)
from purestep_hosts.models.prices import free, price_for, with_prices
from purestep_hosts.models.server_facts import NOTHING, ServerFacts
from purestep_hosts.models.server_kinds import BY_NAME, SERVER_KINDS, near_names
from purestep_hosts.settings import Settings, SettingsError, load_settings, server_settings

if TYPE_CHECKING:
    from purestep_hosts.models.openai_http import HttpLimits

BUNDLED: Final = "bundled"
"""The name of the small model that is downloaded once (`download.default_model`)."""

_NO_FOLDER: Final = Path(os.devnull)
"""Has no `.env`: the command has a person confirm what a folder says, and a library has nobody to ask."""


_MAX_TOKENS: Final = 512
"""Of one output of a model in this process, whose longer ones are loops."""


class UnknownModelError(SettingsError):
    """A model's name that is no file, where no server is named."""


class NamedModel:
    """A model that is loaded once, by the first run that needs it, and what a definition says of it."""

    def __init__(self, defined: Callable[[dict[str, Any]], dict[str, Any]], load: Callable[[Agent], Model]) -> None:
        """Keep what completes a definition for it, and what loads it."""
        self.defined = defined
        """Returns a definition for it: as it is best asked, where the members given say nothing else."""
        self._load = load
        self._lock = threading.Lock()
        self._model: Model | None = None

    def load(self, agent: Agent) -> Model:
        """Return the model, with the adapter that the definition names; the bundled one is downloaded if it is missing.

        Raises DownloadError, ModelLoadError, AdapterError.
        """
        with self._lock:
            if self._model is None:
                self._model = self._load(agent)
            return self._model


def settings_of(model: str | None, base_url: str | None, folder: Path | None = None) -> Settings:
    """Return the settings for a model by name; `folder` is where a `.env` is looked for, by default the working one.

    Raises SettingsError, of which UnknownModelError is for a name that belongs to nothing.
    """
    flags = {"OPENAI_BASE_URL": base_url}
    if model is None:
        return load_settings(flags, folder=folder)
    if base_url is not None:
        return load_settings({**flags, "OPENAI_MODEL": model}, folder=folder)
    if model == BUNDLED:
        return Settings(kind="built_in", chosen_by="flag")
    if model.startswith(HUB):
        return Settings(kind="hub", model=hub_name(model), chosen_by="flag")
    if model.startswith(LITELLM):
        return Settings(kind="litellm", model=litellm_name(model), chosen_by="flag")
    if (named := server_name(model)) is not None:
        kind, name = named
        on_kind = server_settings(kind, name, folder=folder)
        assert on_kind is not None
        return on_kind
    if is_model_file(model):
        return load_settings({"MODEL_PATH": model}, folder=folder)
    chosen = server_settings(None, model, folder=folder)
    if chosen is None:
        raise UnknownModelError(_unknown(model))
    return chosen


_NEARLY: Final = 0.8
"""How alike a word is to a kind of server that it is meant for: `olama` is, and `llama3.2`, a model's name, is not."""


def _unknown(model: str) -> str:
    """Return what is wrong with a name that is no file where no server is named, and what to write."""
    if model.strip() != model or not model:
        return f"{model!r} is no model's name; write one without blanks around it, such as openai:gpt-5"
    if "://" in model:
        return "the model is an address; write the name of a model there, and the address as the base URL"
    word, colon, name = model.partition(":")
    if colon and name and (near := difflib.get_close_matches(word.lower(), BY_NAME, n=1, cutoff=_NEARLY)):
        return f"{model} names no server that is known; did you mean {near[0]}:{name}?"
    *kinds, last = (kind.name for kind in SERVER_KINDS)
    write = f"write SERVER:{model}, where SERVER is {', '.join(kinds)} or {last}"
    return f"{model} is not a file, and no server is named; {write}"


def missing_key(settings: Settings) -> str | None:
    """Return what a server that is not on this machine lacks, in a sentence; None where it has its key.

    At an address of the user's own a key may not be needed.
    """
    row = settings.row
    if row is None or row.is_local or settings.api_key or settings.sources.get(row.address_name) != "default":
        return None
    return (
        f"{row.title} wants a key, and none is set: set {row.key_name}, which goes to {settings.server}; "
        f"{row.address_name} names another address"
    )


def named_model(model: str | None, base_url: str | None = None, api_key: str | None = None) -> NamedModel:
    """Return the model that is meant, not loaded yet, and the members of a definition that suit it.

    model: `bundled`, a GGUF file, `hf:ORG/REPO[:FILE]`, `litellm:PROVIDER/NAME`, `KIND:NAME` for a kind of server of
    `server_kinds` such as `openai:gpt-5`, or the name of a model of the server at `base_url` or of the environment;
    None for what the environment names, else the bundled one. A `.env` is not read.
    Raises SettingsError.
    """
    if model is not None and base_url is None and is_model_file(model) and not Path(model).expanduser().is_file():
        raise UnknownModelError(f"{model} is not a file; give the path of a GGUF file")
    try:
        settings = settings_of(model, base_url, _NO_FOLDER)
    except UnknownModelError as error:
        raise UnknownModelError(f"{error.message}, or give base_url or {BUNDLED!r}") from None
    if not settings.runs_here:
        with_key = settings if api_key is None else replace(settings, api_key=api_key)
        if (lacks := missing_key(with_key)) is not None:
            raise SettingsError(lacks)
        return NamedModel(
            lambda given: served_definition(given, with_key),
            lambda agent: elsewhere(with_wire(with_model(with_key), agent)),
        )
    return NamedModel(
        lambda given: _local_definition(given, settings), lambda agent: in_process(settings, adapted_model(agent))
    )


def served_definition(given: dict[str, Any], settings: Settings, facts: ServerFacts = NOTHING) -> dict[str, Any]:
    """Return a definition for a model of a server, by the profile of its kind; what it says itself stands.

    facts: what the server tells of the model. A model without a name is the only one of its server, which the
    definition then does not name either.
    """
    if settings.model is not None:
        served = as_served(given, settings.model, profile_of(settings, facts), facts.window_tokens)
        return with_prices(served, settings.model, price_for(settings))
    return {"dialect": "native", **given}


def with_wire(settings: Settings, agent: Agent) -> Settings:
    """Return the settings of a server that is asked by the protocol that a definition's profile names.

    Raises SettingsError for a protocol of another kind of server.
    """
    profile = agent.definition.models[0].profile if agent.definition.models else None
    wire: str | None = getattr(profile, "wire", None)
    own = "openai" if settings.kind == "endpoint" else settings.kind
    if wire is None or own in (wire, "litellm"):
        return settings
    from purestep_hosts.models.openai_http import COMPLETIONS_PATH, RESPONSES_PATH, posting_url

    paths = {"openai": COMPLETIONS_PATH, "responses": RESPONSES_PATH}  # which one server may have both
    if wire not in paths or own not in paths or settings.url is None:
        raise SettingsError(
            f"the profile of the definition's model says wire {wire}, and {settings.server} is asked by {own}; name a "
            f"server of that protocol, such as {wire}:NAME, or leave the wire out"
        )
    base, mark, query = settings.url.partition("?")
    url = posting_url(base.removesuffix(paths[own]) + mark + query, paths[wire])
    return replace(settings, kind="responses" if wire == "responses" else "openai", url=url)


def profile_name(settings: Settings) -> str:
    """Return the name of the profile of a server."""
    row = settings.row
    return ANY_SERVER if row is None or settings.kind != row.wire else row.name


def profile_of(settings: Settings, facts: ServerFacts) -> str | dict[str, Any]:
    """Return the profile of a model of a server: the row of its kind, without tools too where the server says so."""
    name = profile_name(settings)
    if facts.tools is not False:
        return name
    known = table_profile(settings.model or "", name).get("refuses", ())
    return {"name": name, "refuses": [*known, "tools"]}


def table_profile(model: str, profile: str | dict[str, Any]) -> dict[str, Any]:
    """Return all members of a profile of a model, with those that the core's table has."""
    loaded = Agent.load({"models": [{"name": model or "any", "profile": profile}]})
    members: dict[str, Any] = msgspec.to_builtins(loaded.definition.models[0].profile)
    return members


def _local_definition(given: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Return a definition for a model in this process: as it was taught, unless it names another dialect or models."""
    asks_so = "models" not in given and given.get("dialect", "compact") == "compact"
    defined = {"models": [local_entry(settings)], "sampling": {"temperature": 0, "max_tokens": _MAX_TOKENS}, **given}
    if settings.kind == "built_in" and asks_so:
        defined = with_taught(defined)
    return with_prices(defined, local_name(settings), free)


def is_model_file(model: str) -> bool:
    """Return whether a model's name is that of a file."""
    return (model.endswith(".gguf") and not model.startswith(HUB)) or Path(model).expanduser().is_file()


def with_model(settings: Settings) -> Settings:
    """Return the settings with the model that is meant where none is named: the only one that the server lists.

    Raises SettingsError with what it lists, or with why it lists nothing.
    """
    row = settings.row
    if settings.model is not None or row is None:
        return settings
    from purestep_hosts.models.server_models import ModelListError, listed_models

    assert settings.url is not None
    name = f"give its name as {row.name}:NAME, or set {row.model_name}"
    why = f"{settings.chosen_name} chooses {row.title}" if settings.chosen_name else f"{row.title} is chosen"
    try:
        listed = [model.id for model in listed_models(settings)]
    except ModelListError as error:
        raise SettingsError(f"{why}, and no model is named: {name} ({error.message})") from None
    if len(listed) == 1:
        return replace(settings, model=listed[0])
    has = f"it has {near_names('', listed)}" if listed else "it has none"
    raise SettingsError(f"{why}, and no model is named: {name}; {has}")


def local_name(settings: Settings) -> str:
    """Return the name of a model in this process, without loading or downloading it."""
    if settings.kind == "hub" and settings.model is not None:
        return settings.model
    if settings.model_path is not None:
        return settings.model_path.stem
    from purestep_hosts.download import MODEL_NAME

    return MODEL_NAME


def local_file(settings: Settings) -> Path:
    """Return the file of a model in this process, fetched first if it is missing; raises DownloadError."""
    if settings.model_path is not None:
        return settings.model_path
    if settings.kind == "hub" and settings.model is not None:
        from purestep_hosts.models.hub import hub_model

        return hub_model(settings.model)
    from purestep_hosts.download import default_model

    return default_model()


def in_process(settings: Settings, adapted: ModelSpec | None = None, own: Path | None = None) -> Model:
    """Return a model in this process, loaded; raises DownloadError, ModelLoadError, AdapterError.

    adapted: what its definition says of it, where that names an adapter. own: the file of an adapter of the user's.
    """
    from purestep_hosts.models.llamacpp import LlamaCppModel

    path = local_file(settings)
    if adapted is None:
        return LlamaCppModel(path, name=local_name(settings))
    return LlamaCppModel(path, name=adapted.name, adapter=adapter_file(adapted, path, own))


def local_entry(settings: Settings) -> dict[str, Any]:
    """Return what a definition says of a model in this process."""
    return {
        "name": local_name(settings),
        "window_tokens": LOCAL_WINDOW_TOKENS,
        "supports": list(LOCAL_SUPPORTS),
        "profile": {},  # what its name tells, such as its tokenizer
    }


def elsewhere(settings: Settings, limits: HttpLimits | None = None, time_advice: str = "") -> Model:
    """Return a model that does not run in this process; `limits` and `time_advice` are those of HttpModel."""
    from purestep_hosts.models.openai_http import HttpModel
    from purestep_hosts.models.wire import CHAT_COMPLETIONS

    name = settings.model or "default"
    if settings.kind == "litellm":
        from purestep_hosts.models.litellm import LiteLLMModel

        return LiteLLMModel(name, limits=limits, options=_key(settings), time_advice=time_advice)
    assert settings.url is not None
    if settings.kind == "anthropic":
        from purestep_hosts.models.anthropic import anthropic_model

        base, key = settings.url.removesuffix("/v1/messages"), settings.api_key
        return anthropic_model(name, base_url=base, api_key=key, limits=limits, time_advice=time_advice)
    if settings.kind == "google":
        from purestep_hosts.models.google import google_model

        key = settings.api_key
        return google_model(name, base_url=settings.url, api_key=key, limits=limits, time_advice=time_advice)
    if settings.kind == "responses":
        from purestep_hosts.models.responses import responses_model

        key, key_name = settings.api_key, (settings.row or BY_NAME["openai"]).key_name
        return responses_model(
            name,
            base_url=settings.url,
            api_key=key,
            limits=limits,
            time_advice=time_advice,
            key_name=key_name,
            profile=profile_name(settings),
        )
    wire = CHAT_COMPLETIONS
    if settings.row is not None and settings.row.key_names:
        wire = replace(wire, key_name=settings.row.key_name)
    return HttpModel(
        settings.url,
        model=name,
        api_key=settings.api_key,
        limits=limits,
        time_advice=time_advice,
        wire=wire,
        profile=profile_name(settings),
    )


def _key(settings: Settings) -> dict[str, str]:
    return {} if settings.api_key is None else {"api_key": settings.api_key}
