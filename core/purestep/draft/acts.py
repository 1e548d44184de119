"""Acts: what the state keeps of the calls of an exchange that may have changed something, to stand beside its ending.

A call counts if its tool may act, which every tool may without the annotation `readOnlyHint: true`; also one whose tool
the definition no longer has. Each is kept once it has its result, was refused, or the run ends while it may have run. A
call that waited for a person or its turn when the run ended has changed nothing, and nobody refused it: it is left out.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..bounds import MAX_ACT_CHARS, MAX_ACT_VALUE_CHARS, MAX_ACTS
from ..json_text import encode_sorted
from ..values import Act, ActStatus, Pending, RunState
from .draft import Draft

BY_POLICY: Final = "policy"
"""The fault of a call that a policy refused. It may allow the same call later, so the call is not barred."""

COMES_LATER: Final = "later"
"""The fault, so to speak, of a call that goes on elsewhere: what the model reads is no result of its."""

NEVER_RUN: Final = ("refused", "forbidden", BY_POLICY)
"""The faults of calls that the core closed itself."""


def note_acts(draft: Draft, calls: Iterable[Pending], may_have_begun: Collection[str] = ()) -> None:
    """Keep the calls of a turn that may have changed something, or were refused.

    may_have_begun: the ids of calls without a result that the host was told to run.
    """
    acts, left_out = draft.state.exchange.acts, draft.state.exchange.acts_left_out
    if acts is None:
        return
    for call in calls:
        status = _status(call, call.call_id in may_have_begun) if _may_act(draft.agent, call) else None
        if status is None:
            continue
        # One whose result came later in the exchange is there already, with an outcome that nobody knew.
        place = next((at for at, act in enumerate(acts) if act.call_id == call.call_id), len(acts))
        if place < MAX_ACTS:
            acts = (*acts[:place], _act(call, status), *acts[place + 1 :])
        else:
            left_out += 1
    if acts is not draft.state.exchange.acts or left_out:
        draft.exchange = replace(draft.state.exchange, acts=acts, acts_left_out=left_out)


def _may_act(agent: Agent, call: Pending) -> bool:
    tool = agent.tool(call.tool)
    return not call.checks and call.tool not in agent.agents and (tool is None or tool.may_act)


def _status(call: Pending, may_have_begun: bool) -> ActStatus | None:
    """Return what became of a call; None where it waited, and so has changed nothing."""
    if call.status != "done":
        return "unknown" if call.unknown or call.asked or may_have_begun else None
    if call.fault in NEVER_RUN:
        return "unknown" if call.unknown else "refused"
    if call.fault == COMES_LATER:
        return "unknown"
    if call.ok or call.fault:
        return "succeeded"  # also where a check has rejected what the tool gave
    return "unknown" if call.in_doubt else "failed"


def _act(call: Pending, status: ActStatus) -> Act:
    if len(encode_sorted(call.params)) <= MAX_ACT_CHARS:
        return Act(call_id=call.call_id, tool=call.tool, params=call.params, status=status)
    return Act(call_id=call.call_id, tool=call.tool, params=_beginnings(call.params), status=status, cut=True)


def _beginnings(params: dict[str, Any]) -> dict[str, Any]:
    """Return the first arguments, as many as there is room for, and of long ones the beginning as text."""
    kept: dict[str, Any] = {}
    room = MAX_ACT_CHARS
    for name, value in params.items():
        text = value if isinstance(value, str) else encode_sorted(value).decode()
        kept[name] = value if len(text) <= MAX_ACT_VALUE_CHARS else f"{text[:MAX_ACT_VALUE_CHARS]}..."
        room -= len(encode_sorted({name: kept[name]}))
        if room < 0:
            del kept[name]
            break
    return kept


def acts_at_end(draft: Draft) -> tuple[Act, ...] | None:
    """Return the acts that an ending has: None where no tool may act, or nobody knows what was done.

    The bare form knows no tools, so there they are what was called.
    """
    acts = draft.state.exchange.acts
    return acts if acts or draft.agent.may_act else None


def told_acts(state: RunState) -> tuple[Act, ...] | UnsetType:
    """Return the acts of a state that has ended, as decisions and lines tell them."""
    return UNSET if state.exchange.acts is None else state.exchange.acts
