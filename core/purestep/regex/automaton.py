"""Search by automata: one pass over the text, a set of states at a time.

A pattern becomes a nondeterministic automaton (Thompson, 1968), built from its end backwards so that each part knows
the state after it. A search follows the set of all states that the automaton may be in; the moves from set to set are
cached, which makes the automaton deterministic as far as texts need it (Aho, Sethi and Ullman, 1986, 3.7). Time is
linear in the text for every pattern.

What depends on the position rather than on the character, such as `^`, `\\b` and lookaheads, becomes flags of each
position before the search. A lookahead's flags come from one pass over the text in reverse, with its automaton built
for reversed text: it holds at every position at which that pass, started everywhere, reaches its final state.
"""

from bisect import bisect_left, bisect_right
from typing import Final, assert_never

import msgspec

from ..bounds import MAX_CACHED_MOVES, MAX_CACHED_STATES, MAX_PATTERN_LOOKAHEADS, MAX_PATTERN_STATES
from . import syntax
from .budget import Budget, compile_budget
from .syntax import AT_END, AT_START, AT_WORD_EDGE, PatternError

_FIRST_LOOKAHEAD_FLAG: Final = 8
_NO_SYMBOL: Final = -1
_FEW_STATES: Final = 8
STEPS_A_SEARCH: Final = 12
"""Steps of a search beside those of its characters."""

_WORD: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")


class State(msgspec.Struct, frozen=True):
    """One state of an automaton.

    With `symbols` it consumes one of them and goes to `target`. Without, it moves along `edges` and consumes nothing;
    each is `(flag, wanted, target)`: open when the position has the flag or not, as wanted, and always for flag 0.
    With neither it is the final state.
    """

    symbols: frozenset[int] | None = None
    target: int = 0
    edges: tuple[tuple[int, bool, int], ...] = ()


class Automaton(msgspec.Struct, frozen=True):
    """States, of which number 0 is final; `first` is the number of the initial one."""

    states: tuple[State, ...]
    first: int


class Pattern:
    """A compiled regular expression; made by `compile_pattern`."""

    __slots__ = ("_lookaheads", "_main", "_marks_words", "_starts", "source", "steps_a_char")

    def __init__(self, source: str, starts: list[int], lookaheads: list[Automaton], main: Automaton) -> None:
        self.source = source
        self._starts = [chr(start) for start in starts]
        self._lookaheads = [_Search(automaton, reverse=True) for automaton in lookaheads]
        self._main = _Search(main, reverse=False)
        self._marks_words = any(_tests_word_edges(automaton) for automaton in [*lookaheads, main])
        self.steps_a_char = 1 + sum(_steps(len(automaton.states)) for automaton in [*lookaheads, main])
        """The most steps that `search` takes for a character, and for the end of the text."""

    def search(self, text: str, budget: Budget) -> bool:
        """Whether the pattern matches anywhere in the text, in time linear in its length.

        Raises OverBudgetError when that takes more steps than the budget has.
        """
        return self._main.finds(*self._places(text, budget), budget)

    def spans(self, text: str, budget: Budget) -> list[tuple[int, int]]:
        """Return where the pattern matches, as [begin, end): each match the leftmost, then the longest, none empty.

        Linear in the text where nothing matches; else each place at which a match may begin is tried. Raises
        OverBudgetError when that takes more steps than the budget has.
        """
        symbols, flags = self._places(text, budget)
        if not self._main.finds(symbols, flags, budget):
            return []
        found, begin = [], 0
        while begin < len(text):
            end = self._main.longest(symbols, flags, begin, budget)
            if end > begin:
                found.append((begin, end))
            begin = max(end, begin + 1)
        return found

    def _places(self, text: str, budget: Budget) -> tuple[list[int], list[int]]:
        """Return the symbol of each character, and the flags of each position."""
        budget.spend(STEPS_A_SEARCH + len(text))
        symbols = [bisect_right(self._starts, char) - 1 for char in text]
        flags = _place_flags(text, self._marks_words)
        for number, run in enumerate(self._lookaheads):
            for place in run.places_backwards(symbols, flags, budget):
                flags[place] |= _FIRST_LOOKAHEAD_FLAG << number
        return symbols, flags


def compile_pattern(source: str, budget: Budget | None = None) -> Pattern:
    """Compile an ECMA-262 regular expression of the supported subset (see `syntax`).

    budget: that of the compilation it is part of. Raises PatternError: `unsupported_pattern`, or `schema_too_large`
    past the bounds on length, groups, lookaheads and states; and OverBudgetError.
    """
    steps = compile_budget() if budget is None else budget
    tree = syntax.parse(source)
    nodes = _inner_first(tree)
    starts = _interval_starts(nodes)
    bodies = list(dict.fromkeys(node.body for node in nodes if isinstance(node, syntax.Lookahead)))
    if len(bodies) > MAX_PATTERN_LOOKAHEADS:
        message = f"expected at most {MAX_PATTERN_LOOKAHEADS} lookaheads in a pattern, got {len(bodies)}"
        raise PatternError("schema_too_large", message)
    flags = {body: _FIRST_LOOKAHEAD_FLAG << number for number, body in enumerate(bodies)}
    lookaheads = [_Builder(starts, flags, steps, reverse=True).build(body) for body in bodies]
    return Pattern(source, starts, lookaheads, _Builder(starts, flags, steps, reverse=False).build(tree))


