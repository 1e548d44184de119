"""Claimed effects: what the state keeps of orders and of calls that acted, and the verdict on an answer.

Kept only where the definition has the guardrail `claims`, and only what an exchange has of it.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from msgspec.structs import replace

from ..agent import Agent, without_marks
from ..agent import corrections as words
from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_CLAIM_ITEMS, MAX_CLAIM_READINGS, MAX_CLAIMED_ORDERS, MAX_COUNTED_ACTS
from ..claims import (
    ItemsByPart,
    Orders,
    addresses_in,
    false_claim,
    has_digit,
    items_said,
    kinds_told,
    names_others,
    names_said,
    orders_of,
    reading_of,
    tells_beginning,
    tells_failure,
    trouble_words,
    value_nowhere,
)
from ..flow import unframed
from ..json_text import decode_json
from ..text import said_texts
from ..values import Claims, Message, Pending, RunState, text_of
from .draft import Draft

_NOTHING = Claims()


def begin_claims(draft: Draft, content: str, data: str = "") -> None:
    """Read what the words order that an exchange begins with; data: what came along, whose items are known."""
    effects = draft.agent.effects
    if effects is None:
        return
    read = orders_of(content, effects)
    earlier = draft.state.claims.earlier if draft.state.claims is not None else ()
    kept = Claims(ordered=read.acts, is_plain=read.is_plain, is_text=read.is_text, earlier=earlier)
    _keep(draft, _with_data(_requested(kept, read), data))


def _with_data(claims: Claims, data: str) -> Claims:
    """Give what is kept with the items of texts that came along with a message, as with those of a result."""
    if not data:
        return claims
    seen, cut = _joined(claims.seen, (data,))
    return replace(claims, seen=seen, cut=claims.cut or cut)


def _requested(claims: Claims, read: Orders) -> Claims:
    """Give what is kept of a message whose orders are kept: its words, and what they name."""
    named = replace(claims, names=read.names, series=read.series, things=read.things)
    # After acts, whoever agrees may only be told of them once more.
    agreed = read.is_assent and not claims.earlier
    return replace(named, request=read.is_request, words=read.words, agreed=agreed)


def join_claims(draft: Draft, content: str, data: str = "") -> None:
    """Add what words order that came in the middle of an exchange; data: what came along."""
    effects = draft.agent.effects
    if effects is None:
        return
    claims, read = draft.state.claims or _NOTHING, orders_of(content, effects)
    claims = _with_data(claims, data)
    _keep(
        draft,
        replace(
            claims,
            ordered=(*claims.ordered, *read.acts)[:MAX_CLAIMED_ORDERS],
            is_plain=read.is_plain and (claims.is_plain or not claims.ordered),
            is_text=claims.is_text or read.is_text,
            request=claims.request or read.is_request,
            words=_more(claims.words, read.words),
            names=_more(claims.names, read.names),
            series=_more(claims.series, read.series),
            things=_more(claims.things, read.things),
        ),
    )


def _more(before: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*before, *new)))[:MAX_CLAIM_ITEMS]


def adopted_claims(agent: Agent, messages: Sequence[Message]) -> Claims | None:
    """Give what is known of a run that begins with another program's messages: any tool may have acted before."""
    effects = agent.effects
    if effects is None or not messages:
        return None
    said, along = unframed(text_of(messages[-1].content))
    read = orders_of(said, effects) if messages[-1].role == "user" else None
    earlier = tuple(effects.tools) if any(message.role == "assistant" for message in messages) else ()
    claims = Claims(ordered=read.acts if read else (), is_plain=read is not None and read.is_plain, earlier=earlier)
    if read is not None:
        claims = _with_data(_requested(claims, read), "\n\n".join(along))
    return None if claims == _NOTHING else claims


def _keep(draft: Draft, claims: Claims) -> None:
    kept = None if claims == _NOTHING else claims
    if kept != draft.state.claims:
        draft.state = replace(draft.state, claims=kept)


