"""Skills in the command: those built in, those of folders, and the commands that look at folders."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, call, final

PDF = "---\nname: pdf\ndescription: Fill in PDF forms.\nallowed-tools: shell\n---\nRead forms.md.\n"


@pytest.fixture
def skills(shell: Shell) -> Path:
    """A folder with one skill, and one that is none."""
    folder = shell.folder / "skills"
    for name, text in (("pdf", PDF), ("bad", "no frontmatter")):
        (folder / name).mkdir(parents=True)
        (folder / name / "SKILL.md").write_text(text)
    (folder / "pdf" / "forms.md").write_text("Forms have fields.")
    return folder


def test_run_executes_a_built_in_skill_and_shows_it(shell: Shell) -> None:
    """The call, the model's part and the result are rows of their own; the log verifies."""
    agent = shell.folder / "agent.json"
    agent.write_text(json.dumps({"skills": ["extract"]}))
    outputs = (call("extract", text="Anna met Tom", target="name"), '{"name":["Anna","Tom"]}', final("Both."))
    result = shell("run", "Who?", "--agent", str(agent), "--script", shell.script(*outputs))
    assert (0, "Both.\n") == (result.returncode, result.stdout), result.stderr
    rows = [line.split(None, 1) for line in result.stderr.splitlines()]
    assert ["skill", 'extract text="Anna met Tom" target=name'] in rows
    assert ["result", 'extract: {"name": ["Anna", "Tom"]}'] in rows
    session = rows[-1][1].rpartition(" ")[2]
    assert 0 == shell("verify", session).returncode
    assert "calls      1 (extract 1)" in shell("summary", session).stdout


def test_model_reads_a_skill_of_a_folder(shell: Shell, skills: Path) -> None:
    """The bad one is named and left out; the prompt has the name and description only."""
    outputs = (call("read_skill", name="pdf"), call("read_skill", name="pdf", path="forms.md"), final("Read."))
    result = shell("run", "Fill it in", "--skills", str(skills), "--script", shell.script(*outputs))
    assert (0, "Read.\n") == (result.returncode, result.stdout), result.stderr
    assert "bad is left out" in result.stderr
    assert "Forms have fields." in result.stderr
    prompt = shell("prompt", "Fill it in", "--skills", str(skills), "--model", "x", "--base-url", "http://127.0.0.1:9")
    assert "- pdf: Fill in PDF forms." in prompt.stdout
    assert "Read forms.md." not in prompt.stdout


def test_agent_file_names_folders_of_skills(shell: Shell, skills: Path) -> None:
    """They are beside the file, whatever the working folder is."""
    agent = skills.parent / "agent.json"
    agent.write_text(json.dumps({"skills": ["extract", {"folder": "skills"}]}))
    outputs = (call("read_skill", name="pdf"), final("Read."))
    result = shell("run", "Fill it in", "--agent", str(agent), "--script", shell.script(*outputs))
    assert (0, "Read.\n") == (result.returncode, result.stdout), result.stderr
    agent.write_text(json.dumps({"skills": [{"folder": "skills", "name": "x"}]}))
    assert 2 == shell("run", "Fill it in", "--agent", str(agent)).returncode


_COUNTED = """
import sys
reads = []
sys.addaudithook(lambda event, given: event == "open" and "SKILL.md" in str(given[0]) and reads.append(1))
from purestep_hosts.cli.entry import run
code = run(sys.argv[1:])
print("reads", len(reads), file=sys.stderr)
sys.exit(code)
"""
"""The program, and how often a file of a skill was opened in it; told before its end, which waits for no thread."""


