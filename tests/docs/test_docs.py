"""Every example in the documentation runs, and prints what it says it prints."""

import fnmatch
import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import purestep
from purestep_hosts.cli.codes import MEANING
from tools.pages.diagram import BEGIN, END, diagram

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *[ROOT / folder / "README.md" for folder in (".", "core", "hosts", "web")],
    *[ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")],
    *sorted((ROOT / "docs").glob("*.md")),
]
SCHEMA_LIBRARIES = ("zod", "valibot", "arktype", "@valibot")
"""What examples in JavaScript import besides the package itself."""
EXPECTED = re.compile(r"print\(.*\)  # (.*)|^# (.*)$")


def page_name(page: Path) -> str:
    """Return the page's place in the checkout."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    """Return a page's code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def expected_lines(block: str) -> list[str]:
    """Return what the comments beside and below its prints say comes out."""
    return [
        first or second
        for first, second in (m.groups() for line in block.splitlines() for m in EXPECTED.finditer(line))
    ]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=page_name)
def test_python_examples_print_what_they_say(page: Path) -> None:
    """The Python of a page runs from top to bottom in a fresh process, and prints what its comments say."""
    code = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert expected_lines(code) == done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "json")], ids=page_name)
def test_json_examples_are_definitions_that_load(page: Path) -> None:
    """Each JSON example is an agent definition that the core takes."""
    for block in blocks(page, "json"):
        assert re.fullmatch("[0-9a-f]{64}", purestep.load_agent(block))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "js")], ids=page_name)
def test_javascript_examples_print_what_they_say(page: Path, node: str, package: Path, tmp_path: Path) -> None:
    """The JavaScript of a page runs from top to bottom in Node, and prints what its comments say."""
    code = "\n".join(blocks(page, "js"))
    (tmp_path / "example.mjs").write_text(code, encoding="utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "purestep").symlink_to(package.parent)
    for name in SCHEMA_LIBRARIES:
        (tmp_path / "node_modules" / name).symlink_to(package.parent / "node_modules" / name)
    done = subprocess.run([node, "example.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    expected = re.findall(r"console\.log\(.*\); // (.*)$", code, re.MULTILINE)
    assert expected
    assert expected == done.stdout.splitlines(), done.stderr


SCRIPT = (
    '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":17,"b":25}}',
    '{"kind":"final","content":"It is 42."}',
)


def test_the_command_prints_what_its_page_says(tmp_path: Path) -> None:
    """The console example of docs/command.md runs with a scripted model; * stands for what differs each time."""
    (tmp_path / "script.jsonl").write_text("".join(json.dumps(line) + "\n" for line in SCRIPT))
    environment = {"PATH": str(Path(sys.executable).parent), "HOME": str(tmp_path)}
    (block,) = [each for each in blocks(ROOT / "docs" / "command.md", "console") if each.startswith("$ purestep ")]
    for shown in block.removeprefix("$ ").split("\n$ "):
        command, _, output = shown.partition("\n")
        done = subprocess.run(
            shlex.split(command), cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert 0 == done.returncode, done.stderr
        assert fnmatch.fnmatchcase(done.stdout.rstrip(), output.rstrip().replace("[", "[[]")), done.stdout


def test_the_exit_codes_of_the_page_are_the_commands() -> None:
    """docs/command.md lists the exit codes that the command documents, in its words."""
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", (ROOT / "docs" / "command.md").read_text(), re.MULTILINE)
    assert MEANING == {int(code): words for code, words in rows}


MOST_WORDS = 57_700
"""Of all pages in docs together: more is not read. What a page gains, another one has to lose."""


def test_pages_can_be_read() -> None:
    """The pages have at most so many words, and each opens with the question that brings one there."""
    pages = sorted((ROOT / "docs").glob("*.md"))
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in pages) <= MOST_WORDS
    assert [] == [page.name for page in pages if not page.read_text(encoding="utf-8").partition("\n")[0].endswith("?")]


def test_anchors_of_links_are_headings() -> None:
    """A link to a place in a page names a heading that the page has."""
    headings = {page: {anchor(line) for line in prose(page).splitlines() if line.startswith("#")} for page in PAGES}
    for page in PAGES:
        for target, place in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", prose(page)):
            found = headings.get((page.parent / target).resolve() if target else page)
            assert found is None or place in found, f"{page.name}: {target}#{place}"


def anchor(heading: str) -> str:
    """Return the name that a heading has in an address."""
    words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.lstrip("#").strip().lower()))
    return words.replace(" ", "-")


def prose(page: Path) -> str:
    """Return a page's text without its code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def test_links_lead_somewhere() -> None:
    """Every relative link of a page names a file of the checkout."""
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", prose(page)):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_diagram_is_made_from_the_table_of_transitions() -> None:
    """docs/step.md shows the transitions that the core has; python -m tools.pages.diagram writes them."""
    text = (ROOT / "docs" / "step.md").read_text(encoding="utf-8")
    assert diagram() == text.partition(BEGIN)[2].partition(END)[0]


def test_every_error_code_is_in_the_catalogue() -> None:
    """Every code that the core's sources raise is catalogued, and every catalogued one is raised."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "core").rglob("*.py"))
    raised = set(re.findall(r'(?:PurestepError|Mismatch|SchemaError)\(\s*"([a-z_]+)"', sources))
    assert set() == raised - set(purestep.CATALOGUE)
    assert set() == {code for code in purestep.CATALOGUE if f'"{code}"' not in sources.replace(f'"{code}":', "")}


def test_the_readme_names_the_verbs_of_the_build() -> None:
    """The commands of the README's first screen are verbs of build.sh."""
    used = set(re.findall(r"\./build\.sh (\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    known = subprocess.run([ROOT / "build.sh", "help"], capture_output=True, text=True, check=True).stdout
    assert used <= set(re.findall(r"^  (\w+)", known, re.MULTILINE))


def test_the_places_that_contributing_names_are_there() -> None:
    """Every path and every constant in CONTRIBUTING.md is one of the checkout, so that a move shows here."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    words = set(re.findall(r"`([^`\n]+)`", re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)))
    paths = {
        word for word in words if re.fullmatch(r"(core|docs|hosts|requirements|tests|tools|web)(/[a-z_.*]+)+", word)
    }
    assert set() == {path for path in paths if not list(ROOT.glob(path))}
    modules = {word for word in words - paths if re.fullmatch(r"[a-z_/]+\.(py|ts)", word)}
    folders = [ROOT / room for room in ("core", "hosts", "tools", "web/src")]
    assert set() == {name for name in modules if not any(list(folder.rglob(name)) for folder in folders)}
    sources = "".join(
        path.read_text(encoding="utf-8") for room in ("core", "hosts", "tools") for path in (ROOT / room).rglob("*.py")
    )
    constants = {word for word in words if re.fullmatch("[A-Z][A-Z_]{3,}", word)}
    assert set() == {name for name in constants if not re.search(rf"^{name}\b.* = ", sources, re.MULTILINE)}
    assert paths
    assert constants


def test_contributing_lists_the_rooms_from_top_to_bottom() -> None:
    """The table of rooms is the one that import-linter holds the imports to."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("### The rooms of the core")[2].partition("\n## ")[0]
    listed = [set(re.findall(r"`(\w+)`", row)) for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (layers,) = [contract["layers"] for contract in contracts if contract.get("containers") == ["purestep"]]
    assert [set(layer.split(" | ")) for layer in layers] == listed
