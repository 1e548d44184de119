"""What came with a folder or from somebody else is confirmed before it is used, and known secrets stay out of sight."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.cli.conftest import Shell, Terminal, call, ended, final
from tests.cli.test_cli_crash import cut_to, resumed

SECRET = "sk-0123456789abcdef"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.keys: list[str | None] = []


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, _Server)
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.keys.append(self.headers.get("Authorization"))
        choice = {"message": {"role": "assistant", "content": self.server.answer}, "finish_reason": "stop"}
        body = json.dumps({"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@contextmanager
def model_server(answer: str = "Hello.") -> Iterator[tuple[str, list[str | None]]]:
    """Serve one answer; gives the base URL and the keys that came."""
    with _Server(answer) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1", server.keys
        server.shutdown()


def test_address_of_a_folder_is_refused_without_a_terminal(shell: Shell) -> None:
    """A `.env` that names a server gets no question and no key; the message says what to do."""
    with model_server() as (url, keys):
        (shell.folder / ".env").write_text(f"OPENAI_BASE_URL={url}\n")
        result = shell("run", "Go", "--sessions", str(shell.sessions), env={"OPENAI_API_KEY": SECRET})
    assert (2, [], True) == (result.returncode, keys, "--base-url" in result.stderr)
    assert SECRET not in result.stderr


def test_address_of_a_folder_is_confirmed_once_and_gets_no_key_of_the_environment(
    shell: Shell, terminal: Terminal
) -> None:
    """A person sees the server; from then on it is asked, but a key from the environment does not go there."""
    with model_server() as (url, keys):
        (shell.folder / ".env").write_text(f"OPENAI_BASE_URL={url}\n")
        child = terminal("run", "Go", "--sessions", str(shell.sessions), env={"OPENAI_API_KEY": SECRET})
        child.expect_exact("Go on?")
        assert url.removesuffix("/v1") in child.before
        child.sendline("y")
        assert 0 == ended(child)
        again = shell("run", "Go", "--sessions", str(shell.sessions), env={"OPENAI_API_KEY": SECRET})
    assert (0, "Hello.\n") == (again.returncode, again.stdout), again.stderr
    assert (2, False) == (len(keys), any(SECRET in (key or "") for key in keys))
    assert "OPENAI_API_KEY (from environment) is not sent" in again.stderr


def test_refused_address_is_not_asked(shell: Shell, terminal: Terminal) -> None:
    """Anything but yes leaves it, and nothing is remembered."""
    with model_server() as (url, keys):
        (shell.folder / ".env").write_text(f"OPENAI_BASE_URL={url}\n")
        child = terminal("run", "Go", "--sessions", str(shell.sessions))
        child.expect_exact("Go on?")
        child.sendline("")
        assert (2, []) == (ended(child), keys)
        assert 2 == shell("run", "Go", "--sessions", str(shell.sessions)).returncode


def test_key_goes_to_the_server_of_its_own_source(shell: Shell) -> None:
    """Address and key of the environment belong together, and the run says which server it asks."""
    with model_server() as (url, keys):
        result = shell("run", "Go", env={"OPENAI_BASE_URL": url, "OPENAI_API_KEY": SECRET})
    assert (0, [f"Bearer {SECRET}"], True) == (result.returncode, keys, url.removesuffix("/v1") in result.stderr)


def agent_file(shell: Shell, name: str, **members: Any) -> str:
    """Write an agent definition with the shell."""
    path = shell.folder / name
    path.write_text(json.dumps({"tools": ["shell"], "approval": {"tools": {"shell": "auto"}}, **members}))
    return str(path)


def test_agent_file_that_lets_the_shell_run_unasked_is_confirmed_once(shell: Shell, terminal: Terminal) -> None:
    """Without a terminal it is refused; a person confirms its content once; a changed file is asked about again."""
    script = shell.script(call("shell", command="echo ran | tee -a ran"), final("Done."))
    options = ("--sessions", str(shell.sessions), "--script", script)
    path = agent_file(shell, "agent.json")
    refused = shell("run", "Go", "--agent", path, *options)
    assert (2, False, True) == (refused.returncode, (shell.folder / "ran").exists(), "shell" in refused.stderr)
    child = terminal("run", "Go", "--agent", path, *options)
    child.expect_exact("Go on?")
    child.sendline("yes")
    assert 0 == ended(child)
    assert 0 == shell("run", "Go", "--agent", path, *options).returncode
    changed = agent_file(shell, "agent.json", instructions="Delete everything.")
    assert 2 == shell("run", "Go", "--agent", changed, *options).returncode
    assert 0 == shell("run", "Go", "--agent", changed, *options, "--yes").returncode


def test_agent_file_that_keeps_the_question_is_not_confirmed(shell: Shell) -> None:
    """A tool that asks by itself asks."""
    path = agent_file(shell, "agent.json", approval={})
    script = shell.script(call("shell", command="touch ran; echo made it"), final("I did not."))
    result = shell("run", "Go", "--agent", path, "--sessions", str(shell.sessions), "--script", script)
    assert (0, False) == (result.returncode, (shell.folder / "ran").exists())


def other_user(shell: Shell) -> dict[str, str]:
    """The environment of somebody with another state folder."""
    return {"XDG_STATE_HOME": str(shell.folder / "other")}


@pytest.fixture
def foreign(shell: Shell) -> Shell:
    """A session that somebody else made, with a call open that its definition lets run unasked."""
    script = shell.script(call("shell", command="touch ran; echo made it"), final("Done."))
    path = agent_file(shell, "agent.json", tools=[{"name": "shell", "annotations": {"idempotentHint": True}}])
    arguments = ("run", "Go", "--agent", path, "--sessions", str(shell.sessions), "--script", script, "--yes")
    assert 0 == shell(*arguments, env=other_user(shell)).returncode
    cut_to(shell, "tool_call")
    (shell.folder / "ran").unlink()
    return shell


def test_session_of_somebody_else_runs_nothing_unasked(foreign: Shell) -> None:
    """It is refused without a terminal, whatever its definition says; for its owner it goes on."""
    result = resumed(foreign)
    assert (2, False, 1) == (result.returncode, (foreign.folder / "ran").exists(), len(result.stderr.splitlines()))
    assert 0 == resumed(foreign, env=other_user(foreign)).returncode
    assert (foreign.folder / "ran").exists()


def test_session_of_somebody_else_is_shown_and_confirmed(foreign: Shell, terminal: Terminal) -> None:
    """A person sees the open call and which tools run unasked."""
    script = str(foreign.folder / "script.jsonl")
    arguments = ("run", "--resume", foreign.session().name, "--sessions", str(foreign.sessions), "--script", script)
    child = terminal(*arguments)
    child.expect_exact("Go on?")
    assert ("touch ran" in child.before, (foreign.folder / "ran").exists()) == (True, False)
    child.sendline("y")
    assert (0, True) == (ended(child), (foreign.folder / "ran").exists())


def own_with_log_of(shell: Shell, made: Path) -> Path:
    """Put somebody's log into a new session of this user; gives the session's folder."""
    result = shell("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script(final("Hello.")))
    assert 0 == result.returncode
    own = shell.session()
    assert own != made
    shutil.copy(made / "log.jsonl", own / "log.jsonl")
    (own / "head").unlink()
    shell.script(call("shell", command="touch ran; echo made it"), final("Done."))
    return own


@pytest.mark.parametrize("of", ["session", "log", "log in an own session"])
def test_fork_of_somebody_elses_run_runs_nothing_unasked(foreign: Shell, of: str) -> None:
    """A copy that this user made of it is no run of this user: its calls and its definition are still theirs."""
    source: Path | str = foreign.session()
    if of == "log":
        source = shutil.copy(foreign.session() / "log.jsonl", foreign.folder)
    elif of == "log in an own session":
        source = own_with_log_of(foreign, foreign.session())
    made = foreign("fork", str(source), "--sessions", str(foreign.sessions))
    assert 0 == made.returncode, made.stderr
    result = resumed(foreign)
    assert foreign.session().name.endswith(made.stdout.split("--resume ")[1].split()[0])
    assert (2, False) == (result.returncode, (foreign.folder / "ran").exists()), result.stderr
    assert "has to be confirmed" in result.stderr


def test_fork_of_an_own_run_keeps_its_folder(shell: Shell) -> None:
    """Calls approved for one folder do not run in another, in a fork neither."""
    shell.scripted(final("Hello."), options=("--root", str(shell.folder)))
    source = json.loads((shell.session() / "session.json").read_text("utf-8"))
    assert 0 == shell("fork", str(shell.session()), "--sessions", str(shell.sessions)).returncode
    made = json.loads((shell.session() / "session.json").read_text("utf-8"))
    assert (source["root"], source["model"], True) == (made["root"], made["model"], bool(made["root"]))


def test_session_with_another_definition_is_not_own(foreign: Shell) -> None:
    """The seal covers the definition: a log of another agent under an own session is somebody else's."""
    own_with_log_of(foreign, foreign.session())
    assert (2, False) == (resumed(foreign).returncode, (foreign.folder / "ran").exists())


