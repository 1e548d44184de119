"""Random runs that move at every step among engines end as those that stayed on CPython."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.report.engines import ENGINES, Answer, JsonCall
from tests.report.moving import WAYS, Moves, move_runs
from tests.report.moving_report import main, report
from tests.report.random_runs import random_run

RUNS = 20


@pytest.fixture(scope="module")
def natives() -> Iterator[list[Answer]]:
    """Two interpreters of their own."""
    with ExitStack() as stack:
        yield [stack.enter_context(ENGINES["CPython"].opened()) for _ in range(2)]


@pytest.mark.needs("node", "chromium")
def test_runs_move_among_all_engines(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By state and by log alone, each step and each end is the same; `./build.sh report --moving` moves a thousand."""
    del package
    assert 0 == main([str(RUNS), "--seed", "5"])
    said = capsys.readouterr().out
    assert 2 == said.count(f"{RUNS} runs with equal head, state and log")
    assert "\n0 differ\n" in said
    assert 0 == main([str(RUNS), "--seed", "5", "--agents"])
    said = capsys.readouterr().out
    assert 2 == said.count(f"{RUNS} runs with equal head, state and log")


def moved(engines: dict[str, Answer]) -> Moves:
    """Return what the moves of a few runs come to."""
    moves = Moves()
    for way in WAYS:
        move_runs([random_run(seed) for seed in range(RUNS)], engines, way, moves)
    return moves


def test_no_run_stays_where_it_is(natives: list[Answer]) -> None:
    """Every step after the first is on another engine than the one before, in both directions."""
    steps = sum(len(random_run(seed).steps) for seed in range(RUNS))
    moves = moved(dict(zip("ab", natives, strict=True)))
    assert 2 * (steps - RUNS) == moves.pairs["a", "b"] + moves.pairs["b", "a"]
    assert {"state": RUNS, "log": RUNS} == moves.same


def test_an_engine_that_differs_is_named(natives: list[Answer]) -> None:
    """One other byte in one line of a log shows: the run, the step, the move, and the line with both texts."""
    good, other = natives

    def odd(calls: Sequence[JsonCall]) -> list[str]:
        return [output.replace('\\"kind\\":\\"correction\\"', '\\"kind\\":\\"correktion\\"') for output in other(calls)]

    moves = Moves()
    lines = list(report(range(RUNS), {"good": good, "odd": odd}, moves))
    assert len(moves.differences) > 0
    assert {"odd"} == {difference.engine for difference in moves.differences}
    corrected = [seed for seed in range(RUNS) if random_run(seed).kinds["correction"]]
    assert {difference.seed for difference in moves.differences} <= set(corrected)
    assert f"{len(moves.differences)} differ" == lines[-2]
    assert lines[-1].startswith(f"first: run {moves.differences[0].seed}, step ")
    assert "correction" in lines[-1]
    assert "correktion" in lines[-1]


def test_an_engine_that_reads_a_log_otherwise_is_named(natives: list[Answer]) -> None:
    """A state that a log does not lead to is a difference before any step is made from it."""
    good, other = natives

    def odd(calls: Sequence[JsonCall]) -> list[str]:
        names = [name for name, *_ in calls]
        return [
            output.replace('"turns":1,', '"turns":2,') if name == "replay_log_lines" else output
            for name, output in zip(names, other(calls), strict=True)
        ]

    moves = moved({"good": good, "odd": odd})
    assert {("log", "odd")} == {(difference.way, difference.engine) for difference in moves.differences}
    assert '"turns":2' in str(moves.differences[0])


def test_the_runs_are_of_many_kinds() -> None:
    """Every kind of line stands in some of a hundred runs, and so do refusals."""
    runs = [random_run(seed) for seed in range(100)]
    kinds = sum((run.kinds for run in runs), Counter[str]())
    every = "approval approval_request agent_changed cancelled correction decided final_answer model_error resumed"
    assert set(every.split()) | {"run_failed", "skill_ended", "switched", "verdict"} <= set(kinds)
    assert any("[hidden " in run.log for run in runs)
    assert any('"media_type"' in run.log for run in runs)
    assert any("\n" not in step.output for run in runs for step in run.steps)


def test_a_seed_tells_a_run() -> None:
    """The same seed makes the same run, another one another run."""
    assert random_run(3) == random_run(3)
    assert random_run(3).log != random_run(4).log
