"""What a carried model is asked, read off the state alone: the tools routed to, their values, and a short prompt."""

from msgspec.structs import replace

from ..agent import (
    Agent,
    CarriedQuestion,
    Offer,
    carried_messages,
    grounded_spec,
    scoring_messages,
)
from ..agent import corrections as said
from ..bounds import ROUTED_TOKENS
from ..carry import Router, Words, plan_of
from ..json_text import BLANK
from ..values import Carried, CarriedResult, Message, RunState, ToolSpec
from ..window import framed, prompt_tokens
from .carried import ROUTE, ground_words, open_question, step_words
from .choosing import choice_now
from .citing import cited_results
from .fitting import LimitExceeded, room_of, unfit
from .read_on import may_read_on
from .scored import choices_of


def carried_offer(agent: Agent, state: RunState, carried: Carried) -> tuple[Offer, tuple[Message, ...]]:
    """Give what the model is offered and the messages sent; none where the transcript is sent."""
    level, choice = agent.carry_level(state.model), choice_now(agent, state)
    if agent.router is None or level == "off" or (level != ROUTE and agent.dialect.native_tools):
        # Tools that stand in the prompt stay as they are: values that come later would change its head at each call.
        withheld = tuple(agent.tools) if state.final else state.withheld
        reads, again = may_read_on(agent, state), state.cause == "answer_schema"
        return agent.offer(state.model, withheld, choice, reads=reads, answers_again=again), ()
    plan = plan_of(carried.task, agent.router)
    if level != ROUTE:
        names = () if state.final else tuple(agent.specs(state.withheld))
        specs = _narrowed(agent, agent.router, names, ground_words(plan, carried), strict=False)
        if may_read_on(agent, state):
            specs |= agent.specs(tuple(agent.tools), reads=True)
        return agent.offer_of(state.model, specs, choice), ()
    words = step_words(plan, carried)
    choices = choices_of(agent, state)
    if choices:
        return Offer(choices=choices), scoring_messages(agent.specs(), words.clause.text.strip(BLANK))
    names = () if state.final or choice == "none" else carried.tools
    specs = _narrowed(agent, agent.router, names, words, strict=True)
    offer = agent.offer_of(state.model, specs, choice, answers=not specs)
    if not specs:
        offer = replace(offer, sampling=agent.talk_sampling)
    question = _question(agent, state, carried, words, open_question(agent, state), calls=bool(specs))
    return offer, _within_window(agent, state, offer, specs, question)


def _within_window(
    agent: Agent, state: RunState, offer: Offer, specs: dict[str, ToolSpec], question: CarriedQuestion
) -> tuple[Message, ...]:
    """Give the messages of a question without as many results and questions before as the window has no room for."""
    shown = {name: agent.tools[name].spec for name in specs}
    room = None if state.sent is None else room_of(agent, state)
    messages = carried_messages(agent.definition, agent.dialect, shown, question)
    while room is not None and (question.results or question.earlier):
        if prompt_tokens(messages, offer.tokens) <= room:
            break
        question = replace(question, results=question.results[:-1], earlier=question.earlier[1:])
        messages = carried_messages(agent.definition, agent.dialect, shown, question)
    return messages


def unfit_question(agent: Agent, state: RunState, carried: Carried) -> LimitExceeded | None:
    """Give why the window has no room for what a routed model is asked, whatever is left out of it; None if it has."""
    room = None if state.sent is None else room_of(agent, state)
    if room is None or choices_of(agent, state):
        return None  # whether there is room to ask for scores was looked at before
    if _surely_fits(agent, carried, room):
        return None
    offer, messages = carried_offer(agent, state, carried)
    tokens = prompt_tokens(messages, offer.tokens)
    return unfit(tokens, room) if tokens > room else None


def _surely_fits(agent: Agent, carried: Carried, room: int) -> bool:
    """Tell whether a question fits even beside all tools and if each of its bytes is a token; most do."""
    if agent.dialect.native_tools:
        return False  # tools have the values of arguments, in any number
    said = [carried.task, carried.data, carried.feedback, *[result.text for result in carried.results]]
    before = [text for pair in carried.earlier for text in pair]
    most = sum([len(text.encode()) for text in said]) + 2 * sum([len(text.encode()) for text in before])
    return agent.system_tokens + agent.example_tokens + most + ROUTED_TOKENS <= room


def _narrowed(
    agent: Agent, router: Router, names: tuple[str, ...], words: Words, *, strict: bool
) -> dict[str, ToolSpec]:
    """Give the tools with each argument held to its candidates."""
    specs = {}
    for name in names:
        spec = agent.tools[name].spec
        grounded = router.grounded(name, words) if strict else router.loosely_grounded(name, words)
        specs[name] = spec if grounded is None else grounded_spec(spec, grounded, drop_others=strict)
    return specs


def _question(
    agent: Agent, state: RunState, carried: Carried, words: Words, left: str, *, calls: bool
) -> CarriedQuestion:
    """Give what is asked: the step at hand, or the request as a whole; or what is left of it beside the results."""
    text = words.clause.text.strip(BLANK) if calls else left or carried.task
    shown = carried.results if (words.looks_back if calls else not left) else ()
    results = tuple(
        [
            (result.tool, _read_text(agent, result, 0 if calls else number), result.ok)
            for result, number in cited_results(agent, state, shown)
        ]
    )
    if carried.data and not calls:
        text = f"{text}\n\n{framed(carried.data)}"
    return CarriedQuestion(text=text, results=results, feedback=carried.feedback, earlier=carried.earlier)


def _read_text(agent: Agent, result: CarriedResult, number: int) -> str:
    """Give what the model reads of a result, with the number by which an answer cites it, where there is one.

    What anybody may have written is framed as data.
    """
    is_open = agent.tools[result.tool].is_open and not result.fault
    text = framed(result.text) if is_open else result.text
    return said.numbered(number, text) if number else text
