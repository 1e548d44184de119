"""Tool outputs that were cut, and the calls that read on in them.

The state keeps where an output stands in the log and how long it is, never the output itself.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..agent import READ_OUTPUT, Agent, corrections
from ..bounds import DEFAULT_MAX_OUTPUT_CHARS, MAX_CUT_OUTPUTS
from ..values import CutOutput, OutputPart, Pending, RunState
from .draft import Draft


def is_reading(agent: Agent, tool: str) -> bool:
    """Whether calls of a tool read on in outputs."""
    return agent.reader is not None and tool == READ_OUTPUT


def may_read_on(agent: Agent, state: RunState) -> bool:
    """Whether the model is offered to read on: an output of this exchange was cut.

    A server that is given the tools has it among them from the start: a tool more would be another prompt, of which its
    cache has nothing.
    """
    return (
        (bool(state.exchange.cut) or (agent.dialect.native_tools and bool(agent.tools)))
        and agent.reader is not None
        and READ_OUTPUT not in state.exchange.withheld
        and not state.exchange.final
    )


def known_cut(state: RunState, call_id: str) -> CutOutput | None:
    """Return the cut output of a call of this exchange."""
    return next((entry for entry in state.exchange.cut if entry.call_id == call_id), None)


def note_cut(draft: Draft, call: Pending, text: str, limit: int, seq: int) -> str:
    """Return what is shown of an output longer than the limit; seq: the line of the log that holds it whole."""
    state = draft.state
    if draft.agent.reader is None:
        return corrections.cut_output(text, limit)
    entry = CutOutput(call.call_id, call.tool, seq, len(text))
    draft.exchange = replace(state.exchange, cut=(*state.exchange.cut, entry))
    return corrections.cut_to_read_on(text, limit, call.call_id)


def bound_cuts(draft: Draft) -> None:
    """Keep the latest cut outputs, once no call of the turn reads in one any more."""
    if len(draft.state.exchange.cut) > MAX_CUT_OUTPUTS:
        draft.exchange = replace(draft.state.exchange, cut=draft.state.exchange.cut[-MAX_CUT_OUTPUTS:])


def part_of(agent: Agent, state: RunState, call: Pending) -> OutputPart | UnsetType:
    """Return where a call's result stands in the log, for one that reads on."""
    entry = known_cut(state, call.params["call_id"]) if is_reading(agent, call.tool) else None
    if entry is None:
        return UNSET
    begin = int(call.params["from"])
    return OutputPart(seq=entry.seq, begin=begin, end=min(entry.chars, begin + _part_chars(agent, entry)))


def _part_chars(agent: Agent, entry: CutOutput) -> int:
    tool = agent.tools.get(entry.tool)
    return tool.max_output_chars if tool else DEFAULT_MAX_OUTPUT_CHARS


def shown_part(draft: Draft, call: Pending, text: str, limit: int) -> str:
    """Return the part of an output that a call has read, cut to the limit."""
    entry, part = known_cut(draft.state, call.params["call_id"]), part_of(draft.agent, draft.state, call)
    assert entry is not None  # a call without it is never handed out
    assert part is not UNSET
    return corrections.output_part(text[: min(limit, part.end - part.begin)], part.begin, entry.chars, entry.call_id)


def reads_well(state: RunState, call: Pending) -> bool:
    """Whether a call that reads on and is still to run names a cut output and a place in it."""
    if call.status == "done":
        return True
    entry = known_cut(state, call.params["call_id"])
    return entry is not None and call.params["from"] < entry.chars
