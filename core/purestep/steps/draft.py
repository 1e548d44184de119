"""The draft of one step: what is gathered before it becomes the next state, messages and log lines."""

from hashlib import sha256
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..agent import Agent
from ..values import Derived, Fact, Message, NativeCall, RunState, derived_line, fact_line


class Draft:
    """One step in the making; lives only inside a step, so the function as a whole stays pure."""

    __slots__ = ("agent", "at", "head", "heads", "lines", "messages", "seq", "state")

    def __init__(self, agent: Agent, state: RunState, at: int | None) -> None:
        self.agent = agent
        self.state = state
        self.at = at
        self.seq = state.seq
        self.head = state.head
        self.lines: list[bytes] = []
        self.heads: list[str] = []
        self.messages: list[Message] = []

    def fact(self, event: Fact) -> None:
        """Log something that came from outside."""
        self._append(fact_line(self.seq, self.at, event))

    def derived(self, event: Derived) -> None:
        """Log something that the core made of the facts before."""
        self._append(derived_line(self.seq, self.at, self.head, event))

    def _append(self, line: bytes) -> None:
        self.lines.append(line)
        self.head = sha256(self.head.encode() + line).hexdigest()
        self.heads.append(self.head)
        self.seq += 1

    def update(self, **changes: Any) -> None:
        """Change members of the state to be."""
        self.state = replace(self.state, **changes)

    @property
    def next_index(self) -> int:
        """Index that the next message will have in the transcript."""
        return self.state.messages + len(self.messages)

    def say(
        self,
        role: str,
        content: str | None,
        tool_calls: tuple[NativeCall, ...] | UnsetType = UNSET,
        tool_call_id: str | UnsetType = UNSET,
    ) -> None:
        """Add a message to the transcript."""
        self.messages.append(Message(role=role, content=content, tool_calls=tool_calls, tool_call_id=tool_call_id))

    def close(self) -> RunState:
        """Give the next state, with what was logged and said counted in."""
        messages = self.state.messages + len(self.messages)
        return replace(self.state, seq=self.seq, head=self.head, messages=messages)

    def log_text(self) -> str:
        """Give the log lines as text to append, each with its newline."""
        return (b"\n".join(self.lines) + b"\n").decode() if self.lines else ""
