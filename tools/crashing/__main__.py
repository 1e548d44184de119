"""The command: kills runs at their boundaries, and prints how many points were tried and what broke."""

import argparse
import gc
import multiprocessing
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count, islice

from .scenario import agent_of, team_of
from .stores import STORES, opened_store
from .trial import Store, boundaries, killed_at

Point = tuple[int, int]
"""The seed of a run, and the number of a boundary."""

TOLD_EVERY = 100


def main() -> int:
    """Try the points; the exit code is 1 when anything broke."""
    if sys.argv[1:2] == ["workers"]:
        from .workers import main as kill_workers  # DBOS is only needed here

        return kill_workers(sys.argv[2:])
    given = _arguments()
    made = partial(team_of if given.agents else agent_of, late=given.late)
    with opened_store(given.store, given.server, made) as store:
        return _report(given, store)


def _report(given: argparse.Namespace, store: Store) -> int:
    tried, broken, runs = 0, 0, set[int]()
    gc.freeze()  # what a forked process never changes, it shares
    print(f"store {given.store}, seed {given.seed}", flush=True)
    context = multiprocessing.get_context("fork")
    with context.Pool(given.processes, maxtasksperchild=400) as pool:
        points = islice(_points(store, given.seed), given.every - 1, given.every * given.points, given.every)
        for (seed, number), what in pool.imap_unordered(partial(_tried, store), points, chunksize=4):
            tried += 1
            runs.add(seed)
            if what is not None:
                broken += 1
                print(f"  run {seed}, boundary {number}: {ascii(what)[:400]}", flush=True)
            if tried % TOLD_EVERY == 0 and tried < given.points:
                print(f"{tried} so far in {len(runs)} runs, {broken} broken", flush=True)
    print(f"{tried} crash points in {len(runs)} runs, {broken} broken")
    return 1 if broken else 0


def _points(store: Store, seed: int) -> Iterator[Point]:
    """Yield every boundary of the runs of a seed, run by run."""
    for run in count(seed * 1_000_000):
        yield from ((run, number) for number in range(1, boundaries(store, run) + 1))


def _tried(store: Store, point: Point) -> tuple[Point, str | None]:
    return point, killed_at(store, *point)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh crash", description=__doc__)
    parser.add_argument("points", type=int, nargs="?", default=1000, help="crash points (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other runs (default: 0)")
    parser.add_argument("--every", type=int, default=1, help="try every Nth boundary only (default: 1)")
    parser.add_argument("--store", choices=STORES, default="files", help="where the runs are kept")
    parser.add_argument("--agents", action="store_true", help="runs of agents that call others, or hand over to them")
    parser.add_argument("--late", action="store_true", help="runs with calls that go on elsewhere")
    parser.add_argument("--server", help="address of a PostgreSQL server, without a database, for that store")
    parser.add_argument("--processes", type=int, default=2, help="points that are tried at once (default: 2)")
    given = parser.parse_args()
    if (given.agents or given.late) and given.store == "page":
        parser.error("--agents and --late are for the other stores")
    if given.store == "postgresql" and not given.server:
        parser.error("the store postgresql needs --server, such as postgresql://USER@127.0.0.1:5432")
    return given


if __name__ == "__main__":
    sys.exit(main())
