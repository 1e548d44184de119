"""Making inputs by coverage with atheris, one target in a process: `python -m tools.fuzz.guided TARGET ...`.

atheris is no dependency of the project: without it, `tools.fuzz` mutates by a seed alone.
"""

import os
import sys
import time
from pathlib import Path
from random import Random

import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]
import msgspec

# Branches are seen in what is imported here for the first time.
with atheris.instrument_imports(include=["purestep", "purestep_formats", "purestep_policies"]):
    from . import loops


def main(name: str, seed: int, seconds: float, folder: Path) -> None:
    """Check one target for some seconds, write the results into the folder, and end the process."""
    target, ran, began = loops.BY_NAME[name], loops.Ran(target=name), time.monotonic()
    seeds = target.seeds()
    corpus = folder / f"corpus-{name}"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data)

    def check(data: bytes) -> None:
        loops.take(ran, target, data)
        if time.monotonic() - began >= seconds:
            ran.seconds = time.monotonic() - began
            (folder / f"{name}.ran").write_bytes(msgspec.msgpack.encode(ran))
            os._exit(0)  # libFuzzer does not return

    def mutate(data: bytes, max_size: int, number: int) -> bytes:
        return target.mutate(data, Random(number), seeds)[:max_size]

    options = [
        f"-seed={seed % 2**31 + 1}",
        "-max_len=8192",
        "-timeout=60",
        "-verbosity=0",
        f"-artifact_prefix={folder}/",
    ]
    atheris.Setup(["fuzz", *options, str(corpus)], check, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
