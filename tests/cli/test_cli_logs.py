"""Reading logs: `replay`, `verify`, `summary`, `sessions`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, call, final

OLD_LOG = [
    {"kind": "user_message", "content": "Say apple."},
    {"kind": "model_response", "content": "calling"},
    {"kind": "tool_result", "tool_name": "echo", "output": "apple"},
    {"kind": "final_answer", "content": "apple"},
]


@pytest.fixture
def log(shell: Shell) -> Path:
    """The log of a run with one call."""
    shell.scripted("nonsense", call("calculate", a=17, b=25, operation="plus"), final("It is 42."))
    return shell.session() / "log.jsonl"


def test_replay_prints_the_run(shell: Shell, log: Path) -> None:
    """A run is printed from the query to the answer, and ends with where it stands."""
    lines = shell("replay", str(log)).stdout.splitlines()
    labels = [line[:11].strip() for line in lines if line[:11].strip()]
    expected = ["run", "user", "model", "sent back", "model", "call", "result", "model", "answer"]
    assert ([*expected, "changed", "state"], True) == (labels, lines[-1].startswith("state      done"))


def test_replay_repeats_nothing(shell: Shell) -> None:
    """What a model calls and answers natively stands in the rows of the call and the answer, and in no other."""
    function = {"name": "echo", "arguments": '{"text": "apple"}'}
    called = {"content": "I say it.", "tool_calls": [{"id": "a", "type": "function", "function": function}]}
    shell.scripted(called, {"content": "apple"}, tools="echo", options=("--dialect", "native"))
    lines = shell("replay", "last", "--sessions", str(shell.sessions)).stdout.splitlines()
    expected = ["model      I say it.", "call       echo text=apple", "result     apple", "answer     apple"]
    assert expected == [each for each in lines if not each.startswith(("run ", "user ", "state "))]


@pytest.mark.parametrize("way", ["file", "folder", "id", "stdin"])
def test_log_is_found_in_every_way(shell: Shell, log: Path, way: str) -> None:
    """A log is named by its path, its session's folder or id, or comes on stdin."""
    name = {"file": str(log), "folder": str(log.parent), "id": log.parent.name, "stdin": "-"}[way]
    given = {"input": log.read_text("utf-8")} if way == "stdin" else {}
    result = shell("verify", name, "--sessions", str(shell.sessions), **given)
    assert (0, "verified") == (result.returncode, result.stdout[:8])


def test_replay_gives_the_state_as_json(shell: Shell, log: Path) -> None:
    """--json gives state, decision and messages."""
    replayed = json.loads(shell("replay", str(log), "--json").stdout)
    assert ("done", "It is 42.") == (replayed["state"]["phase"], replayed["decision"]["answer"])


def test_old_log_is_printed(shell: Shell) -> None:
    """A log whose lines have no number and no time is printed and said to be unchecked."""
    path = shell.folder / "old.jsonl"
    path.write_text("\n\n".join(json.dumps(event) for event in OLD_LOG) + "\n")
    result = shell("replay", str(path))
    expected = ["user       Say apple.", "model      calling", "result     echo: apple", "answer     apple"]
    assert (0, expected) == (result.returncode, result.stdout.splitlines()[:-1])


def test_torn_line_is_reported(shell: Shell, log: Path) -> None:
    """A torn last line is left out and its length told."""
    log.write_bytes(log.read_bytes()[:-10])
    assert "the last line is incomplete (" in shell("replay", str(log)).stdout


def test_damaged_line_is_named(shell: Shell, log: Path) -> None:
    """A line that is no event is named."""
    lines = log.read_text("utf-8").splitlines()
    log.write_text("\n".join([*lines[:2], "{", *lines[3:]]) + "\n")
    result = shell("replay", str(log))
    assert (6, True) == (result.returncode, "line 3: " in result.stderr)


def test_every_changed_byte_is_noticed(shell: Shell, log: Path) -> None:
    """A log with one byte changed does not verify, whichever line it is in."""
    data = log.read_bytes()
    starts = [0, *[at + 1 for at, byte in enumerate(data[:-1]) if byte == ord("\n")]]
    codes = []
    for start in starts:
        at = start + 30
        log.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        codes.append(shell("verify", str(log), "--json").returncode)
    assert [6] * len(starts) == codes


