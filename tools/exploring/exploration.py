"""The exploration: every observation of the alphabet in every state, breadth first, each step held to the rules.

Two states are one if they and their books are equal but for `head` and `seq`. Both only number and chain the log
lines to come, so no decision and no later phase depends on them (a wait that a server does not name does, which is why
every retry here names one). `_check_merge` makes sure of that: for one merge in some, all steps from both states are
made and compared.
"""

import itertools
from collections.abc import Iterator
from hashlib import blake2b, sha256
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from purestep import (
    Agent,
    AgentChanged,
    Decision,
    Done,
    PurestepError,
    RunState,
    Step,
    UserMessage,
    accepted_observations,
    replay,
    start,
    step,
    verify,
)

from .alphabet import Move, first_moves, moves
from .book import Book, noted, seen, steered, with_length
from .case import RUN_ID, Case
from .late_calls import late_moves, late_noted, read_late
from .misfits import misfits
from .policy import policy_of
from .rules import Made, broken_rule, said_for_user
from .tree_book import bare

_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder().decode


class Node(Struct, frozen=True, kw_only=True, gc=False):
    """A state that was reached, and how; `log` holds the lines of its last step, `lines` is their number in all."""

    state: RunState
    decision: Decision
    book: Any  # a `Book`, or a `TreeBook`
    move: Move
    before: "Node | None"
    log: str
    lines: int
    depth: int
    also: tuple[Decision, ...] = ()


class Violation(Exception):
    """A promise does not hold."""

    def __init__(self, rule: str, what: str, path: list[str]) -> None:
        super().__init__(f"{rule}: {what}; after {' / '.join(path)}")
        self.rule = rule


class Explored(Struct, kw_only=True):
    """What one exploration made: distinct states, steps, refusals, replayed logs and merges that were compared.

    done: states that have an answer. depth: how many observations every sequence was followed for. seconds: of the
    processor.
    """

    case: str
    states: int = 0
    done: int = 0
    steps: int = 0
    refused: int = 0
    replayed: int = 0
    compared: int = 0
    depth: int = 0
    seconds: float = 0.0


class Sampling(Struct, frozen=True, kw_only=True):
    """Of how many states one log is replayed, of how many merges one is compared, of how many misfits one is tried."""

    replays: int = 20
    merges: int = 50
    misfits: int = 5


EVERY: Final = Sampling(replays=1, merges=1, misfits=1)


