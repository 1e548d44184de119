"""The command: shares the time among the targets, prints a summary, keeps a reproducer of each finding."""

import argparse
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import msgspec

from .findings import broken_by, found_by, kept, minimised
from .loops import BY_NAME, Ran, mutate_alone
from .targets import TARGETS, Target


def main() -> int:
    """Fuzz, or check files of a former run again; the exit code is 1 when anything was found."""
    given = _arguments()
    if given.again:
        return _check_again(given.again)
    folder = Path(given.out or tempfile.mkdtemp(prefix="purestep-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    is_guided = find_spec("atheris") is not None and not given.plain
    targets = [target for target in TARGETS if not given.targets or target.name in given.targets]
    print(f"{'by coverage (atheris)' if is_guided else 'by mutation'}, seed {given.seed}, findings in {folder}")
    print(f"{'target':<20} {'executions':>10} {'seconds':>8}  findings")
    total = sum(target.weight for target in targets)
    found = 0
    for target in targets:
        seconds = 60 * given.minutes * target.weight / total
        ran = _guided(target, given.seed, seconds, folder) if is_guided else _alone(target, given.seed, seconds)
        found += _reported(target, ran, folder)
    return 1 if found else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5, help="for all targets together (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="another seed makes other inputs (default: 0)")
    parser.add_argument("--out", help="the folder for findings (default: a temporary one)")
    parser.add_argument("--plain", action="store_true", help="mutate by the seed alone although atheris is there")
    parser.add_argument("--again", type=Path, nargs="+", help="check these files of findings again, and nothing else")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(BY_NAME)} (default: all)")
    given = parser.parse_args()
    if unknown := [name for name in given.targets if name not in BY_NAME]:
        parser.error(f"there is no target {unknown[0]}; the targets are {', '.join(BY_NAME)}")
    return given


def _alone(target: Target, seed: int, seconds: float) -> Ran:
    until = time.monotonic() + seconds
    return mutate_alone(target, seed, lambda _ran: time.monotonic() < until)


def _guided(target: Target, seed: int, seconds: float, folder: Path) -> Ran:
    """Run one target in a process of its own, for atheris ends the one that it runs in."""
    command = [sys.executable, "-m", "tools.fuzz.guided", target.name, str(seed), str(seconds), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True)
    result = folder / f"{target.name}.ran"
    if not result.exists():
        (folder / f"{target.name}.stderr").write_bytes(done.stderr)
        print(f"{target.name}: the process ended with {done.returncode}; its words are in {target.name}.stderr")
        return Ran(target=target.name)
    ran = msgspec.msgpack.decode(result.read_bytes(), type=Ran)
    result.unlink()
    # Seen under instrumentation, which is slow; what counts is what breaks without.
    again = {kind: found_by(target, finding.data) for kind, finding in ran.findings.items()}
    ran.findings = {kind: finding for kind, finding in again.items() if finding is not None}
    return ran


def _reported(target: Target, ran: Ran, folder: Path) -> int:
    print(f"{target.name:<20} {ran.executions:>10} {ran.seconds:>8.0f}  {len(ran.findings)}", flush=True)
    for finding in ran.findings.values():
        small = minimised(target, finding)
        print(f"  {kept(small, folder).name}: {ascii(small.message)[:600]}", flush=True)
    return len(ran.findings)


def _check_again(paths: list[Path]) -> int:
    broken = 0
    for path in paths:
        found = broken_by(BY_NAME[path.name.rpartition("-")[0]], path.read_bytes())
        broken += found is not None
        print(f"{path.name}: {ascii(found[1])[:2000] if found else 'holds'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
