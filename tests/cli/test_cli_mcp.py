"""MCP servers of the command: given with --mcp, or named by an agent file, which a person confirms first."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.cli.conftest import Shell, Terminal, call, ended, final
from tests.hosts.test_mcp_login import browse, vault
from tests.hosts.test_mcp_servers import all_ended, is_running

SERVER = str(Path(__file__).parents[1] / "hosts" / "mcp_bad_server.py")
GO = call("bad__go")


def bad(way: str, *more: str) -> str:
    """The option's value for the server that misbehaves in a way."""
    return "bad=" + shlex.join([sys.executable, SERVER, way, *more])


def agent_file(shell: Shell, way: str, *more: str, **members: Any) -> str:
    """Write an agent file that names the server."""
    path = shell.folder / "agent.json"
    entry = {"command": sys.executable, "args": [SERVER, way, *more], **members}
    path.write_text(json.dumps({"mcp": {"bad": entry}}))
    return str(path)


def test_tool_of_a_server_runs_and_is_logged(shell: Shell) -> None:
    """The option starts the server, its tool asks, and with --yes its result is a fact of the log."""
    done = shell.scripted(GO, final("It went."), options=("--mcp", bad("plain"), "--yes"))
    assert (0, "It went.\n") == (done.returncode, done.stdout), done.stderr
    assert ["went"] == [fact["output"] for fact in shell.facts("tool_result")]
    assert "bad__go" in [tool["name"] for tool in shell.events()[0]["agent"]["tools"]]


def test_tool_that_does_not_say_that_it_reads_asks(shell: Shell) -> None:
    """Without a terminal to ask on, it is refused."""
    done = shell.scripted(GO, final("I could not."), options=("--mcp", bad("plain")))
    assert [] == shell.facts("tool_result"), done.stderr


def test_agent_file_starts_no_program_unasked(shell: Shell, terminal: Terminal) -> None:
    """Without a terminal it is refused; a person sees program and variables, once; a changed one is asked about."""
    noted = shell.folder / "started"
    arguments = ("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script(final("Hello.")), "--agent")
    path = agent_file(shell, "children", str(noted), env=["SECRET_TOKEN"])
    refused = shell(*arguments, path)
    assert (2, False, True) == (refused.returncode, noted.exists(), "--mcp" in refused.stderr), refused.stderr
    child = terminal(*arguments, path)
    child.expect_exact("Go on?")
    assert not noted.exists()
    assert "SECRET_TOKEN" in child.before
    child.sendline("yes")
    assert 0 == ended(child)
    assert all_ended(list(map(int, noted.read_text().split())))
    assert 0 == shell(*arguments, path).returncode
    assert 2 == shell(*arguments, agent_file(shell, "plain")).returncode
    assert 2 == shell("prompt", "Go", "--agent", agent_file(shell, "plain")).returncode


def test_session_goes_on_with_its_servers_only(shell: Shell) -> None:
    """A session does not start a program by itself: the server is given again."""
    assert 0 == shell.scripted(final("Hello."), options=("--mcp", bad("plain"))).returncode
    script = shell.script(final("Hello."), final("Again."))
    again = ("run", "More", "--sessions", str(shell.sessions), "--resume", shell.session().name, "--script", script)
    without = shell(*again)
    assert (2, True) == (without.returncode, "--mcp bad=COMMAND" in without.stderr), without.stderr
    given = shell(*again, "--mcp", bad("plain"))
    assert (0, "Again.\n") == (given.returncode, given.stdout), given.stderr


def test_server_that_cannot_be_used_is_one_line(shell: Shell) -> None:
    """No traceback, no escape codes, and no session."""
    for way in (bad("exits"), "no-such-program", "http://example.com", "bad=", "http://127.0.0.1:1/mcp"):
        done = shell.scripted(final("Hello."), options=("--mcp", way))
        assert (2, 1, False) == (done.returncode, len(done.stderr.splitlines()), "\x1b" in done.stderr), done.stderr
    assert not shell.sessions.exists()


def test_rubbish_and_escapes_of_a_server_stay_off_the_terminal(shell: Shell) -> None:
    """Lines that are no messages are passed over, and escape codes in a result are not printed."""
    for way in ("rubbish", "escapes"):
        done = shell.scripted(GO, final("It went."), options=("--mcp", bad(way), "--yes"))
        assert (0, False) == (done.returncode, "\x1b" in done.stderr), done.stderr
        assert "Traceback" not in done.stderr


def test_ctrl_c_in_a_call_ends_the_server(shell: Shell, terminal: Terminal) -> None:
    """The call is recorded as interrupted, and the server ends with the command."""
    script = shell.script(GO)
    options = ("--sessions", str(shell.sessions), "--script", script, "--yes", "--mcp", bad("hangs"))
    child = terminal("run", "Go", *options)
    child.expect_exact("bad__go")
    servers = _servers_of(child.pid)
    assert servers
    child.kill(signal.SIGINT)
    assert 130 == ended(child)
    assert all_ended(servers)


def _servers_of(process: int) -> list[int]:
    """The processes that a process has started, with theirs."""
    found: list[int] = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()[1])
        except OSError:
            continue
        if parent == process and is_running(int(name)):
            found += [int(name), *_servers_of(int(name))]
    return found


