"""An MCP server over stdio that has its client's model asked, in the middle of a call; tests start it."""

import os
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from mcp_types import CreateMessageResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("notes", log_level="ERROR")


class Seats(BaseModel):
    """What is asked of a person."""

    seats: int


def asks(text: str) -> Sample:
    """The request that has the client's model asked."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return Sample([message], max_tokens=50, system_prompt="Be short.")


def summary(text: str) -> Sample:
    """Have the model sum up the text."""
    return asks(f"Sum up: {text}")


def secret() -> Sample:
    """Have the model asked about a secret."""
    return asks(f"Is it {os.environ['NOTES_TOKEN']}?")


def needed() -> Sample:
    """Have the model asked what is needed."""
    return asks("What is needed?")


def seats(words: Annotated[CreateMessageResult, Resolve(needed)]) -> Elicit[Seats]:
    """Ask a person, after the model."""
    return Elicit(said(words), Seats)


def said(found: CreateMessageResult) -> str:
    """What the model said, and how it is told."""
    assert isinstance(found.content, TextContent)
    return f"{found.model} {found.stop_reason}: {found.content.text}"


@server.tool()
def sum_up(text: str, words: Annotated[CreateMessageResult, Resolve(summary)]) -> str:
    """Sum up a text."""
    return f"{said(words)} ({len(text)})"


@server.tool()
def tell_secret(words: Annotated[CreateMessageResult, Resolve(secret)]) -> str:
    """Tell what the model says about a secret."""
    return f"{said(words)} {os.environ['NOTES_TOKEN'] in said(words)}"


@server.tool()
def book(words: Annotated[CreateMessageResult, Resolve(needed)], wanted: Annotated[Seats, Resolve(seats)]) -> str:
    """Book seats."""
    return f"{said(words)} {wanted.seats}"


if __name__ == "__main__":
    server.run()
