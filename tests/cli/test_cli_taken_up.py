"""What a run that stopped half-way, or holds unusual characters, is to those who come after it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, call, final

SEPARATORS = "a\u2028b\u2029c\x85d"


def session_of(shell: Shell) -> str:
    """Return the id of the only session."""
    (folder,) = (path for path in shell.sessions.iterdir() if not path.name.startswith("."))
    return folder.name


def cut_log(shell: Shell, kind: str) -> Path:
    """Keep a session's log up to its first line of a kind, as a kill would have left it."""
    log = shell.sessions / session_of(shell) / "log.jsonl"
    lines = log.read_text("utf-8").split("\n")
    last = next(number for number, line in enumerate(lines) if json.loads(line)["kind"] == kind)
    log.write_text("\n".join(lines[: last + 1]) + "\n", "utf-8")
    log.with_name("head").write_text("")
    return log


@pytest.mark.parametrize("dialect", ["envelope", "native", "bare"])
@pytest.mark.parametrize("as_json", [False, True])
def test_log_that_stands_at_the_model_is_replayed(shell: Shell, dialect: str, as_json: bool) -> None:
    """E30: the usual place to be killed is while the model is asked; replay says so."""
    shell("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script("Done."), "--dialect", dialect)
    log = cut_log(shell, "user_message")
    done = shell("replay", str(log), *(["--json"] if as_json else []))
    assert 0 == done.returncode, done.stderr
    stands = json.loads(done.stdout)["decision"]["type"] if as_json else done.stdout
    assert ("call_model" == stands) if as_json else ("the model is asked next" in stands)


def test_line_separators_of_unicode_are_text(shell: Shell) -> None:
    """E30: a log line ends at a newline and nowhere else, so such a session is listed and goes on."""
    shell(
        "run", SEPARATORS, "--sessions", str(shell.sessions), "--script", shell.script(final(f"It was: {SEPARATORS}"))
    )
    listed = shell("sessions", "--sessions", str(shell.sessions))
    assert "damaged" not in listed.stdout
    script = shell.script(final(SEPARATORS), final("More."))
    again = shell("run", "--resume", session_of(shell), "And?", "--sessions", str(shell.sessions), "--script", script)
    assert (0, "More.") == (again.returncode, again.stdout.strip()), again.stderr


def test_resumed_run_keeps_its_folder(shell: Shell) -> None:
    """B11: an approval given for one folder is not carried out in another."""
    first, second = shell.folder / "first", shell.folder / "second"
    first.mkdir()
    second.mkdir()
    script = shell.script(call("shell", command="touch mark"), final("Done."))
    options = ("--sessions", str(shell.sessions), "--script", script, "--yes")
    shell("run", "Go", "--tools", "shell", "--root", str(first), *options)
    assert (first / "mark").exists()
    (first / "mark").unlink()
    cut_log(shell, "tool_call")
    again = subprocess.run(
        shell.command("run", "--resume", session_of(shell), *options),
        cwd=second,
        env=shell.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (True, False) == ((first / "mark").exists(), (second / "mark").exists()), again.stderr


def test_json_is_utf_8_wherever_it_goes(shell: Shell) -> None:
    """Conventions: what is printed for a program is JSON in any locale."""
    script = shell.script(final("h\u00e9 \U0001f600"))
    done = shell(
        "run", "Go", "--json", "--sessions", str(shell.sessions), "--script", script, env={"PYTHONIOENCODING": "ascii"}
    )
    assert "h\u00e9 \U0001f600" == json.loads(done.stdout)["answer"]


def test_key_in_an_address_is_not_shown(shell: Shell) -> None:
    """F34: keys enter no output, also when they stand in an address."""
    done = shell("models", env={"LLM_ENDPOINT": "http://h/v1/chat/completions?key=SECRET", "LLM_MODEL": "m"})
    assert "SECRET" not in done.stdout + done.stderr
    assert "http://h/v1/chat/completions" in done.stdout


def test_session_from_another_age_does_not_hide_the_others(shell: Shell) -> None:
    """E31: one session with an impossible date is listed with the rest."""
    shell("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script(final("Done.")))
    path = shell.sessions / session_of(shell) / "session.json"
    info = json.loads(path.read_text())
    path.write_text(json.dumps({**info, "created_ms": 99999999999999999}))
    done = shell("sessions", "--sessions", str(shell.sessions))
    assert (0, True) == (done.returncode, info["id"] in done.stdout), done.stderr


def test_another_definition_is_not_used_in_silence(shell: Shell) -> None:
    """A session goes on under its own; the same file says nothing."""
    for name, words in (("mine", "Be brief."), ("other", "Be polite.")):
        (shell.folder / f"{name}.json").write_text(json.dumps({"instructions": words}), "utf-8")
    script = shell.script(final("Hello."), final("Again."), final("Once more."))
    options = ("--sessions", str(shell.sessions), "--script", script, "--yes")
    assert 0 == shell("run", "Hello", "--agent", "mine.json", *options).returncode
    told = [
        "under its own definition, which is not that of" in done.stderr
        for name in ("mine", "other")
        if (done := shell("run", "And?", "--resume", "last", "--agent", f"{name}.json", *options)).returncode == 0
    ]
    assert [False, True] == told
