"""The draft of one step: what it changes, logs and says, before that becomes the next state, log text and messages."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..agent import FIND_TOOLS, READ_OUTPUT, Agent, corrections
from ..bounds import KEPT_OUTPUT_CHARS, MAX_ATTACHMENTS, MAX_RESULT_PARTS
from ..dialects import Sample
from ..json_text import encode
from ..policy import ExchangeBegun, KeptStates, PolicyFact
from ..values import (
    AttachedPart,
    Content,
    Derived,
    ExchangeState,
    ExchangeUse,
    Fact,
    HistoryCut,
    Message,
    NativeCall,
    Pending,
    RunProgress,
    RunState,
    Sent,
    SentAttachment,
    TextPart,
    WindowState,
    parts_of,
)
from ..window import OutputPlace, appended, framed, result_cut, with_attachments

_BETWEEN: Final = "\n\n"
"""Between the results of one message."""


ToldFact = tuple[str, ExchangeBegun | PolicyFact]
"""What policies are told of, and the id of the run that it came to."""


class Draft(Struct, eq=False, gc=False):
    """One step in the making; it lives only inside a step, so the function as a whole stays pure."""

    agent: Agent
    state: RunState
    at: int | None
    head: str
    """The chain's head after the lines so far; begins as the state's."""
    lines: list[bytes] = []
    facts: list[int] = []
    """Which of these came from outside, where a run above has them too."""
    messages: list[Message] = []
    outputs: list[OutputPlace] = []
    """Where long tool outputs stand in these messages."""
    cuts: list[HistoryCut] = []
    """What of these messages the rules of history may leave out later."""
    kept: KeptStates | None = None
    """What the policies keep, once one was told something or asked in this step."""
    told: list[ToldFact] | None = None
    """What policies were told in this step, also where there are none, for who asks what others would have kept."""
    above: "Draft | None" = None
    """The draft of the run whose call this one answers, in whose budgets it counts."""
    counted: ExchangeUse = ExchangeUse(turns=0)
    """What of this run's use counts there already."""
    below: Any = None
    """What is done with the agents that this run calls, where its definition has some."""
    children: dict[str, list[Message]] = {}
    """The messages of this step of the runs below, by their ids."""
    was_stopped: bool = False
    """Whether a call of this step was interrupted, after which no move is made without the model."""
    has_more: bool = False
    """Whether another late result came with the last one of this step, so that no exchange begins yet."""

    @property
    def run(self) -> RunProgress:
        """What counts over the whole run; a new value of a group is set, its state with it."""
        return self.state.run

    @run.setter
    def run(self, run: RunProgress) -> None:
        self.state = replace(self.state, run=run)

    @property
    def exchange(self) -> ExchangeState:
        """What holds until the exchange ends."""
        return self.state.exchange

    @exchange.setter
    def exchange(self, exchange: ExchangeState) -> None:
        self.state = replace(self.state, exchange=exchange)

    @property
    def window(self) -> WindowState:
        """Which messages are sent, and to which model."""
        return self.state.window

    @window.setter
    def window(self, window: WindowState) -> None:
        self.state = replace(self.state, window=window)

    def fact(self, event: Fact) -> None:
        """Log something that came from outside."""
        if self.above is not None:
            self.facts.append(len(self.lines))
        self._log(self.head.encode(), encode(event), b"}")

    def derived(self, event: Derived) -> None:
        """Log something that the core made of the facts before; the line names the head before it, last."""
        head = self.head.encode()
        self._log(head, encode(event), b',"prev":"%b"}' % head)

    def below_line(self, call_id: str, line: bytes, *, is_fact: bool) -> None:
        """Log a line of the run of an agent that a call called; is_fact: it came from outside."""
        head, event = self.head.encode(), b'{"kind":"child","call_id":"%b","line":%b}' % (call_id.encode(), line)
        if is_fact:
            self.facts.append(len(self.lines))
        self._log(head, event, b"}" if is_fact else b',"prev":"%b"}' % head)

    @property
    def next_seq(self) -> int:
        """Number that the next line will have in the log."""
        return self.state.run.seq + len(self.lines)

    def _log(self, head: bytes, event: bytes, end: bytes) -> None:
        """Add a line, `seq` and `at` first, and chain it: the head becomes hex(sha256(head before + line))."""
        seq, at = self.state.run.seq + len(self.lines), self.at
        members = event[1:-1]
        line = (
            b'{"seq":%d,%b%b' % (seq, members, end)
            if at is None
            else b'{"seq":%d,"at":%d,%b%b' % (seq, at, members, end)
        )
        self.lines.append(line)
        self.head = sha256(head + line).hexdigest()

    @property
    def next_index(self) -> int:
        """Index that the next message will have in the transcript."""
        return self.state.messages + len(self.messages)

    def say(
        self,
        role: str,
        content: Content | None,
        tool_calls: tuple[NativeCall, ...] | UnsetType = UNSET,
        tool_call_id: str | UnsetType = UNSET,
        extra: dict[str, Any] | None = None,
    ) -> None:
        """Add a message to the transcript."""
        models = self.agent.definition.models
        given_by = models[self.state.window.model].extra_model if models and extra is not None else UNSET
        self.messages.append(
            Message(
                role=role,
                content=content,
                tool_calls=tool_calls,
                tool_call_id=tool_call_id,
                extra=extra,
                extra_model=given_by,
            )
        )

    def close(self) -> RunState:
        """Return the next state, with what was logged and said counted in."""
        state, window = self.state, self.state.window
        attachments, sent = self.attachments(), window.sent
        if sent is not None or attachments is not window.attachments:
            window = replace(window, attachments=attachments, sent=None if sent is None else self.sizes(sent))
        if self.cuts and window.history is not None:
            window = replace(window, history=replace(window.history, cuts=(*window.history.cuts, *self.cuts)))
        return replace(
            state,
            head=self.head,
            messages=state.messages + len(self.messages),
            run=replace(state.run, seq=state.run.seq + len(self.lines)),
            window=window,
            policies=state.policies if self.kept is None else self.agent.policies.written(self.kept),
        )

    def sizes(self, sent: Sent) -> Sent:
        """Return the sizes of what is sent, with the messages of this step."""
        state = self.state
        history = state.window.history
        exchanges = () if history is None else history.exchanges
        places = state.window.preamble, state.window.user_at, *exchanges
        return appended(sent, self.messages, self.outputs, state.messages, places, self.agent.counter)

    def joinable(self) -> Message | None:
        """Return the user message that what is said next can join, since many chat templates demand alternate roles.

        None where this step says none, or where prompts leave it out.
        """
        last = self.messages[-1] if self.messages else None
        kept = self.state.exchange.negotiated
        is_sent = kept is None or not kept.skipped or kept.skipped[-1][1] < self.next_index
        return last if last is not None and last.role == "user" and last.content and is_sent else None

    def say_apart(self, content: Content) -> None:
        """Add a user message that can join none: after a word in place of an answer where a prompt has one before."""
        if not self.messages or self.messages[-1].role == "user":
            self.say_unanswered()
        self.say("user", content)

    def say_unanswered(self) -> None:
        """Add a word in place of the answer that a user message did not get."""
        self.say("assistant", self.agent.dialect.write(Sample(answer=corrections.not_answered())))

    def attachments(self) -> tuple[SentAttachment, ...]:
        """Return the images and files of the transcript, with those of this step's messages."""
        known = self.state.window.attachments
        for message in self.messages:
            if isinstance(message.content, tuple):
                return with_attachments(known, self.messages, self.state.messages)
        return known  # nearly every step: texts alone

    def log_text(self) -> str:
        """Return the log lines as text to append, each with its newline."""
        return (b"\n".join(self.lines) + b"\n").decode() if self.lines else ""


