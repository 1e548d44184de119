"""How much damaged JSON is read, and what becomes of the rest: `python -m tools.breaking.damage_rates [NUMBER]`."""

import random
import sys
from collections import Counter

from .attacks.damages import OUTCOMES, PLACES, judged


def main() -> int:
    """Print the outcomes of seeded damages by place and kind; the exit code is 1 when a guess ran."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    counts: Counter[tuple[str, str, str]] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    for seed in range(number):
        outcome, place, made, output = judged(random.Random(seed))
        counts[place, "cosmetic" if made.is_cosmetic else "structural", outcome] += 1
        for name in made.damages:
            kinds[name, outcome] += 1
        if outcome == "broken":
            print(f"seed {seed} {place} {made.damages}: {output!r} for {made.truth!r}")
    for place in PLACES:
        for kind in ("cosmetic", "structural"):
            row = [counts[place, kind, outcome] for outcome in OUTCOMES]
            shown = ", ".join(f"{name} {each}" for name, each in zip(OUTCOMES, row, strict=True))
            print(f"{place:<6} {kind:<11} {shown}; {100 * row[0] / max(1, sum(row)):.1f} % read")
    for name in sorted({name for name, _ in kinds}):
        print(f"  {name:<26}" + ", ".join(f"{each} {kinds[name, each]}" for each in OUTCOMES))
    broken = sum(counts[place, kind, "broken"] for place in PLACES for kind in ("cosmetic", "structural"))
    read = sum(counts[place, "cosmetic", "read"] for place in PLACES)
    whole = sum(counts[place, "cosmetic", each] for place in PLACES for each in OUTCOMES)
    print(
        f"{number} damages: {broken} guesses ran; of {whole} with one plausible reading {100 * read / whole:.1f} % read"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
