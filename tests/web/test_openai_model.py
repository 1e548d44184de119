"""The HTTP adapter in JavaScript gives the observations that the one in Python gives, whatever a server does."""

import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from purestep_formats.server_profiles import ROWS
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpLimits, HttpModel, completions_url
from purestep_hosts.models.server_kinds import BY_NAME
from tests.hosts.asking import observed
from tests.hosts.test_hosts_http_faults import GOOD, chunk, reply, stream
from tests.web.conftest import Site

HERE = Path(__file__).parent
MESSAGES = [{"role": "user", "content": "hi"}]
KEY = "sk-secret-1234"
# Silence and the whole, for servers that never end; the others may be as slow as a busy machine makes them.
QUICK = {"silenceMs": 700, "totalMs": 1500}
PATIENT = {"silenceMs": 60_000, "totalMs": 60_000}

Answer = Callable[[Any, int], None]
Web = Callable[[Answer], str]
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def ask(node: str, package: Path) -> Iterator[Ask]:
    """Ask the adapter in Node: a function from a base URL to what it gave."""
    command = [node, HERE / "openai_model.mjs"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, of = process.stdin, process.stdout

        def ask(
            url: str, *, abort_at_text: bool = False, request: Any = None, origin: str = "", **options: Any
        ) -> dict[str, Any]:
            given = {"baseUrl": url, "model": "m", "apiKey": KEY, **PATIENT, **options}
            asked = {name: value for name, value in given.items() if value is not None}
            body = {"options": asked, "request": request or {"messages": MESSAGES}, "abort_at_text": abort_at_text}
            body["origin"] = origin
            print(json.dumps(body), file=to, flush=True)
            return json.loads(of.readline())

        yield ask
        to.close()


def in_python(url: str, times: dict[str, int] = PATIENT) -> dict[str, Any]:
    """Ask the same server by the adapter in Python."""
    limits = HttpLimits(
        connect_s=60.0,
        read_s=times["silenceMs"] / 1000,
        total_s=times["totalMs"] / 1000,
    )
    model = HttpModel(completions_url(url), model="m", api_key=KEY, limits=limits)
    try:
        return observed(model, ModelRequest(messages=MESSAGES))
    finally:
        model.close()


def without_words(observation: dict[str, Any]) -> dict[str, Any]:
    """Leave out the message, in which each host names its own options and errors."""
    return {name: value for name, value in observation.items() if name != "message"}


def status(code: int, body: Any) -> Answer:
    """Answer with an error."""
    return reply(code, "application/json", json.dumps(body).encode())


def data(*bodies: Any) -> Answer:
    """Answer with a stream of these chunks."""
    return stream(*(b"data: " + json.dumps(body).encode() + b"\n\n" for body in bodies))


def call(index: Any = None, call_id: Any = None, name: str | None = None, arguments: Any = "") -> dict[str, Any]:
    """Return a chunk with a piece of a tool call."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    piece: dict[str, Any] = {"function": function} | ({"id": call_id} if call_id is not None else {})
    piece |= {} if index is None else {"index": index}
    return {"choices": [{"delta": {"tool_calls": [piece]}}]}


def text(content: Any, **more: Any) -> dict[str, Any]:
    """Return a chunk with text."""
    return {"choices": [{"delta": {"content": content}}], **more}


END = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
WHOLE = {"model": "big", "choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}
NOT_A_COMPLETION = (
    b"not json",
    b"[]",
    b"{}",
    b'{"choices": 5}',
    b'{"choices": [5]}',
    b'{"choices": [{"message": "hi"}]}',
    b'{"choices": [{"message": {"content": 5}}]}',
    b'{"choices": [{"message": {"content": "x", "tool_calls": [{"function": 3}]}}]}',
    b'{"choices": [{"message": {"content": "x", "tool_calls": [{"index": 128}]}}]}',
    b'{"choices": [{"message": {"content": "x"}, "finish_reason": 7}]}',
    b'{"choices": [{"message": {"content": "\xff"}}]}',
    b"[" * 100_000,
    b"",
)


def in_bytes(*pieces: bytes) -> Answer:
    """Answer with an event stream that comes byte by byte."""
    whole = b"".join(pieces)
    return stream(*(whole[at : at + 1] for at in range(len(whole))))


def cut_inside_a_known_length(handler: Any, number: int) -> None:
    """Announce more than comes."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(chunk("Hello"))


def endless_line(handler: Any, number: int) -> None:
    """Send a line without an end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    handler.wfile.write(b"data: ")
    for _ in range(100):
        handler.wfile.write(b"x" * 65536)


def endless(piece: bytes) -> Answer:
    """Send the same piece for longer than any limit."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for _ in range(1200):  # a minute, unless the client leaves
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(0.05)

    return answer


def silent(handler: Any, number: int) -> None:
    """Say nothing for longer than the limit of silence."""
    time.sleep(2.5)


CASES: dict[str, Answer] = {
    "good": stream(*GOOD),
    "good, with bare newlines": stream(*(piece.replace(b"\n\n", b"\n") for piece in GOOD)),
    "good, with carriage returns": stream(*(piece.replace(b"\n", b"\r\n") for piece in GOOD)),
    "good, byte by byte": in_bytes(
        b"data: " + json.dumps(text("Grüße 🎉"), ensure_ascii=False).encode() + b"\n\n", *GOOD[2:]
    ),
    "good, without a stream": reply(200, "application/json", json.dumps(WHOLE).encode()),
    "good, as JSON of no type": reply(200, "", json.dumps(WHOLE).encode()),
    "overflow by code": status(400, {"error": {"code": "context_length_exceeded", "message": "too long"}}),
    "overflow of llama.cpp": status(400, {"error": {"type": "exceed_context_size_error", "n_ctx": 8}}),
    "refused": status(400, {"error": {"message": "no such option"}}),
    "bad key": status(401, {"error": {"message": f"bad key {KEY}"}}),
    "forbidden": status(403, {"detail": "no"}),
    "no such model": status(404, {"error": "no such model"}),
    "request timeout": status(408, {}),
    "odd": status(422, {"detail": f"key {KEY} is odd"}),
    "key with an invisible character": status(400, {"error": {"message": "key sk-sec\u200bret-1234"}}),
    "busy": status(409, {"error": {"message": "locked"}}),
    "overflow of vLLM": status(
        400, {"error": {"message": "This model's maximum context length is 8 tokens. However, you requested 9 tokens"}}
    ),
    "asks to wait": reply(503, "text/plain", b"", Retry_After="2"),
    "slow down": status(429, {"error": {"message": "slow down"}}),
    "no quota": status(429, {"error": {"code": "insufficient_quota"}}),
    "traceback": reply(500, "text/plain", b"Traceback: secret internals"),
    "loading": status(503, {"error": {"message": "loading model"}}),
    "gateway timeout": status(504, []),
    "HTML page": reply(200, "text/html", b"<html>Welcome</html>"),
    "cut": stream(chunk("Hello")),
    "cut in a line": stream(chunk("Hello"), b'data: {"choi'),
    "cut after a comment": stream(chunk("Hello"), b": ping\n\n"),
    "cut inside a known length": cut_inside_a_known_length,
    "no finish reason": stream(chunk("Hello"), b"data: [DONE]\n\n"),
    "end without a newline": stream(chunk("Hello"), b"data: [DONE]"),
    "end without its line": stream(chunk("Hello"), chunk(finish="stop").rstrip()),
    "events without data": stream(b"data:\n\n", *GOOD[:2], b"event: ping\ndata: {}\n\n", *GOOD[2:]),
    "good, with a byte order mark": stream(b"\xef\xbb\xbf", *GOOD),
    "good, of no type": reply(200, "", b"".join(GOOD)),
    "good, of another type": reply(200, "text/plain", b": ping\n\n" + b"".join(GOOD)),
    "failure by name": stream(chunk("Hello"), b"event: error\ndata: overloaded\n\n", *GOOD[2:]),
    "cut in a character": stream(chunk("Hello"), b"data: \xc3"),
    "bytes that are no text": stream(chunk("Hello"), b"data: \xff\n\n", *GOOD[2:]),
    "only a finish reason": stream(chunk("Hello"), chunk(finish="length")),
    "silent": silent,
    "endless comments": endless(b": ping\n\n"),
    "endless text": endless(chunk("x")),
    "endless line": endless_line,
    "error in a stream": data(
        text("He"), {"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 8, "n_prompt_tokens": 9}}
    ),
    "error text in a stream": data(text("He"), {"error": "the server gave up"}),
    "calls, interleaved": data(call(0, "x1", "add", '{"a":'), call(1, "x2", "now", "{}"), call(0, arguments="1}"), END),
    "calls, numbered by nobody": data(
        call(None, "a", "add", '{"x":'), call(None, arguments="1}"), call(None, "b", "sub", "{}"), END
    ),
    "calls, all numbered 0": data(
        call(0, "a", "add", '{"x":'), call(0, arguments="1}"), call(0, "b", "sub", "{}"), END
    ),
    "call with an id that is a number": data(call(0, 7, "add", "{}"), END),
    "call without an id": data(call(0, None, "add", "{}"), END),
    "too many calls": data(*(call(0, f"id{at}", "add", "{}") for at in range(130)), END),
    "usage and model": data(
        text("hi", model="big"),
        END,
        {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}},
    ),
    "impossible usage": data(
        text("hi"), END, {"choices": [], "usage": {"prompt_tokens": 2**60, "completion_tokens": -1}}
    ),
    "reports only": data(text("hi"), {"choices": None, "usage": {}}, {"choices": [{"delta": None}]}, END),
    "halves of characters": stream(chunk("a\ud83c"), chunk("\udf89b\ud83c"), chunk(finish="stop")),
    "filtered": data(text("hi"), {"choices": [{"delta": {}, "finish_reason": "content_filter"}]}),
    **{f"whole {body[:60]!r}": reply(200, "application/json", body) for body in NOT_A_COMPLETION},
    **{f"streamed {body[:60]!r}": stream(b"data: " + body + b"\n\n") for body in NOT_A_COMPLETION},
}


NEVER_ENDING = ("silent", "endless comments", "endless text")


@pytest.mark.parametrize("name", CASES)
def test_same_observation_as_in_python(ask: Ask, web: Web, name: str) -> None:
    """Both adapters ask the same server; code, retryable, content, calls and usage are the same."""
    url = web(CASES[name])
    times = QUICK if name in NEVER_ENDING else PATIENT
    expected = in_python(url, times)

    actual = ask(url, **times)["observation"]

    assert without_words(expected) == without_words(actual)
    assert actual["type"] == "model_output" or actual["message"].endswith((".", "?", ")."))
    assert "secret" not in json.dumps(actual)


@pytest.mark.parametrize("name", ["overflow of llama.cpp", "refused", "cut", "slow down", "HTML page"])
def test_same_words_as_in_python(ask: Ask, web: Web, name: str) -> None:
    """Where nothing differs between the hosts, people read the same sentence."""
    url = web(CASES[name])
    assert in_python(url)["message"] == ask(url)["observation"]["message"]


def test_text_comes_in_pieces(ask: Ask, web: Web) -> None:
    """Each piece of text is handed on as it comes."""
    assert ["Hel", "lo"] == ask(web(stream(*GOOD)))["texts"]


def test_busy_server_is_asked_once(ask: Ask, web: Web) -> None:
    """Whether it is asked again is not the adapter's decision; how long the server asks to be left alone is told."""
    tries: list[int] = []

    def answer(handler: Any, number: int) -> None:
        tries.append(number)
        handler.reply(429, "application/json", b'{"error":{"message":"slow down"}}', Retry_After="0.01")

    found = ask(web(answer), totalMs=20_000)["observation"]
    assert ([0], "rate_limit", True, 10) == (tries, found["code"], found["retryable"], found["retry_after_ms"])


def test_arguments_that_come_as_an_object_become_text(ask: Ask, web: Web) -> None:
    """Some servers send the arguments of a call as JSON and not as its text."""
    found = ask(web(data(call(0, "a", "add", {"x": [1]}), END)))["observation"]
    assert {"x": [1]} == json.loads(found["tool_calls"][0]["function"]["arguments"])


def test_request_carries_what_the_core_asks_for(ask: Ask, site: Site) -> None:
    """Messages, constraint, sampling and key are sent; what says nothing is left out."""
    sent: list[Any] = []

    def answer(handler: Any) -> None:
        sent.append((handler.headers["Authorization"], json.loads(handler.body)))
        handler.reply(200, "application/json", json.dumps(WHOLE).encode())

    site.answers["/v1/chat/completions"] = answer
    constraint = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}
    settings = {"temperature": 0, "max_tokens": None}
    tools: dict[str, Any] = {"tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": "required"}
    request = {"messages": MESSAGES, "response_format": constraint, "stop": [], "sampling": settings, **tools}
    ask(f"{site.url}/v1", request=request)
    expected = {
        "model": "m",
        "messages": MESSAGES,
        "stream": True,
        "stream_options": {"include_usage": True},
        "response_format": constraint,
        **tools,
        "temperature": 0,
    }
    assert [(f"Bearer {KEY}", expected)] == sent


