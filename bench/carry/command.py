"""The command `./build.sh bench carry`: runs the sets at the levels, with the control beside each."""

import argparse
import hashlib
import random
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from bench.carry import thresholds
from bench.carry.controls import FirstValue
from bench.carry.models import KeptReplies
from bench.carry.runs import LEVELS, Outcome, run_task, takes_level
from bench.carry.sets import SETS, Task, task_set
from bench.carry.show import shown
from bench.carry.tables import Row, most, table, write_page
from purestep_hosts.download import default_model
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions

REPLIES = Path(__file__).resolve().parents[2] / ".cache" / "carry"


def main(arguments: list[str]) -> int:
    """Measure and print; the exit code is 2 for a level that this core does not take."""
    given = _arguments(arguments)
    if given.threshold:
        return _try_thresholds(given)
    unknown = [level for level in given.levels if not takes_level(level)]
    if unknown:
        print(f"carry: this core takes no `models[].carry` of {', '.join(unknown)} yet", file=sys.stderr)
        return 2
    models = {} if given.no_model else _models(given)
    rows = [row for name in given.sets for row in _rows(name, models, given) if row.outcomes or row.control]
    if not given.show:
        for row in rows:
            _print_wrong(row)
    sample = f", a sample of {given.sample} tasks of each set" if given.sample else ""
    name = next((model.name for model in models.values()), "no model")
    title = f"{name}, half: {given.split}{sample}"
    Console(width=None if sys.stdout.isatty() else 160).print(table(title, rows))
    for line in most(rows):
        print(line)
    if given.write:
        write_page(f"Model: {title}.", rows)
    return 0


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh bench carry", description=__doc__)
    parser.add_argument("--sets", type=_names(SETS), help=f"of {','.join(SETS)} (default: all)")
    parser.add_argument("--levels", type=_names(LEVELS), default=["off"], help=f"of {','.join(LEVELS)} (default: off)")
    parser.add_argument("--split", choices=("tune", "final", "both"), default="tune", help="final is for the end only")
    parser.add_argument("--tasks", type=lambda text: text.split(","), default=[], help="only these, by id")
    parser.add_argument("--first", type=int, help="only so many tasks of each set, the first ones of the half")
    parser.add_argument("--sample", type=int, help="only so many tasks of each set, drawn alike in each run")
    parser.add_argument("--show", action="store_true", help="print messages and outputs of each task that went wrong")
    parser.add_argument("--show-all", action="store_true", help="the same for all tasks")
    parser.add_argument("--no-model", action="store_true", help="the control only")
    parser.add_argument("--fresh", action="store_true", help="use no kept replies, which is what times need")
    parser.add_argument("--model", type=Path, help="another GGUF file (default: the bundled model)")
    parser.add_argument("--write", action="store_true", help="write the table into docs/carry.md")
    parser.add_argument("--threshold", action="store_true", help="no run: try thresholds of no tool (set: threshold)")
    given = parser.parse_args(arguments)
    given.sets = given.sets or (["threshold"] if given.threshold else list(SETS))
    return given


def _try_thresholds(given: argparse.Namespace) -> int:
    tasks = [task for name in given.sets for task in _tasks(name, given)]
    title = f"sets: {', '.join(given.sets)}, half: {given.split}"
    Console(width=None if sys.stdout.isatty() else 160).print(
        thresholds.table(title, [thresholds.tried(tasks, threshold) for threshold in thresholds.TRIED])
    )
    return 0


def _names(known: tuple[str, ...]) -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        names = text.split(",")
        if unknown := [name for name in names if name not in known]:
            raise argparse.ArgumentTypeError(f"there is no {unknown[0]!r}; expected {', '.join(known)}")
        return names

    return read


def _models(given: argparse.Namespace) -> dict[str, KeptReplies]:
    """Give a model for each level: where times count, each has one of its own, with what it has read before in it."""
    if not given.fresh:
        return dict.fromkeys(given.levels, _model(given))
    return {level: _model(given) for level in given.levels}


def _model(given: argparse.Namespace) -> KeptReplies:
    path = given.model or default_model()
    identity = f"{path.stem} {path.stat().st_size} {_digest_of_start(path)}"
    # One thread: the same figures on every machine, and nothing waits for a core that others use.
    return KeptReplies(LlamaCppModel(path, LlamaCppOptions(n_threads=1)), identity, None if given.fresh else REPLIES)


def _digest_of_start(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.sha256(file.read(1_000_000)).hexdigest()


def _tasks(name: str, given: argparse.Namespace) -> list[Task]:
    halves = ("tune", "final") if given.split == "both" else (given.split,)
    tasks = [task for half in halves for task in task_set(name).half(half)]
    return _drawn([task for task in tasks if not given.tasks or task.id in given.tasks][: given.first], given.sample)


def _drawn(tasks: list[Task], number: int | None) -> list[Task]:
    """Give a sample in the order of the set, drawn with a fixed seed."""
    if number is None or number >= len(tasks):
        return tasks
    drawn = random.Random(_SEED).sample(range(len(tasks)), number)
    return [tasks[at] for at in sorted(drawn)]


_SEED = 1


def _rows(name: str, models: dict[str, KeptReplies], given: argparse.Namespace) -> list[Row]:
    """Run a set at each level: every task at all levels before the next one, so that what else runs slows all alike."""
    rows = [Row(name, level, [], []) for level in given.levels]
    for task in _tasks(name, given):
        for row in rows:
            if row.level in models:
                row.outcomes.append(run_task(task, row.level, models[row.level]))
            row.control.append(run_task(task, row.level, FirstValue()))
            _notice((row.outcomes or row.control)[-1], row.level, given)
    return rows


def _notice(outcome: Outcome, level: str, given: argparse.Namespace) -> None:
    if given.show_all or (given.show and outcome.wrong):
        print(shown(outcome, level), flush=True)
    elif not given.show:
        print(f"\r{outcome.task.id} {level}   ", end="", file=sys.stderr, flush=True)


def _print_wrong(row: Row) -> None:
    outcomes = row.outcomes or row.control
    for outcome in outcomes:
        if outcome.wrong:
            print(f"{outcome.task.id:<5} {row.level:<6} {outcome.task.query[:60]!r}: {outcome.wrong[:300]}")
