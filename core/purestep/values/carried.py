"""What the state keeps of an exchange whose model is carried: the user's words, results, and what is asked now."""

from msgspec import Struct

from .wire import Count


class CarriedResult(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The result of a call of this exchange, cut to a bound: its tool, its text, and whether it succeeded.

    `fault`: why the core closed it (`refused` by a person or the policy, a check's name); "" where the tool answered.
    """

    tool: str
    text: str
    ok: bool
    fault: str = ""


class Carried(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What carries the model through an exchange; bounded, whatever the length of the run.

    `task`: the user's words. `step`: how many steps of the plan are behind. `results`: of the latest calls, last first.
    `tools`: those offered now; `sure`: the one that the words clearly ask for. `feedback`: the latest correction.
    `earlier`: the questions and answers before. `scoring`: the tools that the model is asked to score now; `scored`:
    how many steps have been scored; `chosen`: the tool that the latest scores chose. `data`: what came along with the
    words.
    """

    task: str
    step: Count = 0
    results: tuple[CarriedResult, ...] = ()
    tools: tuple[str, ...] = ()
    sure: str = ""
    feedback: str = ""
    earlier: tuple[tuple[str, str], ...] = ()
    scoring: tuple[str, ...] = ()
    scored: Count = 0
    chosen: str = ""
    data: str = ""