def test_skills_of_a_folder_are_read_once_for_a_command(shell: Shell, skills: Path) -> None:
    """The definition, the tools and the warnings are of the same files, whatever changes them meanwhile."""
    arguments = ("--skills", str(skills), "--script", shell.script(final("Read."), final("Again.")))
    for command in (("run", "Fill it in"), ("chat",)):
        result = subprocess.run(
            [sys.executable, "-c", _COUNTED, *command, *arguments], cwd=shell.folder, env=shell.environment,
            input="Go", capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert (0, "reads 2") == (result.returncode, result.stderr.splitlines()[-1]), result.stderr


def _begun(shell: Shell, *options: str) -> str:
    """Run to the first answer, and give the session's id."""
    first = shell("run", "Fill it in", *options, "--script", shell.script(final("Read.")))
    return first.stderr.splitlines()[-1].rpartition(" ")[2]


def _reading(shell: Shell) -> str:
    return shell.script(final("Read."), call("read_skill", name="pdf"), final("Again."))


@pytest.mark.parametrize("named_by", ["option", "agent file"])
def test_resumed_session_remembers_its_folder(shell: Shell, skills: Path, named_by: str) -> None:
    """Of one's own session, and it says so; a relative place is the same from another folder."""
    agent = shell.folder / "agent.json"
    agent.write_text(json.dumps({"skills": [{"folder": "skills"}]}))
    session = _begun(shell, *(("--skills", "skills") if named_by == "option" else ("--agent", str(agent))))
    again = shell("run", "And now?", "--resume", session, "--script", _reading(shell))
    assert (0, "Again.\n") == (again.returncode, again.stdout), again.stderr
    assert f"skills     from {skills}, as before" in again.stderr
    moved = skills.rename(shell.folder / "moved")
    gone = shell("run", "And now?", "--resume", session, "--script", _reading(shell))
    assert (2, True) == (gone.returncode, f"{skills} is no folder" in gone.stderr)
    named = shell("run", "And now?", "--resume", session, "--script", _reading(shell), "--skills", str(moved))
    assert "as before" not in named.stderr


@pytest.mark.parametrize("edited", ["place", "seal"])
def test_session_of_somebody_else_loads_no_folder(shell: Shell, skills: Path, edited: str) -> None:
    """Whatever it names, also with --yes: its folder has to be given."""
    session = _begun(shell, "--skills", str(skills))
    path = next(shell.folder.rglob(f"*-{session}")) / "session.json"
    info = json.loads(path.read_text())
    assert [str(skills)] == info["skills"]
    private = shell.folder / "private"
    skills.rename(private)
    info["skills" if edited == "place" else "seal"] = [str(private)] if edited == "place" else "0" * 64
    path.write_text(json.dumps(info))
    again = shell("run", "And now?", "--resume", session, "--yes", "--script", _reading(shell))
    assert (2, True) == (again.returncode, "give the folder that holds them with --skills" in again.stderr)
    assert "as before" not in again.stderr
    given = ("--skills", str(private), "--yes", "--script", _reading(shell))
    assert "Again.\n" == shell("run", "And now?", "--resume", session, *given).stdout


def test_skills_of_a_folder_are_listed(shell: Shell, skills: Path) -> None:
    """As a table, and as JSON with what each says; what is left out is named on stderr."""
    result = shell("skills", "list", str(skills))
    assert (0, ["pdf", "shell", "Fill in PDF forms."]) == (result.returncode, result.stdout.rstrip("\n").split("\t"))
    assert "bad is left out" in result.stderr
    [listed] = json.loads(shell("skills", "list", "--json", str(skills)).stdout)
    assert ("pdf", ["shell"]) == (listed["name"], listed["allowed-tools"])
    missing = shell("skills", "list", str(skills / "none"))
    assert 2 == missing.returncode


def test_skills_are_checked_strictly(shell: Shell, skills: Path) -> None:
    """Each problem is a row; the exit code says whether there is one."""
    result = shell("skills", "lint", str(skills))
    assert (1, True) == (result.returncode, "wrong      bad: expected a first line ---" in result.stdout)
    assert "valid      pdf" in result.stdout
    assert 0 == shell("skills", "lint", str(skills / "pdf")).returncode
