"""The rules of history that a definition has, held to its tools."""

from collections.abc import Iterable

from ..errors import PurestepError, closest
from ..json_text import excerpt_of
from ..values import HistoryOptions


def check_history(rules: HistoryOptions, place: str, tools: Iterable[str]) -> None:
    """Raise `invalid_agent` for a rule that can leave nothing out.

    place: of the options in the definition. tools: the names of all tools that a model may call.
    """
    known = sorted(tools)
    has_rule = rules.keep_exchanges or rules.results or rules.summary_above or rules.reasoning
    if not has_rule and rules.pin is None:
        raise PurestepError(
            "invalid_agent",
            "expected a rule of history: keep_exchanges, results, pin, summary_above or reasoning",
            place,
        )
    for number, rule in enumerate(rules.results):
        before = next((at for at in range(number) if not rules.results[at].tools), None)
        if before is not None:
            raise PurestepError(
                "invalid_agent",
                f"the rule {before} holds for all tools, so that this one never does; put it last",
                f"{place}/results/{number}",
            )
        for index, name in enumerate(rule.tools):
            _check_tool(name, known, f"{place}/results/{number}/tools/{index}")


def _check_tool(name: str, known: list[str], path: str) -> None:
    if name in known:
        return
    near = closest(name, tuple(known))
    hint = f'; did you mean "{near}"?' if near else ""
    raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(name)}{hint}", path)
