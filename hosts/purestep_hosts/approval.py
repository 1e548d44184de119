"""Approves or refuses tool calls: a person at the terminal does, or an option given when the run was started.

A person sees the exact call: the tool, all arguments, and why it needs approval. The core decides what follows from
the answer, and validates edited arguments before they are accepted.
"""

from __future__ import annotations

import json
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import purestep
from purestep import Approval, ApprovalCall, PurestepError
from purestep_hosts.show.rows import Row, reason_text
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json

if TYPE_CHECKING:
    from purestep_hosts.show.printer import Printer

Mode = Literal["ask", "all", "none"]

_QUESTION = "[y]es, [n]o (a reason may follow), [e]dit the arguments, [q]uit: "
_POLICY = "no tool may run that needs approval"
_NOBODY = "nobody can be asked: there is no terminal"

CurrentState = Callable[[], purestep.RunState | None]
"""Returns the state that waits for approval, against which edited arguments are checked."""


def approve_all(calls: tuple[ApprovalCall, ...]) -> list[Approval]:
    """Approve every call."""
    return [Approval(call_id=call.call_id, key=call.key, approved=True, by="option") for call in calls]


def approve_none(calls: tuple[ApprovalCall, ...], reason: str = _POLICY) -> list[Approval]:
    """Refuse every call, with a reason for the model."""
    return [Approval(call_id=call.call_id, key=call.key, approved=False, reason=reason, by="option") for call in calls]


class TerminalApprover:
    """Asks the person at the terminal about each call; without a terminal every call is refused."""

    def __init__(self, printer: Printer, current_state: CurrentState) -> None:
        self._printer = printer
        self._current_state = current_state

    def __call__(self, calls: tuple[ApprovalCall, ...]) -> list[Approval]:
        """Return an answer for each call; raises KeyboardInterrupt when the person quits."""
        if not can_ask():
            advice = "Start again in one, or with --yes to approve everything."
            self._printer.row(Row("refused", f"{_NOBODY}. {advice}", "warning"))
            return approve_none(calls, _NOBODY)
        return [self._ask(call, number, len(calls)) for number, call in enumerate(calls, 1)]

    def _ask(self, call: ApprovalCall, number: int, total: int) -> Approval:
        self._show(call, number, total)
        while True:
            word, _, rest = self._read(_QUESTION).strip().partition(" ")
            match word.lower():
                case "y" | "yes":
                    return Approval(call_id=call.call_id, key=call.key, approved=True, by="terminal")
                case "n" | "no":
                    return _refusal(call, rest.strip())
                case "e" | "edit":
                    edited = self._edit(call)
                    if edited is not None:
                        return edited
                case "q" | "quit":
                    raise KeyboardInterrupt
                case _:
                    self._printer.line("Expected y, n, e or q.")

    def _show(self, call: ApprovalCall, number: int, total: int) -> None:
        count = f" ({number} of {total})" if total > 1 else ""
        self._printer.line()
        self._printer.row(Row("run this?", f"{one_line(call.tool)}{count}", "strong"))
        self._printer.block(sanitized_json(call.params, indent=2))
        self._printer.row(Row("why", reason_text(call.reason), "quiet"))

    def _edit(self, call: ApprovalCall) -> Approval | None:
        """Return an approval with new arguments that the core accepts, or None to ask again."""
        text = self._read("New arguments as one line of JSON: ", sanitized_json(call.params)).strip()
        if not text:
            return None
        try:
            params = _object(text)
            approval = Approval(call_id=call.call_id, key=call.key, approved=True, params=params, by="terminal")
            self._check(approval)
        except (ValueError, PurestepError, RecursionError) as error:
            said = error.message if isinstance(error, PurestepError) else str(error)
            self._printer.row(Row("not taken", sanitize(said), "warning"))
            return None
        return approval

    def _check(self, approval: Approval) -> None:
        """Have the core check the answer by a step whose result is dropped; raises its error."""
        state = self._current_state()
        if state is not None:
            purestep.step(state, purestep.Approvals(approvals=(approval,)))

    def _read(self, prompt: str, draft: str = "") -> str:
        """Return a line typed after the prompt was shown; what was typed before is dropped."""
        with suppress(termios.error, OSError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        line = _edited_line(prompt, draft) if draft and sys.stdout.isatty() else self._plain_line(prompt)
        if line is None:
            self._printer.line()
            raise KeyboardInterrupt
        return line

    def _plain_line(self, prompt: str) -> str | None:
        from rich.text import Text

        self._printer.console.print(Text(prompt, "bold"), end="", soft_wrap=True)
        self._printer.console.file.flush()
        return sys.stdin.readline() or None


def can_ask() -> bool:
    """Return whether a person can see a question and answer it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _refusal(call: ApprovalCall, reason: str) -> Approval:
    return Approval(call_id=call.call_id, key=call.key, approved=False, reason=reason or None, by="terminal")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"expected a JSON object: {error}") from None
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object with the arguments; got {text[:40]}")
    return value


def _edited_line(prompt: str, draft: str) -> str | None:
    """Return a line that starts as `draft` and is edited in place, None at end of file."""
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(draft))
    try:
        return input(prompt)
    except EOFError:
        return None
    finally:
        readline.set_startup_hook(None)
