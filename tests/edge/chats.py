"""A client of chats, as `useChat` is one: it keeps messages, and merges into them what a service streams."""

import http.client
import json
from typing import Any

from tests.edge.drivers import PATIENCE_S, Answer, Service

PNG_URL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


class Chat:
    """The messages of one chat; an answer of the agent's is a message with the metadata and the parts that came."""

    def __init__(self, service: Service, **more: Any) -> None:
        self.service = service
        self.more = more
        self.messages: list[dict[str, Any]] = []
        self.chunks: list[dict[str, Any]] = []

    def say(self, text: str, *files: dict[str, Any]) -> Answer:
        """Send a message of the user's, with parts that are files."""
        words = [{"type": "text", "text": text}] if text else []
        self.messages.append({"id": f"u{len(self.messages)}", "role": "user", "parts": [*words, *files]})
        return self.send()

    def answer(self, approved: bool, reason: str | None = None) -> Answer:
        """Answer for every call that waits."""
        for part in self.messages[-1]["parts"]:
            if part.get("state") == "approval-requested":
                part["state"] = "approval-responded"
                part["approval"] |= {"approved": approved, "reason": reason}
        return self.send()

    def send(self) -> Answer:
        """Send the messages, and take what comes."""
        answer = self.service.post("/ai-sdk", self.body())
        if answer.status == 200:
            self.take(answer.body)
        return answer

    def body(self) -> dict[str, Any]:
        """Return what `DefaultChatTransport` sends."""
        return {"id": "chat-1", "messages": self.messages, "trigger": "submit-message", **self.more}

    def take(self, body: bytes, is_whole: bool = True) -> None:
        """Merge a stream into the last message of the agent's, or a new one; as far as it came unless it is whole."""
        blocks = [block.removeprefix("data: ") for block in body.decode().split("\n\n") if block.startswith("data: ")]
        if is_whole:
            assert "[DONE]" == blocks[-1]
        self.chunks = [json.loads(block) for block in blocks if block != "[DONE]"]
        if self.messages[-1]["role"] == "user":
            self.messages.append({"id": "", "role": "assistant", "parts": [], "metadata": {}})
        for chunk in self.chunks:
            _merge(self.messages[-1], chunk)
            if chunk["type"] == "error":
                break  # the SDK's client reads no further

    @property
    def text(self) -> str:
        """What the last message says."""
        parts = self.messages[-1]["parts"]
        return "".join(part["text"] for part in parts if part["type"] == "text" and not part.get("retracted"))

    @property
    def types(self) -> list[str]:
        """The types of the chunks that came last, without those that carry the run."""
        return [chunk["type"] for chunk in self.chunks if chunk["type"] != "message-metadata"]

    @property
    def log(self) -> str:
        """The log that the messages carry."""
        carried = [message.get("metadata", {}).get("purestep", {"log": {}}) for message in self.messages]
        return "".join(part["log"][number] for part in carried for number in sorted(part["log"], key=int))

    @property
    def seal(self) -> str:
        """The seal of the newest part."""
        seals = [message["metadata"]["purestep"]["seal"] for message in self.messages if message["role"] == "assistant"]
        return str(seals[-1])


def _merge(message: dict[str, Any], chunk: dict[str, Any]) -> None:
    parts = message["parts"]
    match chunk["type"]:
        case "start":
            message["id"] = chunk.get("messageId", message["id"])
        case "text-start":
            parts.append({"type": "text", "id": chunk["id"], "text": ""})
        case "text-delta":
            _part(parts, "id", chunk["id"])["text"] += chunk["delta"]
        case "text-end" if "providerMetadata" in chunk:
            _part(parts, "id", chunk["id"])["retracted"] = True
        case "tool-input-available":
            call = {"type": "dynamic-tool", "toolCallId": chunk["toolCallId"], "toolName": chunk["toolName"]}
            if not any(part.get("toolCallId") == chunk["toolCallId"] for part in parts):
                parts.append(call)
            _part(parts, "toolCallId", chunk["toolCallId"]).update(state="input-available", input=chunk["input"])
        case "tool-approval-request":
            part = _part(parts, "toolCallId", chunk["toolCallId"])
            part.update(state="approval-requested", approval={"id": chunk["approvalId"]})
        case "tool-output-available" | "tool-output-error" | "tool-output-denied" as kind:
            _part(parts, "toolCallId", chunk["toolCallId"])["state"] = kind.removeprefix("tool-")
        case _:
            pass
    _merge_metadata(message["metadata"], chunk.get("messageMetadata", {}))


def _part(parts: list[dict[str, Any]], name: str, value: str) -> dict[str, Any]:
    return next(part for part in reversed(parts) if part.get(name) == value)


def _merge_metadata(into: dict[str, Any], more: dict[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge_metadata(into[name], value)
        else:
            into[name] = value


def stream_until(chat: Chat, mark: bytes) -> bytes:
    """Send a chat and leave as soon as something came; gives what had come."""
    link = http.client.HTTPConnection("127.0.0.1", chat.service.port, timeout=PATIENCE_S)
    try:
        link.request("POST", "/ai-sdk", json.dumps(chat.body()), {"content-type": "application/json"})
        response = link.getresponse()
        came = b""
        with response:
            while mark not in came:
                piece = response.read1()
                assert piece, came
                came += piece
        return came
    finally:
        link.close()
