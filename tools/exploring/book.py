"""The book of a run, as an onlooker keeps it: what was said, asked, answered and run, from the outside alone.

`noted` writes down an observation before its decision is looked at, `seen` what the decision hands out or asks. A turn
is closed once a decision neither runs nor asks about its calls; then its effects and repeats count. The book takes
nothing from the core's state.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, assert_never

from msgspec import UNSET, Struct
from msgspec.structs import replace

from purestep import (
    AgentChanged,
    Approvals,
    CallModel,
    Cancel,
    Decision,
    InvokeTool,
    ModelError,
    ModelOutput,
    RequestApproval,
    Resumed,
    ToolPending,
    ToolResults,
    UserMessage,
)

from .alphabet import EXECUTED, SEARCH, Message, Move
from .case import RUN_ID
from .policy import Policy, ToolPolicy

STRANGER = ToolPolicy(rule="auto", destructive=False, repeatable=False, reads=False, rejects_bad=False)
"""What holds for a tool that the definition does not have."""


def canonical(params: dict[str, Any]) -> str:
    """Return arguments as canonical JSON."""
    return json.dumps(params, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def key_of(ordinal: int, tool: str, params: str) -> str:
    """Return the key of a call, made as the documentation says: of the run id, its number, its tool and arguments."""
    signature = sha256(f'["{tool}",{params}]'.encode()).hexdigest()
    return sha256(f"{RUN_ID}\n{ordinal}\n{signature}".encode()).hexdigest()[:32]


class Call(Struct, frozen=True, array_like=True):
    """One call of the turn.

    again: it repeats an effect of the exchange or of its turn. barred: it was refused before, or looped. answer: "yes"
    or "no" once a person has answered. made: it was handed out or asked about. unknown: it was handed out when the host
    was stopped. outcome: its result, with the text. rejected: a check of its tool rejects that. judges: the
    number of the call that it checks. lost: hosts that were stopped while they ran it.
    carries: its argument is no word of the user, once open text was read.
    """

    ordinal: int
    tool: str
    params: str
    key: str
    again: bool = False
    barred: bool = False
    asked: bool = False
    answer: str = ""
    handed: bool = False
    made: bool = False
    unknown: bool = False
    outcome: str = ""
    rejected: bool = False
    edited: bool = False
    judges: int = 0
    corrected: bool = False
    """The model's output for it, which is a skill, was sent back."""
    carries: bool = False
    lost: int = 0

    @property
    def call_id(self) -> str:
        """Its id, as decisions name it."""
        return f"call_{self.ordinal}"

    @property
    def same(self) -> str:
        """What equal calls share."""
        return f"{self.tool} {self.params}"


class Repeats(Struct, frozen=True, array_like=True):
    """How often in a row a call has had the same result."""

    same: str
    result: str
    count: int


class Act(Struct, frozen=True, array_like=True):
    """A call that may have changed something, with what became of it."""

    call_id: str
    tool: str
    params: str
    status: str


class Book(Struct, frozen=True, array_like=True):
    """What has happened; unless it says otherwise it counts within the exchange, `calls` within the turn."""

    said: int = 0
    """How many calls outputs have held, over the whole run."""
    turns: int = 0
    made: int = 0
    """Calls that were handed out or asked about."""
    choice: str = "auto"
    began: bool = False
    """A call was made."""
    has_result: bool = False
    owed: bool = False
    """The latest results were rejected, and no accepted one has come since."""
    effects: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    """Calls that act and whose outcome nobody knows, over the whole run, until one of them has a result."""
    refused: tuple[str, ...] = ()
    repeats: tuple[Repeats, ...] = ()
    cause: str = ""
    """What the latest corrections were about, and how many there were in a row."""
    corrections: int = 0
    moves: tuple[str, ...] = ()
    """The moves of negotiation, as the log names them."""
    steps: int = 0
    """Steps of the plan that the model is asked by."""
    requests: tuple[int, ...] = ()
    """Where the messages end that ask for plans, in all exchanges."""
    steps_done: int = 0
    """Answers that were given since, one to a step."""
    errors: int = 0
    """Model errors in a row."""
    not_taken: tuple[tuple[str, str], ...] = ()
    """Models, and the members of requests that their servers have refused, over the whole run."""
    model: str = ""
    """The one that was asked last."""
    tokens: int = 0
    cost: int = 0
    """Of the outputs, each rounded up."""
    elapsed: int = 0
    """Since the user's message, in ms."""
    calls: tuple[Call, ...] = ()
    trusted: tuple[str, ...] = ()
    """Words of the user, over the whole run."""
    told: bool = False
    """The model has read an open result, or what came along with a message."""
    accepted: tuple[int, ...] = ()
    """The numbers of the results that an answer may cite."""
    acts: tuple[Act, ...] = ()
    """Calls of tools that may act: those that ran, may have run or were refused by a person."""
    changed: bool = False
    """The run goes on under the other definition."""
    found: tuple[str, ...] = ()
    """The tools that the latest request had after those of the start, where most are found."""
    queued: tuple[Message, ...] = ()
    """What the user has said since the model was asked, and the model has not been told."""
    length: int = 0
    """Of the transcript, over the whole run, where rules of history hold."""
    asked: tuple[int, ...] = ()
    """The places of the messages that began exchanges: the first, and the latest."""
    away: tuple[Call, ...] = ()
    """Calls that go on elsewhere, over the whole run, until they have a result."""
    came: tuple[Call, ...] = ()
    """Those that have one, which the model has not read."""


