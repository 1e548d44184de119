"""Each source rule catches what it is for, and leaves alone what only looks like it."""

import pytest

from tools.checks.core_rules import check_module, check_tools_module
from tools.checks.front_doors import check_doors, doubled_classes
from tools.checks.sources import check_file, check_names, check_text

PACKAGE = "core/purestep/"
FORMATS = "core/purestep_formats/"
# Put together here, so that this file passes the rules it tests.
INDEX = "pypi" + ".org"
HOME = "/ho" + "me/ann/"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import os", "import of os"),
        ("def f():\n    from time import time", "import of time"),
        ("import json.decoder", "import of json.decoder"),
        ("from datetime import date", "import of datetime"),
        ("import unicodedata", "import of unicodedata"),
        ("import pydantic_core", "only schema/native.py import"),
        ("import purestep_hosts", "import of purestep_hosts"),
        ("import purestep_formats", "import of purestep_formats"),
        ("def f():\n    from purestep_formats import project", "import of purestep_formats"),
        ("import importlib", "only __init__.py and api/formats.py and"),
        ("hash(x)", "hash()"),
        ("id(x)", "id()"),
        ("open(x)", "open()"),
        ("print(x)", "print()"),
        ("eval(x)", "eval()"),
        ("exec(x)", "exec()"),
        ("x.lower()", ".lower()"),
        ("x.casefold()", ".casefold()"),
        ("x.isdigit()", ".isdigit()"),
        ("x.isalnum()", ".isalnum()"),
        ("x.splitlines()", ".splitlines()"),
        ("x.strip()", ".strip()"),
        ("x.split()", ".split()"),
        (r"lazy_pattern(r'\w+')", "re.ASCII"),
        (r"re.search(r'\bword\b', x)", "re.ASCII"),
        ("def f():\n    return re.compile(pattern)", "re.ASCII"),
        (r"re.compile('[a-z]+')", "use lazy_pattern"),
        ("class A:\n    B = {'c': re.compile('[a-z]+')}", "use lazy_pattern"),
        ("msgspec.json.Decoder(Event).decode", "use lazy_decoder"),
        (r"lazy_pattern('a', re.IGNORECASE)", "re.ASCII"),
        (r"lazy_pattern('(?i)a')", "re.ASCII"),
        (r"lazy_pattern(pattern)", "re.ASCII"),
        ("f'{x:.2f}'", "float"),
        ("f'{x:g}'", "float"),
        ("f'{x:%}'", "float"),
        ("'%.1f' % x", "float"),
        ("'{:.3e}'.format(x)", "float"),
        ("format(x, y)", "float"),
        ("round(x, 2)", "float"),
        ("math.sin(x)", "C libraries"),
        ("for x in {1, 2}: pass", "order of a set"),
        ("[x for x in set(y)]", "order of a set"),
        ("NAMES = frozenset(y)\ntuple(NAMES)", "order of a set"),
        ("NAMES = {1, 2}\n[*NAMES]", "order of a set"),
        ("def f(names: frozenset[str]):\n    return ', '.join(names)", "order of a set"),
        ("', '.join(x for x in {'a', 'b'})", "order of a set"),
        ("list({1} | others)", "order of a set"),
        ("NAMES = {1, 2}\ndef f():\n    return [*NAMES]", "order of a set"),
        ("x.lower()  # ascii:", ".lower()"),
    ],
)
def test_impure_source_is_caught(source: str, said: str) -> None:
    """Each line that a rule is for gives exactly one finding, which says what it is."""
    messages = [finding.message for finding in check_module(source, "step.py")]

    assert 1 == len(messages)
    assert said in messages[0]


