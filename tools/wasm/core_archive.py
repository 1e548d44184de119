"""The core's sources as a zip for Pyodide: `python -m tools.wasm.core_archive OUTPUT`."""

import sys
import zipfile
from pathlib import Path

CORE = Path(__file__).resolve().parents[2] / "core"
FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say, so that equal sources give equal bytes


def write_core_archive(output: Path) -> None:
    """Write the packages' modules into the zip `output`, which is overwritten."""
    with zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(CORE.rglob("*.py")):
            entry = zipfile.ZipInfo(path.relative_to(CORE).as_posix(), FIXED_DATE)
            archive.writestr(entry, path.read_bytes())


if __name__ == "__main__":
    write_core_archive(Path(sys.argv[1]))
