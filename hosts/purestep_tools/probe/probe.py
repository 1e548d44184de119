"""The course of a probe: what is run next, its outcome, and how it stands; a value, as the state of a run is."""

from typing import Any, NamedTuple

from purestep_tools.probe.comparing import Measured, best_of, profile_of
from purestep_tools.probe.judging import Probed, probed_of
from purestep_tools.probe.suite import Task, tasks_of
from purestep_tools.probe.ways import ProbeWay, dialect_for, ways_for


class NextRun(NamedTuple):
    """The run that is due: a task, asked in a way."""

    way: ProbeWay
    task: Task


class Probe(NamedTuple):
    """Which model is probed, how, and the outcomes of the ways so far; the last of `found` may be under way."""

    model: str
    family: str
    is_quick: bool
    window_tokens: int | None
    found: tuple[Measured, ...] = ()

    def tasks(self) -> tuple[Task, ...]:
        """Return the tasks of each way."""
        return tasks_of(quick=self.is_quick)

    def ways(self) -> tuple[ProbeWay, ...]:
        """Return all ways, in their order."""
        return ways_for(self.family, quick=self.is_quick)

    def next_run(self) -> NextRun | None:
        """Return the run that is due; None once every way was measured."""
        if begun := self._begun_way():
            return NextRun(begun.way, self.tasks()[len(begun.tasks)])
        ways = self.ways()[len(self.found) :]
        return NextRun(ways[0], self.tasks()[0]) if ways else None

    def with_log(self, log: str, seconds: float) -> "Probe":
        """Return the probe with the run that was due; raises ValueError for a log that is not of an ended run."""
        due = self.next_run()
        if due is None:
            raise ValueError("expected no further log: the probe has ended")
        probed = probed_of(due.task, log, seconds)
        begun = self._begun_way()
        ended = self.found[:-1] if begun else self.found
        return self._replace(found=(*ended, Measured(due.way, (*(begun.tasks if begun else ()), probed))))

    def ended_way(self) -> Measured | None:
        """Return the way that the newest run ended, if it ended one."""
        return self.found[-1] if self.found and self._is_measured(self.found[-1]) else None

    def best(self) -> Measured | None:
        """Return the best way so far."""
        return best_of(self.found, len(self.tasks()))

    def profile(self) -> dict[str, Any] | None:
        """Return the profile of the best way so far."""
        best = self.best()
        return best and profile_of(best, self.model, self.window_tokens)

    def runs(self) -> tuple[int, int]:
        """Return how many runs are over, those that a refusal left out among them, and how many there are."""
        each = len(self.tasks())
        ended = sum(each if self._is_measured(way) else len(way.tasks) for way in self.found)
        return ended, each * len(self.ways())

    def _begun_way(self) -> Measured | None:
        return self.found[-1] if self.found and not self._is_measured(self.found[-1]) else None

    def _is_measured(self, measured: Measured) -> bool:
        return len(measured.tasks) == len(self.tasks()) or bool(measured.refusal())


def begin_probe(
    model: str, *, dialect: str | None = None, quick: bool = False, window_tokens: int | None = None
) -> Probe:
    """Begin a probe.

    dialect: that of the model's family, by default told by its name. quick: the likeliest ways and some tasks.
    window_tokens: of the model, where the host knows it.
    """
    return Probe(model, dialect or dialect_for(model), quick, window_tokens)


def as_data(probe: Probe) -> dict[str, Any]:
    """Return a probe as JSON values."""
    found = [[each._asdict() for each in measured.tasks] for measured in probe.found]
    return {**probe._asdict(), "found": found}


def from_data(data: dict[str, Any]) -> Probe:
    """Return the probe of `as_data`; raises KeyError, TypeError or ValueError for anything else."""
    bare = Probe(**{**data, "found": ()})
    found = (
        Measured(way, tuple(Probed(**each) for each in tasks))
        for way, tasks in zip(bare.ways(), data["found"], strict=False)
    )
    return bare._replace(found=tuple(found))
