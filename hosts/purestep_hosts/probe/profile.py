"""The best way to ask a model, as an entry for the `models` of an agent file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from purestep_hosts.probe.measuring import Measured

_HELP = {"off": 0, "ground": 1, "route": 2}


def best_of(found: Sequence[Measured], tasks: int) -> Measured | None:
    """Return what finished most tasks right; of equals the one that decides least for the model, then reads least.

    tasks: how many a combination has when it was run to its end; one that was not, that finished none, or that ended
    with a refusal, is no way to ask.
    """
    whole = [measured for measured in found if len(measured.tasks) == tasks and measured.right and not measured.refusal]
    return min(
        whole,
        key=lambda each: (-each.right, _HELP[each.combination.carry], each.total("prompt_tokens")),
        default=None,
    )


def profile_of(best: Measured, model: str, window_tokens: int | None) -> dict[str, Any]:
    """Return the profile; agent files take it as it is (`agent_file.with_profiles`)."""
    profile: dict[str, Any] = {
        "name": model,
        "dialect": best.combination.dialect,
        "supports": best.combination.supports,
        "carry": best.combination.carry,
    }
    if window_tokens is not None:
        profile["window_tokens"] = window_tokens
    return {**profile, "figures": figures_of(best)}


def figures_of(measured: Measured) -> dict[str, Any]:
    """Return what was measured, as numbers."""
    return {
        "right": measured.right,
        "tasks": len(measured.tasks),
        "model_calls": measured.total("model_calls"),
        "prompt_tokens": measured.total("prompt_tokens"),
        "completion_tokens": measured.total("completion_tokens"),
        "seconds": round(measured.total("seconds"), 1),
    }