ELSEWHERE: Final = "elsewhere"
"""The outcome, in its turn, of a call that goes on elsewhere."""
_MAY_HAVE_ACTED: Final = ("fine", "interrupted", "failed", "execution", "io")


def tool_of(policy: Policy, name: str) -> ToolPolicy:
    """Return what holds for a tool."""
    return policy.tools.get(name, STRANGER)


def is_barred(policy: Policy, book: Book, same: str) -> bool:
    """Whether a call is made no more in this exchange: it was refused, or gave the same result too often."""
    looped = any(each.same == same and each.count > policy.max_repeats for each in book.repeats)
    return looped or same in book.refused


# --- what comes in ----------------------------------------------------------------------------------------


def noted(policy: Policy, book: Book, move: Move) -> Book:
    """Write down an observation that the core took."""
    observation = move.observation
    elapsed = observation.at or 0
    match observation:
        case UserMessage():
            assert move.message is not None  # the alphabet gives each of these one
            if not move.steers:
                return begun(policy, book, move.message)
            book = replace(book, queued=(*book.queued, move.message))
        case ModelOutput() if move.skill:
            book = _said_in_skill(book, move.skill)
        case ModelOutput():
            book = _said(policy, book, move) if move.steps is None else _planned(book, move.steps)
        case ModelError() if executed(book) is not None:
            book = _failed_in_skill(book, observation)
        case ModelError():
            refused = () if observation.refused is None else ((book.model, observation.refused),)
            book = replace(book, errors=book.errors + 1, not_taken=(*book.not_taken, *refused))
        case Approvals():
            book = _answered(book, observation)
        case ToolResults() if not move.late:
            book = _settled(policy, book, observation)
        case Resumed():
            calls = tuple(_resumed(policy, call) for call in book.calls)
            book = _in_doubt(
                policy, replace(book, calls=calls), *[call for call in calls if call.unknown and not call.outcome]
            )
        case AgentChanged():
            calls = tuple(
                [call if _stands(policy, call) else replace(call, barred=True, asked=False) for call in book.calls]
            )
            book = replace(book, changed=True, calls=calls)
        case Cancel() | ToolPending() | ToolResults():  # what goes on elsewhere has a book of its own
            pass
        case _:
            assert_never(observation)
    return replace(_with_refused_inputs(book), elapsed=elapsed)


def _stands(policy: Policy, call: Call) -> bool:
    """Whether a call stays as it is under the definition that the run goes on under."""
    if call.outcome or call.answer == "no":
        return True
    tool = policy.tools.get(call.tool)
    asked = call.answer == "yes" or (call.asked and not call.answer)
    return tool is not None and tool.rule != "deny" and (tool.rule != "ask" or asked)


def with_length(before: Book, after: Book, roles: Sequence[str], *, begins: bool) -> Book:
    """Write down how long the transcript is, and where an exchange begins.

    roles: of the messages of a step. begins: it has the user's message.
    """
    places = [before.length + at for at, role in enumerate(roles) if role == "user"] if begins else []
    asked = (*before.asked, *places[-1:])
    return replace(after, length=before.length + len(roles), asked=(*asked[:1], *asked[1:][-_COUNTED:]))