def test_abort_ends_the_request(ask: Ask, web: Web) -> None:
    """A stopped run does not wait for the server, and says that it was stopped."""
    ended = threading.Event()

    def answer(handler: Any, number: int) -> None:
        endless(chunk("x"))(handler, number)
        ended.set()

    found = ask(web(answer), abort_at_text=True, totalMs=600_000, silenceMs=600_000)
    assert not ended.is_set()
    assert "stopped" in found["observation"]["message"]
    assert 1 == len(found["texts"])


def test_nothing_listens(ask: Ask) -> None:
    """A closed port is named with advice."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found = ask(f"http://127.0.0.1:{port}/v1")["observation"]
    assert ("unavailable", True) == (found["code"], found["retryable"])
    assert f"127.0.0.1:{port}" in found["message"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"baseUrl": "nowhere"}, "baseUrl"),
        ({"baseUrl": "ftp://h/v1"}, "baseUrl"),
        ({"baseUrl": f"http://user:{KEY}@h/v1"}, "baseUrl"),
        ({"apiKey": f"{KEY}\n"}, "apiKey"),
        ({"baseUrl": None, "apiKey": None}, "OpenAI (https://api.openai.com/v1) wants a key"),
        ({"baseUrl": None, "apiKey": None, "server": "groq"}, "Groq (https://api.groq.com/openai/v1) wants a key"),
        ({"baseUrl": None, "model": "openai:"}, "expected openai:NAME, got openai:"),
        ({"baseUrl": None, "apiKey": None, "model": "groq:m"}, "Groq (https://api.groq.com/openai/v1) wants a key"),
        ({"server": "toString"}, "expected server to be one of ollama, lmstudio, llama-server, vllm, openai"),
    ],
)
def test_options_that_cannot_be_used_are_refused_at_once(ask: Ask, options: dict[str, str], said: str) -> None:
    """What is wrong with the host's own options is thrown, and the key is not repeated."""
    found = ask(options.pop("baseUrl", "http://h/v1"), **options)["thrown"]
    assert said in found
    assert KEY not in found


