"""Trees of runs: what holds for a run with the agents that it calls, judged from the outside."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from purestep import (
    Approvals,
    CallModel,
    Cancel,
    Done,
    Failed,
    InvokeTool,
    ModelError,
    ModelOutput,
    RequestApproval,
    Resumed,
    Step,
    ToolResults,
)

from ..alphabet import Move
from ..tree_book import (
    APPROVED,
    GONE,
    HANDED,
    IN_DOUBT,
    REFUSED,
    SETTLED,
    Opened,
    TreeBook,
    TreeCall,
    above,
    addressed,
    is_within,
)


class MadeTree(Struct, frozen=True, kw_only=True):
    """One step of a tree with what an onlooker knows of it.

    book: with the observation noted. after: with the decisions seen. last, decisions: those that were and are open.
    lineage, left: the run above each agent's run, before and after. tools: by the agents down to them and their names.
    """

    root: str
    move: Move
    step: Step
    book: TreeBook
    after: TreeBook
    last: list[Opened]
    decisions: list[Opened]
    lineage: dict[str, str]
    left: dict[str, str]
    tools: dict[tuple[tuple[str, ...], str], dict[str, Any]]
    limits: dict[str, int]
    handed: tuple[str, ...] = ()
    """Who had the conversation before."""


def _handed(made: MadeTree) -> list[tuple[Opened, Any, TreeCall | None]]:
    known = {call.key: call for call in made.book.calls}
    return [
        (each, call, known.get(call.key))
        for each in made.decisions
        if isinstance(each[2], InvokeTool)
        for call in each[2].calls
    ]


def approved_first(made: MadeTree) -> str | None:
    """Check that a call whose tool asks runs only after a yes to its key, wherever in the tree it was made."""
    for (_, path, _), call, known in _handed(made):
        tool = made.tools.get((path, call.tool))
        if tool is None:
            return f"{call.tool} is handed out at {path}, which has no such tool"
        if tool.get("approval") == "ask" and not (known is not None and known.approved):
            return f"{call.call_id} at {path} is handed out unasked"
    return None


def settled_once(made: MadeTree) -> str | None:
    """Check that a call with a result, or refused, is never handed out or asked about again."""
    over = {call.key for call in made.book.calls if call.status in SETTLED}
    for run, _, decision in made.decisions:
        if isinstance(decision, InvokeTool | RequestApproval):
            again = [call.call_id for call in decision.calls if call.key in over]
            if again:
                return f"{again[0]} of {run} is asked for again, and was settled"
    return None


def answered_once(made: MadeTree) -> str | None:
    """Check that a person is not asked again about a call that was approved, unless its host was stopped."""
    if isinstance(made.move.observation, Resumed):
        return None
    approved = {call.key for call in made.book.calls if call.status in (APPROVED, HANDED)}
    for _, path, decision in made.decisions:
        if isinstance(decision, RequestApproval):
            again = [call.call_id for call in decision.calls if call.key in approved]
            if again:
                return f"{again[0]} at {path} is asked about again"
    return None


def keys_are_one_runs(made: MadeTree) -> str | None:
    """Check that no two runs of a tree have a call of one key."""
    owners = {call.key: call.run for call in made.book.calls}
    for run, _, decision in made.decisions:
        for call in decision.calls if isinstance(decision, InvokeTool | RequestApproval) else ():
            if owners.setdefault(call.key, run) != run:
                return f"{run} and {owners[call.key]} have calls of one key"
    return None


def _touched(made: MadeTree, run: str) -> bool:
    """Whether an observation may change what a run waits for: it is for that, or for one above or below it."""
    came = made.move.observation
    if isinstance(came, Approvals):
        keys = {answer.key for answer in came.approvals}
        named = {call.run for call in made.book.calls if call.key in keys}
    else:
        named = {addressed(made.root, came)}
    return any(is_within(made.lineage, run, each) or is_within(made.lineage, each, run) for each in named)


def others_are_untouched(made: MadeTree) -> str | None:
    """Check that what comes for one run changes nothing that its neighbours wait for, while they go on."""
    now = {run: decision for run, _, decision in made.decisions}
    for run, path, decision in made.last:
        if run in made.left and not _touched(made, run) and now.get(run) != decision:
            return f"what the agent at {path} waits for has changed"
    return None


def ended_stay_ended(made: MadeTree) -> str | None:
    """Check that an agent that has ended is never heard of again, and that nothing is open once the run has ended."""
    for run in made.left:
        if run in made.book.ended:
            return f"{run} goes on, and had ended"
    if isinstance(made.step.decision, Done | Failed) and (made.step.also or made.left):
        return "the run has ended, and something below it goes on"
    return None


def cancel_reaches_its_runs(made: MadeTree) -> str | None:
    """Check that a cancel ends the run that it names and all below it, and no other."""
    if not isinstance(made.move.observation, Cancel):
        return None
    named = addressed(made.root, made.move.observation)
    if named == made.root:
        is_over = isinstance(made.step.decision, Failed) and made.step.decision.code == "cancelled"
        return None if is_over else "a cancelled run goes on"
    for run in made.lineage:
        if is_within(made.lineage, run, named) and run in made.left:
            return f"{run} goes on, and was cancelled"
        if not is_within(made.lineage, run, named) and run not in made.left and run not in above(made.lineage, named):
            return f"{run} has ended, and another was cancelled"
    return None


def said_to_its_run(made: MadeTree) -> str | None:
    """Check that what a model or a tool gave one run is in the transcripts of no other that does not wait for it."""
    came = made.move.observation
    if not isinstance(came, ModelOutput | ModelError | ToolResults):
        return None
    run = addressed(made.root, came)
    if made.root in made.step.children:
        return f"what came for {run} is told to the run itself as to one of its agents"
    allowed = {run, *above(made.lineage, run)}
    for each in (*made.step.children, *([made.root] if made.step.messages else [])):
        is_new = each != made.root and each not in made.lineage and each not in made.book.ended
        if each not in allowed and not is_new:
            return f"what came for {run} is told to {each}"
    return None


def tree_is_limited(made: MadeTree) -> str | None:
    """Check that all runs of a tree together keep to the limits of the first; what was asked before may be answered."""
    asked = [(run, decision) for run, _, decision in made.last]
    asks = [
        path
        for run, path, decision in made.decisions
        if isinstance(decision, CallModel) and (run, decision) not in asked
    ]
    if asks and made.after.turns >= made.limits.get("max_turns", 1_000):
        return f"the model is asked at {asks[0]} after {made.after.turns} turns"
    made_calls = made.after.agents + len(made.after.calls)
    if made_calls > made.limits.get("max_tool_calls", 1_000):
        return f"{made_calls} calls were made"
    return None


def agents_at_once(made: MadeTree) -> str | None:
    """Check that no run has more agents at once than calls."""
    below = [parent for parent in made.left.values() if parent == made.root]
    return f"{len(below)} agents go on at once" if len(below) > made.limits.get("max_parallel", 1_000) else None


def paths_are_true(made: MadeTree) -> str | None:
    """Check that each decision names the agents down to its run, one for each level, and no run has two decisions."""
    runs = [run for run, _, _ in made.decisions]
    if len({*runs}) != len(runs):
        return "a run waits with two decisions"
    for run, path, _ in made.decisions:
        if len(path) != len(above(made.left, run)):
            return f"{run} is said to be at {path}"
    return None


def tree_acts_are_told(made: MadeTree) -> str | None:
    """Check that a run that ends tells each call that may have changed something, with its agents and its outcome."""
    decision = made.step.decision
    if not isinstance(decision, Done | Failed):
        return None
    told = Counter((*act.path, act.tool, act.call_id, act.status) for act in decision.acts or ())
    expected = Counter(
        (*call.path, call.tool, call.call_id, call.status)
        for call in made.after.calls
        if not _only_reads(made, call) and call.status != GONE
    )
    # A call that was refused and is made again is told as refused, and nobody was asked.
    more = [act for act in told - expected if act[-1] != REFUSED]
    lacking = [*(expected - told)]
    return f"acts are told as {[*told]} instead of {[*expected]}" if more or lacking else None


def _only_reads(made: MadeTree, call: TreeCall) -> bool:
    hints = made.tools[call.path, call.tool].get("annotations", {})
    return bool(hints.get("readOnlyHint"))


def resumed_asks(made: MadeTree) -> str | None:
    """Check that a call that may have run when its host was stopped is asked about before it runs again."""
    if not isinstance(made.move.observation, Resumed):
        return None
    doubted = {call.key for call in made.book.calls if call.status == IN_DOUBT}
    again = [call.call_id for _, call, _ in _handed(made) if call.key in doubted]
    return f"{again[0]} runs again unasked" if again else None


def handed_by_the_model(made: MadeTree) -> str | None:
    """Check that a conversation is handed over by an output that calls for that alone, and stays where it is."""
    before, now = made.handed, made.step.state.run.handed
    if now == before:
        return None
    came = made.move.observation
    alone = (
        isinstance(came, ModelOutput) and addressed(made.root, came) == made.root and len(came.tool_calls or ()) == 1
    )
    called = came.tool_calls[0].function.name if isinstance(came, ModelOutput) and came.tool_calls else ""
    if not alone or now != (*before, called):
        return f"the conversation goes from {before} to {now}"
    return None


TREE_RULES: Final[tuple[tuple[str, Callable[[MadeTree], str | None]], ...]] = (
    ("paths are true", paths_are_true),
    ("approved first", approved_first),
    ("settled once", settled_once),
    ("answered once", answered_once),
    ("keys are one run's", keys_are_one_runs),
    ("others untouched", others_are_untouched),
    ("ended stay ended", ended_stay_ended),
    ("cancel reaches its runs", cancel_reaches_its_runs),
    ("said to its run", said_to_its_run),
    ("tree limited", tree_is_limited),
    ("agents at once", agents_at_once),
    ("tree's acts told", tree_acts_are_told),
    ("resumed asks", resumed_asks),
    ("handed by the model", handed_by_the_model),
)
"""All rules for a step of a tree; `RULES` are those for a run without agents."""
