"""What is told of a run beside its log: of each call, answer and failure what the lines alone do not say."""

from msgspec import UNSET, Struct, UnsetType

from .wire import ArgumentOrigin


class ExplainedCall(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A call: the labels of its result, where its arguments came from, and the checks that its output is held to.

    `origins` are those that a person was shown; none where nobody was asked. `checks` are in their order, by the names
    that verdicts have; the check that one rejects by is the first that fails.
    """

    call_id: str
    tool: str
    labels: tuple[str, ...] = ()
    origins: tuple[ArgumentOrigin, ...] = ()
    checks: tuple[str, ...] = ()


class CitedSentence(Struct, frozen=True, kw_only=True, gc=False):
    """A sentence of an answer that has citations: its code points [begin, end), and the calls that it rests on."""

    at: tuple[int, int]
    calls: tuple[str, ...]


class ExplainedAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The answer in the line `seq`: the checks that it was held to and passed, and its sentences with citations."""

    seq: int
    checks: tuple[str, ...] = ()
    sentences: tuple[CitedSentence, ...] = ()


class ExplainedFailure(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The failure in the line `seq`: what a person can do, where its message does not say that."""

    seq: int
    advice: str = ""


class ExplainedCorrection(Struct, frozen=True, kw_only=True, gc=False):
    """The correction in the line `seq` of an answer: what the model had said, without the form it was written in."""

    seq: int
    said: str


class ExplainedOutput(Struct, frozen=True, kw_only=True, gc=False):
    """The model's output in the line `seq`: its reasoning, apart from what it says."""

    seq: int
    reasoning: str


class ExplainedWindow(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What a prompt of the run has at its last line, in tokens: `tokens` at most, of `room`, in a window of `window`.

    `instructions`, `tools`, `earlier` (exchanges before this one, or their summary) and `exchange` add up to `tokens`.
    `counted`: the model's server has counted a prompt that this one appends to; else all of it is estimated.
    """

    window: int
    room: int
    tokens: int
    instructions: int
    tools: int = 0
    earlier: int = 0
    exchange: int = 0
    counted: bool = False


class ExplainedOmission(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Messages [begin, end) of the transcript that the prompt has not, or has `shortened`, at the log's last line.

    `why`: the rule of history, `keep_exchanges`, `results` or `reasoning`; or `size`, where they did not fit, were
    summed up, or only asked for a summary or a plan.
    """

    begin: int
    end: int
    why: str
    shortened: bool = False


class ExplainedAgent(Struct, frozen=True, kw_only=True, gc=False):
    """The run of an agent below, explained: the call that called it, and the agent's name."""

    call_id: str
    agent: str
    explanation: "Explanation"


class Explanation(Struct, frozen=True, kw_only=True, gc=False):
    """A log explained, each list in the log's order; `outputs` are those with reasoning, where there are any.

    `window` is how full the model's window is at the last line, where the definition declares one. `left_out` is what
    is not sent by then, in the order of the messages, where it has rules of history. `agents`: of a whole log, what is
    told of the runs of agents that it called, by their calls; numbers of lines are those of their own logs.
    """

    calls: tuple[ExplainedCall, ...]
    answers: tuple[ExplainedAnswer, ...]
    failures: tuple[ExplainedFailure, ...]
    corrections: tuple[ExplainedCorrection, ...] = ()
    outputs: tuple[ExplainedOutput, ...] | UnsetType = UNSET
    window: ExplainedWindow | UnsetType = UNSET
    left_out: tuple[ExplainedOmission, ...] | UnsetType = UNSET
    agents: tuple[ExplainedAgent, ...] | UnsetType = UNSET


# Written as text above, since the type was not there yet; no text runs as code in a step.
ExplainedAgent.__annotations__["explanation"] = Explanation
