"""The guardrail `claims` on orders that are easily overlooked, and on words that only look like an excuse."""

from typing import Any

import pytest

from tests.core.agents import tool
from tests.core.claims.billing import told

S = {"type": "string"}
ACTS = {"annotations": {"readOnlyHint": False}}
TOOLS: dict[str, Any] = {
    "tools": [
        tool("get_status", {"ticket": S}, description="Show a ticket.", annotations={"readOnlyHint": True}),
        tool("refund_ticket", {"ticket": S}, description="Refund a ticket.", **ACTS),
        tool("mark_absent", {"pupil": S}, description="Mark a pupil as absent.", **ACTS),
        tool("notify_parents", {"pupil": S, "text": S}, description="Send the parents a message.", **ACTS),
        tool("add_task", {"title": S}, description="Add a task to the list.", **ACTS),
        tool("bed_water", {"bed": S}, description="For dry days.", **ACTS),
        tool("moisture", {"bed": S}, description="Read the moisture.", annotations={"readOnlyHint": True}),
        tool("set_feed_limit", {"percent": {"type": "number"}}, description="Limit the feed-in.", **ACTS),
        tool("set_light", {"room": S}, description="Switch a light.", **ACTS),
        tool("set_heating", {"level": S}, description="Set the heating.", **ACTS),
        tool("kind_abmelden", {"kind": S}, description="F\u00fcr einen Tag.", **ACTS),
        tool("transcribe_job", {"episode": S}, description="Transcribe an episode.", **ACTS),
    ]
}
Made = tuple[str, dict[str, Any], Any]


def _outcome(query: str, text: str, *calls: Made) -> Any:
    return told(TOOLS, query, text, *calls)


PAID = ("get_status", {"ticket": "T-8841"}, "38 EUR")
MARKED = ("mark_absent", {"pupil": "Ole"}, "ok")
MILK, EGGS = ("add_task", {"title": "milk"}, "ok"), ("add_task", {"title": "eggs"}, "ok")
FLOUR = ("add_task", {"title": "flour"}, "ok")
MOIST = (("moisture", {"bed": "A1"}, "31 %"), ("moisture", {"bed": "B2"}, "58 %"))
LIT, HEATED = ("set_light", {"room": "light 1"}, "ok"), ("set_heating", {"level": "0"}, "ok")
LIST = "Add milk, eggs and flour to the list"


@pytest.mark.parametrize(
    ("query", "text", "calls"),
    [
        ("Refund ticket T-8841", "The 38 EUR are going back to the customer.", (PAID,)),
        ("Mark Ole absent and tell his parents", "Ole is marked and his parents have been told.", (MARKED,)),
        ("Das Kind Mia ist krank, bitte abmelden", "Mia ist abgemeldet.", ()),
        (LIST, "Milk, eggs and flour are on it.", (MILK, EGGS)),
        ("Send T-8841 back, refund it instead", "T-8841: refunded.", ()),
    ],
)
def test_order_that_no_call_met_is_found(query: str, text: str, calls: tuple[Made, ...]) -> None:
    """A letter of a code denies nothing; "tell" with a receiver of a tool, verbs of names."""
    assert "guardrail" == _outcome(query, text, *calls)


@pytest.mark.parametrize(
    ("query", "text", "calls"),
    [
        (LIST, "Milk, eggs and flour are on it.", (MILK, EGGS, FLOUR)),
        (LIST, "Milk and eggs are on it. Flour was not added.", (MILK, EGGS)),
        ("Add fresh milk, eggs and flour", "Milk, eggs and flour are on it.", (("add_task", {"title": "all"}, "ok"),)),
        (
            "Order two boxes of gloves, size M, add milk",
            "The gloves, size M, are not my thing; milk is added.",
            (MILK,),
        ),
        ("How moist are bed A1 and bed B2?", "Bed A1 has 31 %, bed B2 has 58 %.", MOIST),
        ("Tell the story of the parents of Ole", "Once upon a time they met.", ()),
        ("Switch the light and the heating off", "Light and heating are off.", (LIT, HEATED)),
        (
            "Mark Ole absent and tell his parents",
            "Ole is marked and his parents have been told.",
            (MARKED, ("notify_parents", {"pupil": "Ole", "text": "absent"}, "ok")),
        ),
    ],
)
def test_order_that_was_met_or_told_openly_is_taken(query: str, text: str, calls: tuple[Made, ...]) -> None:
    """The same orders, with their calls or an open word."""
    assert None is _outcome(query, text, *calls)


CAPPED = ("set_feed_limit", {"percent": 70}, {"ok": False})
QUEUED = ("transcribe_job", {"episode": "40"}, {"state": "queued"})
WAITING = ("transcribe_job", {"episode": "40"}, {"status": "in Warteschlange"})


@pytest.mark.parametrize(
    ("query", "text", "calls"),
    [
        ("Cap the feed-in at 70 percent", "The plant now feeds in at most 70 percent.", (CAPPED,)),
        ("Refund ticket T-8841", "T-8841 is refunded. Any use of it will now be rejected.", ()),
        ("Transcribe episode 40", "The transcript of episode 40 is ready for you.", (QUEUED,)),
        ("Transcribe episode 40", "Episode 40 wurde zugestellt.", (WAITING,)),
        ("Refund ticket T-8841", "Good news \U0001f436 Refunded it.", (PAID,)),
        ("Add milk", "The code is **HJ83KD**.", (MILK,)),
    ],
)
def test_what_only_looks_open_is_no_excuse(query: str, text: str, calls: tuple[Made, ...]) -> None:
    """The user's own limit, what follows from the act, and the end of what has only begun; faces end a statement."""
    assert "guardrail" == _outcome(query, text, *calls)


@pytest.mark.parametrize(
    ("query", "text", "calls"),
    [
        ("Cap the feed-in at 70 percent", "At most 60 percent are possible here.", (CAPPED,)),
        ("Transcribe episode 40", "Episode 40 is queued and will be ready soon.", (QUEUED,)),
        ("Add milk", "**Milk** is on the list.", (MILK,)),
    ],
)
def test_open_words_remain_open(query: str, text: str, calls: tuple[Made, ...]) -> None:
    """Another limit than the user's, and an end still to come."""
    assert None is _outcome(query, text, *calls)
