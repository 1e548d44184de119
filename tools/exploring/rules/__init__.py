"""The rules: what holds for every step, judged by the definition's data and the onlooker's book.

A rule gives what is wrong, in one sentence, or None. A new rule is a function, and a row in `RULES`.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from .approvals import asked_once, asks_first, denied_never_run
from .calls import choice_holds, keys_hold, no_effect_doubled, only_offered_calls, results_once, unknown_fails
from .changes import change_is_kept, change_is_logged, new_head_is_sent
from .ends import acts_are_told, answers_are_answers, cancel_ends, phases_fit
from .flows import flows_are_told, no_forbidden_flow, open_text_is_framed
from .history import history_is_kept
from .late import late_begins, late_is_read, late_waits
from .limits import corrections_limited, deadline_holds, moves_limited, repeats_limited, turns_and_calls_limited
from .logs import acts_logged, facts_logged, results_told
from .made import Made
from .plans import plan_acts_on_nothing, plan_request_is_sent_once, planned_once, steps_are_asked
from .rates import costs_limited, rates_choose
from .requests import refused_is_left_out, refused_once
from .searches import found_is_logged, found_is_offered
from .skills import skills_executed, skills_logged
from .steering import said_for_user, steering_is_told, steering_waits

__all__ = ["RULES", "Made", "Rule", "broken_rule", "said_for_user"]


class Rule(Struct, frozen=True):
    """A rule with the name that findings carry."""

    name: str
    check: Callable[[Made], str | None]


RULES: Final = (
    Rule("asks first", asks_first),
    Rule("denied never runs", denied_never_run),
    Rule("asked once", asked_once),
    Rule("no forbidden flow", no_forbidden_flow),
    Rule("flows told", flows_are_told),
    Rule("open text framed", open_text_is_framed),
    Rule("no effect doubled", no_effect_doubled),
    Rule("keys hold", keys_hold),
    Rule("one result per call", results_once),
    Rule("unknown outcomes", unknown_fails),
    Rule("only offered calls", only_offered_calls),
    Rule("tool choice", choice_holds),
    Rule("turns and calls", turns_and_calls_limited),
    Rule("deadline", deadline_holds),
    Rule("corrections", corrections_limited),
    Rule("repeats", repeats_limited),
    Rule("moves", moves_limited),
    Rule("plan acts on nothing", plan_acts_on_nothing),
    Rule("planned once", planned_once),
    Rule("steps are asked", steps_are_asked),
    Rule("plan request sent once", plan_request_is_sent_once),
    Rule("rates choose", rates_choose),
    Rule("costs", costs_limited),
    Rule("answers", answers_are_answers),
    Rule("acts told", acts_are_told),
    Rule("cancelled", cancel_ends),
    Rule("phases", phases_fit),
    Rule("facts logged", facts_logged),
    Rule("acts logged", acts_logged),
    Rule("results told", results_told),
    Rule("skills executed", skills_executed),
    Rule("skills logged", skills_logged),
    Rule("change logged", change_is_logged),
    Rule("change kept", change_is_kept),
    Rule("new head", new_head_is_sent),
    Rule("refused left out", refused_is_left_out),
    Rule("refused once", refused_once),
    Rule("found is offered", found_is_offered),
    Rule("found is logged", found_is_logged),
    Rule("steering waits", steering_waits),
    Rule("steering told", steering_is_told),
    Rule("history kept", history_is_kept),
    Rule("late waits", late_waits),
    Rule("late is read", late_is_read),
    Rule("late begins", late_begins),
)
"""All rules for a step; `exploration` has those for refusals, replays and merges."""


def broken_rule(made: Made) -> tuple[str, str] | None:
    """Return the name of the first rule that a step breaks, and how."""
    for rule in RULES:
        if (wrong := rule.check(made)) is not None:
            return rule.name, wrong
    return None
