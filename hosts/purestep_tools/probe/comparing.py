"""The figures of each way, and which way is the best."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from purestep_tools.probe.judging import Probed
from purestep_tools.probe.ways import ProbeWay

_HELP = {"off": 0, "ground": 1}


class Measured(NamedTuple):
    """The outcomes of the tasks of one way; a refusal ended it at the task that met it."""

    way: ProbeWay
    tasks: tuple[Probed, ...] = ()

    def right(self) -> int:
        """Return how many tasks were finished right."""
        return sum(not probed.wrong for probed in self.tasks)

    def refusal(self) -> str:
        """Return why the model gave nothing, if that ended the way."""
        return self.tasks[-1].refusal if self.tasks else ""

    def figures(self) -> dict[str, Any]:
        """Return what was measured, as numbers."""
        return {
            "right": self.right(),
            "tasks": len(self.tasks),
            "model_calls": sum(probed.model_calls for probed in self.tasks),
            "prompt_tokens": sum(probed.prompt_tokens for probed in self.tasks),
            "completion_tokens": sum(probed.completion_tokens for probed in self.tasks),
            "seconds": round(sum(probed.seconds for probed in self.tasks), 1),  # exact: Python rounds correctly
        }

    def row(self) -> dict[str, Any]:
        """Return the way's row of the table."""
        failed = {probed.task: probed.wrong for probed in self.tasks if probed.wrong}
        return {**self.way._asdict(), **self.figures(), "wrong": failed, "refusal": self.refusal()}


def best_of(found: Sequence[Measured], tasks: int) -> Measured | None:
    """Return what finished most tasks right; of equals the one that decides least for the model.

    Of these the form counts that does best over both levels; then the tokens read.

    tasks: how many a way has when it was run to its end; one that was not, that finished none, or that ended with a
    refusal, is no way to ask.
    """
    whole = [each for each in found if len(each.tasks) == tasks and each.right() and not each.refusal()]
    return min(
        whole,
        key=lambda each: (
            -each.right(),
            _HELP[each.way.carry],
            -_right_at_any_level(each.way, found),
            each.figures()["prompt_tokens"],
        ),
        default=None,
    )


def _right_at_any_level(way: ProbeWay, found: Sequence[Measured]) -> int:
    return sum(each.right() for each in found if each.way[:2] == way[:2])


def profile_of(best: Measured, model: str, window_tokens: int | None) -> dict[str, Any]:
    """Return the profile: an entry for the `models` of an agent file, with the figures beside it."""
    way = best.way
    profile = {"name": model, "dialect": way.dialect, "supports": way.supports(), "carry": way.carry}
    window = {} if window_tokens is None else {"window_tokens": window_tokens}
    return {**profile, **window, "figures": best.figures()}
