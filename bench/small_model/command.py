"""The command `./build.sh bench small-model`: which models do the tasks of which sets, and what is printed."""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

import purestep
from bench.small_model.report import ModelRuns
from bench.small_model.runs import Definer, TaskRun, run_task
from bench.small_model.tasks import SETS, Task, TaskError, read_set
from purestep_hosts.download import default_model
from purestep_hosts.models.adapters import TAUGHT_NAME, adapted_model, adapter_file
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions
from purestep_hosts.models.model import Model
from purestep_hosts.models.named import BUNDLED, NamedModel, named_model

WAYS = ("taught", "untaught", "server")


def main(arguments: list[str]) -> int:
    """Run and print; the exit code is 2 where the options or a set cannot be used."""
    given = _parser().parse_args(arguments)
    try:
        sets = {path.stem: _chosen(read_set(path), given) for path in _files(given.sets)}
    except TaskError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    if (given.server is None) is not (given.model is None):
        print("bench: --server and --model go together", file=sys.stderr)
        return 2
    found = [_runs(way, sets, given) for way in _ways(given)]
    if given.json:
        print(msgspec.json.encode([each.data() for each in found]).decode())
        return 0
    console = Console()
    for each in found:
        console.print(each.table())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./build.sh bench small-model", description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help="a, b, c or a file of tasks (default: all three)")
    parser.add_argument("--only", choices=WAYS, help="ask this model alone")
    parser.add_argument("--server", metavar="URL", help="also ask a model of the server at this address")
    parser.add_argument("--model", metavar="NAME", help="its name there")
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME", help="leave a policy out, or `today`: the date"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="so many tasks of each set, chosen by --seed")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="(default: 0)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of models in this process (default: 1)")
    parser.add_argument("--json", action="store_true", help="print counts and runs as JSON")
    return parser


def _files(names: Sequence[str]) -> list[Path]:
    if not names:
        return sorted(SETS.glob("*.jsonl"))
    files = [SETS / f"{name}.jsonl" if (SETS / f"{name}.jsonl").is_file() else Path(name) for name in names]
    missing = next((path for path in files if not path.is_file()), None)
    if missing is not None:
        raise TaskError(f"{missing} is no file of tasks; expected a, b, c or a file")
    return files


def _chosen(tasks: list[Task], given: argparse.Namespace) -> list[Task]:
    """Return the tasks to run, in the order of their set."""
    if given.limit is None or given.limit >= len(tasks):
        return tasks
    places = sorted(random.Random(given.seed).sample(range(len(tasks)), given.limit))
    return [tasks[at] for at in places]


def _ways(given: argparse.Namespace) -> list[str]:
    if given.only is not None:
        return [given.only]
    return [way for way in WAYS if way != "server" or given.server is not None]


def _runs(way: str, sets: dict[str, list[Task]], given: argparse.Namespace) -> ModelRuns:
    named = named_model(given.model, given.server) if way == "server" else named_model(BUNDLED)
    asked_in = {} if way != "untaught" else {"dialect": "envelope"}

    def defined(members: dict[str, Any]) -> dict[str, Any]:
        told = {
            name: value for name, value in members.items() if name != "instructions" or "today" not in given.without
        }
        made = named.defined({**told, **asked_in})
        kept = [each for each in made.get("policies", ()) if each["use"] not in given.without]
        return {**made, "policies": kept}

    with closing(_loaded(way, named, defined, given)) as model:
        return ModelRuns(
            model=f"{TAUGHT_NAME}{'' if way == 'taught' else ', untaught'}" if way != "server" else given.model,
            sets={name: tuple(_each(tasks, model, defined)) for name, tasks in sets.items()},
        )


def _each(tasks: list[Task], model: Model, defined: Definer) -> Iterator[TaskRun]:
    for number, task in enumerate(tasks, 1):
        if sys.stderr.isatty():
            print(f"\r{model.name}: {task.id} ({number} of {len(tasks)}) ", end="", file=sys.stderr, flush=True)
        yield run_task(task, model, defined)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _loaded(way: str, named: NamedModel, defined: Definer, given: argparse.Namespace) -> Any:
    agent = purestep.Agent.load(defined({}))
    if way == "server":
        return named.load(agent)
    path, options = default_model(), LlamaCppOptions(n_threads=given.threads)
    adapted = adapted_model(agent)
    if adapted is None:
        return LlamaCppModel(path, options)
    return LlamaCppModel(path, options, name=adapted.name, adapter=adapter_file(adapted, path))