def note_effect(draft: Draft, call: Pending, output: Any) -> None:
    """Keep which items an accepted result and, where its tool acts, its call have; a result may tell of a failure.

    Before an exchange is about an act, results are left out; the items of one that acts later are not judged then.
    """
    effects = draft.agent.effects
    claims = draft.state.claims or _NOTHING
    acts = effects is not None and effects.may_act_with(call.tool, call.params)
    if effects is None:
        return
    said = tuple(said_texts(output))
    if not acts:
        claims = _with_reading(_looked(claims, said), call.params, said)
    if not (claims.ordered or claims.request or claims.acted or acts):
        _keep(draft, claims)
        return
    if acts and tells_failure(output, effects.tools[call.tool].kinds):
        note_trouble(draft, call, output if isinstance(output, str) else " ".join(said))
        return
    given = (*said_texts(call.params), *(effects.prices_of(call.tool, call.params) if acts else ()))
    seen, cut = _joined(claims.seen, said if acts else (*said, *addresses_in(given)))
    began = claims.ordered or claims.request or claims.acted
    cut = cut or (not began and bool(draft.state.succeeded))
    items, more = _joined(claims.items, given) if acts else (claims.items, False)
    told = tuple(sorted({*claims.told, *kinds_told(output if isinstance(output, str) else " ".join(said))}))
    claims = _named(claims, call.params, (*given, *said), acts=acts)
    claims = replace(
        claims,
        acted=_acted(claims, call.tool) if acts else claims.acted,
        failed=tuple([name for name in claims.failed if name != call.tool]),
        pending=claims.pending or (acts and tells_beginning(output, effects.tools[call.tool].kinds)),
    )
    _keep(draft, replace(claims, items=items, seen=seen, told=told, cut=claims.cut or cut or more))


def _acted(claims: Claims, tool: str) -> tuple[str, ...]:
    """Give the tools that acted with one more call; where there are many calls, they are not counted any more."""
    is_counted = len(claims.acted) < MAX_COUNTED_ACTS or tool not in claims.acted
    return tuple(sorted((*claims.acted, tool)))[:MAX_CLAIM_ITEMS] if is_counted else claims.acted


def _looked(claims: Claims, said: Iterable[str]) -> Claims:
    """Give what is kept with whether a result so far, this one too, had a digit that an answer could repeat."""
    some = claims.results == "some" or has_digit(" ".join(said))
    return replace(claims, results="some" if some else "empty")


def _with_reading(claims: Claims, params: dict[str, Any], said: Sequence[str]) -> Claims:
    """Give what is kept with the values of a call that only looked; where acts are ordered, these are what counts."""
    if claims.ordered:
        return claims
    reading = reading_of(params, said) if len(claims.readings) < MAX_CLAIM_READINGS else None
    if reading is not None:
        return replace(claims, readings=(*claims.readings, reading))
    is_seen = claims.request or claims.acted
    return claims if is_seen or not has_digit(" ".join(said)) else replace(claims, cut=True)


def _named(claims: Claims, params: dict[str, Any], said: Iterable[str], *, acts: bool) -> Claims:
    """Give what is kept with the user's names that a call or its result says, and whether a call has others."""
    if not (claims.names or claims.things):
        return claims
    held = {*claims.held, *names_said((*claims.names, *claims.things), said)}
    strange = claims.strange or (acts and names_others(params, claims.words))
    return replace(claims, held=tuple(sorted(held)), strange=strange)


def note_trouble(draft: Draft, call: Pending, error: str) -> None:
    """Keep that a call failed and, where it acts, with what: an answer that repeats it claims nothing."""
    effects = draft.agent.effects
    claims = draft.state.claims or _NOTHING
    if effects is None:
        return
    if not effects.may_act_with(call.tool, call.params):
        _keep(draft, _looked(claims, ()))
        return
    failed = tuple(sorted({*claims.failed, call.tool}))
    _keep(draft, replace(claims, trouble=trouble_words(error, effects, call.params), failed=failed))


def _joined(before: tuple[str, ...], said: Iterable[str]) -> tuple[tuple[str, ...], bool]:
    new, cut = items_said(said, MAX_CLAIM_ITEMS)
    joined = tuple(dict.fromkeys((*before, *new)))
    return joined[:MAX_CLAIM_ITEMS], cut or len(joined) > MAX_CLAIM_ITEMS


def claims_after(agent: Agent, state: RunState) -> Claims | None:
    """Give what an exchange leaves to the next ones: which tools have acted."""
    claims = state.claims
    if agent.effects is None:
        return None
    known = claims or _NOTHING
    earlier = tuple(sorted({*known.earlier, *agent.effects.acted_of(state.succeeded, known.acted)}))
    return Claims(earlier=earlier) if earlier else None