def _inner_first(tree: syntax.Node) -> list[syntax.Node]:
    """Return all nodes of the tree, each after the nodes inside it."""
    found, pending = [], [tree]
    while pending:
        node = pending.pop()
        found.append(node)
        match node:
            case syntax.Sequence(parts) | syntax.Choice(parts):
                pending.extend(parts)
            case syntax.Repeat(body) | syntax.Lookahead(body):
                pending.append(body)
    return found[::-1]


def _interval_starts(nodes: list[syntax.Node]) -> list[int]:
    """Return the first code points of the intervals within which no part of the pattern tells characters apart.

    A symbol is the number of such an interval.
    """
    starts = {0}
    for node in nodes:
        if isinstance(node, syntax.CharacterSet):
            starts.update(edge for low, high in node.ranges for edge in (low, high + 1))
    return sorted(starts - {syntax.LAST_CODE_POINT + 1})


class _Builder:
    """Builds one automaton, for text read forwards or in reverse."""

    def __init__(self, starts: list[int], lookaheads: dict[syntax.Node, int], budget: Budget, *, reverse: bool) -> None:
        self.starts = starts
        self.budget = budget
        self.known_symbols: dict[syntax.Ranges, frozenset[int]] = {}
        self.lookaheads = lookaheads
        self.reverse = reverse
        self.states = [State()]

    def build(self, tree: syntax.Node) -> Automaton:
        first = self.add(tree, 0)
        return Automaton(tuple(self.states), first)

    def add(self, node: syntax.Node, target: int) -> int:
        """Add the states of `node`, which lead to `target`; give the first. Every node adds at least one."""
        match node:
            case syntax.CharacterSet(ranges):
                return self.new(State(self.symbols(ranges), target))
            case syntax.Sequence(parts):
                return self.add_sequence(parts, target)
            case syntax.Choice(branches):
                return self.fork(*[self.add(branch, target) for branch in branches])
            case syntax.Repeat():
                return self.add_repeat(node, target)
            case syntax.Assertion(flag, wanted):
                return self.new(State(edges=((flag, wanted, target),)))
            case syntax.Lookahead(body, wanted):
                return self.new(State(edges=((self.lookaheads[body], wanted, target),)))
        assert_never(node)

    def add_sequence(self, parts: tuple[syntax.Node, ...], target: int) -> int:
        entry = self.fork(target)
        for part in parts if self.reverse else reversed(parts):
            entry = self.add(part, entry)
        return entry

    def add_repeat(self, node: syntax.Repeat, target: int) -> int:
        if node.high is None:
            entry = self.new(State())
            self.states[entry] = State(edges=((0, True, self.add(node.body, entry)), (0, True, target)))
        else:
            entry = self.fork(target)
            for _ in range(node.high - node.low):
                entry = self.fork(self.add(node.body, entry), target)
        for _ in range(node.low):
            entry = self.add(node.body, entry)
        return entry

    def fork(self, *targets: int) -> int:
        return self.new(State(edges=tuple((0, True, target) for target in targets)))

    def new(self, state: State) -> int:
        if len(self.states) >= MAX_PATTERN_STATES:
            message = f"the pattern needs more than {MAX_PATTERN_STATES} states; use smaller repetition counts"
            raise PatternError("schema_too_large", message)
        self.budget.spend(1 + len(state.edges))
        self.states.append(state)
        return len(self.states) - 1

    def symbols(self, ranges: syntax.Ranges) -> frozenset[int]:
        known = self.known_symbols.get(ranges)
        if known is None:
            spans = [(bisect_left(self.starts, low), bisect_left(self.starts, high + 1)) for low, high in ranges]
            known = frozenset(symbol for first, end in spans for symbol in range(first, end))
            self.known_symbols[ranges] = known
            self.budget.spend(len(ranges) + len(known))
        return known


def _steps(reached: int) -> int:
    """Return the steps of one move with so many states reached, whether it is cached or not.

    Few states make few different moves, which are nearly always cached; of many states most moves are new.
    """
    return 1 + reached // 2 if reached <= _FEW_STATES else 2 * reached - 11


_Move = tuple[bool, frozenset[int], int]


