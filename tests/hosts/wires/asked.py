"""An agent and the server of a row that it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import Agent, tool
from tests.hosts.wires.protocol import VendorServer
from tests.hosts.wires.replies import Said
from tests.hosts.wires.servers import Server

Web = Callable[[Any], str]


@tool(read_only=True)
def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    return f"order {number} is shipped"


class Asked:
    """A server of a row and an agent that asks it."""

    def __init__(self, server: Server, web: Web, environment: pytest.MonkeyPatch, *replies: Said, **members: Any):
        self.vendor = VendorServer(server.protocol, replies, waits=members.pop("waits", False))
        tools = members.pop("tools", [add_numbers, find_order])
        self.agent: Agent[Any] = server.agent(web(self.vendor), environment, tools=tools, **members)

    def answered(self, question: str = "Do it.", **options: Any) -> Any:
        """Return the result of a question; nothing that was asked was refused, and nothing was asked twice."""
        result = self.agent.run_sync(question, **options)
        assert [] == self.vendor.refused
        assert ("done", len(self.vendor.replies)) == (result.status, len(self.vendor.bodies)), result.log
        return result