_COUNTED: Final = 2
"""Messages after the first whose places are written down: more than the rules of history here keep."""


def begun(policy: Policy, book: Book, message: Message) -> Book:
    """Begin an exchange with a message."""
    return Book(
        said=book.said,
        unsettled=book.unsettled,
        changed=book.changed,
        not_taken=book.not_taken,
        requests=book.requests,
        away=book.away,
        came=book.came,
        choice=message.choice or policy.choice,
        trusted=_words(book.trusted, message.content) if policy.traced else (),
        told=book.told or bool(message.along) or message.attached,
    )


def steered(policy: Policy, book: Book, told: str, *, answered: bool) -> Book:
    """Write down what became of the messages in the middle of a run.

    told: what a step has said for the user. answered: they begin an exchange, since an answer stands before them.
    """
    contents = [message.content for message in book.queued]
    if not contents or not all(content in told for content in contents):
        return book
    if answered:
        return begun(policy, _closed(policy, book), Message("\n\n".join(contents)))
    trusted = _words(book.trusted, " ".join(contents)) if policy.traced else ()
    return replace(book, queued=(), trusted=trusted)


def _words(before: tuple[str, ...], text: str) -> tuple[str, ...]:
    return tuple(sorted({*before, *text.lower().replace(".", " ").split()}))


def _carries(book: Book, params: dict[str, Any]) -> bool:
    """Whether open text may be in a call's arguments: once some was read, whatever the user has not said."""
    return book.told and any(str(value) not in book.trusted for value in params.values())


def _said(policy: Policy, book: Book, move: Move) -> Book:
    observation = move.observation
    usage = observation.usage if isinstance(observation, ModelOutput) else None
    tokens = (usage.completion_tokens or 0) if usage is not None else 0
    calls = made_calls(policy, book, move.calls)
    said, turns = book.said + len(calls), book.turns + 1
    done = book.steps_done + bool(move.answer and book.steps)
    return replace(
        book,
        turns=turns,
        said=said,
        calls=calls,
        tokens=book.tokens + tokens,
        cost=book.cost + cost_of(policy, book, tokens),
        errors=0,
        steps_done=done,
    )


