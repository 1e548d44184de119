"""The bundle of an earlier commit, built into .cache from the history of this checkout, to measure today's against."""

import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
COMMIT: Final = "c048eca1"
"""The last commit whose interpreter was one module, loaded whole before the first decision."""
FOLDER: Final = ROOT / ".cache" / "earlier" / COMMIT
DIST: Final = FOLDER / "web" / "dist"


def earlier_dist() -> Path | None:
    """Return the compiled package of that commit, built if it is not there; None in a checkout without its history."""
    if (DIST / "bundle" / "manifest.json").exists():
        return DIST
    known = subprocess.run(
        ["git", "cat-file", "-e", f"{COMMIT}^{{commit}}"], cwd=ROOT, check=False, capture_output=True
    )
    if known.returncode:
        return None
    print(f"bench: building {COMMIT} into {FOLDER}, which is done once")
    FOLDER.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x", "-C", FOLDER], input=archive.stdout, check=True)
    # The tools and the wheels are today's, whose Pyodide is the same: the build refuses any other.
    (FOLDER / ".cache").mkdir(exist_ok=True)
    for link, target in (("web/node_modules", "web/node_modules"), (".cache/wasm", ".cache/wasm")):
        (FOLDER / link).unlink(missing_ok=True)
        (FOLDER / link).symlink_to(ROOT / target)
    subprocess.run(["node", "web/node_modules/typescript/bin/tsc", "-p", "web"], cwd=FOLDER, check=False)
    subprocess.run(["node", "web/bundle/build.mjs"], cwd=FOLDER, check=True)
    return DIST
