"""The in-process model: same observations as over HTTP, and it can always be stopped."""

from __future__ import annotations

import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from purestep_hosts.models.llamacpp import (
    LlamaCppModel,
    LlamaCppOptions,
    ModelLoadError,
    default_threads,
    serve,
)
from purestep_hosts.models.model import ModelRequest
from tests.hosts.asking import observed


def ask(text: str = "Say hello.", max_tokens: int = 8, **more: object) -> ModelRequest:
    """Return a short request."""
    sampling = {"temperature": 0, "max_tokens": max_tokens, "seed": 1}
    return ModelRequest(messages=[{"role": "user", "content": text}], sampling=sampling, **more)  # type: ignore[arg-type]


def test_output_is_whole_and_counted(local_model: LlamaCppModel) -> None:
    """Text, finish reason, usage and the model's name come with every reply."""
    seen: list[str] = []
    output = observed(local_model, ask(), seen.append)
    assert output["content"] == "".join(seen)
    assert (output["finish_reason"], output["usage"]["completion_tokens"]) == ("length", 8)
    assert output["model"] == local_model.name == "SmolLM2-135M-Instruct.Q4_1"


def test_same_seed_gives_the_same_text(local_model: LlamaCppModel) -> None:
    """Temperature 0 repeats itself on one engine, with the prompt in the cache or not."""
    assert observed(local_model, ask())["content"] == observed(local_model, ask())["content"]


def test_grammar_is_enforced(local_model: LlamaCppModel) -> None:
    """A grammar decides the text."""
    assert observed(local_model, ask(grammar='root ::= "yes"'))["content"] == "yes"


@pytest.mark.parametrize(
    "more",
    [
        {"grammar": "root ::= ("},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "bogus"}}}},
    ],
)
def test_request_that_cannot_be_met_is_refused(local_model: LlamaCppModel, more: dict[str, object]) -> None:
    """A bad grammar or schema is an observation, whichever way llama.cpp reports it."""
    output = observed(local_model, ask(**more))  # type: ignore[arg-type]
    assert (output["code"], output["retryable"]) == ("refused", False)


def test_long_prompt_is_an_overflow(local_model: LlamaCppModel) -> None:
    """The window's size and the prompt's are told."""
    output = observed(local_model, ask("word " * 2000))
    assert output["code"] == "overflow"
    assert "1024 tokens" in output["message"]


def test_reader_can_stop_the_generation(local_model: LlamaCppModel) -> None:
    """A true answer of the reader ends the reply at once."""
    seen: list[str] = []
    observed(local_model, ask("Tell a story.", 500), lambda text: not seen.append(text))
    assert len(seen) == 1


def test_error_of_the_reader_reaches_the_caller_and_stops_the_model(local_model: LlamaCppModel) -> None:
    """An exception from the reader, such as Ctrl-C, is not swallowed, and the model is free again."""

    def interrupt(text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        observed(local_model, ask("Tell a story.", 500), interrupt)
    assert observed(local_model, ask())["type"] == "model_output"


def test_time_limit_ends_a_long_reply(model_path: Path) -> None:
    """A reply that takes too long is a timeout, and generation stops with it, long before the 900 tokens asked for."""
    model = LlamaCppModel(model_path, LlamaCppOptions(n_ctx=1024, n_threads=1, total_s=0.3))
    pieces: list[str] = []
    output = observed(model, ask("Tell a very long story.", 900), pieces.append)
    at_the_limit = len(pieces)
    model.close()
    assert output["code"] == "timeout"
    assert at_the_limit == len(pieces) < 450


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"hello world", "no GGUF file"), (b"GGUF" + bytes(200), "damaged"), (b"", "no GGUF")],
)
def test_file_that_is_no_model_is_named(tmp_path: Path, content: bytes, said: str) -> None:
    """A wrong or damaged file gives a sentence, not a crash."""
    path = tmp_path / "bad.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelLoadError, match=said):
        LlamaCppModel(path)


def test_missing_file_is_named(tmp_path: Path) -> None:
    """A path without a file says to check MODEL_PATH."""
    with pytest.raises(ModelLoadError, match="MODEL_PATH"):
        LlamaCppModel(tmp_path / "none.gguf")


def test_loading_and_asking_print_nothing(model_path: Path) -> None:
    """llama.cpp's log stays off stdout and stderr."""
    program = (
        "import sys; from pathlib import Path; from purestep_hosts.models.llamacpp import *;"
        "from tests.hosts.asking import observed;"
        "from purestep_hosts.models.model import ModelRequest;"
        f"m = LlamaCppModel(Path({str(model_path)!r}), LlamaCppOptions(n_ctx=512, n_threads=1));"
        "r = observed(m, ModelRequest(messages=[{'role': 'user', 'content': 'hi'}], sampling={'max_tokens': 2}));"
        "m.close(); sys.exit(r['type'] != 'model_output')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_model_ends_as_soon_as_it_is_loaded(model_path: Path) -> None:
    """A model that is freed before its loop runs waits for nothing, which on one processor it often would."""
    program = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from pathlib import Path; from purestep_hosts.models.llamacpp import *\n"
        f"for _ in range(5): LlamaCppModel(Path({str(model_path)!r}), LlamaCppOptions(n_ctx=64, n_threads=1)).close()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_server_of_the_in_process_model_is_locked(local_model: LlamaCppModel) -> None:
    """llama.cpp listens on loopback even in process; without the random key it answers nothing."""
    url = f"{local_model._server.listening_address}/v1/models"
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(url)
    refused.value.close()
    assert refused.value.code == 401


def test_served_model_answers_no_web_page(model_path: Path) -> None:
    """The server for people is open to this machine's programs, not to pages of other origins."""
    with serve(model_path, options=LlamaCppOptions(n_ctx=512, n_threads=1)) as url:
        asked = urllib.request.Request(f"{url}/models", headers={"Origin": "http://evil.example"})
        with urllib.request.urlopen(asked, timeout=300) as answer:
            assert answer.status == 200
            assert not answer.headers.get("Access-Control-Allow-Origin")
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{url}/models", timeout=300)


def test_one_thread_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """Busy machines get one thread, idle ones up to four."""
    monkeypatch.setenv("CI", "true")
    assert default_threads() == 1
    monkeypatch.delenv("CI")
    assert 1 <= default_threads() <= 4
