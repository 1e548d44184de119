"""The watcher of a run on a terminal: rows on stderr, the answer on stdout.

Where a person sees the rows and a program reads the answer, only what went wrong and what was changed has a row.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

import purestep
from purestep import events, read_events
from purestep_hosts.agents_below import asked_calls
from purestep_hosts.effects import INTERRUPTED, has_answer
from purestep_hosts.show.answer_writer import AnswerWriter
from purestep_hosts.show.counts import Counts, ExchangeCounts
from purestep_hosts.show.printer import Printer, cut, is_watched, shows_progress
from purestep_hosts.show.reasoning_text import ReasoningText
from purestep_hosts.show.rows import (
    BELOW,
    EventRows,
    Row,
    act_rows,
    call_text,
    changes,
    footnotes,
    note_row,
    reason_text,
)
from purestep_hosts.show.sanitize import one_line
from purestep_hosts.tools.call_note import CallNote

if TYPE_CHECKING:
    from rich.status import Status


_STEPS: Final = frozenset(("call", "check", "skill", "result", "says", "model", "reasoning"))
"""The labels of rows that tell how a run goes on."""
_GOING_ON: Final = (purestep.InvokeTool, purestep.InvokeSkill, purestep.RequestApproval)
"""What follows words that a model says before its calls."""
_ASKED: Final = {"correction": " again", "retry": " again", "summary": " for a summary"}


class Screen:
    """Shows the steps of a run; decides nothing."""

    def __init__(
        self, printer: Printer, answer: AnswerWriter | None, *, quiet: bool, whole_reasoning: bool = False
    ) -> None:
        """Show on `printer`; `answer` writes the answer, None for no live answer; `quiet` omits progress.

        `whole_reasoning` shows all of the model's reasoning, else one line of it tells that there is some.
        """
        self.printer = printer
        self.state: purestep.RunState | None = None
        self.is_local = False
        """Whether the model's server is on this machine."""
        self._answer = answer
        self._quiet = quiet
        self._reasoning = ReasoningText(whole=whole_reasoning)
        self._event_rows = EventRows()
        self._status: Status | None = None
        self._is_spaced = False
        self._counts = ExchangeCounts()
        self._late: list[Row] = []
        self._why_stopped = ""
        self._footnotes: list[Row] = []
        """What the answer cites, shown below it."""
        self._shares_terminal = not quiet and printer.console.is_terminal and answer is not None and answer.on_terminal
        self._is_piped = printer.console.is_terminal and not is_watched()
        self._began_at = time.monotonic()

    def begin(self) -> None:
        """Start the clock of an exchange."""
        self._began_at = time.monotonic()

    @property
    def counts(self) -> Counts:
        """What the exchange has spent, by its log."""
        return self._counts.now

    def count_earlier(self, log: str) -> None:
        """Count what an earlier process has logged of the exchange."""
        for _, event in read_events(log.encode()):
            self._counts.add(event)

    def on_step(self, step: purestep.Step) -> None:
        """Show what the step recorded and what comes next."""
        self._end_reasoning()
        self.stop_waiting()
        self.state = step.state
        ends = has_answer(step)
        stopped = was_stopped(step.decision)
        self._say_late(stopped)
        was_said = self._answer is not None and not ends and self._answer.settle(None)
        if was_said:
            self._is_spaced = False
            if not (stopped or isinstance(step.decision, _GOING_ON)):
                self.say(Row("note", "the text above is not the answer", "warning"))
        for line in step.log.encode().splitlines():
            event = events.decode_event(line)
            self._counts.add(event)
            if isinstance(event, events.ModelResponse) and event.tool_calls and not (ends or was_said):
                self._say_words(step)
            if isinstance(event, events.VerdictEvent) and _is_told_by(step.decision, event.reason):
                continue
            for row in self._rows(event, stopped):
                self._say_in_time(row, event)
            if isinstance(event, events.ResumedEvent):
                self._say_what_runs_again(step.decision)
        for decision in (step.decision, *step.also):
            self._warn_of_unknown(decision)
        self._announce(step.decision)

    def _say_in_time(self, row: Row, event: events.Event) -> None:
        """Show a row; that a call was interrupted waits, since Ctrl-C has a row of its own."""
        if isinstance(event, events.ToolResultEvent) and event.error_kind == "interrupted":
            self._late.append(row)
        else:
            self.say(row)

    def _say_late(self, stopped: bool) -> None:
        late, self._late = self._late, []
        for row in () if stopped else late:
            self.say(row)

    def _say_words(self, step: purestep.Step) -> None:
        """Show what the model said beside its calls, where that was not shown while it was written."""
        said = next((each.content for each in step.messages if each.role == "assistant"), None)
        if isinstance(said, str) and said.strip():
            self.say(Row("says", said.strip()))

    def on_text(self, text: str) -> None:
        """Show a piece of the answer."""
        if self._answer is not None and self._answer.is_live:
            self._end_reasoning()
        self.stop_waiting()
        if self._answer is not None and self._answer.is_live:
            self._space()
            self._answer.add(text)

    def on_retract(self) -> None:
        """Clear what was shown of this output: it was reasoning."""
        if self._answer is not None and self._answer.is_live and not self._answer.take_back():
            self.say(Row("note", "what scrolled out of sight above is not the answer", "warning"))

    def on_reasoning(self, text: str) -> None:
        """Keep a piece of reasoning; until it ends, the spinner says how long it is."""
        self._reasoning.add(text)
        if self._status is not None:
            self._status.update(f"reasoning ({self._reasoning.chars:,} characters)")

    def _end_reasoning(self) -> None:
        """Show the reasoning that has ended; a long one is cut only where it is folded."""
        row = self._reasoning.take()
        if row is not None and not self._quiet:
            self.stop_waiting()
            self.printer.row(row)
            self._is_spaced = False

    def on_note(self, tool: str, note: CallNote) -> None:
        """Show what a call tells while it runs, from its thread: the spinner has how far it is, a row its log."""
        row = note_row(tool, note)
        if note.level is None and self._status is not None:
            self._status.update(f"running {row.text}")
        elif not self._quiet and not (self._is_piped and row.tone == "quiet"):
            self.printer.row(replace(row, text=cut(row.text)))

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Results are shown from the log, in the order of the calls."""

    def say(self, row: Row) -> None:
        """Show a row unless the screen is quiet, or nobody needs it."""
        if not self._quiet and not (self._is_piped and (row.tone == "quiet" or row.label in _STEPS)):
            self.stop_waiting()
            self.printer.row(replace(row, text=cut(row.text)))

    def wait(self, what: str) -> None:
        """Show a spinner with a label, on a terminal."""
        if not self._quiet and shows_progress(self.printer.console):
            self.stop_waiting()
            self._status = self.printer.status(what)
            self._status.start()
            # Drawn now, because loading a model blocks the thread that would draw it.
            self._status.update(spinner="dots", spinner_style="dim")

    def stop_waiting(self) -> None:
        """Remove the spinner."""
        if self._status is not None:
            self._status.stop()
            self._status = None

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Show a spinner with a label for the length of the block."""
        self.wait(what)
        try:
            yield
        finally:
            self.stop_waiting()

    def end(self, step: purestep.Step, session: str = "", resume: str = "") -> None:
        """Show how an exchange ended: the answer on stdout, the turns, calls and tokens on stderr.

        session: its short id, "" where none is shown. resume: the command that goes on after a failure, "" for none.
        """
        self.stop_waiting()
        if self._answer is not None and isinstance(step.decision, purestep.Done):
            self._space()
            self._answer.settle(step.decision.answer)
            self._space(after=True)
        for row in self._footnotes:
            self.say(row)
        self._footnotes = []
        spent = f"{self.counts.text(is_local=self.is_local)}, {time.monotonic() - self._began_at:.1f} s"
        if was_stopped(step.decision):
            if self._why_stopped:
                self.printer.row(Row("failed", one_line(self._why_stopped), "bad"))
                self._why_stopped = ""
            go_on = f"; go on with {resume}" if resume else ""
            self.printer.row(Row("stopped", f"{spent}{go_on}", "warning"))
            return
        # A run that is taken up at its end makes no step, whose row would say it.
        if isinstance(step.decision, purestep.Failed) and (self._quiet or not step.log):
            self.printer.row(Row("failed", one_line(step.decision.message), "bad"))
        label = "done" if isinstance(step.decision, purestep.Done) else "spent"
        self.say(Row(label, f"{spent}{f', session {session}' if session else ''}", "quiet"))
        if resume and isinstance(step.decision, purestep.Failed):
            self.printer.row(Row("go on", resume, "quiet"))

    def _space(self, *, after: bool = False) -> None:
        """Separate the answer from the rows with a blank line, if both go to one terminal."""
        if self._shares_terminal and self._is_spaced is after:
            self.printer.line()
            self._is_spaced = not after

    def _rows(self, event: events.Event, stopped: bool) -> list[Row]:
        if stopped:
            # One row tells of Ctrl-C, and beside it stands what may have been done, and why a tool ended the run.
            if isinstance(event, events.Cancelled) and event.reason != INTERRUPTED:
                self._why_stopped = event.reason or ""
            self._footnotes = list(act_rows(event)) if isinstance(event, events.RunFailed) and event.acts else []
            return []
        inner = event
        while isinstance(inner, events.ChildLine):
            inner = events.event_below(inner)
        match inner:
            case events.RunStarted() | events.UserMessageEvent():
                return []  # the user typed it, or the row of a call has it
            case events.FinalAnswer() if inner is event:
                self._footnotes = [*footnotes(event), *act_rows(event)]
                return list(changes(event))  # the answer itself is on stdout
            case events.ApprovalRequestEvent():
                list(self._event_rows.rows(event))
                return []  # the approver shows it in full
            case events.ModelResponse():
                list(self._event_rows.rows(event))
                return []  # it is asked again and again, and what came of it is shown
            case events.CorrectionEvent() if self.printer.console.is_terminal:
                # The rest tells the model how to write; the log has it.
                return [replace(row, text=_first_sentence(row.text)) for row in self._event_rows.rows(event)]
            case events.ApprovalEvent(by="terminal") if self.printer.console.is_terminal:
                return []  # the user typed it
            case _:
                return list(self._event_rows.rows(event))

    def _say_what_runs_again(self, decision: purestep.Decision) -> None:
        """Show the calls that were running when the host was stopped, and that the core hands out again unasked."""
        for call in decision.calls if isinstance(decision, purestep.InvokeTool | purestep.InvokeSkill) else ():
            text = f"{call_text(call.tool, call.params)}: runs again, which is harmless under the same key"
            self.say(Row("again", text, "quiet"))

    def _warn_of_unknown(self, decision: purestep.Decision) -> None:
        """Show the calls that may have run already, whoever is asked about them and however quiet the screen is."""
        for call in asked_calls(decision) if isinstance(decision, purestep.RequestApproval) else ():
            if call.reason == "outcome_unknown":
                text = f"{call_text(call.tool, call.params, call.path)}: {reason_text(call.reason)}"
                self.printer.row(Row("unknown", cut(text), "warning"))

    def _announce(self, decision: purestep.Decision) -> None:
        match decision:
            case purestep.CallModel():
                whose = [each for each in (*(decision.path or ()), decision.skill) if each]
                skill = f" for {BELOW.join(map(one_line, whose))}" if whose else ""
                waits = f"waiting {decision.wait_ms / 1000:.1f} s, then " if decision.wait_ms else ""
                self.wait(f"{waits}asking the model{skill}{_ASKED.get(decision.reason, '')}")
            case purestep.InvokeTool() | purestep.InvokeSkill():
                self.wait(f"running {', '.join(one_line(call.tool) for call in decision.calls)}")


def was_stopped(decision: purestep.Decision) -> bool:
    """Whether the run was stopped: with Ctrl-C, or by a tool that met what no model can mend."""
    return isinstance(decision, purestep.Failed) and decision.code == "cancelled"


def _is_told_by(decision: purestep.Decision, reason: str) -> bool:
    """Whether the row of a failure says why a check refused something, so that it needs no row of its own."""
    return isinstance(decision, purestep.Failed) and bool(reason) and reason in decision.message


def _first_sentence(text: str) -> str:
    """Return a text up to its first full stop before a blank or a new line."""
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0]
