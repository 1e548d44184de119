"""One log read line by line: which model each exchange asks, in which way, and what became of it.

An exchange counts once for each model that it asked. The model that answered has succeeded; one that another model took
over from has not, for the cause of the switch. Endings that nobody's output decided tell nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from purestep.agent import forms_of, request_kind
from purestep.bounds import MAX_QUEUED_MESSAGES, MAX_RATE_CAUSES, MAX_RATE_NAME_CHARS, MAX_RATE_ROWS, SCHEMA_VERSION
from purestep.draft import PLAN, SUMMARY
from purestep.errors import PurestepError
from purestep.lazy import lazy_decoder, lazy_pattern
from purestep.steps import unsupported_version
from purestep.values import (
    ArgumentsForm,
    Content,
    DataText,
    Message,
    RateRow,
    RequestKind,
    ToolChoice,
    events,
    joined_content,
    read_definition,
)

from ..projections import asked_model

UNDECIDED: Final = ("cancelled", "denied", "model_error", "outcome_unknown", "unsupported_part")
"""Failures by which a person, a server or a stopped host ended the exchange."""

WRONG_ANSWER: Final = "wrong_answer"
"""Why an exchange failed whose answer the host knows to be wrong."""

UNTOLD: Final = "untold"
"""The constraint where the host has not told what it sent."""

_CODE: Final = lazy_pattern("[a-z_]{1,64}")
_OTHER: Final = "other"
"""The cause of what has no code of the core's form, or is one too many."""

_HISTORY_DECODER: Final = lazy_decoder(list[Message])


class Counted(Struct, kw_only=True, forbid_unknown_fields=True):
    """A row in the making, or what one exchange adds to it."""

    model: str
    dialect: str
    constraint: str
    kind: RequestKind
    runs: int = 0
    succeeded: int = 0
    corrected: dict[str, int] = {}
    failed: dict[str, int] = {}

    def row(self) -> RateRow:
        """Return the row as a value, its causes sorted."""
        parts: dict[str, Any] = msgspec.structs.asdict(self)
        return RateRow(
            **{**parts, "corrected": _sorted(self.corrected), "failed": _sorted(self.failed)},
        )


