"""The answer: its form, then the definition's checks in their order, and the correction of the first thing wrong."""

from typing import Any, Final

from msgspec import UNSET

from ..agent import corrections
from ..bounds import MAX_CHECK_STEPS
from ..checks import AnswerFacts, CitedText, Judged, Rejection, first_rejection, is_placeholder, output_text
from ..draft import Draft, answer_rejection, citable_texts, early_answer, steps_left
from ..json_text import BLANK, UNREADABLE, WHITE_SPACE, read_json
from ..policy import AnswerRejection
from ..schema import without_nulls
from ..values import Problem, Reading, VerdictEvent
from .calls import coerce_to_schema
from .checking import check_answer_by_tools
from .ending import fail, finish
from .limits import ANSWER_GUARDRAIL, FAILURES, clear, correct, send_back
from .plan_output import next_step


def check_answer(draft: Draft, reading: Reading, cut: bool) -> None:
    """Check an answer against everything that the definition demands; correct the first thing that is wrong."""
    if draft.state.exchange.corrections:
        for cause in ("guardrail", "postcondition"):
            if cause in draft.state.exchange.corrections:
                # The correction asked for another call: an answer now would be based on the rejected output.
                fail(draft, cause, f"{FAILURES[cause]}: the model answered without an accepted result")
                return
        clear(draft, "parse_error", "unknown_tool", "invalid_arguments", "tool_choice")
    answer, remind = reading.content, draft.agent.dialect.remind
    early = early_answer(draft.agent, draft.state)
    if answer is not None and reading.asks and answer.strip(WHITE_SPACE) and early is None:
        finish(draft, answer, question=True)
    elif answer is None or not answer.strip(WHITE_SPACE) or is_placeholder(answer):
        correct(draft, "inconclusive", corrections.empty_output(remind))
    elif cut and not reading.closed:
        correct(draft, "truncated", corrections.cut_off(remind, answer=True))
    elif steps_left(draft.state):
        next_step(draft)
    elif early is not None:
        correct(draft, "obligation", early)
    elif draft.agent.answer is not None:
        _check_form(draft, answer)
    else:
        _judge(draft, answer)


_CHECKS_OF_AN_ANSWER: Final = 5
"""As the JSON value that its text holds, as a text, without nulls, and coerced; the issues are found by one more."""


def _check_form(draft: Draft, answer: str) -> None:
    schema = draft.agent.answer
    assert schema is not None  # the caller has looked
    value, steps = read_json(answer.strip(BLANK)), _steps(draft) // _CHECKS_OF_AN_ANSWER
    for candidate in (value, answer):
        if candidate is not UNREADABLE and not schema.check(candidate, steps):
            _judge(draft, answer, candidate)
            return
    if value is not UNREADABLE and draft.agent.fills_with_null(draft.window.model):
        shorter = without_nulls(draft.agent.definition.answer_schema, value)
        if not schema.check(shorter, steps):
            _judge(draft, answer, shorter)
            return
    data: Any = answer if value is UNREADABLE else value
    problems: tuple[Problem, ...] = ()
    issues = schema.check(data, steps)
    if draft.agent.options.coerces:
        data, problems, issues = coerce_to_schema(schema, data, issues, steps)
    if not issues:
        _judge(draft, answer, data, problems)
    elif value is UNREADABLE:
        correct(draft, "answer_schema", corrections.answer_no_json("it cannot be read as JSON"))
    else:
        correct(draft, "answer_schema", corrections.wrong_answer(issues))


def _steps(draft: Draft) -> int:
    """Return the steps of an answer's form: half of all where checks need the others."""
    return MAX_CHECK_STEPS // 2 if draft.agent.answer_checks else MAX_CHECK_STEPS


def _judge(draft: Draft, answer: str, data: Any = UNSET, problems: tuple[Problem, ...] = ()) -> None:
    """End with an answer that has its form, unless a check or a policy sends it back, or a tool has to judge it."""
    value = answer if data is UNSET else data
    rejection = answer_verdict(draft, value)
    refused = answer_rejection(draft, answer, value) if rejection is None else None
    if rejection is not None:
        send_back(draft, rejection)
    elif refused is not None:
        _leave(draft, refused)
    else:
        check_answer_by_tools(draft, answer, data, problems)


def _leave(draft: Draft, refused: AnswerRejection) -> None:
    """Send back what a policy does not take as the answer, or end without one."""
    if not refused.is_final:
        correct(draft, ANSWER_GUARDRAIL, refused.text, check=refused.by, advice=corrections.see_answer())
        return
    draft.derived(VerdictEvent(verdict="reject", check=refused.by, reason=refused.text))
    fail(draft, "answer_refused", refused.text, {"policy": refused.by})


def answer_verdict(draft: Draft, value: Any) -> Rejection | None:
    """Return the first rejection of an answer, or its data, by the definition's checks; tools judge it later."""
    checks = draft.agent.answer_checks
    if not checks:
        return None
    judged = Judged(what="answer", value=value, text=output_text(value), facts=_facts(draft))
    return first_rejection(checks, judged, MAX_CHECK_STEPS // 2)


def _facts(draft: Draft) -> AnswerFacts:
    exchange, kept = draft.state.exchange, draft.state.exchange.evidence
    return AnswerFacts(
        asked=exchange.asked,
        question=CitedText("" if kept is None else kept.question, kept is None or kept.question_cut),
        results=CitedText("" if kept is None else kept.results, kept is None or kept.results_cut),
        citable=citable_texts(draft),
        succeeded=exchange.succeeded,
        acted=_is_backed(draft),
    )


def _is_backed(draft: Draft) -> bool:
    """Whether an answer about the future is none about its own work: a call that may act has succeeded.

    Without tools nothing can be done first. The bare form knows no tools, so that talk of what will be done is the work
    of one.
    """
    agent = draft.agent
    if agent.is_open or not agent.tools:
        return not agent.is_open
    tools = [agent.tools.get(name) for name in draft.state.exchange.succeeded]
    return any(tool is not None and tool.may_act for tool in tools)
