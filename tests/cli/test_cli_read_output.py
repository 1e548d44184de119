"""A file that is longer than an output may be is read on in parts, also by a session that is taken up."""

from pathlib import Path

from tests.cli.conftest import Shell, call, final
from tests.cli.test_cli_taken_up import cut_log, session_of

LONG = "".join(f"entry {number:06} of the register\n" for number in range(400))
PART = 4000


def _reads(*begins: int) -> list[str]:
    return [call("read_output", call_id="call_1", **{"from": begin}) for begin in begins]


def _outputs(shell: Shell) -> list[str]:
    return [event["output"] for event in shell.events() if event["kind"] == "tool_result"]


def test_long_file_is_read_on_in_parts(shell: Shell) -> None:
    """The built-in agent may read on; the parts come from the session's log, and no tool of that name is there."""
    Path(shell.folder, "register.txt").write_text(LONG, "utf-8")
    begins = range(PART, len(LONG), PART)
    result = shell.scripted(call("read_file", path="register.txt"), *_reads(*begins), final("400 entries."))
    assert (0, "400 entries.\n") == (result.returncode, result.stdout)
    whole, *parts = _outputs(shell)
    assert LONG == whole
    assert [LONG[begin : begin + PART] for begin in begins] == parts
    assert 0 == shell("verify", str(shell.session())).returncode


def test_session_that_is_taken_up_reads_on(shell: Shell) -> None:
    """The log of the earlier process is the one that is read."""
    Path(shell.folder, "register.txt").write_text(LONG, "utf-8")
    outputs = (call("read_file", path="register.txt"), *_reads(8000), final("Read."))
    shell.scripted(*outputs)
    cut_log(shell, "tool_result")
    again = ("run", "--resume", session_of(shell), "--sessions", str(shell.sessions))
    result = shell(*again, "--script", shell.script(*outputs))
    assert (0, "Read.\n") == (result.returncode, result.stdout), result.stderr
    assert [LONG, LONG[8000:12_000]] == _outputs(shell)
