import json
from pathlib import Path

import pytest

import purestep
from tests.core.driver import assert_replays
from tests.examples import ARE_ALL_WANTED

from .conversations import (
    FOLDER,
    Call,
    Conversation,
    Played,
    acts_of,
    answered,
    requests_of,
    roles_of,
    streamed,
    transcripts,
)

ANSWERS = sorted(path.name for path in Path(FOLDER).glob("answers_*.jsonl"))
NO_FORM = {"auto", "bare"}
"""`auto` reads other dialects and writes none; `bare` has neither a definition's tools nor a name for them."""
DIALECTS = (
    [name for name in json.loads(purestep.core_info())["dialects"] if name not in NO_FORM]
    if ARE_ALL_WANTED
    else ["native", "envelope", "compact", "hermes_json"]
)


def in_the_way(conversations: list[Conversation], dialect: str) -> list[str]:
    """Return what the core did in these conversations that none of them has."""
    found = []
    for conversation in conversations:
        played = Played(conversation, dialect)
        if played.stopped:
            found.append(f"{conversation.id}: {played.stopped}")
        elif (asked := played.requests()) != (due := requests_of(played.conversation)):
            found.append(f"{conversation.id}: {asked} requests instead of {due}")
    return found


ONE_AFTER_ANOTHER = 5
"""Characters of a piece of a stream: shorter than most markers, so that what could be one has to be held back."""


def test_there_are_enough_conversations() -> None:
    """A file that is lost, or two cases with one id, would make the other tests say less than they seem to."""
    every = [*(each for name in ANSWERS for each in answered(name)), *transcripts()]
    assert len({each.id for each in every}) == len(every)
    assert (len(every) - len(transcripts()), len(transcripts())) >= (200, 60)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ANSWERS)
def test_honest_answers_are_taken_as_they_are(name: str, dialect: str) -> None:
    """With no check named, no answer and no output is rejected, and the model is not asked once more."""
    assert [] == in_the_way(answered(name), dialect)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ANSWERS)
def test_honest_answers_are_shown_whole_while_they_come(name: str, dialect: str) -> None:
    """No word of an answer is held back for good, whatever it is split into."""
    for each in answered(name):
        assert each.exchanges[0].answer == streamed(each, dialect, ONE_AFTER_ANOTHER), each.id


def test_answers_about_markup_are_taken_where_the_form_keeps_them_apart() -> None:
    """In an envelope the text is a JSON string, so what looks like a call, a tag or an envelope in it is text."""
    assert [] == in_the_way(answered("markup.jsonl"), "envelope")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_model_without_mistakes_is_asked_no_more_than_it_says(dialect: str) -> None:
    """Turns of several calls, errors, empty results, refusals and later exchanges need no request of their own."""
    assert [] == in_the_way(transcripts(), dialect)


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_nothing_but_the_system_text_stands_before_the_first_word_of_the_user(dialect: str) -> None:
    """A model without `carry` reads no examples, and no message that nobody has said is added later."""
    for conversation in transcripts():
        played = Played(conversation, dialect)
        system = [] if dialect == "native" and "instructions" not in conversation.definition else ["system"]
        assert [*system, *roles_of(conversation, dialect)] == played.roles(), conversation.id


def test_a_person_is_asked_where_the_definition_says_so() -> None:
    """A declared approval holds also where the model makes no mistake."""
    for conversation in transcripts():
        asked = Played(conversation, "native").asked
        calls = [made for exchange in conversation.exchanges for turn in exchange.turns() for made in turn]
        assert [] == [made.tool for made in calls if _is_declared(made) and made not in asked], conversation.id


def _is_declared(made: Call) -> bool:
    return made.approved is not None


def test_beside_each_answer_stands_what_was_done() -> None:
    """The calls of tools that may act, in order, with what became of them; none where only reading was done."""
    for conversation in [*(each for name in ANSWERS for each in answered(name)), *transcripts()]:
        told = [acts and [(act["tool"], act["status"]) for act in acts] for acts in Played(conversation, "native").acts]
        assert [acts_of(conversation, exchange) for exchange in conversation.exchanges] == told, conversation.id


@pytest.mark.parametrize("dialect", ["native", "envelope"])
def test_the_logs_of_these_conversations_verify_and_replay(dialect: str) -> None:
    """What was taken without a word can be shown to have been taken."""
    for conversation in transcripts():
        assert_replays(Played(conversation, dialect).driver)
