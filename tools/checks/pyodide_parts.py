"""What pyodide-build can check of the bundle's parts without a network.

`python tools/checks/pyodide_parts.py LOCK WHEEL...` runs under Python 3.12 or later with the packages of
requirements/pyodide.txt, which is why no module of this checkout is used. LOCK is Pyodide's own pyodide-lock.json.
Prints one line for each wheel; a wheel that Pyodide would not take ends it with a message.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

from auditwheel_emscripten import show
from packaging.tags import Tag, compatible_tags, cpython_tags
from pyodide_build.common import check_wasm_magic_number, find_matching_wheel, parse_top_level_import_name
from pyodide_lock import PyodideLockSpec


def pyodide_tags(lock: PyodideLockSpec) -> list[Tag]:
    """Return the wheel tags that the Pyodide of a lock file takes, by its own account of its ABI and Python."""
    python = tuple(int(part) for part in lock.info.python.split(".")[:2])
    platforms = [f"pyemscripten_{lock.info.abi_version}_{lock.info.arch}"]
    return [
        *cpython_tags(python_version=python, platforms=platforms),
        *compatible_tags(python_version=python, platforms=platforms),
    ]


def check_wheel(wheel: Path, tags: list[Tag]) -> str:
    """Return a line about a wheel; raises SystemExit when Pyodide would not take it."""
    if find_matching_wheel([wheel], tags) is None:
        raise SystemExit(
            f"{wheel.name}: expected a wheel with one of Pyodide's tags, such as {tags[0]}; fetch that one"
        )
    if not parse_top_level_import_name(wheel):
        raise SystemExit(f"{wheel.name}: expected a wheel with a package or module to import; found none")
    modules = list(_extension_modules(wheel))
    return f"{wheel.name}: fits; {len(modules)} extension modules, no shared library missing"


def _extension_modules(wheel: Path) -> list[str]:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".so")]
        for name in names:
            path = Path(archive.extract(name, folder))
            if not check_wasm_magic_number(path):
                raise SystemExit(f"{wheel.name}: expected {name} to be WebAssembly; it is something else")
            if libraries := [library for needed, _ in show(path).values() for library in needed]:
                raise SystemExit(f"{wheel.name}: expected {name} to stand alone; it wants {', '.join(libraries)}")
        return names


def main(lock_path: Path, wheels: list[Path]) -> None:
    """Check every wheel against the tags of the lock file."""
    lock = PyodideLockSpec.from_json(lock_path)
    tags = pyodide_tags(lock)
    print(f"Python {lock.info.python} of Pyodide takes {tags[0]}")
    for wheel in wheels:
        print(check_wheel(wheel, tags))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(argument) for argument in sys.argv[2:]])
