"""The prompt with a head of its own, after a negotiation or for another definition, without what is not sent again."""

from collections.abc import Sequence

from ..agent import Agent
from ..values import Message, RunState
from ..window import Entry
from .fitting import lead_of, sends_examples


def negotiated_prompt(
    agent: Agent, state: RunState, prompt: Sequence[Entry]
) -> tuple[tuple[Message, ...], tuple[Entry, ...]]:
    """Return the messages that come first, and the entries after them.

    agent: as the model is asked now. prompt: what would be sent without a negotiation or a change.
    """
    negotiated = state.exchange.negotiated
    skipped = negotiated.skipped if negotiated is not None else ()
    if not (agent.has_own_head or state.run.changed):
        return (), _without(prompt, skipped)
    head = agent.preamble if sends_examples(agent, state) else agent.preamble[:1]
    return head, _without(prompt, ((0, lead_of(agent, state)), *skipped))


def _without(entries: Sequence[Entry], skipped: Sequence[tuple[int, int]]) -> tuple[Entry, ...]:
    """Return the entries without the messages of the skipped ranges."""
    kept = list(entries)
    for begin, end in skipped:
        parts: list[Entry] = []
        for entry in kept:
            if isinstance(entry, tuple):
                cut = ((entry[0], min(entry[1], begin)), (max(entry[0], end), entry[1]))
                parts += [part for part in cut if part[0] < part[1]]
            elif not begin <= entry.index < end:
                parts.append(entry)
        kept = parts
    return tuple(kept)
