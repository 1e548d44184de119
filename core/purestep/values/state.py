"""The state of a run: small, frozen, and enough on its own to say what comes next.

It does not grow with the transcript: messages stay with the host, only their number is kept here.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct

from ..bounds import (
    MAX_LATE_CALLS,
    MAX_MODEL_RETRIES,
    MAX_PLAN_STEP_CHARS,
    MAX_PLAN_STEPS,
    MAX_PLANS,
    MAX_REFUSED_CHARS,
    MAX_REFUSED_MEMBERS,
    MAX_RETRY_AFTER_MS,
    MAX_SAFE_INTEGER,
    SCHEMA_VERSION,
)
from ..text import Kind
from .content import Content, Data, ResultParts
from .reading import Problem
from .sent import HistoryState, Sent, SentAttachment, SentPart
from .toolspec import ToolChoice
from .wire import Act, ArgumentOrigin, AskedForm, Citation, Count, FormAnswer, Millis, RequestMember

Phase = Literal["model", "approval", "tools", "done", "failed"]
CallStatus = Literal["approval", "run", "asks", "skill", "done"]
"""What a call waits for: a person, the host that runs it, the core that executes it as a skill, or nothing."""


class Pending(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One call of the current turn, until all calls of the turn have their result.

    `text` is the result as the model will read it; `fault` names the cause when a check rejected it, and
    `rejected_by` that check; `edited`
    tells that a person changed the arguments, which the model has to learn; `problems` say what the core changed;
    `approved` records that a person said yes.
    `unknown` tells that the call may have run: its host was stopped, or it failed on the way. `again` tells that it
    repeats an effect. `skill` tells that the host is to execute it as a skill (the bare form).
    `origins` tell where its arguments came from, where a person is asked. `asked_by` names the policy that asks the
    person, `reason` is what it says to that, and `note` its question in words.
    `lost` counts the hosts that were stopped while they ran it.
    `in_doubt` tells that a result leaves open whether it has acted: the call was stopped, or it failed after one whose
    host was stopped before has failed.
    `parts` are the images and files of its result.
    `asks` is what it asks a person in the middle, `answer` what a person said to that, and `asked` how often it has.
    `child` is the run of the agent that it calls, while that one goes on. `handle` is that of a call that goes on
    elsewhere.
    `checks` is the id of the call whose output this one judges, or of the search that it ranks tools for, or `answer`;
    `condition` the index of the check that asks for it. `said` is what an output adds to the evidence once all its
    checks accept it.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    key: str
    status: CallStatus
    ok: bool = False
    text: str = ""
    fault: str = ""
    rejected_by: str = ""
    edited: bool = False
    unknown: bool = False
    again: bool = False
    problems: tuple[Problem, ...] = ()
    approved: bool = False
    checks: str = ""
    condition: Count = 0
    said: str = ""
    skill: bool = False
    origins: tuple[ArgumentOrigin, ...] = ()
    asked_by: str = ""
    reason: str = ""
    note: str = ""
    lost: Count = 0
    in_doubt: bool = False
    parts: ResultParts = ()
    asks: AskedForm | None = None
    answer: FormAnswer | None = None
    asked: Count = 0
    child: "RunState | None" = None
    handle: str = ""


class Citable(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """An accepted result that an answer may cite: its call and tool, and where it stands in the evidence."""

    call_id: str
    tool: str
    begin: Count
    end: Count


class Evidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What was said in this exchange, kept only where a check looks there, and cut to a bound.

    `question`: the user's words. `results`: what the accepted results say, one after another.
    """

    question: str = ""
    question_cut: bool = False
    results: str = ""
    results_cut: bool = False


class JudgedAnswer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """An answer that waits for the verdicts of its checks, with its data and what was changed to make them fit."""

    answer: str
    data: Any = UNSET
    problems: tuple[Problem, ...] = ()


