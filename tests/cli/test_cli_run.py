"""What `run` and `chat` print, record and return."""

import json
import shlex
import subprocess

import pytest

from tests.cli.conftest import Shell, call, final

SUM = (call("calculate", a=17, b=25, operation="plus"), final("It is 42."))


def test_answer_alone_goes_to_stdout(shell: Shell) -> None:
    """Stdout holds the answer and nothing else, whatever happened on the way."""
    assert "It is 42.\n" == shell.scripted(*SUM).stdout


def test_steps_are_told_on_stderr(shell: Shell) -> None:
    """Stderr tells the call and its result; what passed its checks has no row."""
    said = shell.scripted(*SUM).stderr
    assert [] == [
        line
        for line in (
            "call       calculate a=17 b=25 operation=plus",
            "result     42",
        )
        if line not in said.splitlines()
    ]


@pytest.mark.parametrize("stream", ["--stream", "--no-stream"])
def test_answer_is_printed_once(shell: Shell, stream: str) -> None:
    """A streamed answer is not printed again, and one that was not streamed is printed."""
    assert "It is 42.\n" == shell.scripted(*SUM, options=(stream,)).stdout


def test_answer_in_plain_text_is_printed_once(shell: Shell) -> None:
    """A dialect without an envelope streams its text, which is the answer."""
    result = shell.scripted("It is\n  42.", options=("--dialect", "native", "--stream"))
    assert "It is\n  42.\n" == result.stdout


def test_wait_before_another_try_is_told(shell: Shell) -> None:
    """A model that fails for a moment is asked again after a wait, which stands on the terminal and in the log."""
    error = {"type": "model_error", "code": "unavailable", "message": "busy", "retryable": True, "retry_after_ms": 100}
    result = shell.scripted(error, final("Now."))
    assert "Now.\n" == result.stdout
    assert "no answer  busy (asked again in 0.1 s)" in result.stderr.splitlines()


def test_what_was_done_stands_under_the_answer(shell: Shell) -> None:
    """A row for each call that may have changed something, live and in a replay."""
    noted = call("session_note_append", note="the keys are in the drawer")
    result = shell.scripted(noted, final("I noted it."), tools="session_note_append")
    row = 'changed    session_note_append note="the keys are in the drawer"'
    assert row in result.stderr.splitlines()
    assert row in shell("replay", str(shell.session())).stdout.splitlines()
    claimed = shell.scripted(final("I noted it."), tools="session_note_append")
    assert "changed    nothing" in claimed.stderr.splitlines()


def test_rejected_text_never_reaches_a_pipe(shell: Shell) -> None:
    """A text that a check sends back is no answer, so a pipe gets only the one that is."""
    agent = shell.folder / "agent.json"
    agent.write_text('{"tools": ["read_file"], "checks": ["planning"]}')
    plan = "I will now list the files."
    result = shell.scripted(final(plan), final("There are two."), options=("--agent", str(agent)))
    assert "There are two.\n" == result.stdout


def test_failure_leaves_stdout_empty(shell: Shell) -> None:
    """A run without an answer prints none."""
    assert "" == shell.scripted("nonsense", "nonsense").stdout


def test_quiet_run_says_nothing_on_stderr(shell: Shell) -> None:
    """With --quiet a run that succeeds leaves stderr empty."""
    assert "" == shell.scripted(*SUM, options=("--quiet",)).stderr


def test_json_is_one_object_on_stdout(shell: Shell) -> None:
    """With --json stdout is exactly one object with the documented members."""
    outcome = json.loads(shell.scripted(*SUM, options=("--json",)).stdout)
    expected = {
        "ok": True,
        "answer": "It is 42.",
        "acts": [],
        "session": shell.session().name,
        "turns": 2,
        "decided": 0,
        "tool_calls": 1,
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "cached_tokens": 0, "reasoning_tokens": 0, "cost": 0},
        "head": (shell.session() / "head").read_text("ascii"),
    }
    assert expected == outcome


