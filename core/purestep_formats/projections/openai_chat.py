"""OpenAI chat messages: what was said and done, without what the core sent back.

A message with calls is complete once something else follows it, so it is held until then. The form has no word for a
failure; the message that ends a failed exchange has no content and says why as its `refusal`.
Source: the message parameters of OpenAI's chat completions.
"""

from typing import Any

from msgspec import UNSET, field, to_builtins
from msgspec.structs import replace

from purestep.agent import corrections
from purestep.checks import output_text
from purestep.json_text import encode
from purestep.values import Content, Message, ModelResponse

from .content_form import chat_content
from .walk import LogForm, OpenCall, Result, Walk


class OpenAIChat(LogForm, tag="openai"):
    """The calls of the message that is not complete yet."""

    calls: list[dict[str, Any]] = field(default_factory=list)

    def close(self, walk: Walk, out: list[Any]) -> None:
        """Add the message that nothing follows."""
        if self.calls:
            out.append({"role": "assistant", "content": None, "tool_calls": self.calls})
            self.calls = []

    def began(self, walk: Walk, instructions: str, history: list[Message], out: list[Any]) -> None:
        """Add the messages that the run began with, or its instructions."""
        for message in history:
            out.append(_given(message))
        if instructions and not history:
            out.append({"role": "system", "content": instructions})

    def asked(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Add the user's message."""
        out.append({"role": "user", "content": chat_content(content)})

    def added(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Add the user's message, after the results of the calls before it."""
        self.close(walk, out)
        self.asked(walk, content, out)

    def heard(self, walk: Walk, event: ModelResponse, out: list[Any]) -> None:
        """Wait for what becomes of the output."""
        self.close(walk, out)

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """Add a call of the model to the message; those of checks are none."""
        if not call.checks:
            function = {"name": call.tool, "arguments": encode(call.arguments).decode()}
            self.calls.append({"id": call_id, "type": "function", "function": function})

    def ended(self, walk: Walk, call_id: str, call: OpenCall, result: Result, out: list[Any]) -> None:
        """Add the result of a call of the model."""
        if call.checks:
            return
        self.close(walk, out)
        text = f"Error ({result.fault}): {result.text}" if result.fault else output_text(result.output)
        if call.is_edited:
            text = f"{corrections.edited_call(call.arguments)} {text}"
        out.append({"role": "tool", "tool_call_id": call_id, "content": text})

    def answered(self, walk: Walk, content: str, data: Any, out: list[Any]) -> None:
        """Add the answer."""
        self.close(walk, out)
        out.append({"role": "assistant", "content": content})

    def failed(self, walk: Walk, code: str, message: str, out: list[Any]) -> None:
        """Say that there is no answer."""
        self.close(walk, out)
        out.append({"role": "assistant", "content": None, "refusal": f"The run failed ({code}): {message}"})


def _given(message: Message) -> dict[str, Any]:
    """Return a message of another program, the arguments of its calls as text."""
    found: dict[str, Any] = to_builtins(replace(message, extra=None, extra_model=UNSET))
    if isinstance(message.content, tuple):
        found["content"] = chat_content(message.content)
    for call in found.get("tool_calls", ()):
        function = call["function"]
        if not isinstance(function["arguments"], str):
            function["arguments"] = encode(function["arguments"] or {}).decode()
    return found