@pytest.mark.parametrize("name", ["ollama", "lmstudio", "llama-server", "vllm", "openai", "openrouter", "groq"])
def test_server_by_its_name_is_where_python_has_it(node: str, package: Path, name: str) -> None:
    """Without an address; the key goes along, and the profile is the core's."""
    kind = BY_NAME[name]
    script = """
      import { openAiModel } from "PACKAGE/models/openai.js";
      const sent = [];
      const fetch = async (url, { headers }) => (sent.push(url, headers.Authorization), new Response("{}"));
      const model = openAiModel({ server: "NAME", model: "m", apiKey: "sk-1", fetch });
      await model.complete({ messages: [] }, { chunk() {} }, new AbortController().signal);
      console.log(JSON.stringify([...sent, model.profile]));
    """.replace("PACKAGE", package.as_uri()).replace("NAME", name)
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False, cwd=package
    )
    assert 0 == done.returncode, done.stderr
    url, key, profile = json.loads(done.stdout)
    assert (completions_url(kind.base_url(None)), "Bearer sk-1") == (url, key)
    assert "openai" == ROWS[profile]["wire"]


@pytest.mark.parametrize(
    ("options", "url", "name"),
    [
        ('model: "openai:gpt-5"', "https://api.openai.com/v1", "gpt-5"),
        ('model: "openai-chat:gpt-5"', "https://api.openai.com/v1", "gpt-5"),
        ('model: "openrouter:openai/gpt-5:free"', "https://openrouter.ai/api/v1", "openai/gpt-5:free"),
        ('model: "ollama:llama3.2:1b"', "http://127.0.0.1:11434/v1", "llama3.2:1b"),
        ('model: "ft:gpt-4o:org"', "https://api.openai.com/v1", "ft:gpt-4o:org"),
        ('model: "toString:x"', "https://api.openai.com/v1", "toString:x"),
        ('model: "openai:gpt-5", baseUrl: "http://h/v1"', "http://h/v1", "openai:gpt-5"),
        ('model: "openai:gpt-5", server: "groq"', "https://api.groq.com/openai/v1", "openai:gpt-5"),
    ],
)
def test_model_with_a_prefix_names_its_server(node: str, package: Path, options: str, url: str, name: str) -> None:
    """As in Python; an address or a server that is given stands, and the name with it."""
    script = """
      import { openAiModel } from "PACKAGE/models/openai.js";
      const sent = [];
      const fetch = async (url, { body }) => (sent.push(url, JSON.parse(body).model), new Response("{}"));
      const model = openAiModel({ OPTIONS, apiKey: "sk-1", fetch });
      await model.complete({ messages: [] }, { chunk() {} }, new AbortController().signal);
      console.log(JSON.stringify([...sent, model.name]));
    """.replace("PACKAGE", package.as_uri()).replace("OPTIONS", options)
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False, cwd=package
    )
    assert 0 == done.returncode, done.stderr
    assert [completions_url(url), name, name] == json.loads(done.stdout)