def test_json_names_the_failure(shell: Shell) -> None:
    """With --json a run that failed names the code and leaves the answer null."""
    outcome = json.loads(shell.scripted("nonsense", "nonsense", options=("--json",)).stdout)
    assert (False, None, "parse_error") == (outcome["ok"], outcome["answer"], outcome["failure"]["code"])


def test_query_comes_from_stdin(shell: Shell) -> None:
    """A dash reads the query from stdin."""
    script = shell.script(final("Yes."))
    shell("run", "-", "--sessions", str(shell.sessions), "--script", script, input="Grüße\n")
    assert ["Grüße"] == [event["content"] for event in shell.facts("user_message")]


def test_chat_reads_one_query_a_line(shell: Shell) -> None:
    """Without a terminal every line is an exchange of the same run, until /quit."""
    script = shell.script(final("One."), final("Two."), final("Three."))
    result = shell(
        "chat", "--sessions", str(shell.sessions), "--script", script, input="first\n\nsecond\n/quit\nthird\n"
    )
    assert ("One.\nTwo.\n", 1) == (result.stdout, len(shell.facts("run_started")))


@pytest.mark.parametrize("stdin", ["", " \n\n"])
def test_chat_without_a_question_is_told(shell: Shell, stdin: str) -> None:
    """An empty stdin is no conversation, and to say nothing would look like one that went well."""
    result = shell("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One.")), input=stdin)
    assert (2, "") == (result.returncode, result.stdout)
    assert "purestep: stdin is closed or holds no question; chat in a terminal" in result.stderr


@pytest.mark.parametrize("closed", ["/dev/full", "&-"])
def test_stderr_that_takes_nothing_changes_no_exit_code(shell: Shell, closed: str) -> None:
    """What cannot be told there is no reason for a code that this program does not have."""
    command = shlex.join(shell.command("run", "--max-turns", "many"))
    result = subprocess.run(
        ["/bin/sh", "-c", f"exec {command} 2>{closed}"], cwd=shell.folder, env=shell.environment, check=False
    )
    assert 2 == result.returncode


def test_commands_have_their_characters_in_any_locale(shell: Shell) -> None:
    """A locale whose encoding has none of a model's characters does not keep its command from running."""
    outputs = (call("shell", command="printf %s Grüße文 >made"), final("Done."))
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    result = shell.scripted(*outputs, tools="shell", options=("--yes",), env=locale)
    assert (0, "Grüße文") == (result.returncode, (shell.folder / "made").read_text("utf-8")), result.stderr


