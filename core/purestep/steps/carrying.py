"""Carrying a model: what it is asked, and the moves that the user's words leave no choice about.

Before the model is asked, the plan is looked at. A step with one tool and one value for each argument is called at
once; when all steps have their result, the result is the answer; a request that asks for no tool is answered without
any. Each such move is logged as `decided`, with its reason.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ..agent import Agent
from ..bounds import MAX_ROUTED_TOOLS
from ..carry import DROPPED, MARGIN, SURE, Plan, Route, Router, Words, asks, only_looks, plan_of
from ..dialects import Sample
from ..json_text import call_signature
from ..values import (
    Carried,
    CarriedResult,
    Decided,
    NativeCall,
    NativeFunction,
    OneTool,
    ReadCall,
    RunState,
    ToolChoice,
)
from .answers import broken_postconditions
from .calls import take_calls
from .carried import MISSING_VALUE, ROUTE, implied_tool, results_text, step_words
from .carried_call import unfit_question
from .checking import answer_checks_of
from .choosing import choice_now
from .draft import Draft
from .ending import fail, finish
from .repeats import is_barred, remembered
from .scored import ask_scores, can_score, chosen_route, unspoken_tools


def carry_on(draft: Draft) -> None:
    """Make the moves that are left no choice about, until the model is to be asked, or something else comes first."""
    carried = draft.state.carried
    if draft.was_stopped and carried is not None:
        # The run may be about to be stopped. If it goes on, a person is asked before an effect is had twice.
        draft.state = replace(draft.state, carried=replace(carried, sure=""))
        return
    while _may_move(draft) and _move(draft):
        pass
    carried = draft.state.carried
    if carried is not None and _may_move(draft):
        excess = unfit_question(draft.agent, draft.state, carried)
        if excess is not None:
            fail(draft, excess.code, excess.message, excess.detail)


def _may_move(draft: Draft) -> bool:
    state = draft.state
    return state.phase == "model" and state.skill is None and draft.agent.carry_level(state.model) == ROUTE


def _move(draft: Draft) -> bool:
    """Make one move without the model, or note what it is asked; tells whether a move was made."""
    agent, state = draft.agent, draft.state
    carried = state.carried
    if carried is None or agent.router is None or _is_routed(agent, state):
        return False
    choice, plan = choice_now(agent, state), plan_of(carried.task, agent.router)
    if choice == "none":
        return _asked(draft, carried, ())
    words = step_words(plan, carried)
    is_due = carried.step < max(len(plan.steps), 1) and not implied_tool(plan, carried)
    lacking = agent.router.lacking(words) if is_due else None
    if lacking is not None and choice in ("auto", "required", OneTool(tool=lacking[0])):
        _end_without_value(draft, *lacking)
        return True
    chosen = chosen_route(draft, carried, words)
    if carried.step >= len(plan.steps) and chosen is None and choice == "auto":
        return _unspoken(draft, plan, carried)
    if _is_refused(agent.router, carried, words):
        _end_without_way(draft, carried.results[0])
        return True
    found = _open_routes(draft, plan, carried, chosen)
    routes = [route for route in found if not isinstance(choice, OneTool) or route.tool == choice.tool]
    if routes:
        return _go(draft, carried, words, routes, _sure(agent.router, words, found))
    if carried.results and not carried.results[0].ok:
        _end_without_way(draft, carried.results[0])
        return True
    if carried.step < len(plan.steps):
        draft.state = replace(state, carried=replace(carried, step=carried.step + 1))
        return True
    demanded = _demanded_routes(draft, plan, carried, choice)
    if demanded:
        return _go(draft, carried, words, demanded, _sure(agent.router, words, demanded))
    return _asked(draft, carried, _demanded_tools(draft, plan, carried, choice))


def _is_refused(router: Router, carried: Carried, words: Words) -> bool:
    """Tell whether a person has just refused what the step orders: another tool would be no way to do it."""
    last = carried.results[0] if carried.results else None
    return last is not None and last.fault == "refused" and router.verbs.order(last.tool, words.clause, words.whole)


def _go(draft: Draft, carried: Carried, words: Words, routes: Sequence[Route], sure: str) -> bool:
    """Make the one call that the routes leave, or have the model choose; tells whether a call was made."""
    offered = replace(carried, tools=tuple(sorted([route.tool for route in routes])), sure=sure)
    scored = carried.scored > carried.step or not can_score(draft.agent, draft.state)
    if len(routes) > 1 and not scored and ask_scores(draft, offered, words, offered.tools):
        return False
    only = routes[0].grounded.only if len(routes) == 1 else None
    if only is None:
        return _asked(draft, offered, offered.tools, offered.sure)
    draft.state = replace(draft.state, carried=offered)
    _call(draft, ReadCall(tool=routes[0].tool, params=only))
    return draft.state.phase == "model"


def _is_routed(agent: Agent, state: RunState) -> bool:
    """Tell whether the model is only asked again: what it may choose from was found before."""
    if state.reason == "escalate":
        return agent.carry_level(max(0, state.model - 1)) == ROUTE
    return state.reason in ("correction", "retry")


def _unspoken(draft: Draft, plan: Plan, carried: Carried) -> bool:
    """Go on where no words ask for a tool: with the scores of the model, where it gives any, or with the answer."""
    if carried.scored <= carried.step and can_score(draft.agent, draft.state):
        tools = unspoken_tools(draft, plan, carried)
        if tools and ask_scores(draft, replace(carried, tools=(), sure=""), step_words(plan, carried), tools):
            return False
    return _answered(draft, plan, carried)


def _asked(draft: Draft, carried: Carried, tools: tuple[str, ...], sure: str = "") -> bool:
    """Have the model asked for a call of one of the tools, or for an answer where there are none."""
    draft.state = replace(draft.state, carried=replace(carried, tools=tools, sure=sure))
    _log(draft, "routed", tools)
    return False


def _demanded_routes(draft: Draft, plan: Plan, carried: Carried, choice: ToolChoice) -> list[Route]:
    """Give the best tool for which the words hold values, where one has to be used that they do not ask for."""
    router = draft.agent.router
    assert router is not None  # the caller has looked
    found = router.routes(step_words(plan, carried), _barred_tools(draft, choice), least=0)
    return [route for route in found if not _was_made(draft, route)][:1]


def _demanded_tools(draft: Draft, plan: Plan, carried: Carried, choice: ToolChoice) -> tuple[str, ...]:
    """Give the tools to choose from where one has to be used and the words hold the values of none."""
    router = draft.agent.router
    assert router is not None  # the caller has looked
    nearest = router.nearest(step_words(plan, carried), _barred_tools(draft, choice))
    return tuple(sorted(nearest[:MAX_ROUTED_TOOLS]))


def _barred_tools(draft: Draft, choice: ToolChoice) -> frozenset[str]:
    withheld = frozenset(draft.state.withheld)
    return withheld | (draft.agent.tools.keys() - {choice.tool}) if isinstance(choice, OneTool) else withheld


def _open_routes(draft: Draft, plan: Plan, carried: Carried, chosen: Route | None) -> list[Route]:
    """Give the tools that the step at hand asks for, without calls that were made or barred.

    chosen: the route that the model's scores chose; no other is open until its call was made.
    """
    router = draft.agent.router
    assert router is not None  # the caller has looked
    if chosen is not None and not _was_made(draft, chosen):
        return [chosen]
    words = step_words(plan, carried)
    found = router.routes(words, frozenset(draft.state.withheld))
    implied = implied_tool(plan, carried)
    if implied and implied not in draft.state.withheld:
        route = router.route_to(implied, words)
        found = (route,) if route is not None else found
    allowed = [route for route in found if route.tool not in plan.denied or route.by_words >= router.threshold]
    routes = [route for route in allowed if not _was_made(draft, route)]
    near = [route for route in routes if route.score * 100 >= routes[0].score * MARGIN]
    if asks(words.clause, words.whole) or only_looks(words.clause):
        # What asks or looks is for a tool that only reads, where one comes near.
        near = [route for route in near if route.tool not in router.verbs.acting] or near
    # A tool that has a place for what was said goes before one that would drop two values of it.
    least = min([route.unused for route in near], default=0)
    near = [route for route in near if route.unused < least + DROPPED][:MAX_ROUTED_TOOLS]
    ordered = [route for route in near if router.verbs.order(route.tool, words.clause, words.whole)]
    return ordered if len(ordered) == 1 else near


def _was_made(draft: Draft, route: Route) -> bool:
    only = route.grounded.only
    if only is None:
        return False
    signature = call_signature(route.tool, only)
    return is_barred(draft.state, signature) or remembered(draft.state.recent, signature) is not None


def _sure(router: Router, words: Words, routes: Sequence[Route]) -> str:
    """Give the tool that the words clearly order: one alone, high above the threshold, its values sure.

    Of a tool that may act every word of the order has to be accounted for.
    """
    best = routes[0]
    if len(routes) > 1 or best.score < SURE or not best.grounded.sure or asks(words.clause, words.whole):
        return ""
    if not router.verbs.order(best.tool, words.clause, words.whole):
        return ""
    return best.tool if best.tool in router.verbs.reading or router.is_certain(best, words) else ""


def _call(draft: Draft, call: ReadCall) -> None:
    """Make the one call that the words allow."""
    _log(draft, "one_call", (call.tool,))
    state = draft.state
    draft.state = replace(state, calls=state.calls + 1, turn_at=state.messages + len(draft.messages))
    dialect = draft.agent.dialect
    native_ids: tuple[str, ...] = ()
    if dialect.native_tools:
        native_ids = (f"call_{draft.state.calls}",)
        function = NativeFunction(name=call.tool, arguments=dict(call.params))
        draft.say("assistant", None, tool_calls=(NativeCall(id=native_ids[0], function=function),))
    else:
        draft.say("assistant", dialect.write(Sample(calls=(call,))))
    take_calls(draft, (call,), native_ids)


def _end_without_way(draft: Draft, last: CarriedResult) -> None:
    """Fail openly: the last call gave nothing, and the words allow no other."""
    _log(draft, "no_way", ())
    if last.fault == "refused":
        fail(draft, "denied", f"{last.tool} was refused, and the request asks for nothing else that could be done")
    else:
        fail(draft, "tool_failed", f"{last.tool} gave no result that counts: {last.text}", {"tool": last.tool})


def _end_without_value(draft: Draft, tool: str, names: tuple[str, ...]) -> None:
    """Fail openly: what the user ordered lacks a value, and an answer instead would look as if it were done."""
    _log(draft, "no_way", ())
    named = " and ".join([f'"{name}"' for name in names])
    values = "a value" if len(names) == 1 else "values"
    fail(
        draft,
        MISSING_VALUE,
        f"{tool} was not called: it needs {values} for {named}; say what is missing, and the request goes on",
        {"tool": tool, "missing": list(names)},
    )


def _answered(draft: Draft, plan: Plan, carried: Carried) -> bool:
    """End with the results, where there are any, the answer has no form of its own, and no question is left."""
    is_done = any(result.ok for result in carried.results)
    if not is_done or draft.agent.answer is not None or plan.questions:
        return _asked(draft, carried, ())
    answer = results_text(draft.agent, draft.state, carried)
    if _has_own_form(draft.agent) or broken_postconditions(draft, answer):
        return _asked(draft, carried, ())
    _log(draft, "result", ())
    draft.say("assistant", draft.agent.dialect.write(Sample(answer=answer)))
    finish(draft, answer)
    return True


def _has_own_form(agent: Agent) -> bool:
    """Tell whether an answer needs a form, or a verdict, that results alone do not have."""
    return bool(answer_checks_of(agent)) or any(each.name == "observations" for each in agent.answer_guardrails)


def _log(draft: Draft, reason: str, tools: tuple[str, ...]) -> None:
    draft.derived(Decided(reason=reason, tools=tools))