@pytest.mark.parametrize(
    "source",
    [
        "from __future__ import annotations",
        "from collections.abc import Mapping",
        "import msgspec",
        "from purestep.schema import native",
        "from . import wire",
        "self.id(x)",
        "x.lower()  # ascii: tool names hold nothing else",
        "x.strip(' \\t\\n\\r')",
        "seen[id(x)] = x  # pure: the number stays inside this call",
        "[x for x in {1, 2}]  # order: their sum is all that is used",
        "x.split(',')",
        r"lazy_pattern(r'\w+', re.ASCII)",
        r"lazy_pattern('a', re.A | re.I)",
        r"lazy_pattern(rb'\w+')",
        r"lazy_pattern('[a-z]+')",
        r"lazy_pattern(rb'\w{%d}' % n)",
        "def f():\n    return re.compile('[a-z]+')",
        "msgspec.json.Decoder()  # eager: it is made in no time",
        "f'{x:d} {x:02x} {x}'",
        "'%s' % x",
        "sorted({1, 2})",
        "any(x for x in {1, 2})",
        "x in {1, 2}",
        "{x for x in {1, 2}}",
        "NAMES = ('a', 'b')\ntuple(NAMES)",
        "sorted({*names} - {'a'})",
        "def f():\n    seen = {1}\ndef g(seen: list[int]):\n    return [*seen]",
    ],
)
def test_pure_source_passes(source: str) -> None:
    """What only looks like a slip gives no finding."""
    assert [] == check_module(source, "step.py")


def test_validator_is_imported_by_its_seam_only() -> None:
    """One module may import pydantic_core, so that one module has to be replaced to leave it."""
    assert [] == check_module("import pydantic_core", "schema/native.py")


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("api/json_functions.py", "RunState(phase='done')", "state is made"),
        ("entry/whole_state.py", "values.RunState(**members)", "state is made"),
        ("entry/whole_state.py", "replace(state, answer=None)", "state is changed"),
        ("entry/whole_state.py", "replace(whole.run, answer=None)", "state is changed"),
        ("log/replayer.py", "msgspec.structs.replace(self.state, seq=0)", "state is changed"),
        ("api/typed.py", "msgspec.structs.force_setattr(step.state, 'seq', 0)", "state is changed"),
    ],
)
def test_state_is_changed_by_steps_alone(path: str, source: str, said: str) -> None:
    """A run's state is made and changed in steps/, whichever door a host comes by."""
    messages = [finding.message for finding in check_module(source, path)]

    assert 1 == len(messages)
    assert said in messages[0]
    assert [] == check_module(source, "draft/draft.py") == check_module(source, "values/state.py")


@pytest.mark.parametrize("source", ["replace(reading, calls=())", "text.replace(state, '')", "state.replace('a', 'b')"])
def test_other_values_are_changed_anywhere(source: str) -> None:
    """A text is no state, nor is a reading."""
    assert [] == check_module(source, "dialects/auto.py")


@pytest.mark.parametrize(
    ("source", "path", "word"),
    [
        ("class ToolManager: pass", "tools.py", "manager"),
        ("def event_handler(): pass", "tools.py", "handler"),
        ("step_context = 1", "tools.py", "context"),
        ("def f(helper): pass", "tools.py", "helper"),
        ("", "purestep/utils.py", "utils"),
        ("class HTTPEngine: pass", "tools.py", "engine"),
    ],
)
def test_names_that_say_nothing_are_caught(source: str, path: str, word: str) -> None:
    """Modules, classes, functions, arguments and variables are named by what they do or are."""
    messages = [finding.message for finding in check_names(source, path)]

    assert 1 == len(messages)
    assert f"'{word}'" in messages[0]


def test_words_within_other_words_pass() -> None:
    """A word is looked for between underscores and capitals, not inside other words."""
    assert [] == check_names("handle = contextual = Unmanaged = utilities = 1", "chained.py")


@pytest.mark.parametrize(
    "text",
    [
        f"https://{INDEX}/simple",
        "pip install --index" + "-url x",
        '"resolved"' + ': "https://x"',
        f"see {HOME}notes",
    ],
)
def test_addresses_and_paths_of_one_machine_are_caught(text: str) -> None:
    """No file names an index or a folder of one machine."""
    assert [2] == [finding.line for finding in check_text(f"first line\n{text}\nlast line")]


@pytest.mark.parametrize("text", ["a/home/ann/b", "~/notes", "/usr/bin/env bash", "docs.example.org"])
def test_ordinary_paths_pass(text: str) -> None:
    """Paths that every machine has, and relative ones, are no finding."""
    assert [] == check_text(text)


