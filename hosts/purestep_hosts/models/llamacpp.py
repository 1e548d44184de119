"""A GGUF model in this process, through llama.cpp.

llama.cpp's server object always listens on loopback. The in-process model protects it with a random API
key and refuses requests of web pages; `serve` makes it available on purpose.
"""

from __future__ import annotations

import json
import os
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from purestep_formats import ReplyEnd
from purestep_hosts.extras import LOCAL
from purestep_hosts.models.generation import Generation, Put
from purestep_hosts.models.model import LOCAL_WINDOW_TOKENS, ModelRequest, ReplySink, chat_body
from purestep_hosts.models.prices import free
from purestep_hosts.regular_files import open_regular

with LOCAL:
    import xllamacpp  # type: ignore[import-untyped]

_ENDED = ReplyEnd(source="The local model", library="llama.cpp")
_MAGIC = b"GGUF"
_SILENT = 0  # llama.cpp's log level for errors of the program itself


class LlamaCppOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to run a model: context window in tokens, threads, and the time limit of one reply in seconds."""

    n_ctx: int = LOCAL_WINDOW_TOKENS
    n_threads: int | None = None
    total_s: float = 900.0


class ModelLoadError(Exception):
    """The model file cannot be used; `message` says what to do."""

    code = "model_load"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class LlamaCppModel:
    """A loaded GGUF model; one completion at a time."""

    def __init__(
        self, path: Path, options: LlamaCppOptions | None = None, *, name: str = "", adapter: Path | None = None
    ) -> None:
        """Load the model at `path`, a second or less for a small one; raises ModelLoadError.

        name: what it is called in logs; by default as its file without the ending. adapter: the file of an adapter of
        it, whose weights are put on its own.
        """
        self.name = name or path.stem
        self.price_of = free
        self._options = options or LlamaCppOptions()
        parameters = _parameters(path, self._options)
        parameters.api_keys = [secrets.token_hex(32)]
        if adapter is not None:
            _check_file(adapter)
            parameters.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        self._server: Any = _load(parameters, path)
        self._busy = threading.Lock()
        self._generation: Generation | None = None

    def complete(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        """Generate once and write the chunks to `reply`; return how it ended."""
        with self._busy:
            # Of a reply that is stopped, the tokens so far are told beside each of them or not at all.
            server, body = self._server, {**chat_body(request, self.name), "timings_per_token": True}
            generation = self._generation = Generation(lambda put: _generate(server, body, put), reply)
            try:
                return self._follow(generation, reply)
            finally:
                generation.stop()

    def stop(self) -> None:
        """Give up the reply that another thread waits for, at the next token."""
        if self._generation is not None:
            self._generation.give_up()

    def stop_reply(self, reply: ReplySink) -> None:
        """Give up this reply, if it is the one that is generated; one that waits ends with its first chunk."""
        if self._generation is not None and self._generation.reply is reply:
            self._generation.give_up()

    def close(self) -> None:
        """Free the model's memory; the model cannot be used afterwards."""
        with self._busy:
            self._server = None

    def _follow(self, generation: Generation, reply: ReplySink) -> ReplyEnd:
        total_s = self._options.total_s
        try:
            for chunk in generation.items(total_s):
                if reply.chunk(json.dumps(chunk)):
                    break
        except TimeoutError:
            return replace(_ENDED, kind="timeout", limit_ms=round(total_s * 1000))
        return _ENDED


def _generate(server: Any, body: dict[str, Any], put: Put) -> None:
    try:
        server.handle_chat_completions(body, put)
    except Exception as error:
        # llama.cpp answers a request that it cannot read with an exception instead of an error object.
        put({"error": {"code": 400, "message": str(error)}})


@contextmanager
def serve(path: Path, *, options: LlamaCppOptions | None = None, port: int = 0, api_key: str = "") -> Iterator[str]:
    """Serve the model at `path` on loopback for the length of the block.

    Yields the base URL, which ends in `/v1`. `port` 0 takes a free one. Without `api_key` every program of
    this machine may ask; web pages may not.
    """
    parameters = _parameters(path, options or LlamaCppOptions())
    parameters.port = port
    parameters.api_keys = [api_key] if api_key else []
    server: Any = _load(parameters, path)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server


def default_threads() -> int:
    """Return the threads to use: one in CI, where others need the cores, else up to four and never the last core."""
    # llama.cpp's threads spin while they wait for each other: one that shares its core slows all of them down.
    return 1 if os.environ.get("CI") else max(1, min(4, (os.cpu_count() or 2) - 1))


def _parameters(path: Path, options: LlamaCppOptions) -> Any:
    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    # The alias keeps the file's path out of replies and so out of logs.
    parameters.model_alias = {path.stem}
    parameters.n_ctx = options.n_ctx
    parameters.n_parallel = 1
    parameters.use_jinja = True
    parameters.cpuparams.n_threads = options.n_threads or default_threads()
    parameters.warmup = False
    parameters.verbosity = _SILENT
    parameters.cors_origins = ""
    parameters.endpoint_metrics = True
    # Reasoning stays in the text, where the core reads it.
    parameters.reasoning_format = xllamacpp.common_reasoning_format.COMMON_REASONING_FORMAT_NONE
    return parameters


def _load(parameters: Any, path: Path) -> Any:
    _check_file(path)
    build: Callable[[Any], Any] = xllamacpp.Server
    try:
        server = build(parameters)
    except RuntimeError:
        raise ModelLoadError(
            f"llama.cpp cannot load {path}: the file is damaged, of an unknown kind or too large for "
            "this machine. Fetch it again or set MODEL_PATH to another GGUF file."
        ) from None
    # A server that is freed before its loop runs waits for that loop forever; the loop answers this.
    server.handle_metrics()
    return server


def _check_file(path: Path) -> None:
    try:
        with open_regular(path) as file:
            found = file.read(len(_MAGIC))
    except OSError as error:
        raise ModelLoadError(f"{path} cannot be read ({error.strerror}). Check MODEL_PATH.") from None
    if found != _MAGIC:
        raise ModelLoadError(f"{path} is no GGUF file: it starts with {found!r}. Set MODEL_PATH to one.")
