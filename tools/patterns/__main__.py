"""The command: lists every pattern, drives each with runs, and prints those whose time grows too fast."""

import sys

from .found import found_patterns
from .growth import MOST_POWER, slow_run
from .scripts import script_patterns, slow_scripts


def main() -> int:
    """Drive all patterns; the exit code is 1 where one is slow, or was never built."""
    found, unbuilt = found_patterns()
    slow = 0
    for each in found:
        run = slow_run(each.pattern, each.methods)
        if run is not None:
            slow += 1
            _tell(each.place, each.pattern.pattern, f"{run.method}, {run.chars} characters", run.power, run.run)
    scripts = script_patterns()
    for script in slow_scripts([each for each in scripts if "source" in each]):
        slow += 1
        _tell(script["place"], script["source"], f"{script['chars']} characters", script["power"], script["run"])
    unbuilt += [f"{each['place']}: {each['built']}" for each in scripts if "source" not in each]
    for place in unbuilt:
        print(f"{place}: not built; add what builds it to tools/patterns/work.py, or to BUILT in scripts.py")
    print(f"{len(found)} patterns of Python, {len(scripts)} of JavaScript, {slow} grow faster than n^{MOST_POWER}")
    return 1 if slow or unbuilt else 0


def _tell(place: str, source: object, how: str, power: float, run: object) -> None:
    print(f"{place}: {how}: the time grows with the power {power}\n  {source!r:.300}\n  {run!r:.200}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
