"""Tool search: what is found is offered after all that was offered before, for the exchange, and nothing else is."""

import json

from purestep import CallModel, UserMessage

from ..alphabet import SEARCH
from ..book import offered_names
from .made import Made


def found_is_offered(made: Made) -> str | None:
    """Check that a request has the tools of the start, then what was found, the latest last, and no other tool."""
    decision, policy = made.step.decision, made.policy
    if not policy.most_found or not isinstance(decision, CallModel) or decision.reason == "skill":
        return None
    begun = isinstance(made.move.observation, UserMessage) and not made.move.steers
    begun = begun or any(line["kind"] == "final_answer" for line in made.lines)  # steered into the next exchange
    before = () if begun else made.before.found
    new = [name for name in (*_found(made), *_shown(made)) if name not in before]
    expected = (*policy.head, *(*before, *dict.fromkeys(new))[-policy.most_found :])
    offered = offered_names(decision)
    return None if offered == expected else f"{', '.join(offered)} are offered instead of {', '.join(expected)}"


def found_is_logged(made: Made) -> str | None:
    """Check that each search of the turn is logged with what it found, and finds what has its words."""
    for line in made.lines:
        if line["kind"] == "skill_ended" and line["skill"] == SEARCH:
            query = next(
                json.loads(call.params)["query"] for call in made.book.calls if call.call_id == line["call_id"]
            )
            if line["output"] != query.split(" "):
                return f"the search for {query} is logged with {line['output']}"
    return None


def _found(made: Made) -> list[str]:
    ended = [line for line in made.lines if line["kind"] == "skill_ended" and line["skill"] == SEARCH]
    return [name for line in ended for name in line["output"]]


def _shown(made: Made) -> list[str]:
    """Return the deferred tool that a correction is about, which the model was not told of."""
    corrected = any(line["kind"] == "correction" and line["cause"] == "invalid_arguments" for line in made.lines)
    names = [tool for tool, params in made.move.calls if any(isinstance(value, int) for value in params.values())]
    return [name for name in names[:1] if name not in made.policy.head] if corrected else []