def cost_of(policy: Policy, book: Book, tokens: int) -> int:
    """Return what an output of the model that was asked last costs."""
    return -(-tokens * policy.prices.get(book.model, 0) // 1_000_000)


def _planned(book: Book, steps: int) -> Book:
    return replace(book, turns=book.turns + 1, errors=0, steps=steps)


def executed(book: Book) -> Call | None:
    """Return the call that is executed as a skill: the first without a result, once no tool of the turn waits."""
    waiting = [call for call in book.calls if not (call.outcome or call.barred or call.answer == "no")]
    tools = [call for call in waiting if call.tool not in EXECUTED]
    return waiting[0] if waiting and not tools else None


def _with_outcome(book: Book, ended: Call, outcome: str) -> Book:
    calls = tuple(replace(call, outcome=outcome) if call == ended else call for call in book.calls)
    return replace(book, calls=calls, errors=0)


def _said_in_skill(book: Book, said: str) -> Book:
    call = executed(book)
    assert call is not None  # the alphabet answers a skill that is executed
    book = replace(book, turns=book.turns + 1, errors=0)
    if said == "right":
        return _with_outcome(book, call, "fine: names")
    if call.corrected:
        return _with_outcome(book, call, "failed: wrong names")
    calls = tuple(replace(each, corrected=True) if each == call else each for each in book.calls)
    return replace(book, calls=calls)


def _failed_in_skill(book: Book, error: ModelError) -> Book:
    call = executed(book)
    assert call is not None  # the caller has looked
    book = replace(book, errors=book.errors + 1)
    is_last = not error.retryable or book.errors > _MAX_RETRIES
    return _with_outcome(book, call, f"failed: {error.code}") if is_last else book


_MAX_RETRIES: Final = 2


def _with_refused_inputs(book: Book) -> Book:
    """Note the searches, and the skills that refuse their input, up to the one about which the model is asked."""
    while (call := executed(book)) is not None and (call.tool == SEARCH or '"phone"' in call.params):
        book = _with_outcome(book, call, "fine: found" if call.tool == SEARCH else "failed: input")
    return book


def made_calls(policy: Policy, book: Book, made: tuple[tuple[str, dict[str, Any]], ...]) -> tuple[Call, ...]:
    """Return the calls of a turn as they were written."""
    calls: list[Call] = []
    for ordinal, (tool, written) in enumerate(made, book.said + 1):
        params = canonical(written)
        call = Call(ordinal, tool, params, key_of(ordinal, tool, params))
        tool_policy = tool_of(policy, tool)
        again = call.same in book.effects or any(call.same == each.same for each in calls)
        again = (again and tool_policy.destructive) or (call.same in book.unsettled and tool_policy.acts_once)
        barred = is_barred(policy, book, call.same)
        calls.append(replace(call, again=again, barred=barred, carries=_carries(book, written)))
    return tuple(calls)


def _answered(book: Book, observation: Approvals) -> Book:
    answers = {answer.call_id: answer for answer in observation.approvals}
    refused, calls, trusted = list(book.refused), [], book.trusted
    for call in book.calls:
        answer = answers.get(call.call_id)
        if answer is None:
            calls.append(call)
        elif not answer.approved:
            refused.append(call.same)
            calls.append(replace(call, answer="no"))
        else:
            params = call.params if answer.params is None else canonical(answer.params)
            key = key_of(call.ordinal, call.tool, params)
            edited = call.edited or params != call.params
            calls.append(replace(call, answer="yes", params=params, key=key, edited=edited))
            if params != call.params and trusted:
                trusted = _words(trusted, " ".join(map(str, json.loads(params).values())))
    return replace(book, calls=tuple(calls), refused=tuple(sorted({*refused})), trusted=trusted)


def _settled(policy: Policy, book: Book, observation: ToolResults) -> Book:
    calls, said = {call.call_id: call for call in book.calls}, book.said
    for result in observation.results:
        call = calls[result.call_id]
        outcome = f"fine: {result.output}" if result.ok else f"{result.error_kind or 'failed'}: {result.error}"
        rejected = tool_of(policy, call.tool).rejects_bad and result.ok and "bad" in str(result.output)
        calls[call.call_id] = replace(call, outcome=outcome, rejected=rejected)
        if outcome.startswith("interrupted"):
            book = _in_doubt(policy, book, call)
        elif result.ok:
            book = replace(book, unsettled=tuple([same for same in book.unsettled if same != call.same]))
        book = _read(policy, book, call)
        if call.judges and not (result.ok and result.output == {"accept": True}):
            judged = calls[f"call_{call.judges}"]
            calls[judged.call_id] = replace(judged, rejected=True)
        check = tool_of(policy, call.tool).check
        if check and result.ok and not rejected:
            said += 1
            calls[f"call_{said}"] = Call(
                said, check, call.params, key_of(said, check, call.params), judges=call.ordinal
            )
    return replace(book, calls=tuple(calls.values()), said=said)


def _in_doubt(policy: Policy, book: Book, *calls: Call) -> Book:
    """Write down calls whose outcome nobody knows."""
    acting = [call.same for call in calls if tool_of(policy, call.tool).acts_once]
    return replace(book, unsettled=tuple(sorted({*book.unsettled, *acting})))


def _read(policy: Policy, book: Book, call: Call) -> Book:
    """Write down that open text was read, where values are followed."""
    return replace(book, told=True) if policy.traced and tool_of(policy, call.tool).is_open else book


_MOST_LOST: Final = 3
"""A call that may be repeated is asked about once it has lost as many hosts."""


def _resumed(policy: Policy, call: Call) -> Call:
    if not call.handed or call.outcome:
        return call
    call = replace(call, lost=call.lost + 1)
    if call.lost < _MOST_LOST and tool_of(policy, call.tool).repeatable:
        return call
    return replace(call, unknown=True, handed=False, asked=False, answer="")


# --- what the decision says -------------------------------------------------------------------------------


def seen(policy: Policy, book: Book, decision: Decision, switched: tuple[str, ...]) -> Book:
    """Write down a decision: what it hands out, what it asks, and, if it does neither, that the turn is over."""
    if switched:
        book = replace(book, moves=(*book.moves, *switched))
    match decision:
        case CallModel():
            # Where a plan did not come, the smaller model has made no error yet.
            errors = 0 if decision.reason == "switch" else book.errors
            book = replace(book, model=decision.model or "", errors=errors)
            if policy.most_found:
                book = replace(book, found=offered_names(decision)[len(policy.head) :])
            if decision.reason == "plan":
                ends = (*book.requests, max([entry[1] for entry in decision.prompt if isinstance(entry, tuple)]))
                book = replace(book, requests=tuple(dict.fromkeys(ends)))
        case InvokeTool():
            return _marked(book, {call.call_id for call in decision.calls}, handed=True)
        case RequestApproval():
            return _marked(book, {call.call_id for call in decision.calls}, asked=True)
    if isinstance(decision, CallModel) and decision.reason == "skill":
        call = executed(book)
        return book if call is None else _marked(book, {call.call_id})
    book = _closed(policy, book)
    if not isinstance(decision, CallModel) or decision.reason == "retry":
        return book
    if decision.reason != "correction":
        return replace(book, cause="", corrections=0)
    # An answer and the output of a tool may break a check each, and are corrected apart.
    cause = f"{decision.cause or ''}{' of a result' if book.owed else ''}"
    return replace(book, cause=cause, corrections=book.corrections + 1 if cause == book.cause else 1)


def offered_names(decision: CallModel) -> tuple[str, ...]:
    """Return the names of the tools that a server is given, in their order."""
    given = b"[]" if decision.tools is UNSET else bytes(decision.tools)
    return tuple([entry["function"]["name"] for entry in json.loads(given)])


def _marked(book: Book, call_ids: set[str], **marks: bool) -> Book:
    named = [call for call in book.calls if call.call_id in call_ids]
    calls = tuple(replace(call, made=True, **marks) if call in named else call for call in book.calls)
    return replace(book, calls=calls, made=book.made + sum(not call.made for call in named), began=True)


def _closed(policy: Policy, book: Book) -> Book:
    """Count the results of a turn that is over."""
    book = _in_doubt(policy, book, *[call for call in book.calls if not call.outcome and (call.handed or call.unknown)])
    effects, repeats, counted = list(book.effects), list(book.repeats), set[str]()
    for call in book.calls:
        if tool_of(policy, call.tool).destructive and (call.outcome.startswith(_MAY_HAVE_ACTED) or call.unknown):
            effects.append(call.same)
        has_result = call.outcome and call.outcome != ELSEWHERE
        if has_result and not call.rejected and not call.judges and call.same not in counted:
            counted.add(call.same)
            repeats = _counted(repeats, call)
    accepted = any(call.outcome.startswith("fine") and not (call.rejected or call.judges) for call in book.calls)
    rejected = any(call.rejected for call in book.calls)
    cited = [each.ordinal for each in book.calls if policy.cites and each.outcome.startswith("fine")]
    acts = [
        Act(call.call_id, call.tool, call.params, status) for call in book.calls if (status := act_status(policy, call))
    ]
    return replace(
        book,
        calls=(),
        acts=(*book.acts, *acts),
        accepted=(*book.accepted, *cited),
        effects=tuple(sorted({*effects})),
        repeats=tuple(repeats),
        has_result=book.has_result or accepted,
        owed=rejected or (book.owed and not accepted),
    )


def act_status(policy: Policy, call: Call) -> str:
    """Return what became of a call that may have changed something; "" where it has not, or was never made."""
    if tool_of(policy, call.tool).reads or call.judges:
        return ""
    if call.outcome.startswith("fine"):
        return "succeeded"
    if call.outcome.startswith(("interrupted", ELSEWHERE)) or call.lost or (not call.outcome and call.handed):
        return "unknown"
    if call.outcome:
        return "failed"
    return "refused" if call.answer == "no" else ""


def _counted(repeats: list[Repeats], call: Call) -> list[Repeats]:
    # The model reads of an edited call what was changed, so its result is another text.
    result = f"{call.outcome} edited" if call.edited else call.outcome
    before = next((each for each in repeats if each.same == call.same), None)
    count = before.count + 1 if before is not None and before.result == result else 1
    return [*(each for each in repeats if each.same != call.same), Repeats(call.same, result, count)]