def test_rules_of_the_core_are_for_the_core() -> None:
    """A host may do I/O; its names follow the same rule as the core's; a picture is no text."""
    assert [] == check_file("hosts/purestep_hosts/cli.py", b"import os\nprint(os.environ)")
    assert 1 == len(check_file("hosts/purestep_hosts/cli.py", b"manager = 1"))
    assert 1 == len(check_file(PACKAGE + "step.py", b"import os"))
    assert 1 == len(check_file(FORMATS + "otel.py", b"import os"))
    assert [] == check_file(FORMATS + "otel.py", b"from purestep.values import Message")
    assert [] == check_file("docs/picture.png", b"\x89PNG\xff")


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        (PACKAGE + "steps/decide.py", "from ..values.wire import Done", "front door, values"),
        (PACKAGE + "api/typed.py", "from ..steps.draft import Draft", "front door, steps"),
        (PACKAGE + "log/replay.py", "def f():\n    from ..steps.limits import ask", "front door, steps"),
        ("hosts/purestep_hosts/loop.py", "from purestep.log import replay", "public names"),
        ("hosts/purestep_hosts/loop.py", "import purestep.log", "public names"),
        ("hosts/purestep_hosts/loop.py", "from purestep_formats.replies import Reply", "public names"),
        (FORMATS + "replies/reply.py", "from purestep.steps.limits import ask", "front door, purestep.steps"),
        (FORMATS + "replies/reply.py", "from ..projections.walk import Walk", "front door, projections"),
    ],
)
def test_imports_past_a_front_door_are_caught(path: str, source: str, said: str) -> None:
    """Rooms use each other by their front doors, hosts the core by its public names."""
    messages = [finding.message for finding in check_doors(source, path)]

    assert 1 == len(messages)
    assert said in messages[0]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            PACKAGE + "steps/decide.py",
            "from ..values import Done\nfrom .draft import Draft\nfrom ..errors import X",
        ),
        (PACKAGE + "api/typed.py", "from .. import steps\nfrom ..steps import Step"),
        (FORMATS + "replies/reply.py", "from purestep.steps import choices_of\nfrom .faults import ReplyEnd"),
        (
            "hosts/purestep_hosts/loop.py",
            "import purestep\nfrom purestep import replay\nfrom purestep_hosts import x",
        ),
        ("tests/core/steps/test_limits.py", "from purestep.steps.limits import ask"),
    ],
)
def test_imports_by_a_front_door_pass(path: str, source: str) -> None:
    """Front doors, a room's own modules and single modules are open; a test may look inside."""
    assert [] == check_doors(source, path)


def test_two_classes_of_one_name_are_caught() -> None:
    """One name, one idea: the second class of a name is a finding, the same file's overloads are not asked about."""
    found = doubled_classes({"a.py": "class Walk: ...", "b.py": "class Walk: ...", "c.py": "class Talk: ..."})

    assert [("b.py", 1)] == [(path, finding.line) for path, finding in found]
    assert [] == doubled_classes({"a.py": "class Agent: ...", "b.py": "class Agent: ..."})


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import msgspec", "import of msgspec"),
        ("from purestep.schema import check", "import of purestep.schema"),
        ("import html", "import of html"),
        ("from purestep_hosts import loop", "import of purestep_hosts"),
        ("import math\nmath.log(x)", "C libraries"),
        ("x.split()", ".split()"),
    ],
)
def test_impure_source_of_the_tools_functions_is_caught(source: str, said: str) -> None:
    """The tools' pure functions keep to the core's rules, and bring no package along."""
    assert any(said in finding.message for finding in check_file("hosts/purestep_tools/x.py", source.encode()))


def test_pure_source_of_the_tools_functions_passes() -> None:
    """What follows a specification may be used."""
    source = "import math\nfrom decimal import Decimal\nfrom purestep_tools.arithmetic import bounded\nmath.sqrt(x)"
    assert [] == check_tools_module(source)
