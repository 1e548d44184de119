"""How much of a run's prompts a server's cache has: a server that keeps the last request and counts what is the same.

Each wire is asked in its own form by a run of twelve model calls, with two tools, calls in parallel, a correction and
results of a page each. A token is four bytes of what the server reads.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import purestep
from bench.figures import Figure
from purestep_hosts import Agent, tool
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpModel
from tools.prompt_prefixes import bodies_of, written

CALLS: Final = 12
"""Model calls of the run."""

_BYTES: Final = 4
"""Of a token."""

_PAGE: Final = "The order was sent on Monday, and the parcel is at the depot. " * 40

INSTRUCTIONS: Final = "You answer questions about orders. Look up each order before you speak of it. " * 10


@tool(read_only=True)
def find_order(number: int) -> str:
    """Find an order by its number."""
    return f"Order {number}. {_PAGE}"


@tool(read_only=True)
def find_parcel(order: int) -> str:
    """Find the parcel of an order."""
    return f"Parcel of {order}. {_PAGE}"


class PromptCache:
    """Keeps what a server has read of the last request, and counts what the next one has in common with it."""

    def __init__(self, wire: str) -> None:
        self.wire = wire
        self.asked = 0
        self.tokens = 0
        """Of all requests."""
        self.sent_before = 0
        """Of them, those of the request before: what a cache can have at most."""
        self.cached = 0
        self._last = b""

    def read(self, body: dict[str, Any]) -> dict[str, int]:
        """Take a request; returns the counts of its tokens as chat completions tell them."""
        text = written(self.wire, body).encode()
        same = next((at for at, (old, new) in enumerate(zip(self._last, text, strict=False)) if old != new), None)
        cached = min(len(self._last), len(text)) if same is None else same
        self.asked += 1
        self.tokens += len(text) // _BYTES
        self.sent_before += len(self._last) // _BYTES
        self.cached += cached // _BYTES
        self._last = text
        return {"prompt_tokens": len(text) // _BYTES, "completion_tokens": 20, "cached_tokens": cached // _BYTES}

    def output(self) -> dict[str, Any]:
        """Return the next message: calls, one of them wrong, and an answer at last."""
        number = self.asked
        if number == CALLS:
            return {"content": "All parcels are at the depot."}
        wrong = {"number": "five"} if number == CALLS // 2 else {"number": number}
        calls = [("find_order", wrong), *([("find_parcel", {"order": number})] if number % 3 == 0 else [])]
        return {
            "content": None,
            "tool_calls": [
                {"id": f"c{number}_{at}", "function": {"name": name, "arguments": json.dumps(arguments)}}
                for at, (name, arguments) in enumerate(calls)
            ],
        }


class _Direct:
    """A model that reads a request in the form of a wire, without a connection."""

    name = "counting"

    def __init__(self, cache: PromptCache) -> None:
        self._cache = cache
        self._body = bodies_of()[cache.wire]

    def complete(self, request: ModelRequest, reply: Any) -> purestep.ModelOutput:
        """Return the next output with the counts."""
        del reply
        usage = purestep.Usage(**self._cache.read(self._body(request)))
        message = self._cache.output()
        calls = [
            purestep.NativeCall(id=call["id"], function=purestep.NativeFunction(**call["function"]))
            for call in message.get("tool_calls", ())
        ]
        return purestep.ModelOutput(content=message["content"], tool_calls=tuple(calls) or None, usage=usage)

    def stop(self) -> None:
        """Nothing is awaited."""


@contextmanager
def _served(cache: PromptCache) -> Iterator[str]:
    """Serve chat completions with such a cache; gives the address."""

    class Reply(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            counts = cache.read(body)
            usage = {**counts, "prompt_tokens_details": {"cached_tokens": counts.pop("cached_tokens")}}
            message = {"role": "assistant", **cache.output()}
            data = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Reply) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
        server.shutdown()


def run_with(model: Any, cache: PromptCache) -> None:
    """Make the run; raises AssertionError where the counts of the run are not those of the server."""
    agent = Agent(model, tools=[find_order, find_parcel], instructions=INSTRUCTIONS, dialect="native")
    result = agent.run_sync("Where are the parcels of my orders?")
    assert result.status == "done", result.failure
    assert cache.asked == CALLS
    assert (result.usage.prompt_tokens, result.usage.cached_tokens) == (cache.tokens, cache.cached)


def measure() -> list[Figure]:
    """Return how much of the prompts was in the cache, for each wire, and over a connection for chat completions."""
    caches = {f"{wire}: ": PromptCache(wire) for wire in bodies_of()}
    for cache in caches.values():
        run_with(_Direct(cache), cache)
    caches["openai, over HTTP: "] = cache = PromptCache("openai")
    with _served(cache) as url:
        run_with(HttpModel(url, model="m"), cache)
    figures = []
    for name, each in caches.items():
        share = 100 * each.cached / each.tokens
        of_before = 100 * each.cached / each.sent_before
        figures.append(Figure(f"{name}of a run's prompt tokens in the cache", share, "%", at_least=80))
        figures.append(Figure(f"{name}of what was sent before", of_before, "%", at_least=100))
    return figures