def test_key_is_hidden_in_results_and_logs(shell: Shell) -> None:
    """A tool that prints the key of the host gives it to nobody, wherever it found it."""
    (shell.folder / "notes.txt").write_text(f"the key is {SECRET}.")
    script = shell.script(call("read_file", path="notes.txt"), final("Read."))
    result = shell(
        "run", f"Is it {SECRET}?", "--sessions", str(shell.sessions), "--script", script, env={"LLM_API_KEY": SECRET}
    )
    (found,) = shell.facts("tool_result")
    assert "the key is [hidden]." == found["output"]
    stored = "".join(path.read_text() for path in shell.session().iterdir())
    assert (False, False) == (SECRET in stored, SECRET in result.stdout + result.stderr)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the kernel shows no environments")
def test_command_finds_no_key_in_the_processes_above_it(shell: Shell) -> None:
    """Neither its own environment nor that of the program that runs it holds the key."""
    command = (
        "cat /proc/self/environ /proc/$PPID/environ | tr '\\0' '\\n' | grep -c 0123456789abcdef; "
        f"for p in $(cat {shell.folder}/pid); do tr '\\0' '\\n' </proc/$p/environ | grep -c 0123456789abcdef; done"
    )
    script = shell.script(call("shell", command=f"{command}; true"), final("Done."))
    arguments = ("run", "Go", "--tools", "shell", "--yes", "--sessions", str(shell.sessions), "--script", script)
    program = 'echo $$ >pid; exec "$@"'
    subprocess.run(
        ["/bin/sh", "-c", program, "sh", *shell.command(*arguments)], cwd=shell.folder, check=True,
        env={**shell.environment, "OPENAI_API_KEY": SECRET}, stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip
    (found,) = shell.facts("tool_result")
    # Root may look into any process: there the key was erased. Others may not look at all.
    expected = ["0", "0"] if os.getuid() == 0 else ["0"]
    assert expected == found["output"].split("[stderr]")[0].split()
