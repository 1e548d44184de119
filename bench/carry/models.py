"""A model whose replies are kept on disk, and what each request cost."""

import hashlib
import json
import time
from pathlib import Path
from typing import Any

import msgspec

import purestep
from purestep_formats import ReplyEnd
from purestep_hosts.models.model import Model, ModelEnd, ModelRequest, ReplySink


class Asked(msgspec.Struct, kw_only=True):
    """One request, its outcome and its cost."""

    request: ModelRequest
    output: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cpu_s: float = 0.0


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A reply as it is kept on disk."""

    chunks: list[str]
    cpu_s: float
    prompt_tokens: int
    completion_tokens: int
    end: ReplyEnd | purestep.ModelOutput | purestep.ModelError


class KeptReplies:
    """A model in this process whose replies are kept by the digest of model and request.

    At temperature 0 the same request has the same reply, so a rerun costs nothing; its CPU time is that of the first,
    which depends on what the model had read before. Times are compared in one run without a folder.
    """

    def __init__(self, model: Model, identity: str, folder: Path | None) -> None:
        """`identity` tells models apart; without a folder nothing is kept."""
        self.name = model.name
        self.asked: list[Asked] = []
        self.spent_s = 0.0
        self._model = model
        self._identity = identity
        self._folder = folder

    def complete(self, request: ModelRequest, reply: ReplySink) -> ModelEnd:
        """Answer from the folder, or ask the model."""
        asked = {name: value for name, value in msgspec.to_builtins(request).items() if name != "choices" or value}
        body = self._identity.encode() + json.dumps(asked, sort_keys=True).encode()
        place = self._folder / f"{hashlib.sha256(body).hexdigest()}.json" if self._folder else None
        if place is not None and place.exists():
            kept = msgspec.json.decode(place.read_bytes(), type=_Kept)
            for chunk in kept.chunks:
                if reply.chunk(chunk):
                    break
        else:
            kept = self._ask(request, reply)
            if place is not None and _is_whole(kept.end):
                _write(place, msgspec.json.encode(kept))
        counts = {"prompt_tokens": kept.prompt_tokens, "completion_tokens": kept.completion_tokens}
        output = "".join(map(_text, kept.chunks))
        self.asked.append(Asked(request=request, output=output, cpu_s=kept.cpu_s, **counts))
        return kept.end

    def stop(self) -> None:
        """Give up the reply."""
        self._model.stop()

    def _ask(self, request: ModelRequest, reply: ReplySink) -> _Kept:
        recorder = _Recorder(reply)
        began = time.process_time()
        end = self._model.complete(request, recorder)
        cpu_s = time.process_time() - began
        self.spent_s += cpu_s
        usage: dict[str, Any] = {}
        for chunk in recorder.chunks:
            usage = json.loads(chunk).get("usage") or usage
        prompt, completion = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        return _Kept(chunks=recorder.chunks, cpu_s=cpu_s, prompt_tokens=prompt, completion_tokens=completion, end=end)


class _Recorder:
    """Passes chunks on until the core has enough, and records all: the last one holds the counts of tokens."""

    def __init__(self, reply: ReplySink) -> None:
        self.chunks: list[str] = []
        self._reply = reply
        self._is_over = False

    def chunk(self, chunk: str | bytes) -> bool:
        """Record a chunk; never asks to stop."""
        text = chunk if isinstance(chunk, str) else chunk.decode()
        self.chunks.append(text)
        if not self._is_over:
            self._is_over = self._reply.chunk(text)
        return False

    def text(self, piece: str) -> bool:
        """Record a piece of text as a chunk."""
        return self.chunk(json.dumps({"choices": [{"delta": {"content": piece}}]}))


def _is_whole(end: ModelEnd) -> bool:
    return isinstance(end, purestep.ModelOutput) or (isinstance(end, ReplyEnd) and end.kind == "ended")


def _text(chunk: str) -> str:
    choices = json.loads(chunk).get("choices") or [{}]
    return (choices[0].get("delta") or {}).get("content") or ""


def _write(place: Path, content: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    staging = place.with_suffix(f".{time.monotonic_ns()}")
    staging.write_bytes(content)
    staging.replace(place)