def test_a_login_is_shown_in_the_terminal(shell: Shell, terminal: Terminal) -> None:
    """The address stands on a line of its own, the run goes on once somebody has opened it, and the next one unasked.

    Without a terminal nobody is asked, and the error says what to do. Ctrl-C ends the wait.
    """
    script = shell.script(call("vault__blab"), final("Done."))
    with vault(shell.folder) as server:
        given = ("run", "Go", "--sessions", str(shell.sessions), "--script", script, "--mcp", f"vault={server.url}")
        refused = shell(*given)
        assert (True, []) == ("log in once with `purestep` in a terminal" in refused.stderr, server.asked)
        stopped = terminal(*given)
        stopped.expect("at this address:")
        stopped.sendintr()
        assert 130 == ended(stopped)
        child = terminal(*given, "--yes")
        child.expect(r"(http://127.0.0.1:\S+/authorize\S+)")
        browse(child.match[1])
        assert 0 == ended(child)
        assert 0 == shell(*given, "--yes").returncode
    results = [fact["output"] for fact in shell.facts("tool_result")]
    assert [{"result": "the token is [hidden]!"}] == results


def with_tasks(shell: Shell) -> tuple[Path, str]:
    """The folder of a server's tasks, and an agent file that names it, whose calls wait for none."""
    folder, path = shell.folder / "tasks", shell.folder / "agent.json"
    folder.mkdir()
    program = str(Path(SERVER).with_name("mcp_task_server.py"))
    entry = {"command": sys.executable, "args": [program, str(folder)], "tasks": "later"}
    path.write_text(json.dumps({"mcp": {"reports": entry}}))
    return folder, str(path)


def end_all(folder: Path) -> None:
    """Have the tasks of a server end."""
    for task in folder.glob("task-*"):
        task.write_text(task.read_text().replace('"due": ', '"due": 1, "was": '))


def test_a_task_of_a_server_comes_late(shell: Shell) -> None:
    """A resumed session asks its servers for what has come: of what still works a person is told."""
    folder, path = with_tasks(shell)
    outputs = (call("reports__report", seconds=60), *map(final, ("It is under way.", "42 pages.", "Bye.")))
    first = shell.scripted(*outputs, options=("--agent", path, "--yes"))
    assert (0, "It is under way.\n") == (first.returncode, first.stdout), first.stderr
    again = ("--sessions", str(shell.sessions), "--resume", "last", "--yes", "--agent", path, "--script")
    works = shell("run", *again, shell.script(*outputs))
    assert (0, "It is under way.\n", True) == (works.returncode, works.stdout, "it still works" in works.stderr)
    end_all(folder)
    came = shell("run", *again, shell.script(*outputs))
    assert (0, "42 pages.\n") == (came.returncode, came.stdout), came.stderr
    assert [{"pages": 42}] == [fact["output"] for fact in shell.facts("tool_result")]
    chatted = shell("chat", *again, shell.script(*outputs), input="Thank you.\n")
    assert (0, True) == (chatted.returncode, chatted.stdout.endswith("Bye.\n")), chatted.stderr


def test_a_task_ends_while_a_chat_goes_on(shell: Shell) -> None:
    """Before each question its result is asked for, and read in an exchange of its own."""
    folder, path = with_tasks(shell)
    outputs = (call("reports__report", seconds=60), *map(final, ("It is under way.", "42 pages.", "Bye.")))
    options = ("--sessions", str(shell.sessions), "--yes", "--agent", path, "--script", shell.script(*outputs))
    with subprocess.Popen(
        shell.command("chat", *options),
        cwd=shell.folder, env=shell.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as chat:  # fmt: skip
        assert chat.stdin is not None
        assert chat.stdout is not None
        chat.stdin.write("Go.\n")
        chat.stdin.flush()
        assert "It is under way.\n" == chat.stdout.readline()
        end_all(folder)
        assert ("42 pages.\nBye.\n", None) == chat.communicate("Thank you.\n", timeout=60)
    assert 0 == chat.returncode


def test_ctrl_c_cancels_a_task(shell: Shell, terminal: Terminal) -> None:
    """The server is told before the command ends, and the call is recorded as interrupted."""
    folder, _ = with_tasks(shell)
    server = shlex.join([sys.executable, str(Path(SERVER).with_name("mcp_task_server.py")), str(folder)])
    script = shell.script(call("reports__report", seconds=60))
    options = ("--sessions", str(shell.sessions), "--script", script, "--yes", "--mcp", f"reports={server}")
    child = terminal("run", "Go", *options)
    child.expect_exact("printing")
    child.kill(signal.SIGINT)
    assert 130 == ended(child)
    assert ["cancelled"] == [json.loads(task.read_text())["status"] for task in folder.glob("task-*")]
    assert ["interrupted"] == [fact["error_kind"] for fact in shell.facts("tool_result")]