@pytest.mark.parametrize("kind", ["anthropic", "google"])
def test_server_of_another_protocol_is_refused_and_its_key_goes_nowhere(node: str, package: Path, kind: str) -> None:
    """Else OpenAI would be given it; with an address the name is a gateway's own."""
    script = """
      import { openAiModel } from "PACKAGE/models/openai.js";
      const options = { model: "KIND:a-model", apiKey: "sk-1" };
      try {
        openAiModel(options);
      } catch ({ code, path, message }) {
        console.log(JSON.stringify([code, path, message]));
      }
      console.log(openAiModel({ ...options, baseUrl: "http://h/v1" }).name);
    """.replace("PACKAGE", package.as_uri()).replace("KIND", kind)
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False, cwd=package
    )
    refused, name = done.stdout.splitlines()
    code, path, message = json.loads(refused)
    assert ("invalid_input", "/model", f"{kind}:a-model") == (code, path, name)
    assert f"got {kind}: use the AI SDK's provider for it" in message


def listing(at: str, *names: str) -> Answer:
    """List models at an address, and know nothing else."""

    def answer(handler: Any, number: int) -> None:
        listed = json.dumps({"data": [{"id": name} for name in names]}).encode()
        found = handler.path == at
        handler.reply(200 if found else 404, "application/json", listed if found else b'{"error": "no such page"}')

    return answer