def say_results(draft: Draft, calls: Sequence[Pending], instead: dict[str, str], also: str = "") -> None:
    """Add the results of a turn's calls in call order, in the form that the dialect's server takes.

    instead: texts by call id for calls that have no result. also: feedback that follows the results.
    """
    dialect = draft.agent.dialect
    if dialect.result_role == "tool":
        for call in calls:
            text = _read_text(draft, call)
            if len(call.text) > KEPT_OUTPUT_CHARS:
                _note_place(draft, call, text, 0)
            said = _with_parts(draft, instead.get(call.call_id, text), _shown_parts((call,), instead))
            if draft.agent.history is not None:
                _note_results(draft, (call,), {call.call_id: (0, text)}, said, instead)
            draft.say("tool", said, tool_call_id=call.call_id)
        if also:
            draft.say("user", also)
        return
    # One user message for all: many chat templates demand that roles alternate.
    parts: list[str] = []
    places: dict[str, tuple[int, str]] = {}
    for call in calls:
        # A fault's text is a whole sentence about the call already.
        fault = instead.get(call.call_id) or (call.text if call.fault else "")
        said = dialect.feedback(fault) if fault else dialect.result(call.tool, _read_text(draft, call), call.ok)
        places[call.call_id] = sum([len(part) + len(_BETWEEN) for part in parts]), said
        if len(call.text) > KEPT_OUTPUT_CHARS:
            _note_place(draft, call, said, places[call.call_id][0])
        parts.append(said)
    content = _with_parts(draft, _BETWEEN.join([*parts, also] if also else parts), _shown_parts(calls, instead))
    if draft.agent.history is not None:
        _note_results(draft, calls, places, content, instead)
    draft.say("user", content)


def _shown_parts(calls: Sequence[Pending], instead: dict[str, str]) -> tuple[AttachedPart, ...]:
    """Return the images and files of the accepted results of calls, which one message is to hold."""
    return tuple([part for call in calls if call.ok and call.call_id not in instead for part in call.parts])


def said_with_parts(draft: Draft, said: str, calls: Sequence[Pending]) -> Content:
    """Return what is said of results with the images and files of those that were accepted."""
    return _with_parts(draft, said, _shown_parts(calls, {}))


