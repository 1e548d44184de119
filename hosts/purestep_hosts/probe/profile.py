"""The best way to ask a model, as an entry for the `models` of an agent file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from purestep_hosts.probe.measuring import Measured

_HELP = {"off": 0, "ground": 1, "route": 2}


def best_of(found: Sequence[Measured], tasks: int) -> Measured | None:
    """Return what finished most tasks right; of equals the one that decides least for the model.

    Of these the form counts that does best over all levels, since `route` hardly asks the model; then the tokens read.

    tasks: how many a combination has when it was run to its end; one that was not, that finished none, or that ended
    with a refusal, is no way to ask.
    """
    whole = [measured for measured in found if len(measured.tasks) == tasks and measured.right and not measured.refusal]
    return min(
        whole,
        key=lambda each: (
            -each.right,
            _HELP[each.combination.carry],
            -_right_at_any_level(each, found),
            each.total("prompt_tokens"),
        ),
        default=None,
    )


def _right_at_any_level(measured: Measured, found: Sequence[Measured]) -> int:
    way = measured.combination
    form = (way.dialect, way.constraint)
    return sum(each.right for each in found if (each.combination.dialect, each.combination.constraint) == form)


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
