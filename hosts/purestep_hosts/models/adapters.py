"""Adapters: weights that llama.cpp puts on those of a model when it loads it: the one that is shipped, or your own.

A definition names the adapter of a model with its digest, so a log says which weights answered. One that is not here,
that is damaged, or that belongs to another base file is an error before anything runs: llama.cpp itself goes on
without one in some of these cases.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

import msgspec

import purestep
from purestep_hosts.download import MODEL_NAME, MODEL_SHA256
from purestep_hosts.models.model import LOCAL_SUPPORTS, LOCAL_WINDOW_TOKENS
from purestep_hosts.regular_files import open_regular

TAUGHT_NAME: Final = "smollm2-135m-tools"
"""The bundled model with its adapter."""


class KnownAdapter(msgspec.Struct, frozen=True, kw_only=True):
    """An adapter that is here: its file and digest, and the name and digest of the base file it belongs to."""

    path: Path
    sha256: str
    base: str
    base_sha256: str


SHIPPED: Final = {
    TAUGHT_NAME: KnownAdapter(
        path=Path(__file__).parent / "smollm2_135m_tools" / "adapter.gguf",
        sha256="958ff19aafe32db324039207c6171dbcdb3420ff8f22a3273fadcea99ae6aca0",
        base=MODEL_NAME,
        base_sha256=MODEL_SHA256,
    )
}


class AdapterError(Exception):
    """An adapter cannot be used; `message` says what was expected, what came and what to do."""

    code = "model_adapter"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


SURE_FROM: Final = -0.3
"""The log-probability of a call from which it is made unasked: by the curve in the card of the adapter."""

SAID_FROM: Final = -1.5
"""The log-probability of an answer's text from which it is given: by the figures in the card of the adapter."""


_LIKELIEST: Final = {"temperature": 0}


def taught_members(own: Path | None = None) -> dict[str, Any]:
    """Return the members of a definition by which the bundled model is asked as it was taught.

    It is sometimes wrong and sure of it, so a person is asked about all that may act, unless the definition trusts it.
    Its likeliest output is taken: a drawn one may cut a text that it copies.
    own: the file of an adapter of yours, in place of the shipped one; raises AdapterError where it cannot be read.
    """
    name = TAUGHT_NAME if own is None else own.stem
    adapter = {"name": name, "sha256": _known(own)[name].sha256}
    entry = {
        "name": name,
        "window_tokens": LOCAL_WINDOW_TOKENS,
        "supports": [*LOCAL_SUPPORTS, "spans"],
        "sha256": MODEL_SHA256,
        "adapter": adapter,
        "profile": {"tokenizer": "smollm2"},
    }
    unsure = {"use": "confidence", "below": SURE_FROM, "acting": "ask", "answers_below": SAID_FROM}
    return {"dialect": "compact", "models": [entry], "policies": [unsure], "sampling": dict(_LIKELIEST)}


def with_taught(definition: dict[str, Any], own: Path | None = None) -> dict[str, Any]:
    """Return a definition by which the bundled model is asked as it was taught; its other members stand.

    Its settings of sampling too, and its policies: one that it names is not named again, and one that has none gets
    none. own: as above.
    """
    taught = taught_members(own)
    given = definition.get("policies")
    sampling = definition.get("sampling")
    if isinstance(sampling, dict):
        taught["sampling"] |= sampling
    if given is None:
        return {**definition, **taught}
    named = [use.get("use") for use in given if isinstance(use, dict)] if isinstance(given, list) else []
    further = [use for use in taught["policies"] if named and use["use"] not in named]
    return {**definition, **taught, "policies": [*given, *further] if further else given}


def adapted_model(agent: purestep.Agent) -> purestep.ModelSpec | None:
    """Return the model of a definition that has an adapter, if any."""
    return next((model for model in agent.definition.models if model.adapter is not None), None)


def _known(own: Path | None) -> dict[str, KnownAdapter]:
    """Return the adapters that are here by name: the shipped one, and a file of the user's."""
    if own is None:
        return SHIPPED
    digest = _digest(own)
    if digest is None:
        raise AdapterError(f"the adapter {own} cannot be read; give a GGUF file that tools/tuning wrote")
    found = KnownAdapter(path=own, sha256=digest, base=MODEL_NAME, base_sha256=MODEL_SHA256)
    return {**SHIPPED, own.stem: found}


def adapter_file(model: purestep.ModelSpec, base: Path, own: Path | None = None) -> Path:
    """Return the file of the adapter that a definition names for a model, for this base file.

    own: the file of an adapter of yours. Raises AdapterError for one that is not here or damaged, and for a base file
    that it does not belong to.
    """
    adapter = model.adapter
    assert adapter is not None  # the caller has looked
    known = _known(own)
    here = known.get(adapter.name)
    if here is None:
        raise AdapterError(
            f"the adapter {adapter.name!r} is not here; expected {', '.join(known)}; give its file with --adapter, or "
            "leave `adapter` out"
        )
    if adapter.sha256 != here.sha256:
        raise AdapterError(
            f"the definition names the adapter {adapter.name} with the digest {adapter.sha256[:12]}, and the one "
            f"that is here has {here.sha256[:12]}; use the version of purestep-hosts, or file, it was made with"
        )
    if _digest(here.path) != here.sha256:
        raise AdapterError(f"the file of the adapter {adapter.name} is damaged; install purestep-hosts again")
    if not _is_base(base, here.base_sha256):
        raise AdapterError(
            f"the adapter {adapter.name} belongs to {here.base}, and {base} is another file; "
            "choose the bundled model, or leave `adapter` out of the definition"
        )
    return here.path


def _is_base(path: Path, sha256: str) -> bool:
    from purestep_hosts.download import default_model_path

    # The bundled file was checked when it was fetched.
    return path == default_model_path() or _digest(path) == sha256


def _digest(path: Path) -> str | None:
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
