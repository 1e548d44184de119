"""What is read of a request is kept with its words, and changes nothing: whoever asks, in whatever order."""

from hypothesis import given
from hypothesis import strategies as st

from purestep.carry import THRESHOLD, Router, Words, clause_of, plan_of, words_in
from tests.core.carry.tools import SPECS

ROUTERS = (Router(SPECS), Router(dict(list(SPECS.items())[:4])))
REQUESTS = (
    "What is 12 times 7, and save it as a note",
    "Find notes about the boat, then delete note 12",
    "Don't delete the file notes.txt, just read it",
    "Is it raining in Oslo and Paris?",
)


@given(
    st.sampled_from(REQUESTS), st.lists(st.sampled_from(("routes", "told", "lacking", "loose", "other")), max_size=6)
)
def test_routes_are_the_same_whatever_was_asked_before(request: str, asked: list[str]) -> None:
    """Words that were read before give what fresh ones give."""
    whole = clause_of(request)
    kept = words_in(whole, whole)
    for what in asked:
        match what:
            case "routes":
                ROUTERS[0].routes(kept, frozenset({"note_add"}), 0)
            case "told":
                ROUTERS[0].told_of(kept)
            case "lacking":
                ROUTERS[0].lacking(kept)
            case "loose":
                ROUTERS[0].loosely_grounded("note_add", kept)
            case _:
                ROUTERS[1].routes(kept)
    fresh = clause_of(request)
    assert ROUTERS[0].routes(Words(fresh, fresh)) == ROUTERS[0].routes(kept)
    assert ROUTERS[0].routes(Words(fresh, fresh), least=0) == ROUTERS[0].routes(kept, least=0)


def test_clauses_and_words_are_equal_by_what_they_say() -> None:
    """What is kept with them is no part of their value."""
    read, fresh = clause_of(REQUESTS[0]), clause_of(REQUESTS[0])
    ROUTERS[0].routes(words_in(read, read), least=THRESHOLD)
    assert (read, repr(read)) == (fresh, repr(fresh))
    assert Words(read, read) == words_in(fresh, fresh)


def test_words_of_a_part_within_another_whole_are_other_words() -> None:
    """The whole decides what is asked."""
    part, one, other = (clause_of(text) for text in ("the file notes.txt", "Read the file notes.txt", "What is in it?"))
    assert [one, other, one] == [words_in(part, whole).whole for whole in (one, other, one)]


def test_plan_of_a_text_is_that_of_a_new_router() -> None:
    """Plans that are kept are pure results."""
    for request in (*REQUESTS, *REQUESTS):
        assert plan_of(request, Router(SPECS)) == plan_of(request, ROUTERS[0])


def test_what_is_kept_with_words_does_not_grow_with_what_is_asked() -> None:
    """A client's states may withhold tools in any number of ways."""
    whole = clause_of(REQUESTS[0])
    words, names = words_in(whole, whole), sorted(SPECS)
    for chosen in range(2 ** len(names)):
        ROUTERS[0].routes(words, frozenset(name for at, name in enumerate(names) if chosen >> at & 1), least=chosen)
    assert len(words.kept_by(ROUTERS[0])) <= 2 * len(SPECS) + 2


def test_a_call_is_named_where_words_alone_lead_to_a_route() -> None:
    """Whether words alone name a call is asked without reading the values of all other tools, and comes out alike."""
    named = []
    for request in (*REQUESTS, "12 times 7", "the boat", "https://example.com/a", "Write down milk", "read notes.txt"):
        words = Words(clause_of(request), clause_of(request), ("0",))
        told = any(route.by_words >= THRESHOLD for route in ROUTERS[0].routes(words))
        assert told == ROUTERS[0].names_call(words), request
        named.append(told)
    assert {True, False} == set(named)
