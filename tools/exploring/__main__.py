"""The command: explores all definitions, or those named, in two processes, and prints what each exploration made."""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor

from .case import Case
from .definitions import CASES
from .exploration import EVERY, Explored, Sampling, Violation
from .explore import explore

_COLUMNS = ("states", "done", "steps", "refused", "replayed", "compared", "depth")


def main() -> int:
    """Explore; the exit code is 1 if a promise does not hold."""
    given = _arguments()
    cases = [case for case in CASES if not given.cases or case.name in given.cases]
    share = max(1, given.states // len(cases))
    sampling = EVERY if given.every else Sampling()
    print(f"{'definition':<16}" + "".join(f"{name:>10}" for name in _COLUMNS) + f"{'cpu s':>10}", flush=True)
    if given.processes == 1:
        found = [_explored(case, share, sampling) for case in cases]
    else:
        with ProcessPoolExecutor(given.processes) as pool:
            found = [*pool.map(_explored, cases, [share] * len(cases), [sampling] * len(cases))]
    whole = [each for each in found if isinstance(each, Explored)]
    _print(Explored(case="all", **{name: sum(getattr(each, name) for each in whole) for name in _SUMMED}))
    return 0 if len(whole) == len(cases) else 1


_SUMMED = ("states", "done", "steps", "refused", "replayed", "compared", "seconds")


def _explored(case: Case, share: int, sampling: Sampling) -> Explored | str:
    try:
        explored = explore(case, share, sampling)
    except Violation as violation:
        print(f"{case.name:<16} {str(violation)!a}", flush=True)
        return str(violation)
    _print(explored)
    return explored


def _print(explored: Explored) -> None:
    counts = "".join(f"{getattr(explored, name) or '':>10}" for name in _COLUMNS)
    print(f"{explored.case:<16}{counts}{explored.seconds:>10.1f}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh explore", description=__doc__)
    parser.add_argument("--states", type=int, default=200_000, help="distinct states in all (default: 200000)")
    parser.add_argument("--processes", type=int, default=2, help="(default: 2)")
    parser.add_argument("--every", action="store_true", help="replay every state's log and compare every merge")
    parser.add_argument("cases", nargs="*", metavar="DEFINITION", help="one of those that are listed (default: all)")
    given = parser.parse_args()
    names = [case.name for case in CASES]
    if unknown := [name for name in given.cases if name not in names]:
        parser.error(f"there is no definition {unknown[0]}; the definitions are {', '.join(names)}")
    return given


if __name__ == "__main__":
    sys.exit(main())
