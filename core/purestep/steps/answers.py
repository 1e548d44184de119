"""The checks of an answer: what the definition demands of it, in order, and the correction of the first that fails."""

from typing import Any, Final

from msgspec import UNSET

from ..agent import (
    Rejection,
    is_placeholder,
    is_planning,
    judge_answer,
    lacks_observations,
    unsaid_number,
    without_marks,
)
from ..agent import corrections as words
from ..bounds import MAX_CHECK_STEPS
from ..draft import Draft, answer_rejection, citation_problem, early_answer, repeats_question
from ..json_text import BLANK, UNREADABLE, read_json
from ..values import Guardrail, Problem, Reading
from .calls import coerce_to_schema
from .checking import check_answer_by_tools
from .ending import fail, finish
from .limits import ANSWER_GUARDRAIL, ANSWER_POSTCONDITION, FAILURES, clear, correct


def check_answer(draft: Draft, reading: Reading, cut: bool) -> None:
    """Check an answer against everything that the definition demands; correct the first thing that is wrong."""
    if draft.exchange.corrections:
        for cause in ("guardrail", "postcondition"):
            if cause in draft.exchange.corrections:
                # The correction asked for another call: an answer now would be based on the rejected output.
                fail(draft, cause, f"{FAILURES[cause]}: the model answered without an accepted result")
                return
        clear(draft, "parse_error", "unknown_tool", "invalid_arguments", "tool_choice")
    answer, remind = reading.content, draft.agent.dialect.remind
    if answer is not None and reading.asks and answer.strip(BLANK) and early_answer(draft.agent, draft.state) is None:
        finish(draft, answer, question=True)
    elif answer is None or not answer.strip(BLANK) or is_placeholder(answer):
        correct(draft, "inconclusive", words.empty_output(remind))
    elif cut and not reading.closed:
        correct(draft, "truncated", words.cut_off(remind, answer=True))
    elif (rejection := _judge_answer(draft, answer, remind)) is not None:
        cause, text, check = rejection
        correct(draft, cause, text, named=_demanded(draft, cause), checks=(check,) if cause == ANSWER_GUARDRAIL else ())
    elif draft.agent.answer is not None:
        _check_form(draft, answer)
    else:
        _finish(draft, answer)


def _judge_answer(draft: Draft, answer: str, remind: str) -> tuple[str, str, str] | None:
    """Return the cause, the feedback and the name of what rejects an answer: the choice, else the first guardrail."""
    if (early := early_answer(draft.agent, draft.state)) is not None:
        return "obligation", early, "tool_choice"
    for guardrail in draft.agent.answer_guardrails:
        found = _rejected_by(draft, guardrail, answer, remind)
        if found is not None:
            return (*found, guardrail.name)
    return None


def _rejected_by(draft: Draft, guardrail: Guardrail, answer: str, remind: str) -> tuple[str, str] | None:
    """Return the cause and the feedback, where a guardrail rejects an answer."""
    match guardrail.name:
        case "planning" if is_planning(answer) and not _is_backed(draft):
            return "inconclusive", words.planning(remind)
        case "echo" if repeats_question(draft, answer):
            return "inconclusive", words.echoed_question(remind)
        case "obligation" if not _met(guardrail.tools or (), draft.exchange.succeeded):
            return "obligation", words.obligation(guardrail.tools or (), remind)
        case "observations" if _met(guardrail.tools or (), draft.exchange.succeeded):
            problem = lacks_observations(answer)
            return None if problem is None else ("answer_schema", words.without_observations(problem, remind))
        case "values" if (number := _unsaid_number(draft, answer)) is not None:
            return ANSWER_GUARDRAIL, words.unsaid_number(number, remind)
    return None