NAMES = ("llama3.2:1b", "llama3.2:3b", "qwen3:8b", "nomic-embed-text", "mistral", "phi4", "gemma3")


@pytest.mark.parametrize(
    ("at", "url", "names", "said"),
    [
        ("/v1/models", "/v1", NAMES, "It has no model llama3.1, but llama3.2:1b, llama3.2:3b."),
        ("/v1/models", "/v1", ["qwen3:8b"], "It has no model llama3.1, but qwen3:8b."),
        ("/v1/models", "/v1", [], "It has no model llama3.1, but none at all."),
        ("/v1/models", "", NAMES, "Its models are at {}/v1: give this base URL."),
        ("/v1/models", "/api", NAMES, ""),
        ("/v1/models", "/v1", ["llama3.1"], ""),
        ("/nowhere", "", NAMES, ""),
        ("/v1/models", "/v1", ["a\nb" * 60], "It has no model llama3.1, but " + "ab" * 50 + "."),
    ],
)
def test_what_a_server_has_is_looked_up(ask: Ask, web: Web, at: str, url: str, names: list[str], said: str) -> None:
    """After a 404, a model's name that is nearly right and an address without `/v1` are told as what they are."""
    root = web(listing(at, *names))
    found = ask(root + url, model="llama3.1")["observation"]
    assert ("unavailable", False) == (found["code"], found["retryable"])
    told = found["message"].partition("the model's name.")[2].strip()
    assert said.format(root) == told


