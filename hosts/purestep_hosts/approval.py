"""Approves or refuses tool calls: a person at the terminal does, or an option given when the run was started.

A person sees the exact call: the tool, all arguments, and why it needs approval. Each call is decided by itself, and
approving takes an act of its own: the word yes, typed after the call was shown. The core decides what follows from the
answer, and validates edited arguments before they are accepted.
"""

from __future__ import annotations

import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

import purestep
from purestep import Approval, ApprovalCall, PurestepError
from purestep_hosts.form_filling import FormFilling
from purestep_hosts.show.rows import Row, asking_rows, placed_name
from purestep_hosts.show.sanitize import sanitize, sanitized_json

if TYPE_CHECKING:
    from purestep_hosts.show.printer import Printer

Mode = Literal["ask", "all", "none"]

GUARD_S = 0.5
"""How long what is typed after a call was shown is dropped: keys meant for what stood there before end well within."""

_QUESTION = "[y]es, [n]o (or what to do instead), [e]dit the arguments, [q]uit: "
_POLICY = "no tool may run that needs approval"
_NOBODY = "nobody can be asked: there is no terminal"
_UNANSWERED = "the question was not answered"

CurrentState = Callable[[], purestep.RunState | None]
"""Returns the state that waits for approval, against which edited arguments are checked."""


def approve_all(calls: tuple[ApprovalCall, ...]) -> list[Approval]:
    """Approve every call; a form that a tool asks to have filled in is left empty, which is a refusal."""
    return [Approval(call_id=call.call_id, key=call.key, approved=call.form is UNSET, by="option") for call in calls]


def approve_none(calls: tuple[ApprovalCall, ...]) -> list[Approval]:
    """Refuse every call, with a reason for the model."""
    return _refused(calls, _POLICY, "option")


def _refused(calls: tuple[ApprovalCall, ...], reason: str, by: str | None) -> list[Approval]:
    return [Approval(call_id=call.call_id, key=call.key, approved=False, reason=reason, by=by) for call in calls]


class TerminalApprover:
    """Asks the person at the terminal about each call; without a terminal every call is refused."""

    def __init__(
        self,
        printer: Printer,
        current_state: CurrentState,
        pause: Callable[[float], None] = time.sleep,
        forget_interrupt: Callable[[], None] = lambda: None,
    ) -> None:
        """`forget_interrupt` is told of a Ctrl-C that left an edit, and nothing else."""
        self._printer = printer
        self._current_state = current_state
        self._pause = pause
        self._forget_interrupt = forget_interrupt

    def __call__(self, calls: tuple[ApprovalCall, ...]) -> list[Approval]:
        """Return an answer for each call; raises KeyboardInterrupt when the person quits."""
        if not can_ask():
            advice = "Start again in one, or with --yes to approve everything."
            self._printer.row(Row("refused", f"{_NOBODY}. {advice}", "warning"))
            return _refused(calls, _NOBODY, None)  # neither a person nor an option said so
        return [self._ask(call, number, len(calls)) for number, call in enumerate(calls, 1)]

    def _ask(self, call: ApprovalCall, number: int, total: int) -> Approval:
        count = f" ({number} of {total})" if total > 1 else ""
        if call.form is not UNSET:
            self._printer.line()
            self._printer.row(Row("asks you", f"{placed_name(call.tool, call.path)}{count}", "strong"))
            return FormFilling(self._printer, self._read, self._check, self._guard).answer(call, call.form)
        self._show(call, f"{placed_name(call.tool, call.path)}{count}")
        approval = Approval(call_id=call.call_id, key=call.key, approved=True, by="terminal")
        while True:
            line = self._read(_QUESTION)
            if line is None:
                return replace(approval, approved=False, params=None, reason=_UNANSWERED)
            word, _, rest = line.strip().partition(" ")
            match word.lower():
                case "y" | "yes" if not rest.strip():
                    return approval
                case "n" | "no":
                    return replace(approval, approved=False, params=None, reason=rest.strip() or None)
                case "e" | "edit":
                    approval = self._edit(call, approval)
                case "q" | "quit":
                    raise KeyboardInterrupt
                case other if rest.strip() and other not in ("y", "yes"):
                    return replace(approval, approved=False, params=None, reason=line.strip())
                case _:  # one word may be a slip
                    self._printer.line("Expected y, n, e, q or a few words.")

    def _show(self, call: ApprovalCall, title: str) -> None:
        self._printer.line()
        self._printer.row(Row("run this?", title, "strong"))
        self._printer.block(sanitized_json(call.params, indent=2))
        for row in asking_rows(call):
            self._printer.row(row)
        self._guard()

    def _edit(self, call: ApprovalCall, approval: Approval) -> Approval:
        """Return the approval with new arguments that the core accepts, which are shown; else as it was."""
        now = call.params if approval.params is None else approval.params
        try:
            text = (self._read("New arguments as one line of JSON: ", sanitized_json(now)) or "").strip()
        except KeyboardInterrupt:
            self._forget_interrupt()
            self._printer.line()
            self._printer.row(Row("edit", "left; the arguments are as they were", "quiet"))
            return approval
        if not text:
            return approval
        try:
            params = _object(text)
            # As text, because 1, 1.0 and true are equal in Python.
            is_same = sanitized_json(params) == sanitized_json(call.params)
            edited = replace(approval, params=None if is_same else params)
            self._check(edited)
        except (ValueError, PurestepError, RecursionError) as error:
            said = error.message if isinstance(error, PurestepError) else str(error)
            self._printer.row(Row("not taken", sanitize(said), "warning"))
            return approval
        self._printer.row(Row("edited", f"{placed_name(call.tool, call.path)}, by you", "strong"))
        self._printer.block(sanitized_json(params, indent=2))
        self._guard()
        return edited

    def _check(self, approval: Approval) -> None:
        """Have the core check the answer by a step whose result is dropped; raises its error."""
        state = self._current_state()
        if state is not None:
            purestep.step(state, purestep.Approvals(approvals=(approval,)))

    def _guard(self) -> None:
        """Let the time pass in which nobody can have read what was shown; `_read` drops what was typed in it."""
        self._pause(GUARD_S)

    def _read(self, prompt: str, draft: str = "") -> str | None:
        """Return a line typed after the prompt was shown, or None at the end of input.

        What was typed before is dropped.
        """
        with suppress(termios.error, OSError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        line = _edited_line(prompt, draft) if draft and sys.stdout.isatty() else self._plain_line(prompt)
        if line is None:
            self._printer.line()
        return line

    def _plain_line(self, prompt: str) -> str | None:
        self._printer.question(prompt)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            self._printer.line()  # the terminal has written ^C beside the question
            raise
        if not line.endswith("\n"):
            return None  # a word that the end of input cut off is no answer
        return line.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def can_ask() -> bool:
    """Return whether a person can see a question and answer it."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _object(text: str) -> dict[str, Any]:
    """Return the arguments of a JSON text; raises ValueError for other JSON, and for numbers that no host holds."""
    try:
        value = purestep.decode_json(text.encode("utf-8", "surrogateescape"))
    except PurestepError as error:
        raise ValueError(f"expected a JSON object with the arguments: {error.message}") from None
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
