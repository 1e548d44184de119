"""Models by name: a GGUF file, a server's model, the one that the environment names, or the bundled one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from purestep_hosts.models.model import LOCAL_SUPPORTS, LOCAL_WINDOW_TOKENS, Model
from purestep_hosts.settings import Settings, SettingsError, load_settings

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

    def __init__(self, definition: dict[str, Any], load: Callable[[], Model]) -> None:
        self.definition = definition
        self._load = load
        self._lock = threading.Lock()
        self._model: Model | None = None

    def load(self) -> Model:
        """Return the model; the bundled one is downloaded if it is missing. Raises DownloadError, ModelLoadError."""
        with self._lock:
            if self._model is None:
                self._model = self._load()
            return self._model


def settings_of(model: str | None, base_url: str | None, folder: Path | None = None) -> Settings:
    """Return the settings for a model by name; `folder` is where a `.env` is looked for, by default the working one.

    Raises SettingsError, of which UnknownModelError is for a name that belongs to nothing.
    """
    flags = {"OPENAI_BASE_URL": base_url}
    if model is None:
        return load_settings(flags, folder=folder)
    if base_url is None and is_model_file(model):
        return load_settings({"MODEL_PATH": model}, folder=folder)
    if base_url is None:
        return _on_known_server(model, folder)
    return load_settings({**flags, "OPENAI_MODEL": model}, folder=folder)


def named_model(model: str | None, base_url: str | None = None, api_key: str | None = None) -> NamedModel:
    """Return the model that is meant, not loaded yet, and the members of a definition that suit it.

    model: `bundled`, a GGUF file, or the name of a model of the server at `base_url` or of the environment; None for
    what the environment names, else the bundled one. A `.env` is not read. Raises SettingsError.
    """
    if model is not None and base_url is None and model.endswith(".gguf") and not Path(model).expanduser().is_file():
        raise UnknownModelError(f"{model} is not a file; give the path of a GGUF file")
    try:
        settings = Settings(kind="built_in") if model == BUNDLED else settings_of(model, base_url, _NO_FOLDER)
    except UnknownModelError as error:
        advice = f"give base_url, the path of a GGUF file, or {BUNDLED!r}"
        raise UnknownModelError(f"{error.message}; {advice}") from None
    if settings.url is not None:
        name = settings.model or "default"
        return NamedModel({}, lambda: _on_server(settings, name, api_key or settings.api_key))
    members = {"models": [_entry(settings.model_path)], "sampling": {"temperature": 0, "max_tokens": _MAX_TOKENS}}
    return NamedModel(members, lambda: _in_process(settings.model_path))


def is_model_file(model: str) -> bool:
    """Return whether a model's name is that of a file."""
    return model.endswith(".gguf") or Path(model).expanduser().is_file()


def _on_known_server(model: str, folder: Path | None) -> Settings:
    """Return the settings for a model of the server that the environment names."""
    kind = load_settings({}, folder=folder).kind
    if kind == "endpoint":
        return load_settings({"LLM_MODEL": model}, folder=folder)
    try:
        return load_settings({"OPENAI_MODEL": model}, folder=folder)
    except SettingsError:
        if kind == "openai":
            raise
        raise UnknownModelError(f"{model} is not a file, and no server is named") from None


def _entry(path: Path | None) -> dict[str, Any]:
    """Return what a definition says of a model in this process; the bundled one is carried as far as that goes."""
    here = {"window_tokens": LOCAL_WINDOW_TOKENS, "supports": list(LOCAL_SUPPORTS)}
    if path is not None:
        return {"name": path.stem, **here}
    from purestep_hosts.download import MODEL_NAME

    return {"name": MODEL_NAME, **here, "carry": "route"}


def _on_server(settings: Settings, name: str, api_key: str | None) -> Model:
    from purestep_hosts.models.openai_http import HttpModel

    assert settings.url is not None
    return HttpModel(settings.url, model=name, api_key=api_key)


def _in_process(path: Path | None) -> Model:
    from purestep_hosts.models.llamacpp import LlamaCppModel

    if path is None:
        from purestep_hosts.download import default_model

        path = default_model()
    return LlamaCppModel(path)
