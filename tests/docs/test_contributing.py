"""What CONTRIBUTING says to write is written into the modules that it names, and works there."""

import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

from purestep_formats.families import family_forms, family_markers
from purestep_hosts.tools import arithmetic
from purestep_hosts.tools.toolbox import Toolbox, ToolConfig

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def block(begin: str) -> str:
    """Give the block of the page whose first line begins so."""
    blocks = re.findall(r"^ *```text\n(.*?)^ *```", PAGE, re.DOTALL | re.MULTILINE)
    (found,) = [text for text in map(textwrap.dedent, blocks) if text.startswith(begin)]
    return found


def test_lines_of_a_dialect_are_values_of_their_tables() -> None:
    """The marker and the family are of the types that their tables hold, with the names of those modules."""
    marker = eval(block("_tagged(").strip().removesuffix(","), vars(family_markers))
    family = eval(block("Family(").strip().removesuffix(","), vars(family_forms))
    assert (type(family_markers.JSON_LISTS[0]), "<acme_call>") == (type(marker), marker.mark)
    assert (type(family_forms.FAMILIES[0]), "acme") == (type(family), family.name)


def test_tool_of_the_page_is_offered_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the names that its module has, it is one of the toolbox and gives the result of its example."""
    module: dict[str, Any] = dict(vars(arithmetic))
    exec(block("def _shout("), module)  # its annotations are evaluated, so a name that is not there fails
    monkeypatch.setattr(arithmetic, "tools", lambda: (module["_SHOUT"],))
    (spec,) = Toolbox(ToolConfig(session_dir=tmp_path, names=("shout",))).specs()
    (example,) = spec["examples"]
    assert "GOOD DAY" == example["result"] == module["_shout"](example["arguments"], None)


def test_files_that_the_page_names_are_there() -> None:
    """A module that was moved is named where it is."""
    named = set(re.findall(r"`((?:core|hosts|web|tests|tools|docs)/[\w./]+\.\w+)`", PAGE))
    assert len(named) > 10
    assert [] == sorted(name for name in named if not (ROOT / name).is_file())