def claims_under(before: Agent, after: Agent, claims: Claims | None) -> Claims | None:
    """Give what is known of orders and effects once another definition holds; unknown tools may have acted."""
    effects = after.effects
    if effects is None:
        return None
    kept = claims or _NOTHING
    earlier = set(kept.earlier) if before.effects is not None else effects.tools.keys()
    found = replace(
        kept,
        ordered=tuple([replace(act, tools=_those(act.tools, after)) for act in kept.ordered]),
        earlier=_those(tuple(sorted(earlier)), after),
        acted=_those(kept.acted, after),
        failed=_those(kept.failed, after),
    )
    return None if found == _NOTHING else found


def _those(names: tuple[str, ...], agent: Agent) -> tuple[str, ...]:
    assert agent.effects is not None  # the caller has looked
    return tuple([name for name in names if name in agent.effects.tools])


def claimed_without_call(draft: Draft, said: ItemsByPart, remind: str) -> str | None:
    """Give the feedback on an answer that claims an effect which no call of the exchange had; None for another."""
    effects, state = draft.agent.effects, draft.state
    if effects is None:
        return None  # all its tools only check
    claims = state.claims or _NOTHING
    found = false_claim(said, effects, claims, state.succeeded, _shown(draft))
    if found is None:
        return None
    if found.is_absent:
        return words.absent_value(found.item, remind)
    if found.about:
        return words.swapped_value(found.item, found.about, remind)
    acted = effects.acted_of(state.succeeded, claims.acted).difference(claims.refused)
    done = [name for name in state.succeeded if name in acted]
    return words.false_claim(found.tools, found.item, done, remind, ordered=found.ordered)


def _shown(draft: Draft) -> Callable[[], Iterable[str]] | None:
    """Give what gives the texts of the definition; None where the model read more than claims know of.

    They know neither earlier exchanges nor attachments.
    """
    state, agent = draft.state, draft.agent
    is_more = state.user_at != state.preamble or state.attachments
    return None if is_more else lambda: said_texts(decode_json(agent.source))


def said_items(draft: Draft, answer: str) -> ItemsByPart:
    """Give what an answer says, for all who judge it: where answers cite, the number of a call is none of its values.

    Nothing is read before one of them asks.
    """
    return ItemsByPart(answer if draft.agent.definition.citations is None else without_marks(answer))


def absent_from_results(draft: Draft, said: ItemsByPart, remind: str) -> str | None:
    """Give the feedback on an answer with a value that neither the question nor a result of the exchange says."""
    kept = draft.state.evidence
    if kept is None or not kept.results or kept.results_cut or kept.question_cut:
        return None
    value = value_nowhere(said, (kept.question, kept.results))
    return None if value is None else words.absent_value(value, remind)


def claims_fit(agent: Agent, claims: Claims) -> bool:
    """Tell whether what a state says of orders and effects is within its bounds, and names tools that act."""
    effects = agent.effects
    if effects is None or claims == _NOTHING:
        return False
    named = (*claims.earlier, *claims.acted, *claims.failed)
    return (
        len(claims.ordered) <= MAX_CLAIMED_ORDERS
        and len(claims.readings) <= MAX_CLAIM_READINGS
        and all(len(each.tools) <= len(effects.tools) for each in claims.ordered)
        and effects.tools.keys() >= {*named, *[name for each in claims.ordered for name in each.tools]}
        and (not claims.earlier or list(claims.earlier) == sorted(set(claims.earlier)))
        and _lists_fit(_kept(claims))
    )


def _kept(claims: Claims) -> list[tuple[str, ...]]:
    """Give the lists of texts that are kept."""
    said = (claims.words, claims.names, claims.series, claims.things, claims.held)
    read = [texts for each in claims.readings for texts in (each.about, each.values)]
    orders = [items for order in claims.ordered for items in (order.kinds, order.items, order.series)]
    kept = (claims.items, claims.seen, claims.told, claims.trouble, claims.acted, claims.failed)
    return [*orders, *said, *read, *kept]


def _lists_fit(lists: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether lists of texts are within their bounds; every step asks."""
    longest = max(map(len, chain.from_iterable(lists)), default=0)
    return max(map(len, lists)) <= MAX_CLAIM_ITEMS and longest <= MAX_CLAIM_ITEM_CHARS