class Exploration:
    """One exploration in the making: the states known so far, by what tells them apart."""

    def __init__(self, case: Case, sampling: Sampling) -> None:
        self.case, self.sampling = case, sampling
        self.agent = Agent.load(case.definition)
        self.policies = {False: policy_of(case, case.definition), True: policy_of(case, case.after or case.definition)}
        self.changes = [] if case.after is None else [_change(case.after)]
        self.counts = Explored(case=case.name)
        self.known: dict[bytes, Node] = {}
        self.merges = self.misfits = 0

    def run(self, most_states: int) -> None:
        """Explore level by level, until no state is new or as many as asked for are known."""
        level = [*self._reached(None)]
        while level and self.counts.states < most_states:
            following: list[Node] = []
            for node in level:
                following += self._reached(node)
                if self.counts.states >= most_states:
                    return
            self.counts.depth += 1
            level = following

    def _reached(self, node: Node | None) -> Iterator[Node]:
        """Make every step from a state; give the states that are new."""
        before = None if node is None else _encode(node.state)
        for move in self.moves_from(node):
            found = self.made(node, move)
            self.counts.steps += 1
            key = identity_of(found)
            known = self.known.get(key)
            if known is not None:
                self._merged(known, found)
                continue
            self.known[key] = found
            self.counts.states += 1
            self.counts.done += found.state.phase == "done"
            if self.counts.states % self.sampling.replays == 0:
                self._replay(found)
            yield found
        if node is not None:
            self._refuse(node)
            if _encode(node.state) != before:
                raise Violation("steps are pure", "a step changed the state that it was given", path_of(node))

    def moves_from(self, node: Node | None) -> Iterator[Move]:
        """Return the alphabet's observations for a state, or those that begin a run."""
        alphabet = self.case.alphabet
        if node is None:
            return iter(first_moves(alphabet))
        changes = [] if node.book.changed else self.changes
        # One message in waiting at a time: more of them would only make more states of the same kind.
        taken = (move for move in moves(alphabet, node.decision) if not (move.steers and node.book.queued))
        return itertools.chain(taken, late_moves(alphabet, node.book, node.decision), changes)

    def _step(self, node: Node | None, move: Move) -> Step:
        try:
            if node is not None:
                return step(node.state, move.observation)
            assert isinstance(move.observation, UserMessage)  # a run begins with one
            return start(self.agent, move.observation, RUN_ID)
        except PurestepError as error:
            raise Violation("takes what it accepts", f"{error.code}: {error}", path_of(node, move)) from error
        except Exception as error:
            raise Violation("never raises", repr(error), path_of(node, move)) from error

    def made(self, node: Node | None, move: Move) -> Node:
        """Make one step and hold it to the rules."""
        made = self._step(node, move)
        before = Book() if node is None else node.book
        lines = chained_lines(node, made, move)
        changes = isinstance(move.observation, AgentChanged)
        policy = self.policies[before.changed or changes]
        book = noted(policy, before, move)
        if not move.steers:
            book = steered(policy, book, said_for_user(made), answered=_answered_before(lines, "steered"))
        begins_late = _begins_late(node, move, lines)
        book = late_noted(policy, book, move, begins=begins_late)
        waits = move.steers or (move.late and not begins_late)
        after = book if waits else seen(policy, book, made.decision, _switches(lines))
        after = read_late(policy, after, lines)
        if changes:
            after = replace(after, cause="", corrections=0)
        if policy.history:
            begins = isinstance(move.observation, UserMessage) and not move.steers
            after = with_length(before, after, [message.role for message in made.messages], begins=begins)
        found = Made(
            policy=policy,
            move=move,
            step=made,
            before=before,
            book=book,
            after=after,
            lines=lines,
            last=None if node is None else node.decision,
        )
        self._judge(found, node)
        return Node(
            state=made.state,
            decision=made.decision,
            book=after,
            move=move,
            before=node,
            log=made.log,
            lines=len(lines) + (0 if node is None else node.lines),
            depth=1 if node is None else node.depth + 1,
        )

    def _judge(self, found: Made, node: Node | None) -> None:
        try:
            broken = broken_rule(found)
        except PurestepError as error:
            broken = "states are taken back", f"{error.code}: {error}"
        if broken is not None:
            raise Violation(*broken, path_of(node, found.move))

    def _refuse(self, node: Node) -> None:
        """Make the steps that must be refused, in turn over the states; the caller compares the state."""
        for misfit in misfits(node.book, node.decision, accepted_observations(node.state)):
            self.misfits += 1
            if self.misfits % self.sampling.misfits:
                continue
            self.counts.refused += 1
            code = "nothing"
            try:
                step(node.state, misfit.observation)
            except PurestepError as error:
                code = error.code
            except Exception as error:
                raise Violation("never raises", repr(error), path_of(node)) from error
            if code != misfit.code:
                kind = misfit.observation.__struct_config__.tag
                what = f"{kind} gave {code} instead of {misfit.code}: {misfit.observation}"
                raise Violation("refuses what does not fit", what, path_of(node))

    def _merged(self, known: Node, found: Node) -> None:
        self.merges += 1
        if self.merges % self.sampling.merges == 0:
            self.counts.compared += 1
            self._check_merge(known, found)

    def _check_merge(self, known: Node, found: Node) -> None:
        """Make sure that two states which were taken for one lead to the same states and decisions."""
        for one, other in zip(self.moves_from(known), self.moves_from(found), strict=True):
            first, second = self.made(known, one), self.made(found, other)
            if identity_of(first) != identity_of(second) or first.decision != second.decision:
                raise Violation("merged states are one", one.name, path_of(found))

    def _replay(self, node: Node) -> None:
        """Replay a state's whole log, and see that it no longer verifies once it was changed."""
        self.counts.replayed += 1
        log, head = log_of(node), node.state.head
        try:
            again = replay(log)
        except PurestepError as error:
            raise Violation("replay", f"{error.code}: {error}", path_of(node)) from error
        if again.state != node.state or again.decision != node.decision or again.lost:
            raise Violation("replay", "the log gives another state or decision", path_of(node))
        if not verify(log, head).ok:
            raise Violation("verify", "the log does not verify", path_of(node))
        for changed, given in _changed(log, head):
            if verify(changed, given).ok:
                raise Violation("verify", "a changed log verifies", path_of(node))


