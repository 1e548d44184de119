"""Escape sequences and invisible characters through each command: none of them reaches a terminal as it is.

The text stands in queries, answers, tool results, definitions, session files, logs and arguments. What came out is
judged by Unicode's own categories, not by the table that the command uses.
"""

import contextlib
import io
import json
import os
import random
import re
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from purestep_hosts.cli.entry import run

from ..attack import Attack

HOSTILE = (
    "\x1b[77m", "\x1b[9;9H", "\x1b]0;owned\x07", "\x1b]8;;http://x.test\x1b\\", "\x1bP1$r\x1b\\", "\x9b77m",
    "\x9d0;o\x9c", "\x07", "\x08\x08", "\r", "\x00", "\x7f", "\x85", "\x0b", "\x0c",
    "\u202e", "\u2066", "\u2069", "\u200e",
    "\u061c", "\u200b", "\u2060", "\ufeff", "\xad", "\u2028", "\u2029", "\u3164", "\U000e0041", "\U000e0100",
    "a\u200db", "a\u200cb", "\ufe0f\ufe0f", "x\ufe0f", "\u180b", "\ufff0", "\ufff9", "\u180e", "\ud800",
)  # fmt: skip
"""Pieces that must never be written as they are; the sequences have numbers that the command itself never uses."""

_OWN = re.compile(r"\x1b\[[0-9;?]*[mKAhl]|\r(?=\x1b\[|\n|$)")
"""What rich writes on a terminal: styles, cleared lines, the cursor up, shown and hidden."""

_WORDS = ("run", "echo", "ok", "-> ", "\n", "\t", " ", "é", "文", "[bold]", "{}")


def hostile_text(rng: random.Random) -> str:
    """Return words with hostile pieces between them."""
    pieces = [rng.choice(HOSTILE if rng.random() < 0.6 else _WORDS) for _ in range(rng.randint(1, 8))]  # noqa: PLR2004
    return "".join(pieces)


def _encodable(text: str) -> str:
    """Return the text as an argument or a file can hold it."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


class _Screen(io.StringIO):
    """A stream in memory that may say that it is a terminal."""

    encoding = "utf-8"

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


def shown_raw(text: str, hostile: str = "") -> str | None:
    """Return what in a command's output a terminal would obey or not show; None when there is nothing."""
    for found in re.findall("\x1b\\[(?:77m|9;9H)", text):
        return f"the sequence {found!r} of {hostile!r} was written as it is"
    for character in _OWN.sub("", text):
        if character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            return f"{character!r} was written as it is: {text!r}"
    return None


def _spoiled(value: Any, rng: random.Random, kept: tuple[str, ...] = ("kind", "role")) -> Any:
    """Return a JSON value with hostile text in some of its strings and names."""
    if isinstance(value, dict):
        return {name: item if name in kept else _spoiled(item, rng, kept) for name, item in value.items()}
    if isinstance(value, list):
        return [_spoiled(item, rng, kept) for item in value]
    return hostile_text(rng) if isinstance(value, str) and rng.random() < 0.3 else value  # noqa: PLR2004


_EVENTS: tuple[dict[str, Any], ...] = (
    {"kind": "user_message", "content": "x"},
    {
        "kind": "model_response",
        "content": "x",
        "tool_calls": [{"id": "x", "function": {"name": "x", "arguments": "x"}}],
    },
    {"kind": "model_error", "code": "x", "message": "x", "retryable": True},
    {"kind": "tool_call", "call_id": "x", "tool_name": "x", "arguments": {"x": "x"}},
    {"kind": "tool_result", "call_id": "x", "tool_name": "x", "output": "x"},
    {"kind": "tool_result", "call_id": "x", "tool_name": "x", "ok": False, "error": "x", "error_kind": "x"},
    {"kind": "approval_request", "call_id": "x", "tool_name": "x", "reason": "x", "params": {"x": "x"}, "key": "x"},
    {"kind": "approval", "call_id": "x", "key": "x", "approved": False, "by": "x", "reason": "x"},
    {"kind": "verdict", "call_id": "x", "verdict": "reject", "reason": "x", "check": "x"},
    {"kind": "correction", "cause": "x", "attempt": 1, "content": "x"},
    {"kind": "decided", "reason": "x", "wait_ms": 1, "attempt": 1},
    {"kind": "decided", "reason": "x", "content": "x"},
    {"kind": "switched", "what": "model", "cause": "x", "to": "x"},
    {"kind": "cancelled", "reason": "x"},
    {"kind": "final_answer", "content": "x", "problems": [{"code": "x", "message": "x", "path": "x"}]},
    {"kind": "run_failed", "code": "x", "message": "x", "details": {"x": "x"}},
    {"kind": "x", "message": "x"},
)
"""An event of each kind, and one that is not known."""


def _replayed(folder: Path, rng: random.Random) -> list[str]:
    """Return the command that reads a log whose every text is hostile."""
    path = folder / _encodable(f"log{hostile_text(rng)}".replace("/", "-").replace("\n", "-"))[:80]
    chosen = rng.sample(_EVENTS, rng.randint(1, len(_EVENTS)))
    lines = [json.dumps(_hostile_everywhere(event, rng)) for event in chosen]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return [rng.choice(("replay", "verify", "summary")), str(path), *(["--json"] if rng.random() < 0.3 else [])]  # noqa: PLR2004