def _with_parts(draft: Draft, said: str, parts: tuple[AttachedPart, ...]) -> Content:
    """Return what is said of results with their images and files, as many as a message and the run have room for."""
    if not parts:
        return said
    queued = sum([len(parts_of(message.content)) for message in draft.state.run.queued])
    kept = parts[: max(0, min(MAX_RESULT_PARTS, MAX_ATTACHMENTS - len(draft.attachments()) - queued))]
    if len(kept) < len(parts):
        said = f"{said}{_BETWEEN}{corrections.parts_past_room(len(parts) - len(kept))}"
    return (TextPart(text=said), *kept) if kept else said


def number_of(call_id: str) -> int:
    """Return the number by which a result is cited."""
    return int(call_id.removeprefix("call_"))


def is_citable(agent: Agent, call: Pending) -> bool:
    """Whether an answer may cite the result of a call: an accepted one, where the definition has it cite."""
    if not agent.cites:
        return False
    searches = agent.search is not None and call.tool == FIND_TOOLS
    return call.ok and not searches and not (agent.reader is not None and call.tool == READ_OUTPUT)


def _note_place(draft: Draft, call: Pending, said: str, before: int) -> None:
    """Note where a long output stands in the message; before: the characters of it that precede what is said."""
    place, _ = _place_of(draft, call, said, before)
    if place.begin < place.end:
        draft.outputs.append(place)


def _place_of(draft: Draft, call: Pending, said: str, before: int) -> tuple[OutputPlace, str]:
    """Return where an output stands in the message, and its text; it is empty where it is not said as it came."""
    for output in (call.text, call.text.removeprefix(_own_words(call))):
        if output and (begin := said.find(output)) >= 0:
            at = before + begin
            return OutputPlace(message=draft.next_index, begin=at, end=at + len(output)), output
    return OutputPlace(message=draft.next_index, begin=before, end=before), ""


def _note_results(
    draft: Draft, calls: Sequence[Pending], places: dict[str, tuple[int, str]], said: Content, instead: dict[str, str]
) -> None:
    """Note what of the results in a message, which comes next, the rules of history may leave out later.

    places: of each result, the characters before what is said of it, and that.
    """
    history = draft.agent.history
    assert history is not None  # the caller has looked
    for call in calls:
        tool = source_tool(draft.agent, draft.state, call)
        number = history.rule_of(tool)
        if number is None or call.fault or call.call_id in instead:
            continue
        before, text = places[call.call_id]
        place, output = _place_of(draft, call, text, before)
        own = [at for at, part in parts_of(said) if part.call_id == call.call_id]
        parts = (own[0], own[-1] + 1) if own else (0, 0)
        drops = history.results[number].then == "drop"
        cut = result_cut(place, output, tool, parts, draft.agent.counter, drops=drops)
        if cut is not None:
            draft.cuts.append(cut)


def _own_words(call: Pending) -> str:
    """Return what the core says before the output of a call that a person edited."""
    return f"{corrections.edited_call(call.params)} " if call.edited else ""


def source_tool(agent: Agent, state: RunState, call: Pending) -> str:
    """Return the tool whose output a call gives: its own, or the one of the output that it reads on in."""
    if agent.reader is None or call.tool != READ_OUTPUT:
        return call.tool
    read = call.params.get("call_id")
    return next((entry.tool for entry in state.exchange.cut if entry.call_id == read), call.tool)


def is_open(draft: Draft, call: Pending) -> bool:
    """Whether anybody may have written what a call gives."""
    tool = draft.agent.host_tools.get(source_tool(draft.agent, draft.state, call))
    return tool is not None and tool.is_open


def framed_reason(draft: Draft, call: Pending, reason: str) -> str:
    """Return why an output was rejected, framed as data where it may quote what anybody may have written."""
    return framed(reason) if is_open(draft, call) else reason


def _read_text(draft: Draft, call: Pending) -> str:
    """Return what the model reads of a call's result, with its number where an answer may cite it.

    What anybody may have written is framed as data.
    """
    if not call.fault:
        call = replace(call, text=draft.agent.dialect.abridge(call.text))
    is_framed = is_open(draft, call) and not call.fault and not draft.agent.dialect.is_taught
    text = _framed(call) if is_framed else call.text
    return corrections.numbered(number_of(call.call_id), text) if is_citable(draft.agent, call) else text


def _framed(call: Pending) -> str:
    said = _own_words(call)
    output = call.text.removeprefix(said)
    return said + framed(output) if output != corrections.no_output() else call.text


def answer_native(draft: Draft, call_ids: tuple[str, ...], text: str) -> bool:
    """Answer a wrong native turn in the place where the server expects results; tells whether it did."""
    for index, call_id in enumerate(call_ids):
        draft.say("tool", text if index == 0 else "Not run: another call of this turn was wrong.", tool_call_id=call_id)
    return bool(call_ids)