def test_key_has_the_name_that_people_know_it_by(ask: Ask, web: Web) -> None:
    """A page has a field for it, and no option."""
    url = web(status(401, {"error": {"message": "no"}}))
    assert ask(url)["observation"]["message"].endswith("Check the option apiKey.")
    assert ask(url, keyName="the field Key")["observation"]["message"].endswith("Check the field Key.")


def test_address_that_nobody_may_know_is_looked_up_nowhere(ask: Ask, web: Web) -> None:
    """A service says no more than that it was not found."""
    found = ask(web(listing("/v1/models", *NAMES)), hideAddress=True)["observation"]
    assert found["message"].endswith("the model's name.")


def test_proxy_on_the_origin_of_a_page_is_asked(ask: Ask, web: Web) -> None:
    """`/v1` is an address in a page; elsewhere it is none."""
    asked: list[str] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(handler.path)
        reply(200, "application/json", json.dumps(WHOLE).encode())(handler, number)

    assert "Hello" == ask("/v1", origin=web(answer))["observation"]["content"]
    assert ["/v1/chat/completions"] == asked
    assert "baseUrl" in ask("/v1")["thrown"]
    assert "baseUrl" in ask("/v1", origin="null")["thrown"]
    assert "baseUrl" in ask("v1", origin="http://127.0.0.1:9")["thrown"]


def test_llama_cpp_answers(ask: Ask, llama_url: str) -> None:
    """A real server streams; a schema is enforced, usage and the model's name come with it."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    request = {
        "messages": [{"role": "user", "content": "Give a number."}],
        "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}},
        "sampling": {"temperature": 0, "max_tokens": 24, "seed": 1},
    }
    found = ask(llama_url, request=request, apiKey="right-key", silenceMs=60_000, totalMs=60_000)
    output = found["observation"]
    assert output["content"] == "".join(found["texts"])
    assert output["content"].lstrip().startswith("{")
    assert output["usage"]["completion_tokens"] > 1
    assert "SmolLM2-135M-Instruct.Q4_1" == output["model"]


def test_llama_cpp_overflows_and_refuses(ask: Ask, llama_url: str) -> None:
    """A prompt past the window, and a wrong key, are told as what they are."""
    long = {"messages": [{"role": "user", "content": "word " * 2000}]}
    overflow = ask(llama_url, request=long, apiKey="right-key", **PATIENT)["observation"]
    assert ("overflow", False) == (overflow["code"], overflow["retryable"])
    assert "1024 tokens" in overflow["message"]
    wrong = ask(llama_url, apiKey="wrong-key", **PATIENT)["observation"]
    assert ("unavailable", False) == (wrong["code"], wrong["retryable"])
    assert "wrong-key" not in wrong["message"]


def test_what_the_server_has_refused_is_added_by_neither(ask: Ask, web: Web) -> None:
    """Both bodies are the same, and have no member that the core says is to be left out."""
    bodies: list[dict[str, Any]] = []

    def answer(handler: Any, number: int) -> None:
        bodies.append(json.loads(handler.body))
        stream(GOOD)(handler, number)

    url = web(answer)
    ask(url, request={"messages": MESSAGES, "without": ["stream_options"]})
    request = ModelRequest(messages=MESSAGES, without=("stream_options",))
    observed(HttpModel(completions_url(url), model="m", api_key=KEY), request)
    assert [{"model": "m", "messages": MESSAGES, "stream": True}] * 2 == bodies
