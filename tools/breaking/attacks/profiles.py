"""Definitions completed with forged profiles, and probes that are handed damaged logs."""

import json
import random
from typing import Any, Final

import purestep
from purestep_tools.json_functions import JSON_FUNCTIONS

from ..attack import Attack

_RARELY: Final = 0.1
_OFTEN: Final = 0.7
_CARRY: Final = ("off", "ground", "much", None, 1)
_DIALECTS: Final = ("envelope", "native", "hermes_json", "", None, 3)
_SUPPORTS: Final[tuple[Any, ...]] = ([], ["tools"], ["json_schema"], ["grammar", "tools"], ["all"], "tools", None)
_NAMES: Final = ("m", "large", "", None, 5, "\u0000", "ünï")
_ODD: Final[tuple[Any, ...]] = (None, True, 0, -1, 2**60, 1.5, "", "x", [], {}, [[]], {"name": "m"})


def _some(rng: random.Random, **members: tuple[Any, ...]) -> dict[str, Any]:
    """Return an object with some of the members, each with one of its values."""
    return {name: rng.choice(values) for name, values in members.items() if rng.random() < _OFTEN}


def _model(rng: random.Random) -> Any:
    if rng.random() < _RARELY:
        return rng.choice(_ODD)
    return _some(rng, name=_NAMES, carry=_CARRY, supports=_SUPPORTS, window_tokens=(512, 0, "x", None))


def _definition(rng: random.Random) -> Any:
    if rng.random() < _RARELY:
        return rng.choice(_ODD)
    models = [_model(rng) for _ in range(rng.randrange(3))] if rng.random() < _OFTEN else rng.choice(_ODD)
    return _some(rng, dialect=_DIALECTS, models=(models,), tools=([], None, [{"name": "t"}]), extra=_ODD)


def _completing(rng: random.Random) -> str | None:
    definition = _definition(rng)
    profile = _some(rng, name=_NAMES, carry=_CARRY, dialect=_DIALECTS, supports=_SUPPORTS, figures=_ODD)
    text = json.dumps(definition)
    host = json.dumps(_some(rng, tools=([], [{"name": "t"}], 3), profile=(profile,)))
    once = purestep.complete_agent(text, host)
    found = json.loads(once)
    if isinstance(found, dict) and set(found) == {"error"}:
        return None if found["error"]["code"] == "invalid_input" else f"{text} with {host} gave {once}"
    if purestep.complete_agent(once, host) != once:
        return f"{text} with {host} is completed further the second time"
    return _changed(definition, found, host)


def _changed(before: Any, after: Any, host: str) -> str | None:
    """Say which member that the definition had is another one now."""
    if not isinstance(before, dict):
        return None if before == after else f"{before!r} became {after!r}"
    for name, value in before.items():
        if name != "models" and after.get(name) != value:
            return f"{name} of {before} became {after.get(name)!r} with {host}"
    models = before.get("models")
    if not isinstance(models, list):
        return None if models == after.get("models") or "models" not in before else f"models of {before} were replaced"
    for old, new in zip(models, after["models"], strict=False):
        if isinstance(old, dict) and any(new[name] != value for name, value in old.items() if value is not None):
            return f"{old} became {new} with {host}"
    return None


def _probe_log(rng: random.Random) -> str | None:
    step = json.loads(JSON_FUNCTIONS["run_probe_step"]('{"model": "m", "quick": true}'))["value"]
    kinds = ("run_started", "tool_call", "tool_result", "model_response", "final_answer", "run_failed", "", None)
    lines = [
        _some(rng, kind=kinds, call_id=("a", "b", 3), tool_name=("calculator", 1), arguments=_ODD, content=_ODD)
        | _some(rng, usage=_ODD, code=_ODD, message=_ODD, ok=_ODD, output=_ODD)
        for _ in range(rng.randrange(6))
    ]
    log = "\n".join(json.dumps(rng.choice((line, rng.choice(_ODD)))) for line in lines)
    probe = (
        step["probe"] if rng.random() < _OFTEN else {**step["probe"], **_some(rng, model=_ODD, found=_ODD, family=_ODD)}
    )
    given = json.dumps({"probe": probe, "log": log, "seconds": rng.choice((0, 1.5, "x", None, -1))})
    try:
        found = json.loads(JSON_FUNCTIONS["run_probe_step"](given))
    except Exception as error:
        return f"{given} raised {type(error).__name__}: {error}"
    return None if "value" in found or found["error"]["code"] == "invalid_input" else f"{given} gave {found}"


ATTACKS: Final = (
    Attack(
        name="forged-profiles",
        promise="What a definition says is never replaced by what a host knows",
        trial=_completing,
        least=300,
    ),
    Attack(
        name="probe-logs",
        promise="A probe takes any log without an exception",
        trial=_probe_log,
        least=300,
    ),
)