def _changed(log: str, head: str) -> Iterator[tuple[str, str | None]]:
    """Return the log with something changed or left out, and what is known of its head."""
    lines = log.splitlines(keepends=True)
    yield log, "0" * 64
    yield "".join(lines[:-1]), head
    derived = [number for number, line in enumerate(lines) if '"prev":"' in line]
    if not derived:
        return
    number = derived[-1]
    before, after = lines[:number], lines[number + 1 :]
    if not after:
        yield "".join(before), None
    yield "".join([*before, *after]), head
    yield "".join([*before, lines[number].replace('"}\n', 'x"}\n'), *after]), None
    yield "".join([*before, f'{lines[number][:-4]}-"}}\n', *after]), None
    yield "".join([*before[:-1], before[-1].replace("}\n", " }\n"), lines[number], *after]), None


def chained_lines(node: Node | None, made: Step, move: Move) -> list[dict[str, Any]]:
    """Return a step's log lines, once their numbers and their chain are what the documentation says."""
    head, seq = ("", 0) if node is None else (node.state.head, node.lines)
    lines: list[dict[str, Any]] = []
    for text in made.log.splitlines():
        line = _decode(text)
        if line.get("seq") != seq + len(lines):
            raise Violation("log chain", f"a line has the number {line.get('seq')}", path_of(node, move))
        if line.get("prev", head) != head:
            raise Violation("log chain", f"line {line['seq']} names another head before it", path_of(node, move))
        if line.get("at") != move.observation.at:
            raise Violation("log chain", f"line {line['seq']} has the time {line.get('at')}", path_of(node, move))
        head = sha256(head.encode() + text.encode()).hexdigest()
        lines.append(line)
    if made.state.head != head or made.state.run.seq != seq + len(lines):
        raise Violation("log chain", "the state's head is not that of its log", path_of(node, move))
    if not lines:
        raise Violation("log chain", "a step logged nothing", path_of(node, move))
    return lines


def _change(definition: dict[str, Any]) -> Move:
    return Move(name="another definition", observation=AgentChanged(agent=msgspec.Raw(_encode(definition))))


def _begins_late(node: Node | None, move: Move, lines: list[dict[str, Any]]) -> bool:
    """Whether an exchange begins with late results: those that come after an answer, or came before it unread."""
    after_answer = move.late and node is not None and isinstance(node.decision, Done)
    return after_answer or _answered_before(lines, "late_results")


def _answered_before(lines: list[dict[str, Any]], reason: str) -> bool:
    """Whether a step logged an answer before it told the model what came meanwhile, for that reason."""
    kinds = [line["kind"] for line in lines if line["kind"] == "final_answer" or line.get("reason") == reason]
    return kinds == ["final_answer", "decided"]


def _switches(lines: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return the moves of negotiation that a step logged."""
    switched = (line for line in lines if line["kind"] == "switched" and line["what"] != "no_plan")
    return tuple(f"{line['what']} for {line['cause']} to {line.get('to')}" for line in switched)


def identity_of(node: Node) -> bytes:
    """Return what tells a state from others: all of it and of its book but the place in the log."""
    return blake2b(_encode(bare(node.state)) + _encode(node.book), digest_size=16).digest()


def path_of(node: Node | None, move: Move | None = None) -> list[str]:
    """Return the names of the observations that lead to a state, and one more."""
    names = [] if move is None else [move.name]
    while node is not None:
        names.append(node.move.name)
        node = node.before
    return names[::-1]


def log_of(node: Node | None) -> str:
    """Return a state's whole log."""
    parts: list[str] = []
    while node is not None:
        parts.append(node.log)
        node = node.before
    return "".join(parts[::-1])
