"""The exploration of trees: every observation for each run of a tree, in every state, held to the rules for trees.

The states, their merging, replaying and comparing are those of `exploration`; a tree has a book and rules of its own,
since one step of it may move several runs.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from purestep import (
    Approval,
    Approvals,
    Cancel,
    Decision,
    InvokeTool,
    ModelOutput,
    Observation,
    PurestepError,
    RequestApproval,
    Resumed,
    ToolResult,
    ToolResults,
    UserMessage,
    step,
)

from .alphabet import Alphabet, Move, first_moves, moves, said_by_user
from .case import RUN_ID, Case
from .exploration import Exploration, Node, Sampling, Violation, chained_lines, path_of
from .rules.trees import TREE_RULES, MadeTree
from .tree_book import TreeBook, noted, opened, parents_of, seen

Tools = dict[tuple[tuple[str, ...], str], dict[str, Any]]


def tools_of(definition: dict[str, Any], path: tuple[str, ...] = ()) -> Tools:
    """Return the tools of a definition and of its agents, by the agents down to them and their names."""
    found = {(path, tool["name"]): tool for tool in definition.get("tools", ())}
    for name, agent in definition.get("agents", {}).items():
        found |= tools_of(agent["agent"], path if agent.get("hand_off") else (*path, name))
    return found


def tree_moves(case: Case, decisions: Sequence[Decision] | None, *, steered: bool = False) -> Iterator[Move]:
    """Yield the observations for each run that waits, and those for the run as a whole.

    decisions: those that are open, None before the first message. steered: a message came in the middle already.
    """
    if decisions is None:
        yield from first_moves(case.alphabet)
        return
    found = opened(RUN_ID, decisions[0], decisions[1:])
    for run, path, decision in found:
        below = case.below[path[-1]] if path else case.alphabet
        for move in moves(below, decision):
            if not (move.steers and steered):
                yield _for_run(move, run, path) if path else move
    if found[0][1]:  # the run itself waits for agents alone
        yield from _for_all(case.alphabet)
    yield from _yes_to_all([decision for _, _, decision in found])


class TreeExploration(Exploration):
    """One exploration of a definition that has agents."""

    def __init__(self, case: Case, sampling: Sampling) -> None:
        super().__init__(case, sampling)
        self.tools = tools_of(case.definition)
        self.repeatable = frozenset(
            name
            for (_, name), tool in self.tools.items()
            if {"readOnlyHint", "idempotentHint"}
            & {hint for hint, holds in tool.get("annotations", {}).items() if holds}
        )

    def moves_from(self, node: Node | None) -> Iterator[Move]:
        """Return the observations for each run that waits, and those for the run as a whole."""
        if node is None:
            return tree_moves(self.case, None)
        return tree_moves(self.case, (node.decision, *node.also), steered=node.book.steered)

    def made(self, node: Node | None, move: Move) -> Node:
        """Make one step and hold it to the rules for trees."""
        made = self._step(node, move)
        lines = chained_lines(node, made, move)
        lineage = {} if node is None else parents_of(node.state)
        left = parents_of(made.state)
        decisions = opened(RUN_ID, made.decision, made.also)
        book = noted(TreeBook() if node is None else node.book, move, RUN_ID, lineage, self.repeatable)
        after = seen(book, decisions, lineage, left, RUN_ID)
        found = MadeTree(
            root=RUN_ID,
            move=move,
            step=made,
            book=book,
            after=after,
            last=[] if node is None else opened(RUN_ID, node.decision, node.also),
            decisions=decisions,
            lineage=lineage,
            left=left,
            tools=self.tools,
            limits=self.case.definition.get("limits", {}),
            handed=() if node is None else node.state.run.handed,
        )
        for name, rule in TREE_RULES:
            if (wrong := rule(found)) is not None:
                raise Violation(name, wrong, path_of(node, move))
        return Node(
            state=made.state,
            decision=made.decision,
            also=made.also,
            book=after,
            move=move,
            before=node,
            log=made.log,
            lines=len(lines) + (0 if node is None else node.lines),
            depth=1 if node is None else node.depth + 1,
        )

    def _refuse(self, node: Node) -> None:
        """Make the steps that must be refused: for runs that have ended, for calls that wait for agents."""
        for observation, code in _tree_misfits(node):
            self.counts.refused += 1
            given = "nothing"
            try:
                step(node.state, observation)
            except PurestepError as error:
                given = error.code
            if given != code:
                what = f"{observation.__struct_config__.tag} gave {given} instead of {code}: {observation}"
                raise Violation("refuses what does not fit", what, path_of(node))


def _for_run(move: Move, run: str, path: tuple[str, ...]) -> Move:
    """Return the observation for an agent's run; answers of a person find it by the keys of its calls."""
    name = f"{'/'.join(path)}: {move.name}"
    if isinstance(move.observation, Approvals):
        return replace(move, name=name)
    return replace(move, name=name, observation=replace(move.observation, run_id=run))


def _for_all(alphabet: Alphabet) -> Iterator[Move]:
    for message in alphabet.steers:
        said = said_by_user(message)
        yield Move(name=f"steer {message.content!r}", observation=said, message=message, steers=True)
    if alphabet.resumes:
        yield Move(name="resumed", observation=Resumed())
    if alphabet.cancels:
        yield Move(name="cancel", observation=Cancel())


def _yes_to_all(decisions: list[Decision]) -> Iterator[Move]:
    """Yield one yes for the calls of all runs, where more than one asks."""
    asking = [decision for decision in decisions if isinstance(decision, RequestApproval)]
    if len(asking) > 1:
        calls = [call for decision in asking for call in decision.calls]
        answers = tuple(Approval(call_id=call.call_id, key=call.key, approved=True) for call in calls)
        yield Move(name="yes to all runs", observation=Approvals(approvals=answers))


_NO_KEY: Final = "0" * 32


def _tree_misfits(node: Node) -> Iterator[tuple[Observation, str]]:
    for run in node.book.ended[-1:]:
        yield ModelOutput(content="It is done.", run_id=run), "unknown_run"
        yield Cancel(run_id=run), "unknown_run"
    waiting = [call for call in node.state.pending if call.child is not None]
    if waiting:
        result = ToolResult(call_id=waiting[0].call_id, ok=True, output="It was fine.")
        yield ToolResults(results=(result,)), "unknown_call"
        answer = Approval(call_id="call_1", key=_NO_KEY, approved=True)
        if node.state.phase != "approval":
            yield Approvals(approvals=(answer,)), "stale_approval"
        yield UserMessage(content="Go on.", run_id="never"), "unknown_run"
    if isinstance(node.decision, InvokeTool):
        twice = ToolResult(call_id="call_99", ok=True, output="It was fine.")
        run = getattr(node.decision, "run_id", None)
        run_id = run if isinstance(run, str) else None
        yield ToolResults(results=(twice,), run_id=run_id), "unknown_call"