def test_chat_with_a_closed_stdin_is_told(shell: Shell) -> None:
    """As one without a question."""
    command = shlex.join(shell.command("chat", "--script", shell.script(final("One."))))
    result = subprocess.run(
        ["/bin/sh", "-c", f"exec {command} <&-"], cwd=shell.folder, env=shell.environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (2, True) == (result.returncode, "stdin is closed or holds no question" in result.stderr)


def test_agent_file_names_tools(shell: Shell) -> None:
    """A YAML definition may name built-in tools; its own words and limits hold."""
    path = shell.folder / "agent.yaml"
    path.write_text("name: adder\ndialect: envelope\ntools: [calculate, {name: echo}]\nlimits: {max_turns: 3}\n")
    shell.scripted(*SUM, options=("--agent", str(path)))
    definition = shell.facts("run_started")[0]["agent"]
    names = [tool["name"] for tool in definition["tools"] if tool["parameters"]]
    assert ("adder", ["calculate", "echo"], {"max_turns": 3}) == (definition["name"], names, definition["limits"])


def test_gentle_reading_is_told(shell: Shell) -> None:
    """A call whose arguments fit after type coercion runs, and each change is shown below it."""
    path = shell.folder / "agent.json"
    path.write_text('{"tools": ["add_numbers"], "policies": [{"use": "coerce"}]}')
    said = shell.scripted(call("add_numbers", a="17", b=25), SUM[1], options=("--agent", str(path))).stderr
    expected = ["call       add_numbers a=17 b=25", 'repaired   /a: took "17" for 17', "result     42"]
    assert expected == said.splitlines()[1:4]


def test_what_was_not_read_as_written_is_told(shell: Shell) -> None:
    """A note of the reader stands below the call or the answer that it is about."""
    said = shell.scripted(f"{SUM[0]}}}", f"```json\n{SUM[1]}\n```").stderr.splitlines()
    notes = ["left out   text beside the JSON object was left out", "repaired   the object stood in a code fence"]
    assert notes == [line for line in said if line.startswith(("left out", "repaired"))]


def test_options_win_over_the_agent_file(shell: Shell) -> None:
    """--max-turns, --max-tokens and --dialect replace what the file says."""
    path = shell.folder / "agent.json"
    path.write_text('{"limits": {"max_turns": 3}, "sampling": {"top_k": 1}}')
    options = ("--agent", str(path), "--max-turns", "7", "--max-tokens", "9", "--dialect", "bare")
    shell.scripted("Yes.", options=options)
    expected = {"limits": {"max_turns": 7}, "sampling": {"top_k": 1, "max_tokens": 9}, "dialect": "bare"}
    assert expected == shell.facts("run_started")[0]["agent"]


def test_default_agent_offers_only_safe_tools(shell: Shell) -> None:
    """Nothing that writes files, runs commands or reaches a network is offered unless it is named."""
    shell.scripted(final("Yes."))
    names = [tool["name"] for tool in shell.facts("run_started")[0]["agent"]["tools"]]
    expected = (
        "add_days calculate count_words days_between list_dir read_file search_files session_note_append "
        "session_note_search time_in today"
    )
    assert expected.split() == names


def test_file_tools_see_only_the_root(shell: Shell) -> None:
    """--root is the folder that the file tools read."""
    (shell.folder / "inner").mkdir()
    (shell.folder / "inner" / "a.txt").write_text("apple pie")
    shell.scripted(call("read_file", path="a.txt"), final("Yes."), options=("--root", "inner"))
    assert ["apple pie"] == [event["output"] for event in shell.facts("tool_result")]


def test_prompt_shows_the_request_and_sends_nothing(shell: Shell) -> None:
    """`prompt --json` is the body of the request, with the query as its last message."""
    body = json.loads(shell("prompt", "What is 2 plus 2?", "--tools", "add_numbers", "--carry", "off", "--json").stdout)
    last = {"role": "user", "content": "What is 2 plus 2?"}
    assert (last, 0, 512) == (body["messages"][-1], body["temperature"], body["max_tokens"])


EXITS = [
    (0, [final("Yes.")], ()),
    (1, ["nonsense", "nonsense"], ()),
    (0, [call("shell", command="true"), final("Done.")], ("--tools", "shell", "--yes")),
    (3, [call("read_file", path="empty.txt"), call("read_file", path="./empty.txt")], ("--agent", "judging.json")),
    (4, [call("shell", command="ls")] * 4, ("--tools", "shell", "--approve", "none")),
    (5, [call("echo", text="apple")], ("--tools", "echo", "--max-turns", "1")),
    (7, [], ()),
]


@pytest.mark.parametrize(("code", "outputs", "options"), EXITS)
def test_exit_code_follows_from_how_the_run_ended(
    shell: Shell, code: int, outputs: list[str], options: tuple[str, ...]
) -> None:
    """Every end of a run has its documented exit code; a command that acts and says nothing is done."""
    (shell.folder / "empty.txt").touch()
    (shell.folder / "judging.json").write_text('{"tools": [{"name": "read_file", "checks": ["plausibility"]}]}')
    assert code == shell.scripted(*outputs, options=options).returncode


def test_help_names_every_exit_code(shell: Shell) -> None:
    """The table of exit codes has a help of its own."""
    said = shell("help", "exit-codes").stdout
    assert [] == [code for code in (0, 1, 2, 3, 4, 5, 6, 7, 130) if f"\n  {code:>3}  " not in said]