class Recent(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A call signature remembered for the repeat guard; written as an array, since every step carries a few.

    `stage` is 0 while the call is free, 1 once it was corrected, 2 once it was forbidden.
    """

    call: str
    result: str = ""
    count: Count = 0
    stage: Count = 0


class CutOutput(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A tool output of which the model was shown the beginning: its call, its line in the log and its characters."""

    call_id: str
    tool: str
    seq: Count
    chars: Count


class Negotiated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What failed in an exchange, and how the model is asked since; kept from the first failure on.

    `faults`: how often each cause came, less what succeeded since. `moved`: the numbers of the rules that have made
    their move. `failed_at`: the index of the first of the latest outputs that led to nothing; 0 where the latest led to
    something. `skipped`: ranges of the transcript that are not sent. `examples`: corrections show one.
    """

    faults: dict[str, Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)]] = {}
    moved: tuple[int, ...] = ()
    failed_at: Count = 0
    skipped: tuple[tuple[int, int], ...] = ()
    dialect: str = ""
    carry: Literal["", "ground"] = ""
    examples: bool = False


class Summing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A summary that the model is asked for, and what it is asked afterwards.

    `parts`: what is summed up, and the task; `asked`: the index of the messages that ask; `max_tokens`: of the summary.
    """

    reason: str
    cause: str = ""
    parts: tuple[SentPart, ...] = ()
    asked: Count = 0
    max_tokens: Count = 0


class Plan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A request in steps, which a larger model has given and a smaller one is asked one by one.

    `steps`: none while the larger model is asked for them; `at`: how many are done; `asked`: the index of the message
    that asks for the one at hand, 0 where a host has edited the transcript. Until they came, `asked` is that of the
    messages that ask for them, and `model` that of the smaller model.
    """

    steps: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=MAX_PLAN_STEP_CHARS)], ...], Meta(max_length=MAX_PLAN_STEPS)
    ] = ()
    at: Count = 0
    model: Count = 0
    asked: Count = 0


class SkillFault(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an input or an output was refused, in a sentence."""

    kind: str
    message: str


class SkillProgress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How far the skill is that a run executes: the first of its pending calls that waits for that.

    `outputs`: model outputs that were read. `errors`: model errors in a row. `fault`: what is corrected. `refused`:
    the output that is corrected.
    """

    outputs: Annotated[int, Meta(ge=0, le=1)] = 0
    errors: Annotated[int, Meta(ge=0, le=MAX_MODEL_RETRIES)] = 0
    wait_ms: Annotated[int, Meta(ge=0, le=MAX_RETRY_AFTER_MS)] = 0
    fault: SkillFault | None = None
    refused: Annotated[str, Meta(max_length=MAX_REFUSED_CHARS)] = ""


class QueuedMessage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A user message that came in the middle of a run, until the model is asked next."""

    content: Content
    data: Data = ()
    tool_choice: ToolChoice | None = None
    pinned: bool = False


class Failure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Why the run ended without an answer."""

    code: str
    message: str
    detail: dict[str, Any] | None = None


class KnownValue(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A value that stands in the conversation in a form of its own, such as an address."""

    kind: Kind
    value: str | int | float


class Carried(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What carries the model through a conversation; bounded, whatever the length of the run.

    `values`: of the kinds that arguments are copied from, the latest last. `lost`: the kinds of which some are not
    kept any more, so that arguments are not held to the others. `scoring`: the tools that the model is asked to score
    now; `chosen`: those that its scores chose for this exchange, none for an answer; null where all are offered.
    """

    values: tuple[KnownValue, ...] = ()
    lost: tuple[Kind, ...] = ()
    scoring: tuple[str, ...] = ()
    chosen: tuple[str, ...] | None = None


class RefusedMember(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A member of a request that the server of a model, by its index, does not take."""

    model: Count
    member: RequestMember


class RunProgress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What counts and is known over the whole run."""

    seq: Count
    """Number of log lines so far."""
    calls: Count
    """Ordinal of the latest tool call."""
    changed: bool = False
    """The definition is another one than the run began with: its preamble is sent instead of the transcript's."""
    late: Annotated[tuple[Pending, ...], Meta(max_length=MAX_LATE_CALLS)] = ()
    """Calls that go on elsewhere while the model goes on, and those of them whose results it has not read."""
    handed: tuple[str, ...] = ()
    """To whom the conversation was handed over, and by whom further: names of agents, each in the one before."""
    unsettled: tuple[str, ...] = ()
    """Signatures of calls that act and whose outcome nobody knows, until a result of one comes."""
    queued: tuple[QueuedMessage, ...] = ()
    """User messages that came since the model was asked, to be put before its next call."""
    carried: Carried | None = None
    """What carries the model, where its definition says so."""
    span_texts: tuple[str, ...] = ()
    """The latest texts of the conversation, from which arguments are copied where the definition says so."""
    refused_members: Annotated[tuple[RefusedMember, ...], Meta(max_length=MAX_REFUSED_MEMBERS)] = ()
    """What servers have refused of requests, and is left out since."""
    plan_requests: Annotated[tuple[Count, ...], Meta(max_length=MAX_PLANS)] = ()
    """Where two messages ask for a plan; no other prompt has them."""


class ExchangeUse(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What an exchange has used of its budgets; it stands until the next one begins."""

    turns: Count
    """Model outputs consumed."""
    tool_calls: Count = 0
    """Calls handed out to run."""
    input_tokens: Count = 0
    output_tokens: Count = 0
    cached_tokens: Count = 0
    """Of the input tokens, those from the server's cache."""
    reasoning_tokens: Count = 0
    """Of the output tokens, those of the reasoning."""
    cost: Count = 0
    """In millionths of the unit of `models[].price`."""


class ExchangeState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What holds from a user message to the answer or failure; the next message begins with a new one."""

    used: ExchangeUse
    started_at: Millis | None = None
    """The host's clock at the user message."""
    tool_choice: ToolChoice | None = None
    """What the user message chose instead of the definition."""
    reason: str = ""
    """Why the model is asked now (phase model)."""
    cause: str = ""
    """What is being corrected, when reason is `correction`, `switch` or `escalate`."""
    wait_ms: Count = 0
    """How long the host waits before it asks the model (phase model)."""
    model_errors: Count = 0
    """Model errors in a row."""
    corrections: dict[str, Count] = {}
    """Corrections in a row by cause."""
    warned: bool = False
    """The model was told that a limit is near."""
    final: bool = False
    """The model is asked for an answer with what is known, without tools."""
    succeeded: tuple[str, ...] = ()
    """Tools that gave an accepted result."""
    acts: tuple[Act, ...] | None = ()
    """Calls that may have changed something.

    Null where another program may have made some of them, and in the end where no tool may act.
    """
    acts_left_out: Count = 0
    """How many more there were than are kept."""
    recent: tuple[Recent, ...] = ()
    refused: tuple[str, ...] = ()
    """Signatures of calls that a person or the policy refused."""
    effects: tuple[str, ...] = ()
    """Signatures of destructive calls that have had, or may have had, their effect."""
    withheld: tuple[str, ...] = ()
    """Tools not offered at the next model call."""
    found: tuple[Count, ...] = ()
    """The tools that the model has found, by their index in the definition; the latest last."""
    cut: tuple[CutOutput, ...] = ()
    """Outputs that can be read on, where the definition allows that; the latest last."""
    asked: str = ""
    """Digest of the question's text, where answers that repeat it are rejected."""
    said_samples: tuple[str, ...] = ()
    """Made-up texts of examples that the user or a tool has said."""
    negotiated: Negotiated | None = None
    """What failed and how the model is asked since, where its definition has rules for that."""
    evidence: Evidence | None = None
    """The texts that postconditions look for values in, where its definition has such."""
    citable: tuple[Citable, ...] = ()
    """Results that the answer may cite, where its definition demands citations."""
    judged: JudgedAnswer | None = None
    """The answer that the pending calls check."""
    summing: Summing | None = None
    """The model is asked for a summary of what is left out of its prompt."""
    plan: Plan | None = None
    """The steps by which the model is asked, or a larger model is asked for them."""
    skill: SkillProgress | None = None
    """The model is asked for the output of a skill, of the first pending call with that status."""
    problems: tuple[Problem, ...] = ()
    """What of the latest output was not read as written, and what was changed in the answer to make it fit."""
    answer: str | None = None
    data: Any = None
    citations: tuple[Citation, ...] = ()
    """Those that the answer cites (phase done)."""
    question: bool = False
    """The answer is a question to the user (phase done)."""
    failure: Failure | None = None


class WindowState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Which messages are sent, and to which model."""

    model: Count = 0
    """Index into the definition's models."""
    preamble: Count = 0
    """Leading messages before the conversation: system text and examples."""
    kept_from: Count = 0
    """First message after the preamble that is still sent."""
    user_at: Count = 0
    """Index of the message that began this exchange."""
    turn_at: Count = 0
    """Index of the latest assistant message of this exchange."""
    level: Annotated[int, Meta(ge=0, le=3)] = 0
    """How far the prompt was narrowed after an overflow: 0 all, 1 this exchange, 2 its latest turn, 3 no examples."""
    sent: Sent | None = None
    """The size of what is sent, kept where the definition declares a window or has rules of history."""
    history: HistoryState | None = None
    """What the rules of history count, where the definition has any."""
    attachments: tuple[SentAttachment, ...] = ()
    """The images and files of the transcript."""


class RunState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Everything a run needs between two steps, on any host: what hosts read, then what steps keep, in groups."""

    schema_version: Count
    agent: str | None
    """Digest of the definition; null without one (the bare form)."""
    run_id: str
    """The host's id of the run; "" in a whole state without one, until its log begins."""
    phase: Phase
    head: str
    """SHA-256 chain over the log lines, 64 hex digits; "" before the first."""
    messages: Count
    """Length of the transcript."""
    run: RunProgress
    exchange: ExchangeState
    window: WindowState
    pending: tuple[Pending, ...] = ()
    """The calls of the turn, until all have their result."""
    policies: dict[str, str] = {}
    """What the definition's policies keep, as canonical JSON by their name, sorted."""


# A type that names itself is written as text; the type itself takes its place, since no text runs as code in a step.
Pending.__annotations__["child"] = RunState | None


def is_planning(exchange: ExchangeState) -> bool:
    """Whether a model is asked for the steps of a plan."""
    return exchange.plan is not None and not exchange.plan.steps


def is_aside(exchange: ExchangeState) -> bool:
    """Whether the model is asked for what is no turn of the conversation: a skill's output, a summary or a plan."""
    return exchange.skill is not None or exchange.summing is not None or is_planning(exchange)


def learnt_members(state: RunState) -> tuple[str, ...]:
    """Return what the server of the model at hand has refused of requests."""
    return tuple([each.member for each in state.run.refused_members if each.model == state.window.model])


def new_state(agent_digest: str | None, run_id: str) -> RunState:
    """Return the state of a run before its first observation."""
    return RunState(
        schema_version=SCHEMA_VERSION,
        agent=agent_digest,
        run_id=run_id,
        phase="model",
        head="",
        messages=0,
        run=RunProgress(seq=0, calls=0),
        exchange=ExchangeState(used=ExchangeUse(turns=0)),
        window=WindowState(),
    )
