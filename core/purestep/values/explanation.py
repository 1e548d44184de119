"""What is told of a run beside its log: of each call, answer and failure what the lines alone do not say."""

from msgspec import Struct

from .flow import ArgumentOrigin


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


class Explanation(Struct, frozen=True, kw_only=True, gc=False):
    """A log explained, each list in the log's order."""

    calls: tuple[ExplainedCall, ...]
    answers: tuple[ExplainedAnswer, ...]
    failures: tuple[ExplainedFailure, ...]
