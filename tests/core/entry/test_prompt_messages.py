"""The messages that a decision sends: its own, ranges of the transcript, and messages with cuts."""

from purestep import CallModel, Message, ShortenedMessage, prompt_messages

TRANSCRIPT = [Message(role="user", content=f"number {index}") for index in range(4)]


def test_ranges_and_cuts_are_taken_from_the_transcript() -> None:
    """A cut replaces code points [begin, end) by its text."""
    short = ShortenedMessage(index=2, cuts=((0, 6, "no."),))
    decision = CallModel(prompt=((0, 1), short, (3, 4)), reason="start")
    assert [message.content for message in prompt_messages(decision, TRANSCRIPT)] == ["number 0", "no. 2", "number 3"]


def test_messages_of_the_decision_are_sent_instead() -> None:
    """A fresh prompt is no part of the transcript."""
    own = Message(role="user", content="fresh")
    decision = CallModel(prompt=(), reason="start", messages=(own,))
    assert prompt_messages(decision, TRANSCRIPT) == [own]
