"""The command: shares the time among the attacks and prints how often each was tried and what it broke."""

import argparse
import os
import sys

from .attack import Attack, Counts, run_attack, run_trials
from .attacks import ALL


def main() -> int:
    """Run the attacks; the exit code is 1 when anything broke."""
    given = _arguments()
    attacks = [attack for attack in ALL if not given.attacks or attack.name in given.attacks]
    total = sum(attack.weight for attack in attacks)
    print(f"seed {given.seed}\n{'attack':<28} {'tried':>9} {'seconds':>8} {'broken':>7}")
    broken = 0
    for attack in attacks:
        if given.trials:
            counts = run_trials(attack, given.seed, given.trials, given.processes)
        else:
            counts = run_attack(attack, given.seed, 60 * given.minutes * attack.weight / total)
        _report(counts)
        broken += len(counts.broken)
    return 1 if broken else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./build.sh break", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5, help="for all attacks together (default: 5)")
    parser.add_argument("--trials", type=int, default=0, help="of each attack, whatever time they take")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="for --trials (default: one a processor)")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other trials (default: 0)")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(_names(ALL))} (default: all)")
    given = parser.parse_args()
    if unknown := [name for name in given.attacks if name not in _names(ALL)]:
        parser.error(f"there is no attack {unknown[0]}; the attacks are {', '.join(_names(ALL))}")
    return given


def _names(attacks: tuple[Attack, ...]) -> list[str]:
    return [attack.name for attack in attacks]


def _report(counts: Counts) -> None:
    name, tried, broken = counts.attack.name, counts.tried, len(counts.broken)
    print(f"{name:<28} {tried:>9} {counts.seconds:>8.0f} {broken:>7}", flush=True)
    for seed, what in counts.broken[:10]:
        print(f"  seed {seed}: {ascii(what)[:600]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