class Queued(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user message that came while an exchange was open."""

    content: Content
    data: tuple[DataText, ...] = ()
    tool_choice: ToolChoice | None = None


class RateFold(Struct, kw_only=True, forbid_unknown_fields=True):
    """Where the reading of one log stands; bounded by the rows of a profile, whatever the log's length.

    `head`, `seq`, `line`, `at`: as in every reading of a log. `models`, `dialect`, `forms`, `choice`: of the
    definition. `asked`: what the open exchange adds for the model that it asks now, None while none is open.
    `has_output`: that model gave one, before which its way may still change. `trouble`: why an output or a request was
    refused last. `aside`: a model is asked for the output of a skill, a summary or a plan. `is_changed`: the exchange
    goes on under another definition, and tells nothing. `is_planned`: the model was given steps by a larger one.
    """

    head: str = ""
    seq: int = 0
    line: int = 0
    at: int | None = None
    models: tuple[str, ...] = ()
    dialect: str = "bare"
    forms: dict[str, ArgumentsForm] = {}
    choice: ToolChoice = "auto"
    asked: Counted | None = None
    has_output: bool = False
    trouble: str = ""
    aside: bool = False
    is_changed: bool = False
    is_planned: bool = False
    queued: list[Queued] = []
    rows: list[Counted] = []
    exchanges: int = 0
    undecided: int = 0
    left_out: int = 0
    first_at: int | None = None

    def take(self, event: events.Event) -> None:
        """Note what a line says; its place is that of the fold already."""
        if self.first_at is None and self.at is not None:
            self.first_at = self.at
        taken = _TAKERS.get(type(event))
        if taken is not None:
            taken(self, event)

    def _start(self, event: events.RunStarted) -> None:
        if event.schema_version != SCHEMA_VERSION:
            raise unsupported_version(event.schema_version, f"/{self.line}")
        self._define(event.agent)
        if event.history is not UNSET and event.answer is UNSET:
            try:
                said = _HISTORY_DECODER.decode(event.history)
            except msgspec.MsgspecError:
                raise self._invalid("messages") from None
            self._begin(Queued(content=(said[-1].content or "") if said else "", tool_choice=event.tool_choice))

    def _define(self, source: msgspec.Raw) -> None:
        self.models, self.dialect, self.forms, self.choice = (), "bare", {}, "auto"
        if bytes(source) == b"null":
            return
        try:
            definition = read_definition(bytes(source))[0]
        except PurestepError:
            raise self._invalid("a definition") from None
        self.models = tuple([model.name for model in definition.models])
        self.dialect, self.choice = definition.dialect, definition.tool_choice
        self.forms = forms_of(definition)

    def _invalid(self, expected: str) -> PurestepError:
        said = f"line {self.line}: expected {expected} that the core has written"
        return PurestepError("invalid_log", said, f"/{self.line}")

    def _change(self, event: events.AgentChangedEvent) -> None:
        self._define(event.agent)
        self.is_changed = True

    def _ask(self, event: events.UserMessageEvent) -> None:
        message = Queued(content=event.content, data=event.data, tool_choice=event.tool_choice)
        if self.asked is None:
            self._begin(message)
        elif len(self.queued) < MAX_QUEUED_MESSAGES:
            self.queued = [*self.queued, message]

    def _begin(self, message: Queued) -> None:
        kind = request_kind(self.forms, message.tool_choice or self.choice, message.content, message.data)
        model = self.models[0] if self.models else ""
        self.exchanges += 1
        self.aside, self.is_changed, self.trouble = False, False, ""
        self._turn_to(model, kind)

    def _turn_to(self, model: str, kind: RequestKind) -> None:
        self.asked = Counted(model=_name(model), dialect=_name(self.dialect), constraint=UNTOLD, kind=kind)
        self.has_output = self.is_planned = False

    def _decided(self, event: events.Decided) -> None:
        if event.reason == "steered":
            queued, self.queued = self.queued, []
            if self.asked is None and queued:
                self._begin(_joined(queued))
        elif event.model and self.asked is not None and not self.has_output:
            self.asked.model = _name(event.model)

    def _heard(self, event: events.ModelResponse) -> None:
        """Note which model was asked, and what its output was held to: as the host has told with its first output."""
        asked = self.asked
        if asked is None or (self.aside and self.has_output):
            return
        request: Mapping[str, Any] = event.request or {}
        told = asked_model(event.request) or event.model or ""
        name = _name(told if told in self.models or not self.models else asked.model)
        if self.has_output and name != asked.model:
            # Without rules of negotiation a larger model takes over once corrections are used up.
            self._fail_over(name, self.trouble)
            asked = self.asked
            assert asked is not None
        if not self.has_output:
            asked.model, self.has_output = name, True
            if event.request is not None:
                constraint = request.get("constraint")
                asked.constraint = _name(constraint) if isinstance(constraint, str) else "none"

    def _switched(self, event: events.Switched) -> None:
        asked_for = event.what.removeprefix("no_")
        if asked_for in (SUMMARY, PLAN):
            self.aside = asked_for == event.what and event.cause != "written"
        if asked_for == PLAN:
            self._plan(event.to, is_there=asked_for == event.what)
        if event.what == "request" and event.cause == "tools":
            self.dialect = event.to
            if self.asked is not None and not self.has_output:
                self.asked.dialect = _name(event.to)
        elif event.what == "model" and self.asked is not None:
            if self.has_output:
                self._fail_over(event.to, event.cause)
            else:
                self.asked.model = _name(event.to)

    def _plan(self, model: str, *, is_there: bool) -> None:
        """Note that the model was helped by a plan; or that without one this model goes on."""
        self.is_planned = is_there
        if not is_there and self.asked is not None and model != self.asked.model:
            self._fail_over(model, self.trouble)

    def _correct(self, event: events.CorrectionEvent) -> None:
        if self.asked is not None and not self.aside:
            self.trouble = event.cause
            count(self.asked.corrected, event.cause)

    def _err(self, event: events.ModelErrorEvent) -> None:
        self.trouble = event.code

    def _begin_skill(self, _event: events.SkillStarted) -> None:
        self.aside = True

    def _end_skill(self, _event: events.SkillEnded) -> None:
        self.aside = False

    def _answer(self, event: events.FinalAnswer) -> None:
        # What a model does by a larger one's steps it has not done alone.
        self._end(None if event.question else "plan" if self.is_planned else "")

    def _fail(self, event: events.RunFailed) -> None:
        self._end(None if event.code in UNDECIDED else event.code)
        self.queued = []

    def _fail_over(self, model: str, cause: str) -> None:
        assert self.asked is not None  # the callers have looked
        kind = self.asked.kind
        self._close(cause)
        self._turn_to(model, kind)

    def _end(self, failure: str | None) -> None:
        """End the exchange: with an answer for "", with a failure's code, or undecided for None."""
        if self.asked is None:
            return
        if failure is None or not self.has_output or self.is_changed:
            self.undecided += 1
        else:
            self._close(failure)
        self.asked = None

    def _close(self, failure: str) -> None:
        """Add what the exchange says of the model that was asked to its row."""
        asked = self.asked
        assert asked is not None  # the callers have looked
        asked.runs = 1
        if failure:
            count(asked.failed, failure)
        else:
            asked.succeeded = 1
        self.left_out += not add(self.rows, asked)


_TAKERS: Final[dict[type, Callable[[RateFold, Any], None]]] = {
    events.RunStarted: RateFold._start,
    events.AgentChangedEvent: RateFold._change,
    events.UserMessageEvent: RateFold._ask,
    events.Decided: RateFold._decided,
    events.ModelResponse: RateFold._heard,
    events.ModelErrorEvent: RateFold._err,
    events.CorrectionEvent: RateFold._correct,
    events.Switched: RateFold._switched,
    events.SkillStarted: RateFold._begin_skill,
    events.SkillEnded: RateFold._end_skill,
    events.FinalAnswer: RateFold._answer,
    events.RunFailed: RateFold._fail,
}
"""What each kind of line tells; the others tell nothing of a model."""


def add(rows: list[Counted], more: Counted | RateRow) -> bool:
    """Add counts to their row, or as a row of their own; whether there was room for that."""
    key = _key(more)
    row = next((each for each in rows if _key(each) == key), None)
    if row is None:
        if len(rows) >= MAX_RATE_ROWS:
            return False
        row = Counted(model=more.model, dialect=more.dialect, constraint=more.constraint, kind=more.kind)
        rows.append(row)
    row.runs += more.runs
    row.succeeded += more.succeeded
    for counts, further in ((row.corrected, more.corrected), (row.failed, more.failed)):
        for cause in sorted(further):
            count(counts, cause, further[cause])
    return True


def count(counts: dict[str, int], cause: str, more: int = 1) -> None:
    """Count a cause; one that is none of the core's codes, or one too many, is `other`."""
    known = cause in counts or len(counts) < MAX_RATE_CAUSES - 1
    named = cause if known and _CODE.fullmatch(cause) else _OTHER
    counts[named] = counts.get(named, 0) + more


def _key(row: Counted | RateRow) -> tuple[str, str, str, str, str, bool, str]:
    kind = row.kind
    return row.model, row.dialect, row.constraint, kind.tools, kind.arguments, kind.attachments, kind.length


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts)}


def _name(text: str) -> str:
    return text[:MAX_RATE_NAME_CHARS]


def _joined(queued: list[Queued]) -> Queued:
    """Return what messages that waited ask together, with the latest choice of tools."""
    choices = [each.tool_choice for each in queued if each.tool_choice is not None]
    return Queued(
        content=joined_content([each.content for each in queued]),
        data=tuple([text for each in queued for text in each.data]),
        tool_choice=choices[-1] if choices else None,
    )
