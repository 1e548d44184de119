"""What is told when something is wrong: one line, no traceback, and the exit code that fits."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, call, final


def one_line_of(result: "subprocess.CompletedProcess[str]") -> str:
    """The only line on stderr, without the program's name."""
    lines = result.stderr.splitlines()
    assert 1 == len(lines), result.stderr
    assert lines[0].startswith("purestep: ")
    return lines[0].removeprefix("purestep: ")


WRONG = [
    (("run",), "QUERY is missing"),
    (("run", ""), "the query is empty"),
    (("run", "Go", "--unknown"), "there is no option --unknown"),
    (("run", "Go", "--max-turns", "0"), "--max-turns"),
    (("run", "Go", "--max-turns", "many"), "--max-turns"),
    (("run", "Go", "--approve", "perhaps"), "--approve"),
    (
        ("run", "Go", "--tools", "add_numbers,fly"),
        "'fly', which is not a built-in tool; the built-in tools are add_days",
    ),
    (("run", "Go", "--root", "nowhere"), "--root names nowhere, which is not a folder"),
    (("run", "Go", "--model", "nowhere.gguf"), "nowhere.gguf, which is not a file"),
    (("run", "Go", "--model", "gpt"), "add --base-url"),
    (("run", "Go", "--base-url", "not a url"), "is not a web address"),
    (("run", "Go", "--dialect", "latin"), "latin"),
    (("run", "Go", "--script", "nowhere"), "The script nowhere cannot be read"),
    (("run", "--resume", "20260101-000000-000-abcdef"), "There is no session"),
    (("run", "--resume", "../../etc"), "There is no session"),
    (("run", "Go", "--agent", "nowhere.json"), "nowhere.json cannot be read (No such file or directory)"),
    (("run", "Go", "--agent", "."), "cannot be read (Is a directory)"),
    (("replay", "nowhere"), "'nowhere' is neither a file nor a session in"),
    (("replay", ".."), "is a folder without log.jsonl"),
    (("verify", "nowhere", "--json"), "'nowhere' is neither a file"),
    (("dance",), "there is no command dance"),
    (("serve-model", "--port", "70000"), "--port"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_wrong_usage_is_told_in_one_line(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    """Wrong usage names what was expected and what came, and ends with 2."""
    result = shell(*arguments)
    assert (2, True) == (result.returncode, said in one_line_of(result)), result.stderr


AGENTS = [
    ("a.json", b'{"tools": ["fly"]}', "has a tool 'fly' that this host cannot run; its tools are add_days"),
    ("a.json", b'{"tools": [{"name": "fly", "parameters": {"type": "object"}}]}', "has a tool 'fly'"),
    ("a.json", b'{"colour": "red"}', "colour"),
    ("a.json", b'{"name": 1}', "a.json, line 1, column 2: /name"),
    ("a.json", b'{\n\t"tools": [\n\t\t{"name": "echo", "descripton": ""}]}', "line 3, column 20: /tools/0/descripton"),
    ("a.json", b'{"limits": {"max~": 1}}', "a.json, line 1, column 13: /limits/max~0"),
    ("a.yaml", b"tools:\n  - name: echo\n    parameters: {type: objekt}\n", "a.yaml, line 3, column 18: "),
    ("a.yaml", b"answer_schema:\n  minLenght: 3\n", "a.yaml, line 2, column 3: "),
    ("a.yaml", b"models:\n- window_tokens: 3\n", "a.yaml, line 2, column 3: /models/0"),
    ("a.json", b'{"name": "a",}', "a.json is not JSON"),
    ("a.json", b'{"name": "a", "name": "b"}', "a.json, line 1, column 15: duplicate key 'name'"),
    ("a.json", b'{\r\n\t"name": "a",\r\n\t"name": "b"\r\n}', "a.json, line 3, column 2: duplicate key 'name'"),
    ("a.json", b"\xff\xfe", "a.json is not UTF-8"),
    ("a.json", b"[1]", "a.json holds a list; expected an object"),
    ("a.yaml", b"name: [", "a.yaml, line 1, column 8: not usable YAML"),
    ("a.yaml", b"name: a\nname: b\n", "a.yaml, line 2, column 1: not usable YAML: duplicate key 'name'"),
    ("a.yaml", b"a: &a [*a]\n", "aliases are not supported"),
    ("a.yaml", b"on: 1\n", "quotes make text"),
    ("a.yaml", b"name: \x00", "a.yaml is not usable YAML"),
    ("a.yaml", b"name: 2026-01-01\nlimits: 1\n", "/limits"),
    ("a.yaml", b"", "a.yaml holds nothing; expected an object"),
    ("a.yaml", b"[" * 5000, "a.yaml"),
]


@pytest.mark.parametrize(("name", "data", "said"), AGENTS)
def test_bad_agent_file_is_refused_before_the_run(shell: Shell, name: str, data: bytes, said: str) -> None:
    """A definition that cannot be used is refused with its place, and no session is made."""
    (shell.folder / name).write_bytes(data)
    result = shell.scripted(final("Yes."), options=("--agent", name))
    assert (2, True, False) == (result.returncode, said in one_line_of(result), shell.sessions.exists()), result.stderr


def test_stdin_that_is_not_utf8_is_refused(shell: Shell) -> None:
    """Bytes that are no UTF-8 are refused, with their place."""
    result = shell("run", "-", input="Gr\udcfce", errors="surrogateescape")
    assert (2, True) == (result.returncode, "stdin is not UTF-8 (byte 3)" in one_line_of(result))


def test_argument_that_is_not_utf8_is_refused(shell: Shell) -> None:
    """An argument that is no UTF-8 is refused."""
    result = shell("run", "Gr\udcfce")
    assert (2, "an argument is not UTF-8") == (result.returncode, one_line_of(result).partition(";")[0])


def test_errors_are_json_too(shell: Shell) -> None:
    """With --json an error before the run is one object on stdout, beside its line on stderr."""
    result = shell("run", "Go", "--agent", "nowhere.json", "--json")
    outcome = json.loads(result.stdout)
    assert (False, None, "bad_agent_file") == (outcome["ok"], outcome["answer"], outcome["failure"]["code"])


def test_script_names_the_line_that_is_wrong(shell: Shell) -> None:
    """A line of a script that is no output is named."""
    result = shell.scripted(final("Yes."), {"type": "dance"})
    assert (2, True) == (result.returncode, "script.jsonl, line 2: " in one_line_of(result))


def test_sessions_folder_that_cannot_be_written_is_told(shell: Shell) -> None:
    """A run that cannot be recorded is not begun."""
    shell.sessions.write_text("a file")
    result = shell.scripted(final("Yes."))
    assert (1, True) == (result.returncode, "cannot be written" in one_line_of(result)), result.stderr


@pytest.mark.parametrize("where", ["stdout", "stdin"])
def test_closed_stream_is_no_defect(shell: Shell, where: str) -> None:
    """A closed stdout is refused in one line; a closed stdin does not matter to a run that reads none."""
    closing = {"stdout": ">&-", "stdin": "<&-"}[where]
    command = shell.command("run", "Go", "--sessions", "s", "--script", shell.script(final("Yes.")), "--quiet")
    line = subprocess.list2cmdline(command)
    result = subprocess.run(
        ["bash", "-c", f"{line} {closing}"], cwd=shell.folder, env=shell.environment, capture_output=True, text=True,
        check=False, timeout=300,
    )  # fmt: skip
    expected = (2, "", 1) if where == "stdout" else (0, "Yes.\n", 0)
    assert expected == (result.returncode, result.stdout, len(result.stderr.splitlines())), result.stderr


@pytest.mark.parametrize("command", ["run", "replay"])
def test_reader_that_leaves_is_no_defect(shell: Shell, command: str) -> None:
    """A pipe whose reader is gone ends the program quietly."""
    shell.scripted(
        *[call("echo", text=f"apple {number}" * 50) for number in range(9)], final("Yes." * 9000), tools="echo"
    )
    script = str(shell.folder / "script.jsonl")
    arguments = {
        "run": ("run", "Go", "--sessions", str(shell.sessions), "--script", script, "--tools", "echo", "--quiet"),
        "replay": ("replay", str(shell.session())),
    }[command]
    line = subprocess.list2cmdline(shell.command(*arguments))
    result = subprocess.run(
        ["bash", "-c", f"{line} | true; echo ${{PIPESTATUS[0]}}"], cwd=shell.folder, env=shell.environment,
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert ("1\n", False) == (result.stdout, "Traceback" in result.stderr), result.stderr


def test_defect_is_told_with_advice(shell: Shell, tmp_path: Path) -> None:
    """An error that nobody foresaw is one line that says how to get the traceback, which the variable shows."""
    (tmp_path / "sitecustomize.py").write_text("import typing, sys\nsys.modules['yaml'] = typing\n")
    (tmp_path / "a.yaml").write_text("name: a\n")
    path = f"{tmp_path}:{shell.environment.get('PYTHONPATH', '')}"
    arguments = ("run", "Go", "--agent", "a.yaml")
    plain = shell(*arguments, env={"PYTHONPATH": path})
    debug = shell(*arguments, env={"PYTHONPATH": path, "PURESTEP_DEBUG": "1"})
    found = ("PURESTEP_DEBUG=1" in one_line_of(plain), "Traceback" in debug.stderr)
    assert (1, True, True) == (plain.returncode, *found)
