"""Measures the core and prints ratios: `./build.sh bench [PART...]`; the parts are the keys of PARTS below.

`frameworks` installs other frameworks, `durable` and `page-model` take minutes: they are measured only when named.
`durable-sizes` prints what they mean for a service.

`negotiation`, `rates` and `small-model` are measurements with options of their own, which `--help` after them shows.
"""

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rich.console import Console

from bench import (
    all_in_use,
    bundle,
    dialects,
    durable,
    first_byte,
    frameworks,
    page_model,
    projections,
    prompt_caches,
    pyodide,
    ratios,
    replay,
    startup,
    steps,
)
from bench.figures import Figure, table
from bench.negotiation import command as negotiation
from bench.rates import command as rates
from bench.small_model import command as small_model
from bench.tool_search import measured as tool_search

PARTS: dict[str, tuple[str, Callable[[], list[Figure]]]] = {
    "ratios": ("The limits of CI", ratios.measure),
    "steps": ("Steps, native", steps.measure),
    "all-in-use": ("Contracts, citations, flow labels and skills, native", all_in_use.measure),
    "dialects": ("Reading what models write", dialects.measure),
    "startup": ("Start-up", startup.measure),
    "replay": ("Replay", replay.measure),
    "projections": ("Projections", projections.measure),
    "prompt-caches": ("Prompts that a server's cache has, of a run of twelve model calls", prompt_caches.measure),
    "first-byte": ("From the model's first text to the reader's", first_byte.measure),
    "durable": ("Durable runs", durable.measure),
    "frameworks": ("Runs with a model that answers at once, beside other frameworks", frameworks.measure),
    "pyodide": ("Steps, Pyodide in Node", pyodide.measure),
    "bundle": ("The bundle: Node, Deno and Chromium", bundle.measure),
    "tool-search": ("Tool search among 500 tools of published servers", tool_search.measure),
    "page-model": ("Default model in a page", page_model.measure),
}

ON_DEMAND = ("durable", "frameworks", "tool-search", "page-model")
"""Parts that take minutes, or install what nothing else of this checkout needs: measured only when they are named."""


def main(names: list[str]) -> int:
    """Measure the parts named, or all but those on demand; the exit code says whether a target was missed."""
    if names[:1] == ["negotiation"]:
        return negotiation.main(names[1:])
    if names[:1] == ["rates"]:
        return rates.main(names[1:])
    if names[:1] == ["small-model"]:
        return small_model.main(names[1:])
    if names[:1] == ["durable-sizes"]:
        print(durable.sizes(durable.measured()))
        return 0
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"bench: expected {', '.join(PARTS)}; got {', '.join(unknown)}", file=sys.stderr)
        return 2
    console, missed = Console(), 0
    for name in names or [part for part in PARTS if part not in ON_DEMAND]:
        title, measure = PARTS[name]
        figures = measure()
        missed += sum(figure.missed for figure in figures)
        console.print(table(title, figures))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
