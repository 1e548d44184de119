"""Writes what a first visit of a page loads into the pages that say it: `python -m tools.pages.bundle_size`.

The figure is the limit that `./build.sh bench ratios` holds the built bundle to, so no page needs a build to be right.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = ROOT / "bench" / "ratios.py"
PAGES = ("README.md", "web/README.md", "docs/loading.md")
_LIMIT = re.compile(r"^MOST_BYTES = ({.*})$", re.MULTILINE)
_FIGURE = re.compile(r"(<!-- first visit: (\w+) -->)[^<]*(<!-- / -->)")


def with_figures(text: str) -> str:
    """Return a page with the figure of each tier that it names, in megabytes sent with brotli."""
    most = most_bytes()
    return _FIGURE.sub(lambda found: f"{found[1]}{most[found[2]] / 1e6:.1f} MB{found[3]}", text)


def most_bytes() -> dict[str, int]:
    """Return the limit of each tier, as the benchmark's source has it: importing it would load what it measures."""
    (limits,) = _LIMIT.findall(LIMITS.read_text(encoding="utf-8"))
    most: dict[str, int] = json.loads(limits.replace("_", ""))
    return most


def main() -> None:
    """Put the figures in their places."""
    for name in PAGES:
        page = ROOT / name
        page.write_text(with_figures(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
