"""Who answers for tool calls: a person at the terminal, or an option given when the run was started.

A person sees the call exactly: the tool, all arguments, why it is asked. What the answer leads to is the
core's matter; edited arguments are shown to it before they count.
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
from purestep_hosts.show.rows import Row
from purestep_hosts.show.safe import one_line, safe, safe_json

if TYPE_CHECKING:
    from purestep_hosts.show.page import Page

Mode = Literal["ask", "all", "none"]

_QUESTION = "[y]es, [n]o (a reason may follow), [e]dit the arguments, [q]uit: "
_POLICY = "no tool may run that needs approval"
_NOBODY = "nobody can be asked: there is no terminal"

StateNow = Callable[[], purestep.RunState | None]
"""Gives the state that waits for approval, to try edited arguments on."""


def approve_all(calls: tuple[ApprovalCall, ...]) -> list[Approval]:
    """Approve every call."""
    return [Approval(call_id=call.call_id, key=call.key, approved=True, by="option") for call in calls]


def approve_none(calls: tuple[ApprovalCall, ...], reason: str = _POLICY) -> list[Approval]:
    """Refuse every call, with a reason for the model."""
    return [Approval(call_id=call.call_id, key=call.key, approved=False, reason=reason, by="option") for call in calls]


class Asker:
    """Asks the person at the terminal about each call; without a terminal every call is refused."""

    def __init__(self, page: Page, state_now: StateNow) -> None:
        self._page = page
        self._state_now = state_now

    def __call__(self, calls: tuple[ApprovalCall, ...]) -> list[Approval]:
        """Return an answer for each call; raises KeyboardInterrupt when the person quits."""
        if not can_ask():
            advice = "Start again in one, or with --yes to approve everything."
            self._page.row(Row("refused", f"{_NOBODY}. {advice}", "warning"))
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
                    self._page.line("Expected y, n, e or q.")

    def _show(self, call: ApprovalCall, number: int, total: int) -> None:
        count = f" ({number} of {total})" if total > 1 else ""
        self._page.line()
        self._page.row(Row("run this?", f"{one_line(call.tool)}{count}", "strong"))
        self._page.block(safe_json(call.params, indent=2))
        self._page.row(Row("why", safe(call.reason), "quiet"))

    def _edit(self, call: ApprovalCall) -> Approval | None:
        """Return an approval with new arguments that the core takes, or None to ask again."""
        text = self._read("New arguments as one line of JSON: ", safe_json(call.params)).strip()
        if not text:
            return None
        try:
            params = _object(text)
            approval = Approval(call_id=call.call_id, key=call.key, approved=True, params=params, by="terminal")
            self._try(approval)
        except (ValueError, PurestepError, RecursionError) as error:
            said = error.message if isinstance(error, PurestepError) else str(error)
            self._page.row(Row("not taken", safe(said), "warning"))
            return None
        return approval

    def _try(self, approval: Approval) -> None:
        """Show the answer to the core, which changes nothing by looking; raises what it says against it."""
        state = self._state_now()
        if state is not None:
            purestep.step(state, purestep.Approvals(approvals=(approval,)))

    def _read(self, prompt: str, draft: str = "") -> str:
        """Return a line typed after the prompt was shown; what was typed ahead does not count."""
        with suppress(termios.error, OSError):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        line = _edited_line(prompt, draft) if draft and sys.stdout.isatty() else self._plain_line(prompt)
        if line is None:
            self._page.line()
            raise KeyboardInterrupt
        return line

    def _plain_line(self, prompt: str) -> str | None:
        from rich.text import Text

        self._page.console.print(Text(prompt, "bold"), end="", soft_wrap=True)
        self._page.console.file.flush()
        return sys.stdin.readline() or None


def can_ask() -> bool:
    """Tell whether a person can see a question and answer it."""
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