def _hostile_everywhere(event: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    texts: Callable[[Any], Any] = lambda value: _spoiled_whole(value, rng)  # noqa: E731
    return {name: value if name == "kind" and value != "x" else texts(value) for name, value in event.items()}


def _spoiled_whole(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        return {name if len(name) > 1 else hostile_text(rng): _spoiled_whole(item, rng) for name, item in value.items()}
    if isinstance(value, list):
        return [_spoiled_whole(item, rng) for item in value]
    return hostile_text(rng) if isinstance(value, str) else value


def _run_script(folder: Path, rng: random.Random) -> list[str]:
    """Return the command that runs a script of hostile outputs with an agent of hostile texts."""
    outputs = [
        {
            "kind": "tool_call",
            "tool_name": rng.choice(("echo", hostile_text(rng))),
            "arguments": {"text": hostile_text(rng)},
        },
        {"kind": "final", "content": hostile_text(rng)},
    ]
    script = folder / "script.jsonl"
    said = [rng.choice((json.dumps(output), hostile_text(rng))) for output in outputs]
    script.write_text("".join(f"{json.dumps(text)}\n" for text in said), "utf-8")
    command = [
        "run",
        _encodable(hostile_text(rng)) + "q",
        "--script",
        str(script),
        "--sessions",
        str(folder / "sessions"),
    ]
    return [*command, *rng.choice(([], ["--json"], ["--quiet"], ["--no-stream"], ["--tools", "echo"]))]


def _definition(folder: Path, rng: random.Random) -> list[str]:
    """Return the command that shows what a model would be sent by a definition with hostile texts."""
    parameters = {"type": "object", "properties": {"x": {"type": "x"}}}
    agent: dict[str, Any] = {
        "name": "x", "system": "x", "dialect": "x",
        "tools": [{"name": "x", "description": "x", "parameters": parameters}],
        "checks": [{"use": "x"}], "x": "x",
    }  # fmt: skip
    path = folder / "agent.json"
    kept = {name: value for name, value in agent.items() if name != "dialect" or rng.random() < 0.3}  # noqa: PLR2004
    path.write_text(json.dumps(_spoiled_whole(kept, rng) if rng.random() < 0.5 else _spoiled(agent, rng, ("type",))))  # noqa: PLR2004
    return ["prompt", _encodable(hostile_text(rng)) + "q", "--agent", str(path), *rng.choice(([], ["--json"]))]


def _listed(folder: Path, rng: random.Random) -> list[str]:
    """Return the command that lists sessions, or resumes one, whose files hold hostile texts."""
    session = folder / "sessions" / "20260101-000000-786-d0e27e"
    session.mkdir(parents=True)
    info = {
        "id": session.name,
        "created_ms": 1,
        "query": "x",
        "agent_digest": "x",
        "model": "x",
        "root": "x",
        "version": 1,
    }
    spoiled = _spoiled_whole(info, rng) | ({"id": session.name} if rng.random() < 0.5 else {})  # noqa: PLR2004
    (session / "session.json").write_text(json.dumps(spoiled))
    (session / "log.jsonl").write_text(
        json.dumps({"kind": "run_failed", "code": hostile_text(rng), "message": ""}) + "\n"
    )
    kept = ["--sessions", str(folder / "sessions")]
    return rng.choice((["sessions", *kept], ["sessions", "--json", *kept], ["run", "--resume", session.name, *kept]))


def _misused(folder: Path, rng: random.Random) -> list[str]:
    """Return a command line with a hostile word where another was expected."""
    word = _encodable(hostile_text(rng)) or "\x1b"
    return rng.choice((
        [word], ["replay", word], ["summary", str(folder / word.replace("/", ""))], ["run", "q", f"--{word}"],
        ["run", "q", "--approve", word], ["run", "q", "--tools", word], ["run", "q", "--base-url", word],
        ["run", "q", "--agent", word], ["run", "q", "--resume", word, "--json"], ["run", "q", "--script", word],
        ["run", "q", "--max-turns", word],
    ))  # fmt: skip


@contextlib.contextmanager
def _settings_of(folder: Path, *, debug: bool) -> Iterator[None]:
    """Run in a folder with none of the developer's settings."""
    before, place = dict(os.environ), os.getcwd()
    os.environ.clear()
    kept: dict[str, str] = {name: before[name] for name in ("PATH", "PYTHONPATH") if name in before}
    os.environ.update(kept, HOME=str(folder), TERM="xterm", COLUMNS="100", **({"PURESTEP_DEBUG": "1"} if debug else {}))
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(place)
        os.environ.clear()
        os.environ.update(before)


def printed(arguments: list[str], folder: Path, *, is_terminal: bool = False, debug: bool = False) -> str:
    """Return what the command writes to stdout and stderr, run in this process."""
    out, err = _Screen(is_terminal=is_terminal), _Screen(is_terminal=is_terminal)
    before = sys.stdin
    sys.stdin = io.StringIO()
    try:
        with _settings_of(folder, debug=debug), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            run(arguments)
    finally:
        sys.stdin = before
    return out.getvalue() + err.getvalue()


_WAYS: tuple[Callable[[Path, random.Random], list[str]], ...] = (_replayed, _run_script, _definition, _listed, _misused)


def trial(rng: random.Random) -> str | None:
    """Return one command hostile text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arguments = rng.choice(_WAYS)(folder, rng)
        text = printed(arguments, folder, is_terminal=rng.random() < 0.5, debug=rng.random() < 0.3)  # noqa: PLR2004
    if "this is a defect" in text:
        return f"{arguments[0]} had a defect: {text!r}"
    found = shown_raw(text)
    return f"{arguments!r}: {found}" if found else None


ATTACKS: tuple[Attack, ...] = (
    Attack(
        name="escapes",
        promise="no command writes an escape sequence, a mark of direction or an invisible character as it is",
        trial=trial,
        least=25,
    ),
)
