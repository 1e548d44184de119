"""AI SDK: whole UI messages, as a chat is stored and begun with.

They hold what the chunks of the stream leave to a client too: the user's messages, and the answers of people. An
assistant message is given once its exchange is over.
Source: the AI SDK's UI messages, version 6.
"""

from typing import Any, Final

from msgspec import UNSET, field

from purestep.agent import corrections
from purestep.errors import PurestepError
from purestep.values import Content, Message, ModelResponse

from .content_form import declined_output, own_content, ui_files, ui_parts
from .walk import DENIED, Inside, LogForm, OpenCall, Result, Walk

_ROLES: Final = ("system", "user", "assistant")


class UIMessages(LogForm, tag="ai-sdk-messages"):
    """The parts of the assistant message so far; `tools` says at which place the part of an open call stands.

    `reasoning`: of the latest output, until it is certain that it was not sent back; `thoughts`: how many came.
    """

    parts: list[dict[str, Any]] = field(default_factory=list)
    tools: dict[str, int] = field(default_factory=dict)
    reasoning: str = ""
    thoughts: int = 0

    def began(self, walk: Walk, instructions: str, history: list[Message], out: list[Any]) -> None:
        """Add the texts of the messages that the run began with."""
        for number, message in enumerate(history, 1):
            if message.role in _ROLES and message.content:
                out.append(_message(f"{walk.trace[:16]}-m{number}", message.role, message.content))

    def asked(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Add the user's message."""
        self.close(walk, out)
        self.thoughts = 0
        out.append(_message(f"{walk.exchange[:16]}-m1", "user", content))

    def added(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Add what the user said to the assistant message that goes on, as the stream does."""
        self.parts.append({"type": "data-user-message", "data": {"content": own_content(content)}})

    def heard(self, walk: Walk, event: ModelResponse, out: list[Any]) -> None:
        """Begin a step; an output of a skill is within one."""
        if not walk.skill:
            self.parts.append({"type": "step-start"})
            self.reasoning = walk.reasoning(event)

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """Add a call."""
        if not call.checks:
            self._think(walk)
        part: dict[str, Any] = {"type": "dynamic-tool", "toolName": call.tool, "toolCallId": call_id}
        if call.marks:
            part["toolMetadata"] = call.marks
        self.tools[call_id] = len(self.parts)
        self.parts.append({**part, "state": "input-available", "input": call.arguments})

    def held_back(self, walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
        """Note that a person is asked."""
        approval = {"id": call.approval, "descriptor": {"reason": reason}}
        self._part(call_id).update(state="approval-requested", approval=approval)

    def decided(self, walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
        """Note the answer, and the arguments that replace the call's."""
        part = self._part(call_id)
        approval = {**part.get("approval", {}), "approved": answer["approved"]}
        if "reason" in answer:
            approval["reason"] = answer["reason"]
        part.update(state="approval-responded", approval=approval)
        if "arguments" in answer:
            part["input"] = answer["arguments"]

    def ended(self, walk: Walk, call_id: str, call: OpenCall, result: Result, out: list[Any]) -> None:
        """Note the result of a call; one that nobody was left to ask about has no answer to the request."""
        part = self._part(call_id)
        if result.is_declined or result.fault == DENIED:
            part["state"] = "output-denied"
            self.parts += declined_output(call_id, result)
        elif not result.fault:
            part.update(state="output-available", output=result.output)
            self.parts += ui_files(result.parts)
        else:
            part.update(state="output-error", errorText=result.text)
            if not part.get("approval", {}).get("approved"):
                part.pop("approval", None)

    def rejected(self, walk: Walk, cause: str, out: list[Any]) -> None:
        """What was sent back is no part."""
        self.reasoning = ""

    def answered(self, walk: Walk, content: str, data: Any, out: list[Any]) -> None:
        """Add the assistant message."""
        self._think(walk)
        self.parts.append({"type": "text", "text": content, "state": "done"})
        if data is not UNSET:
            self.parts.append({"type": "data-answer", "data": data})
        self._tell_ending(walk)
        self.close(walk, out)

    def failed(self, walk: Walk, code: str, message: str, out: list[Any]) -> None:
        """Add the assistant message, which says that there is no answer."""
        self.parts.append({"type": "data-failed", "data": {"code": code, "message": message}})
        self._tell_ending(walk)
        self.close(walk, out)

    def _tell_ending(self, walk: Walk) -> None:
        if walk.question:
            self.parts.append({"type": "data-question", "data": {}})
        if walk.acts is not None:
            self.parts.append({"type": "data-acts", "data": walk.acts})

    def close(self, walk: Walk, out: list[Any]) -> None:
        """Add the assistant message as it stands; a step in which nothing has happened yet is no part of it."""
        while self.parts and self.parts[-1].get("type") == "step-start":
            self.parts.pop()
        if self.parts:
            message = {
                "id": walk.exchange[:32],
                "role": "assistant",
                "metadata": {"runId": walk.run_id},
            }
            out.append({**message, "parts": self.parts})
        self.parts, self.tools, self.reasoning = [], {}, ""

    def inside(self, walk: Walk, call_id: str) -> LogForm:
        """Add the calls of an agent too."""
        return Inside(self, walk)

    def _think(self, walk: Walk) -> None:
        if self.reasoning:
            self.thoughts += 1
            thought = f"{walk.exchange[:16]}-r{self.thoughts}"
            self.parts.append({"type": "reasoning", "id": thought, "text": self.reasoning, "state": "done"})
        self.reasoning = ""

    def _part(self, call_id: str) -> dict[str, Any]:
        place = self.tools.get(call_id, -1)
        part = self.parts[place] if 0 <= place < len(self.parts) else {}
        if part.get("toolCallId") != call_id or not isinstance(part.get("approval", {}), dict):
            raise PurestepError(
                "invalid_input", f"expected a projection as it was given; it has no {corrections.shown(call_id)}"
            )
        return part


def _message(message_id: str, role: str, content: Content) -> dict[str, Any]:
    return {"id": message_id, "role": role, "parts": ui_parts(content)}