def test_verify_names_the_line_that_differs(shell: Shell, log: Path) -> None:
    """What was expected and what came stand below the number of the line."""
    log.write_text(log.read_text("utf-8").replace('"content":"It is 42."', '"content":"It is 43."'))
    said = shell("verify", str(log)).stdout
    labels = [line[:11].strip() for line in said.splitlines()]
    assert (["differs", "expected", "got"], True) == (labels, ", line " in said)


def test_verify_takes_a_head_kept_elsewhere(shell: Shell, log: Path) -> None:
    """--head holds the log to a hash that the caller kept."""
    head = (log.parent / "head").read_text("ascii")
    codes = [shell("verify", str(log), "--head", given).returncode for given in (head, "0" * 64)]
    assert [0, 6] == codes


def test_summary_counts_the_run(shell: Shell, log: Path) -> None:
    """Turns, calls by tool, corrections by cause, verdicts and the result are counted."""
    counted = json.loads(shell("summary", str(log), "--json").stdout)
    expected = {
        "result": "done",
        "queries": 1,
        "turns": 3,
        "calls": {"calculate": 1},
        "corrections": {"parse_error": 1},
        "verdicts": {"accept": 1},
        "model_errors": 0,
        "prompt_tokens": 0,
        "completion_tokens": 0,
    }
    assert expected == {name: counted[name] for name in expected}


def test_switches_are_shown_and_counted(shell: Shell) -> None:
    """A replay says what was changed and why; the summary counts the moves."""
    path, agent = shell.folder / "agent.json", {"tools": ["calculator"], "policies": [{"use": "negotiation"}]}
    path.write_text(json.dumps(agent))
    shell.scripted("nonsense", "nonsense", "It is 42.", options=("--agent", str(path)))
    log = str(shell.session() / "log.jsonl")
    rows = [line for line in shell("replay", log).stdout.splitlines() if line.startswith("from now")]
    assert [
        "corrections have an example (its replies could not be read)",
        "the model is asked to write calls in another way: tool_tags (its replies could not be read)",
    ] == [row.removeprefix("from now").strip() for row in rows]
    assert {"examples": 1, "dialect": 1} == json.loads(shell("summary", log, "--json").stdout)["switched"]


def test_summary_measures_the_time(shell: Shell) -> None:
    """The duration is the time between the first and the last line; old logs have none."""
    path = shell.folder / "log.jsonl"
    timed = [{"kind": "user_message", "content": "a", "at": 1000}, {"kind": "final_answer", "content": "b", "at": 3500}]
    path.write_text("".join(json.dumps(event) + "\n" for event in timed))
    assert 2.5 == json.loads(shell("summary", str(path), "--json").stdout)["seconds"]


def test_sessions_are_listed_newest_first(shell: Shell) -> None:
    """Every run is listed with its query and its end."""
    shell.scripted("nonsense", "nonsense")
    shell.scripted(final("Yes."))
    rows = [line.split("\t") for line in shell("sessions", "--sessions", str(shell.sessions)).stdout.splitlines()]
    assert [["done", "script", "Go"], ["failed: parse_error", "script", "Go"]] == [row[2:] for row in rows]


def test_models_never_shows_the_key(shell: Shell) -> None:
    """The settings and their sources are shown, the key is not."""
    settings = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "sk-secret", "OPENAI_MODEL": "m"}
    said = shell("models", env=settings).stdout + shell("models", "--json", env=settings).stdout
    assert (False, True) == ("sk-secret" in said, "OPENAI_API_KEY from environment" in said)


def test_tools_lists_what_can_be_offered(shell: Shell) -> None:
    """Every built-in tool is there, and those that ask first say so."""
    rows = [line.split("\t") for line in shell("tools").stdout.splitlines()]
    asking = [row[0] for row in rows if row[2].endswith("asks first")]
    assert (17, ["shell", "write_file"]) == (len(rows), asking)
