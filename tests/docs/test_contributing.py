"""What CONTRIBUTING says to write is written into the modules that it names, and works there."""

import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from purestep import verify
from purestep.checks import named
from purestep.policy import registry
from purestep_formats.families import family_forms, family_markers
from purestep_hosts.tools import arithmetic
from purestep_hosts.tools.toolbox import Toolbox, ToolConfig
from tests.core.agents import call, final, ok, said, tool
from tests.core.driver import Driver

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def block(begin: str) -> str:
    """Return the block of the page whose first line begins so."""
    blocks = re.findall(r"^ *```text\n(.*?)^ *```", PAGE, re.DOTALL | re.MULTILINE)
    (found,) = [text for text in map(textwrap.dedent, blocks) if text.startswith(begin)]
    return found


def test_lines_of_a_dialect_are_values_of_their_tables() -> None:
    """The marker and the family are of the types that their tables hold, with the names of those modules."""
    marker = eval(block("tagged(").strip().removesuffix(","), vars(family_markers))
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


def test_check_of_the_page_rejects_what_has_several_lines() -> None:
    """It is a function of its module, and says why."""
    module: dict[str, Any] = dict(vars(named))
    exec(block("def one_line("), module)
    checks = [module["one_line"](output) for output in ("a\n", "a\nb\nc", {"a": "b\nc"}, None)]
    assert [None, "the output has 3 lines", None, None] == checks


def test_policy_of_the_page_refuses_past_its_quota(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a module that a definition names, it lets so many results of a tool come, in each exchange anew."""
    module = ModuleType("purestep_policies.quota")
    exec(block('"""Quota: '), vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry.BUILT_IN, "quota", module.__name__)
    monkeypatch.setattr(registry, "_REGISTERED", {})
    monkeypatch.setattr(registry, "_LATEST", {})
    own_test: dict[str, Any] = {}
    exec(block("import json\n"), own_test)
    own_test["test_a_tool_is_refused_past_its_quota"]()
    search = tool("search", annotations={"readOnlyHint": True})
    driver = Driver({"tools": [search], "policies": [{"use": "quota", "tool": "search", "most": 1}]})
    found, told = said(call("search")), []
    for observation in (found, ok("call_1", "one"), found, said(final("one"))):
        told.append(driver.send(observation)["type"])
    assert ["invoke_tool", "call_model", "call_model", "done"] == told
    assert "has given all its results" in driver.messages[-2]["content"]
    driver.send({"type": "user_message", "content": "more"})
    assert "invoke_tool" == driver.send(found)["type"]
    assert verify(driver.log).ok


def test_files_that_the_page_names_are_there() -> None:
    """A module that was moved is named where it is."""
    named = set(re.findall(r"`((?:core|hosts|web|tests|tools|docs)/[\w./]+\.\w+)`", PAGE))
    assert len(named) > 10
    assert [] == sorted(name for name in named if not (ROOT / name).is_file())