class _Search:
    """An automaton with a cache of the moves made so far; the cache changes its speed and nothing else."""

    def __init__(self, automaton: Automaton, *, reverse: bool) -> None:
        self.states = automaton.states
        self.symbols = [state.symbols or frozenset() for state in automaton.states]
        self.targets = [state.target for state in automaton.states]
        self.near: dict[int, tuple[int, ...] | None] = {}
        self.start = frozenset([automaton.first])
        # A match may begin at every position, unless the pattern can leave its first state only at the start.
        self.restart = self.start if reverse or _can_begin_late(automaton) else frozenset()
        self.moves: dict[tuple[frozenset[int], int, int, bool], _Move] = {}
        self.cached_states = 0

    def finds(self, symbols: list[int], flags: list[int], budget: Budget) -> bool:
        """Whether the final state is reached anywhere in the text."""
        active = self.start
        for symbol, flag in zip(symbols, flags, strict=False):
            ended, active, steps = self.move(active, flag, symbol)
            budget.spend(steps)
            if ended or not active:
                return ended
        return self.move(active, flags[-1], _NO_SYMBOL)[0]

    def longest(self, symbols: list[int], flags: list[int], begin: int, budget: Budget) -> int:
        """Return the end of the longest match that begins at a position; -1 where none does."""
        active, end, place = self.start, -1, begin
        while active:
            symbol = symbols[place] if place < len(symbols) else _NO_SYMBOL
            ended, active, steps = self.move(active, flags[place], symbol, alone=True)
            budget.spend(steps)
            if ended:
                end = place
            place += 1
        return end

    def places_backwards(self, symbols: list[int], flags: list[int], budget: Budget) -> list[int]:
        """Return the positions at which the automaton, built for reversed text, reaches its final state."""
        places, active = [], self.start
        for place in range(len(symbols), -1, -1):
            ended, active, steps = self.move(active, flags[place], symbols[place - 1] if place else _NO_SYMBOL)
            budget.spend(steps)
            if ended:
                places.append(place)
        return places

    def move(self, active: frozenset[int], flag: int, symbol: int, *, alone: bool = False) -> _Move:
        """Return whether the final state is reached at this position, the states after the symbol, and the steps.

        alone: no other match begins here.
        """
        key = (active, flag, symbol, alone)
        known = self.moves.get(key)
        if known is None:
            if len(self.moves) >= MAX_CACHED_MOVES or self.cached_states >= MAX_CACHED_STATES:
                self.moves.clear()
                self.cached_states = 0
            known = self.moves[key] = self.compute_move(active, flag, symbol, alone=alone)
            self.cached_states += len(known[1])
        return known

    def compute_move(self, active: frozenset[int], flag: int, symbol: int, *, alone: bool = False) -> _Move:
        reached, symbols, targets = self.closure(active, flag), self.symbols, self.targets
        after = frozenset([targets[number] for number in reached if symbol in symbols[number]])
        return 0 in reached, after if alone else self.restart | after, _steps(len(reached))

    def closure(self, active: frozenset[int], flag: int) -> set[int]:
        """Return the active states and all that they reach without consuming, at a position with these flags."""
        known = self.near
        near: list[tuple[int, ...]] = []
        far: list[int] = []
        for number in active:  # order: the states reached are the same in any
            around = known[number] if number in known else self.look_around(number)
            if around is None:
                far.append(number)
            else:
                near.append(around)
        reached = set(far).union(*near)
        while far:
            for needed, wanted, target in self.states[far.pop()].edges:
                if target not in reached and (not needed or bool(flag & needed) == wanted):
                    reached.add(target)
                    far.append(target)
        return reached

    def look_around(self, number: int) -> tuple[int, ...] | None:
        """Return what a state reaches at every position, and remember it; None if that is much, or depends on flags."""
        reached, pending = {number}, [number]
        while pending:
            edges = self.states[pending.pop()].edges
            later = {target for _, _, target in edges} - reached
            reached |= later
            pending += later
            if len(reached) > _FEW_STATES or any(needed for needed, _, _ in edges):
                self.near[number] = None
                return None
        found = self.near[number] = tuple(sorted(reached))
        return found


def _can_begin_late(automaton: Automaton) -> bool:
    """Whether a match may begin after the start of the text."""
    reached, pending = {automaton.first}, [automaton.first]
    while pending:
        state = automaton.states[pending.pop()]
        if not state.edges:
            return True
        later = {target for needed, _, target in state.edges if needed != AT_START} - reached
        reached |= later
        pending += later
    return False


def _tests_word_edges(automaton: Automaton) -> bool:
    return any(needed == AT_WORD_EDGE for state in automaton.states for needed, _, _ in state.edges)


def _place_flags(text: str, mark_words: bool) -> list[int]:
    """Return the flags of each position, from before the first character to after the last."""
    flags = [0] * (len(text) + 1)
    flags[0] |= AT_START
    flags[-1] |= AT_END
    if mark_words:
        in_word = [False, *[char in _WORD for char in text], False]
        for place in range(len(flags)):
            flags[place] |= AT_WORD_EDGE * (in_word[place] != in_word[place + 1])
    return flags
