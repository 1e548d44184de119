"""What the state keeps of an exchange whose model is carried, and which calls of it are guesses."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from ..agent import Agent, CompiledTool, answer_text
from ..bounds import (
    MAX_CARRIED_CHARS,
    MAX_CARRIED_EARLIER,
    MAX_CARRIED_EARLIER_CHARS,
    MAX_CARRIED_RESULT_CHARS,
    MAX_CARRIED_RESULTS,
)
from ..carry import Plan, Words, plan_of, withdraws, words_in
from ..json_text import BLANK, both_ends
from ..values import Carried, CarriedResult, Pending, RunState
from .citing import cited_results
from .draft import Draft

ROUTE: Final = "route"

MISSING_VALUE: Final = "missing_value"
"""The code of an exchange that failed since a clear order lacks a value."""


def begin_carrying(draft: Draft, content: str, data: str = "") -> None:
    """Keep what carries the model through a new exchange, where its definition asks for that.

    data: what came along, in which values are looked for as in a result, and no orders.
    """
    if draft.agent.router is None:
        return
    before = draft.state.carried
    earlier = before.earlier if before is not None else ()
    if before is not None and draft.state.answer:
        earlier = (*earlier, (_short(before.task), _short(draft.state.answer)))[-MAX_CARRIED_EARLIER:]
    # What is asked stands at either end of a long text.
    task = both_ends(_task(draft, content), MAX_CARRIED_CHARS)
    draft.state = replace(draft.state, carried=Carried(task=task, earlier=earlier, data=_kept_data("", data)))


def _kept_data(before: str, data: str) -> str:
    return both_ends(f"{before}\n{data}" if before and data else before or data, MAX_CARRIED_CHARS)


def join_task(draft: Draft, content: str, data: str = "") -> None:
    """Add words that came in the middle of an exchange to its task.

    Steps that are done stay done. Where the words take something back, or together with those before do not order what
    they order alone, they are the task from now on.
    """
    carried, router = draft.state.carried, draft.agent.router
    if carried is None or router is None:
        return
    data = _kept_data(carried.data, data)
    task = f"{carried.task}\n{content}"
    before, after, added = plan_of(carried.task, router), plan_of(task, router), plan_of(content, router)
    goes_on = after.steps[: len(before.steps)] == before.steps and after.tools[: len(before.tools)] == before.tools
    goes_on = goes_on and len(after.steps) >= len(before.steps) + len(added.steps)
    if withdraws(added.whole):
        carried, task = Carried(task="", earlier=carried.earlier), both_ends(content, MAX_CARRIED_CHARS)
    elif len(task) > MAX_CARRIED_CHARS or not goes_on:
        carried = Carried(task="", earlier=carried.earlier, results=carried.results)
        task = both_ends(content, MAX_CARRIED_CHARS)
    # A call that was made without a step of the plan counted as one.
    step = min(carried.step, len(before.steps))
    draft.state = replace(
        draft.state, carried=replace(carried, task=task, step=step, tools=(), sure="", feedback="", data=data)
    )


def _task(draft: Draft, content: str) -> str:
    """Give the words of the exchange: those of the one before with them, where they only say what that one lacked."""
    before, failure, router = draft.state.carried, draft.state.failure, draft.agent.router
    if before is None or router is None or failure is None or failure.code != MISSING_VALUE:
        return content
    plan = plan_of(content, router)
    return content if plan.steps or withdraws(plan.whole) else f"{before.task}, {content}"


def step_words(plan: Plan, carried: Carried) -> Words:
    """Give what the step at hand takes its values from."""
    clause = plan.steps[carried.step] if carried.step < len(plan.steps) else plan.whole
    results = (*[result.text for result in carried.results if result.ok], *_texts(carried.data))
    return Words(clause, plan.whole, results) if results else words_in(clause, plan.whole)


def ground_words(plan: Plan, carried: Carried) -> Words:
    """Give what any step may take its values from: the model chooses which one it is at."""
    results = [result.text for result in carried.results]
    return Words(plan.whole, plan.whole, (*results, *_texts(carried.data)))


def _texts(data: str) -> tuple[str, ...]:
    return (data,) if data else ()


def implied_tool(plan: Plan, carried: Carried) -> str:
    """Give the tool of the step at hand where the request only implies it."""
    return plan.tools[carried.step] if carried.step < len(plan.tools) else ""


def results_text(agent: Agent, state: RunState, carried: Carried) -> str:
    """Give the results as an answer, those of each call in the order of the calls; "" without one that counts.

    Where an answer has to cite what it rests on, each line ends with the number of its result.
    """
    done = [(result, number) for result, number in reversed(cited_results(agent, state, carried.results)) if result.ok]
    return "\n".join([_cited(answer_text(result.tool, result.text), number) for result, number in done])


def _cited(text: str, number: int) -> str:
    lines = text.split("\n") if number else ()
    return "\n".join([f"{line} [{number}]" if line.strip(BLANK) else line for line in lines]) if number else text


def open_question(agent: Agent, state: RunState) -> str:
    """Give what of a request no tool answers, once all else of it has its results; "" where nothing is left."""
    carried = state.carried
    if carried is None or agent.router is None or _has_own_form(agent) or not is_asked_to_answer(agent, state):
        return ""
    plan = plan_of(carried.task, agent.router)
    is_due = carried.step >= len(plan.steps) and any(result.ok for result in carried.results)
    return "\n".join(plan.questions) if is_due else ""


def _has_own_form(agent: Agent) -> bool:
    """Tell whether an answer is to be one piece: by its schema, its sections or the checks of tools."""
    return (
        agent.answer is not None
        or any(each.name == "observations" for each in agent.answer_guardrails)
        or any(check.call is not None for check in agent.answer_postconditions)
    )


def with_results(draft: Draft, answer: str) -> str:
    """Give an answer with the results before it, where it answers only what no tool did."""
    carried = draft.state.carried
    if carried is None or not open_question(draft.agent, draft.state):
        return answer
    return f"{results_text(draft.agent, draft.state, carried)}\n{answer}"


def _short(text: str) -> str:
    return text[:MAX_CARRIED_EARLIER_CHARS]


def note_results(draft: Draft, calls: Sequence[Pending]) -> None:
    """Keep the results of a turn, the last first; a turn that succeeded takes the plan to its next step."""
    carried = draft.state.carried
    if carried is None:
        return
    new = tuple(
        CarriedResult(call.tool, call.text[:MAX_CARRIED_RESULT_CHARS], call.ok, call.fault) for call in reversed(calls)
    )
    succeeded = bool(calls) and all(call.ok for call in calls)
    draft.state = replace(
        draft.state,
        carried=replace(
            carried,
            results=(*new, *carried.results)[:MAX_CARRIED_RESULTS],
            step=carried.step + 1 if succeeded else carried.step,
            feedback="",
        ),
    )


def is_routed(agent: Agent, state: RunState) -> bool:
    """Tell whether the model is asked with prompts of its own, which hold no transcript."""
    return state.carried is not None and agent.carry_level(state.model) == ROUTE


def is_asked_to_answer(agent: Agent, state: RunState) -> bool:
    """Tell whether a carried model is asked for an answer only."""
    return state.carried is not None and not state.carried.tools and is_routed(agent, state)


def withholds_answer(agent: Agent, state: RunState) -> bool:
    """Tell whether a carried model is asked for a call only, since steps of the request are still to be made."""
    return state.carried is not None and bool(state.carried.tools) and not state.final and is_routed(agent, state)


def reminder(agent: Agent, state: RunState) -> str:
    """Give the sentence that repeats the form of an output; of an answer only, where nothing may be called."""
    dialect = agent.dialect
    return dialect.remind_answer if is_asked_to_answer(agent, state) else dialect.remind


def is_unsure(agent: Agent, state: RunState, tool: CompiledTool) -> bool:
    """Tell whether a person has to confirm a call: its tool may act, and the words do not clearly ask for it."""
    carried = state.carried
    if carried is None or agent.router is None or not is_routed(agent, state):
        return False
    return tool.spec.name not in agent.router.verbs.reading and carried.sure != tool.spec.name


def carried_fits(agent: Agent, carried: Carried) -> bool:
    """Tell whether what a state says of a carried exchange is within its bounds, and names tools that there are."""
    results_fit = len(carried.results) <= MAX_CARRIED_RESULTS and all(
        len(result.text) <= MAX_CARRIED_RESULT_CHARS for result in carried.results
    )
    earlier_fit = len(carried.earlier) <= MAX_CARRIED_EARLIER and all(
        len(text) <= MAX_CARRIED_EARLIER_CHARS for pair in carried.earlier for text in pair
    )
    said_fits = max(len(carried.task), len(carried.data)) <= MAX_CARRIED_CHARS + 1
    words_fit = said_fits and len(carried.feedback) <= MAX_CARRIED_RESULT_CHARS
    tools_fit = set(carried.tools) <= agent.tools.keys() and list(carried.tools) == sorted(set(carried.tools))
    scores_fit = (
        set(carried.scoring) <= agent.tools.keys()
        and list(carried.scoring) == sorted(set(carried.scoring))
        and carried.scored <= carried.step + 1
        and (not carried.chosen or carried.chosen in agent.tools)
    )
    return agent.router is not None and results_fit and earlier_fit and words_fit and tools_fit and scores_fit
