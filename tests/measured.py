"""Coverage of the core by its tests: `pytest -p tests.measured --measured-in FOLDER` writes there what a process ran.

A tracer would make a test three times as long. slipcover puts a probe on each line and branch instead, and takes it out
once it has been passed often enough, so every test is measured. `python -m slipcover --merge` adds up the files of
several processes and holds them against the limit in pyproject.toml.
"""

import json
import os
import sys
from pathlib import Path
from typing import Final

import pytest
from slipcover import FileMatcher, ImportManager, Slipcover

CORE: Final = Path(__file__).resolve().parents[1] / "core"
_PROBES: Final = pytest.StashKey[Slipcover]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the folder; without it nothing is measured."""
    parser.addoption("--measured-in", type=Path, metavar="FOLDER", help="write the coverage of the core there, as JSON")
    parser.addoption("--measured", default=str(CORE), metavar="FOLDER", help="the part of the core that counts")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Put probes into each module of the core when it is imported; none of it may have been."""
    options = early_config.known_args_namespace
    if options.measured_in is None:
        return
    if "purestep" in sys.modules:
        raise pytest.UsageError("purestep was imported before its coverage could be measured")
    probes = Slipcover(source=[options.measured], branch=True)
    ImportManager(probes, FileMatcher(sources=[options.measured])).__enter__()
    early_config.stash[_PROBES] = probes


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write what was run, and which lines and branches were not."""
    probes = config.stash.get(_PROBES, None)
    if probes is not None:
        output: Path = config.option.measured_in / f"{os.getpid()}.json"
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(json.dumps(probes.get_coverage()))
