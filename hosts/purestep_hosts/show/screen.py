"""The watcher of a run on a terminal: rows on stderr, the answer on stdout."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

import purestep
from purestep import events, read_events
from purestep_hosts.effects import has_answer
from purestep_hosts.show.answer_writer import AnswerWriter
from purestep_hosts.show.counts import Counts, ExchangeCounts
from purestep_hosts.show.printer import Printer, cut
from purestep_hosts.show.reasoning_text import ReasoningText
from purestep_hosts.show.rows import EventRows, Row, act_rows, changes, footnotes, reason_text
from purestep_hosts.show.sanitize import one_line, sanitized_json

if TYPE_CHECKING:
    from rich.status import Status


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
        self._answer = answer
        self._quiet = quiet
        self._reasoning = ReasoningText(whole=whole_reasoning)
        self._event_rows = EventRows()
        self._status: Status | None = None
        self._reason = ""
        self._is_spaced = False
        self._counts = ExchangeCounts()
        self._footnotes: list[Row] = []
        """What the answer cites, shown below it."""
        self._shares_terminal = not quiet and printer.console.is_terminal and answer is not None and answer.on_terminal
        self._asked_at = self._began_at = time.monotonic()

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
        if self._answer is not None and not ends and self._answer.settle(None):
            self._is_spaced = False
            self.say(Row("note", "the text above is not the answer", "warning"))
        for line in step.log.encode().splitlines():
            event = events.decode_event(line)
            self._counts.add(event)
            for row in self._rows(event, ends):
                self.say(row)
            if isinstance(event, events.ResumedEvent):
                self._say_what_runs_again(step.decision)
        self._warn_of_unknown(step.decision)
        self._announce(step.decision)

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

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Results are shown from the log, in the order of the calls."""

    def say(self, row: Row) -> None:
        """Show a row unless the screen is quiet."""
        if not self._quiet:
            self.stop_waiting()
            self.printer.row(msgspec.structs.replace(row, text=cut(row.text)))

    def wait(self, what: str) -> None:
        """Show a spinner with a label, on a terminal."""
        if not self._quiet and self.printer.console.is_terminal and not self.printer.console.is_dumb_terminal:
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

    def end(self, step: purestep.Step) -> None:
        """Show how an exchange ended: the answer on stdout, the turns, calls and tokens on stderr."""
        self.stop_waiting()
        if self._answer is not None and isinstance(step.decision, purestep.Done):
            self._space()
            self._answer.settle(step.decision.answer)
            self._space(after=True)
        for row in self._footnotes:
            self.say(row)
        self._footnotes = []
        if self._quiet and isinstance(step.decision, purestep.Failed):
            self.printer.row(Row("failed", one_line(f"{step.decision.code}: {step.decision.message}"), "bad"))
        label = "done" if isinstance(step.decision, purestep.Done) else "spent"
        self.say(Row(label, f"{self.counts}, {time.monotonic() - self._began_at:.1f} s", "quiet"))

    def _space(self, *, after: bool = False) -> None:
        """Separate the answer from the rows with a blank line, if both go to one terminal."""
        if self._shares_terminal and self._is_spaced is after:
            self.printer.line()
            self._is_spaced = not after

    def _rows(self, event: events.Event, ends: bool) -> list[Row]:
        match event:
            case events.RunStarted() | events.UserMessageEvent():
                return []  # the user typed it
            case events.FinalAnswer():
                self._footnotes = [*footnotes(event), *act_rows(event)]
                return list(changes(event))  # the answer itself is on stdout
            case events.ApprovalRequestEvent():
                list(self._event_rows.rows(event))
                return []  # the approver shows it in full
            case events.ModelResponse():
                list(self._event_rows.rows(event))
                return [] if ends else [self._model_row(event)]
            case _:
                return list(self._event_rows.rows(event))

    def _model_row(self, event: events.ModelResponse) -> Row:
        used = event.usage.completion_tokens if event.usage else None
        tokens = f", {used:,} tokens" if used else ""
        return Row("model", f"asked ({self._reason}){tokens}, {time.monotonic() - self._asked_at:.1f} s", "quiet")

    def _say_what_runs_again(self, decision: purestep.Decision) -> None:
        """Show the calls that were running when the host was stopped, and that the core hands out again unasked."""
        for call in decision.calls if isinstance(decision, purestep.InvokeTool | purestep.InvokeSkill) else ():
            text = (
                f"{one_line(call.tool)} {sanitized_json(call.params)}: runs again under the same key, which is harmless"
            )
            self.say(Row("again", text, "quiet"))

    def _warn_of_unknown(self, decision: purestep.Decision) -> None:
        """Show the calls that may have run already, whoever is asked about them and however quiet the screen is."""
        for call in decision.calls if isinstance(decision, purestep.RequestApproval) else ():
            if call.reason == "outcome_unknown":
                text = f"{one_line(call.tool)} {sanitized_json(call.params)}: {reason_text(call.reason)}"
                self.printer.row(Row("unknown", cut(text), "warning"))

    def _announce(self, decision: purestep.Decision) -> None:
        match decision:
            case purestep.CallModel():
                self._asked_at = time.monotonic() + (decision.wait_ms or 0) / 1000
                skill = f" {one_line(decision.skill)}" if decision.skill else ""
                self._reason = decision.reason.replace("_", " ") + skill
                waits = f"waiting {decision.wait_ms / 1000:.1f} s, then " if decision.wait_ms else ""
                self.wait(f"{waits}asking the model ({self._reason})")
            case purestep.InvokeTool() | purestep.InvokeSkill():
                self.wait(f"running {', '.join(one_line(call.tool) for call in decision.calls)}")