def _is_backed(draft: Draft) -> bool:
    """Return whether an answer about the future is none about its own work: a call that may act has succeeded.

    Without tools nothing can be done first. The bare form knows no tools, so that talk of what will be done is the work
    of one.
    """
    agent = draft.agent
    if agent.is_open or not agent.tools:
        return not agent.is_open
    tools = [agent.tools.get(name) for name in draft.exchange.succeeded]
    return any(tool is not None and tool.may_act for tool in tools)


def _unsaid_number(draft: Draft, answer: str) -> str | None:
    """Return a number of an answer that neither the user nor an accepted result has said, once there are results."""
    kept = draft.exchange.evidence
    if kept is None or not kept.results or kept.results_cut or kept.question_cut:
        return None
    said = answer if draft.agent.definition.citations is None else without_marks(answer)
    return unsaid_number(said, (kept.question, kept.results))


def _demanded(draft: Draft, cause: str) -> tuple[str, ...]:
    """Return the tools one of which an answer needs, where that is why it was rejected."""
    if cause != "obligation":
        return ()
    demanding = [entry for entry in draft.agent.answer_guardrails if entry.name == "obligation"]
    return tuple(tool for entry in demanding for tool in entry.tools or ())


def _met(demanded: tuple[str, ...], succeeded: tuple[str, ...]) -> bool:
    return bool(succeeded) if not demanded else any(tool in succeeded for tool in demanded)


_CHECKS_OF_AN_ANSWER: Final = 4
"""As the JSON value that its text holds, as a text, and coerced; the issues are found by one more."""


def _check_form(draft: Draft, answer: str) -> None:
    schema = draft.agent.answer
    assert schema is not None  # the caller has looked
    value, steps = read_json(answer.strip(BLANK)), _steps(draft) // _CHECKS_OF_AN_ANSWER
    for candidate in (value, answer):
        if candidate is not UNREADABLE and not schema.check(candidate, steps)[1]:
            _finish(draft, answer, candidate)
            return
    data: Any = answer if value is UNREADABLE else value
    problems: tuple[Problem, ...] = ()
    _, issues = schema.check(data, steps)
    if draft.agent.definition.coerce:
        data, problems, issues = coerce_to_schema(schema, data, issues, steps)
    if not issues:
        _finish(draft, answer, data, problems)
    elif value is UNREADABLE:
        correct(draft, "answer_schema", words.answer_no_json("it cannot be read as JSON"))
    else:
        correct(draft, "answer_schema", words.wrong_answer(issues))


def _steps(draft: Draft) -> int:
    """Return the steps of an answer's form: half of all where postconditions need the others."""
    return MAX_CHECK_STEPS // 2 if draft.agent.answer_postconditions else MAX_CHECK_STEPS


def _finish(draft: Draft, answer: str, data: Any = UNSET, problems: tuple[Problem, ...] = ()) -> None:
    """End with an answer, unless it breaks a postcondition."""
    value = answer if data is UNSET else data
    rejections = broken_postconditions(draft, value)
    rejected = None if rejections else answer_rejection(draft, answer, value)
    if rejected is not None:
        correct(draft, ANSWER_GUARDRAIL, rejected[1], checks=(rejected[0],))
        return
    if not rejections:
        check_answer_by_tools(draft, answer, data, problems)
        return
    text = words.broken_answer([each.reason for each in rejections], draft.agent.dialect.remind)
    broken = tuple(dict.fromkeys(each.check for each in rejections))
    correct(draft, ANSWER_POSTCONDITION, text, checks=broken, advice=words.see_answer())


def broken_postconditions(draft: Draft, answer: Any) -> tuple[Rejection, ...]:
    """Return what an answer, or its data, breaks of the definition's postconditions, its citations among them."""
    agent = draft.agent
    if not agent.answer_postconditions and agent.definition.citations is None:
        return ()
    broken = judge_answer(agent.answer_postconditions, answer, MAX_CHECK_STEPS // 2, draft.exchange.evidence)
    problem = citation_problem(draft, answer) if isinstance(answer, str) else None
    return broken if problem is None else (*broken, Rejection(check="citations", reason=problem, cause="postcondition"))
