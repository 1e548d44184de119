"""Makes the pictures of the command that the documentation shows: `python -m tools.pages.terminal_pictures`.

The real command runs on a terminal of its own, with a script in the place of a model and keys in the place of a person.
Only what no two runs have in common is replaced: the seconds, and the short id of the session.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import pexpect  # type: ignore[import-untyped]

from tools.pages.terminal import ScreenOf, Theme, picture

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "pictures"
THEMES: Final[tuple[Theme, ...]] = ("dark", "light")
_ROWS: Final = 60
_PATIENCE_S: Final = 120

ORDERS: Final = '''\
from purestep_hosts import tool

@tool(read_only=True)
def order_status(number: int) -> dict:
    """Look up an order."""
    return {"item": "lamp", "price": 39.9, "status": "arrived broken"}

@tool(approval="ask")
def refund(number: int, amount: float) -> str:
    """Pay an amount back."""
    return "paid back"
'''
"""The functions of the pictures, in the file orders.py."""


def calling(text: str | None, name: str, **arguments: Any) -> dict[str, Any]:
    """Return a model output that makes a call."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": text, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}


def saying(text: str) -> dict[str, Any]:
    """Return a model output that answers."""
    return {"content": text}


_BUSY: Final = {
    "type": "model_error",
    "code": "rate_limited",
    "message": "Too many requests for this key.",
    "retryable": True,
}


class Picture(NamedTuple):
    """A command, what the model says, and the keys: after the text that is waited for, what is typed."""

    name: str
    title: str
    columns: int
    command: str
    outputs: tuple[dict[str, Any], ...]
    keys: tuple[tuple[str, str], ...] = ()
    dialect: str = "native"


PICTURES: Final = (
    Picture(
        name="terminal-answer",
        title="A question is answered: a tool is called, one asks first, and the answer says what was done",
        columns=80,
        command='purestep "Order 7 arrived broken. Can I get a refund?" --functions orders.py',
        outputs=(
            calling("Let me look at the order first.", "order_status", number=7),
            calling(None, "refund", number=7, amount=39.9),
            saying(
                "I have paid back 39.90 for the lamp of order 7. The money is on its way to the account that it came "
                "from; depending on the bank that takes one to three days."
            ),
        ),
        keys=((r"\]uit: ", "y\n"),),
    ),
    Picture(
        name="terminal-chat",
        title="A chat on a narrow terminal: the model is asked again after an error, and Ctrl-C stops a tool",
        columns=60,
        command="purestep chat --functions orders.py --tools shell --yes",
        outputs=(
            _BUSY,
            calling(None, "order_status", number=7),
            saying(
                "订单 7 的台灯送到时已经损坏，价格是 39.90。要我为您退款吗？请告诉我，我会马上处理，并把结果告诉您。"
            ),
            calling(None, "shell", command="sleep 60"),
        ),
        keys=(
            ("> ", "订单 7 怎么了？\n"),
            ("session .*> ", "Wait a minute.\n"),
            ("sleep 60(?s:.*)running", "\x03"),
            ("stopped(?s:.*)> ", "\x04"),
        ),
    ),
    Picture(
        name="terminal-failure",
        title="A reply that nobody can read is sent back once, and then the run fails with what to do next",
        columns=60,
        command='purestep "Where is order 7?" --functions orders.py',
        outputs=(saying("The order is"), saying("<order 7>")),
        dialect="envelope",
    ),
)


def written(wanted: Picture, folder: Path) -> str:
    """Return what the command writes to its terminal, with the same seconds and session in every run."""
    (folder / "orders.py").write_text(ORDERS, "utf-8")
    script = folder / "script.jsonl"
    script.write_text("".join(f"{json.dumps(output)}\n" for output in wanted.outputs), "utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
    }
    arguments = [*shlex.split(wanted.command)[1:], "--dialect", wanted.dialect, "--script", str(script)]
    child = pexpect.spawn(
        sys.executable, ["-m", "purestep_hosts.cli", *arguments],
        cwd=str(folder), env=environment, encoding="utf-8", timeout=_PATIENCE_S, dimensions=(_ROWS, wanted.columns),
    )  # fmt: skip
    said = ""
    for awaited, typed in wanted.keys:
        child.expect(awaited)
        said += f"{child.before}{child.after}"
        child.send(typed)
    child.expect(pexpect.EOF)
    said += child.before or ""
    child.close()
    return of_any_run(said)


def of_any_run(said: str) -> str:
    """Return what was written with the same seconds and session."""
    said = re.sub(r"\d+\.\d s\b", "2.4 s", said)
    said = re.sub(r"asked again in \S+", "asked again in 0.9", said)
    said = re.sub(r"session [0-9a-f]{6}\b", "session 4ec7b0", said)
    return re.sub(r"--resume [0-9a-f]{6}\b", "--resume 4ec7b0", said)


def drawn(wanted: Picture) -> dict[str, str]:
    """Return the pictures of a run by their file names, one for each theme."""
    with tempfile.TemporaryDirectory() as folder:
        said = written(wanted, Path(folder))
    line = f"\x1b[1m$ {wanted.command}\x1b[0m\r\n"
    screen = ScreenOf(line + said, _ROWS, wanted.columns)
    return {f"{wanted.name}-{theme}.svg": picture(screen, wanted.columns, theme, wanted.title) for theme in THEMES}


def main() -> None:
    """Make all pictures."""
    for wanted in PICTURES:
        for name, text in drawn(wanted).items():
            (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
