"""What is done before a carried model is asked: the one move that its definition leaves, and its choice of tools.

A tool that has to be used and takes no arguments is called without the model. A model that scores texts is asked once
for each exchange which tools it needs; its scores alone decide.
"""

from msgspec.structs import replace

from ..dialects import Sample
from ..draft import Draft, choice_now, is_barred, is_carried, remembered
from ..json_text import call_signature
from ..values import Decided, NativeCall, NativeFunction, OneTool, ReadCall, is_aside
from .calls import take_calls
from .scores import ask_scores

_BEGINNING = ("start", "user_message")
"""Reasons for which the model is asked at the beginning of an exchange."""


def carry_on(draft: Draft) -> None:
    """Make the one call that the definition leaves, or have the model score its tools; else it is asked as it is."""
    state = draft.state
    if state.phase != "model" or is_aside(state.exchange) or state.exchange.final:
        return
    if draft.was_stopped or not is_carried(draft.agent, state):
        return
    tool = _only_call(draft)
    if tool:
        _call(draft, ReadCall(tool=tool, params={}))
    elif state.exchange.reason in _BEGINNING and choice_now(draft.agent, state) == "auto":
        ask_scores(draft)


def _only_call(draft: Draft) -> str:
    """Return the tool that has to be used, if its call is the only one that there can be; "" else."""
    agent, state = draft.agent, draft.state
    choice, tools = (
        choice_now(agent, state),
        tuple(agent.specs(state.exchange.withheld, model=state.window.model, found=state.exchange.found)),
    )
    if isinstance(choice, OneTool):
        tools = (choice.tool,) if choice.tool in tools else ()
    if choice in ("auto", "none") or len(tools) != 1 or not agent.takes_nothing(tools[0]):
        return ""
    signature = call_signature(tools[0], {})
    was_made = is_barred(state, signature) or remembered(state.exchange.recent, signature) is not None
    return "" if was_made else tools[0]


def _call(draft: Draft, call: ReadCall) -> None:
    """Make a call in the model's place; it passes where a model's call passes."""
    draft.derived(Decided(reason="one_call", tools=(call.tool,)))
    state = draft.state
    draft.state = replace(
        state,
        run=replace(state.run, calls=state.run.calls + 1),
        window=replace(state.window, turn_at=state.messages + len(draft.messages)),
    )
    dialect = draft.agent.dialect
    native_ids: tuple[str, ...] = ()
    if dialect.native_tools:
        native_ids = (f"call_{draft.run.calls}",)
        name = draft.agent.sent_names.get(call.tool, call.tool)
        function = NativeFunction(name=name, arguments=dict(call.params))
        draft.say("assistant", None, tool_calls=(NativeCall(id=native_ids[0], function=function),))
    else:
        draft.say("assistant", dialect.write(Sample(calls=(call,))))
    take_calls(draft, (call,), native_ids)
