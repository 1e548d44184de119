"""Runs that move: each step on another engine than the one before, by the state or by the log alone.

Of a run that moves, nothing is taken from the run that stayed on CPython but what it was told. The text that one engine
gave is what the next one gets. A difference ends the run's move; the first one is what the report shows.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final, Literal, NamedTuple

from .engines import Answer, JsonCall
from .random_runs import RandomRun, members_of, step_input

Way = Literal["state", "log"]
WAYS: Final[tuple[Way, ...]] = ("state", "log")


class Difference(NamedTuple):
    """Where a run that moved is not as the one that stayed: the engines that it moved from and to, and both texts."""

    seed: int
    way: Way
    step: int
    before: str
    engine: str
    expected: str
    got: str

    def __str__(self) -> str:
        moved = f"moved by {self.way} from {self.before} to {self.engine}" if self.before else f"begun on {self.engine}"
        return f"run {self.seed}, step {self.step}, {moved}: {_first_difference(self.expected, self.got)}"


@dataclass(kw_only=True)
class Moves:
    """What the moves of all runs came to; pairs: how many there were from each engine to each other."""

    steps: Counter[Way] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    same: Counter[Way] = field(default_factory=Counter)
    """Runs that ended in the head, the state and the log of the run that stayed."""
    differences: list[Difference] = field(default_factory=list)


@dataclass(kw_only=True)
class _Moving:
    """A run on its way: where it is, and what it has with it."""

    run: RandomRun
    way: Way
    chance: random.Random
    engine: str = ""
    before: str = ""
    state: str = ""
    log: str = ""
    has_failed: bool = False


def move_runs(runs: Sequence[RandomRun], engines: Mapping[str, Answer], way: Way, moves: Moves) -> None:
    """Move each run at every step among the engines, all of them one step at a time, and add what came of it."""
    moving = [_Moving(run=run, way=way, chance=random.Random(f"{way} {run.seed}")) for run in runs]
    with ThreadPoolExecutor(len(engines)) as threads:
        for number in range(max(len(run.steps) for run in runs)):
            places = defaultdict[str, list[_Moving]](list)
            for each in moving:
                if number < len(each.run.steps) and not each.has_failed:
                    _move_on(each, list(engines), moves)
                    places[each.engine].append(each)
            tasks = [
                threads.submit(_step_all, engines[engine], there, number, moves) for engine, there in places.items()
            ]
            for task in tasks:
                task.result()
    for each in moving:
        _end(each, moves)


def _move_on(each: _Moving, engines: list[str], moves: Moves) -> None:
    """Choose another engine than the run is on."""
    each.before = each.engine
    each.engine = each.chance.choice([name for name in engines if name != each.before] or engines)
    if each.before:
        moves.pairs[each.before, each.engine] += 1


def _step_all(answer: Answer, there: list[_Moving], number: int, moves: Moves) -> None:
    """Make the next step of the runs that are on an engine."""
    begun = number > 0
    if begun and there[0].way == "log":
        _states_from_logs(answer, there, number, moves)
    there = [each for each in there if not each.has_failed]
    calls: list[JsonCall] = []
    for each in there:
        step = each.run.steps[number]
        if begun and each.way == "state" and step.definition is not None:
            calls.append(("load_agent", step.definition))
        calls.append(("run_agent_step_lines", step_input(each.run.first, each.state, step.observation)))
    outputs = [text for (name, *_), text in zip(calls, answer(calls), strict=True) if name != "load_agent"]
    for each, output in zip(there, outputs, strict=True):
        expected = each.run.steps[number].output
        if output != expected:
            _fail(each, number, expected, output, moves)
            continue
        moves.steps[each.way] += 1
        if (made := members_of(output)) is not None:
            each.state, each.log = made[0], each.log + made[1]


def _states_from_logs(answer: Answer, there: list[_Moving], number: int, moves: Moves) -> None:
    """Have an engine that gets nothing but the logs make the states."""
    begun = [each for each in there if each.log]  # the first observation may have been refused
    replayed = answer([("replay_log_lines", each.log) for each in begun])
    for each, output in zip(begun, replayed, strict=True):
        state = output.split("\n")[0]
        if state != each.state:
            _fail(each, number, each.state, state, moves)
        each.state = state


def _fail(each: _Moving, number: int, expected: str, got: str, moves: Moves) -> None:
    each.has_failed = True
    moves.differences.append(Difference(each.run.seed, each.way, number, each.before, each.engine, expected, got))


def _end(each: _Moving, moves: Moves) -> None:
    """Hold the end of a run that moved against that of the one that stayed."""
    if each.has_failed:
        return
    ended, stayed = (each.state, each.log), (each.run.state, each.run.log)
    if ended == stayed and _head(each.state) == _head(each.run.state):
        moves.same[each.way] += 1
    else:
        _fail(each, len(each.run.steps), "\n".join(stayed), "\n".join(ended), moves)


def _head(state: str) -> str:
    return str(json.loads(state)["head"]) if state else ""


def _first_difference(expected: str, got: str) -> str:
    """Tell the first line that differs, from shortly before the place where it does."""
    for number, (one, other) in enumerate(zip_longest(_lines(expected), _lines(got), fillvalue=""), 1):
        if one != other:
            at = next(
                (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
            )
            begin = max(at - 40, 0)
            return f"line {number}, character {at}: expected {one[begin : at + 60]!r}, got {other[begin : at + 60]!r}"
    return "nothing differs"


def _lines(output: str) -> Iterator[str]:
    """Return the lines of an output, those of its log as lines of their own."""
    made = members_of(output) if output.count("\n") == _MEMBERS - 1 else None
    for number, line in enumerate(output.split("\n")):
        yield from made[1].splitlines() if made is not None and number == _LOG else [line]


_MEMBERS: Final = 4
_LOG: Final = 2
