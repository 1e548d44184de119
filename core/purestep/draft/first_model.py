"""The model that an exchange asks first: chosen by rates of success, where its definition names some.

Negotiation, a larger window and images or files move on from it as from any other.
"""

from collections.abc import Sequence

from ..agent import request_kind
from ..values import Content, DataText, Decided, kind_of, parts_of
from .attachments import takes_kind
from .draft import Draft
from .prompt_window import with_model


def choose_first_model(draft: Draft, content: Content, data: Sequence[DataText]) -> None:
    """Ask the model that its rates for such a request speak for, and log them; without rates the first one is asked."""
    chooser = draft.agent.rates
    if chooser is None:
        return
    models = draft.agent.definition.models
    kinds = {kind_of(part) for _, part in parts_of(content)}
    able = [index for index in range(len(models)) if all(takes_kind(draft.agent, index, kind) for kind in kinds)]
    candidates = able or range(len(models))  # a message that none can read fails as it does without rates
    choice = draft.exchange.tool_choice or draft.agent.definition.tool_choice
    request = request_kind(chooser.forms, choice, content, data)
    rates = [chooser.rate_of(models[index].name, request) for index in candidates]
    chosen = candidates[chooser.choice(rates)]
    draft.window = with_model(draft.window, chosen)
    draft.agent = draft.agent.asked(draft.state)
    draft.derived(Decided(reason="rates", model=models[chosen].name, request=request, rates=tuple(rates)))
