"""An order to take something away calls no tool that makes something; a piece of a sentence is no file."""

import pytest

from purestep.carry import Router, Words, clause_of
from tests.core.carry.test_everyday import TEXT, tool

READ = tool("read_file", "Read the text of a file", path=TEXT)
WRITE = tool("write_file", "Write a text to a file", reads=False, path=TEXT, content=TEXT)
DELETE = tool("delete_file", "Delete a file", reads=False, path=TEXT)


def routed(text: str, *tools: object) -> list[str]:
    """Name the tools that a request asks for, the best first."""
    clause = clause_of(text)
    router = Router({each.name: each for each in tools})  # type: ignore[attr-defined]
    return [route.tool for route in router.routes(Words(clause=clause, whole=clause))]


ORDERS = ["Please delete the file notes.txt", "could you erase notes.txt?", "L\u00f6sche die Datei notes.txt"]


@pytest.mark.parametrize("text", ORDERS)
def test_taking_away_is_not_making(text: str) -> None:
    """Neither writing over the file nor showing it is what was ordered."""
    assert [] == routed(text, READ, WRITE)


@pytest.mark.parametrize("text", ORDERS)
def test_what_takes_away_is_meant(text: str) -> None:
    """With a tool that deletes, the order has its tool."""
    assert "delete_file" == routed(text, READ, WRITE, DELETE)[0]
    assert "write_file" not in routed(text, READ, WRITE, DELETE)


def test_making_is_asked_for_as_before() -> None:
    """An order to write, in which something is said of deleting, is no order to take away."""
    text = 'Write "delete the old logs" to the file notes.txt'

    assert "write_file" == routed(text, READ, WRITE)[0]


@pytest.mark.parametrize("text", ["Write Anna Berg a mail: see you at 5", "Write them: see you soon, Ben"])
def test_words_of_a_sentence_are_no_file(text: str) -> None:
    """A number after "at", or two words of a message, name no file to write to."""
    assert [] == routed(text, WRITE)
