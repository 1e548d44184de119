"""The models that `eval` names: what tells each apart, and how it is loaded when its first run is due."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from msgspec.structs import replace

import purestep
from purestep_hosts.cli.confirming import confirm_server
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import model_for, settings_for
from purestep_hosts.evaluation import EvalModel
from purestep_hosts.evaluation.plan import SCRIPT, SCRIPTED
from purestep_hosts.extras import LOCAL
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.adapters import taught_members
from purestep_hosts.models.model import as_served
from purestep_hosts.models.named import local_entry, local_file, profile_name
from purestep_hosts.models.prices import price_for, with_prices
from purestep_hosts.regular_files import open_regular

_DIGESTED_BYTES: Final = 1_000_000
"""Of a model's file, with its size: the first megabyte has its shape, its vocabulary and a part of its weights."""


def eval_model(name: str | None, base_url: str | None, timeout: float | None, interrupts: Interrupts) -> EvalModel:
    """Return a model by the name that `--model` takes, `bundled`, or `script`; None for the one that `run` would use.

    Raises UsageError, SettingsError, DownloadError, NotConfirmed.
    """
    if name == SCRIPT:
        return SCRIPTED
    choice = AgentChoice(model=name, base_url=base_url, timeout=timeout)
    settings = settings_for(choice)
    confirm_server(settings, Path.cwd(), interrupts)
    if not settings.runs_here:
        shown = settings.model or "default"
        identity = f"{settings.kind} {settings.server} {shown}"
        served = as_served({}, shown, profile_name(settings))
        (entry,) = with_prices(served, shown, price_for(settings))["models"]
        return EvalModel(name=shown, identity=identity, entry=entry, load=lambda: model_for(choice, settings))
    LOCAL.require()
    path = local_file(settings)
    here = replace(settings, model_path=path)
    if settings.kind == "built_in":
        taught = taught_members()
        (entry,) = taught["models"]
        shown, dialect = entry["name"], taught["dialect"]
        # Only the weights are asked of it here: the definitions of the cases name the same.
        loading = purestep.Agent.load(taught)
    else:
        entry, dialect, loading = local_entry(settings), None, None
        shown = entry["name"]
    return EvalModel(
        name=shown,
        identity=f"{_identity(shown, path)} {entry.get('adapter', {}).get('sha256', '')}".rstrip(),
        entry=entry,
        dialect=dialect,
        load=lambda: model_for(choice, here, loading),
        runs_here=True,
    )


def _identity(name: str, path: Path) -> str:
    with open_regular(path) as file:
        digest = hashlib.sha256(file.read(_DIGESTED_BYTES)).hexdigest()
    return f"{name} {path.stat().st_size} {digest}"
