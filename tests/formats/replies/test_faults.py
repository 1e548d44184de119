"""What went wrong at a model: one table for all hosts, and nothing in a message that nobody may read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
import purestep_formats
from purestep_formats import ReplyEnd
from purestep_formats.replies.fault_table import KINDS, LIBRARIES, SERVER, Fault, compiled

ROWS = [*SERVER, *KINDS.values(), *(row for rows in LIBRARIES.values() for row in rows)]
CODES = {"overflow", "timeout", "rate_limit", "unavailable", "refused"}


def status(code: int, error: Any = None, **members: Any) -> ReplyEnd:
    """Return an error reply over HTTP."""
    return ReplyEnd(kind="status", status=code, body="" if error is None else json.dumps({"error": error}), **members)


def closed(*chunks: str) -> purestep.ModelOutput | purestep.ModelError:
    """Return the observation of a reply of these chunks."""
    reply = purestep_formats.open_reply(purestep.start(None, purestep.UserMessage(content="Hi"), "r").state)
    for chunk in chunks:
        reply, _ = purestep_formats.feed_reply(reply, chunk)
    return purestep_formats.close_reply(reply)[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.words[:40])
def test_row_has_a_known_code_and_a_pattern_that_compiles(row: Fault) -> None:
    """What the step goes by is in every row, and an overflow is never tried again as it is."""
    assert row.code in CODES
    assert not (row.code == "overflow" and row.retryable)
    for pattern in (row.pattern, row.sizes):
        compiled(pattern)


@pytest.mark.parametrize("rows", [SERVER, *LIBRARIES.values()])
def test_last_row_fits_all(rows: tuple[Fault, ...]) -> None:
    """Nothing falls out of a table."""
    last = rows[-1]
    conditions = (last.statuses, last.from_status, last.types, last.names, last.pattern)
    assert not any(conditions)


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4900 in the messages)",
        "Prompt contains 5000 tokens, too large for model with maximum context length of 4096",
        "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
        "the input length exceeds the context length",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
        "The input token count (5000) exceeds the maximum number of tokens allowed (4096).",
        "prompt is too long: 210000 tokens > 200000 maximum",
        "Please reduce the length of the messages or completion.",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        "The model is loaded with context length of only 4096 tokens, which is not enough.",
        "Context size has been exceeded.",
    ],
)
@pytest.mark.parametrize("code", [400, 500])
def test_servers_say_in_many_words_that_a_prompt_is_too_long(words: str, code: int) -> None:
    """Each server has its own sentence; the prompt is narrowed, not sent again as it is."""
    found = purestep_formats.read_fault(status(code, {"message": words}))
    assert ("overflow", False) == (found.code, found.retryable)


@pytest.mark.parametrize("code", [401, 404, 429, 503])
def test_words_about_length_do_not_hide_another_status(code: int) -> None:
    """A rate limit that speaks of a prompt's length passes with time."""
    assert "overflow" != purestep_formats.read_fault(status(code, {"message": "prompt is too long"})).code


@pytest.mark.parametrize(
    ("error", "code", "retryable"),
    [
        ({"type": "rate_limit_error", "message": "slow down"}, "rate_limit", True),
        ({"code": "rate_limit_exceeded"}, "rate_limit", True),
        ({"type": "overloaded_error"}, "unavailable", True),
        ({"code": "insufficient_quota"}, "rate_limit", False),
        ({"code": 429}, "rate_limit", True),
        ({"code": 400, "message": "no"}, "refused", False),
        ({"code": True}, "unavailable", True),
        ("gone", "unavailable", True),
    ],
)
def test_error_in_mid_stream_has_the_meaning_of_its_status(error: Any, code: str, retryable: bool) -> None:
    """A stream that has begun with 200 tells its error in the place of a chunk."""
    reply, _ = purestep_formats.feed_reply(purestep_formats.open_reply(), json.dumps({"error": error}))
    found, _ = purestep_formats.close_reply(reply)
    assert isinstance(found, purestep.ModelError)
    assert (code, retryable) == (found.code, found.retryable)


@pytest.mark.parametrize(
    ("headers", "wait_ms"),
    [
        ({"retry-after": "1"}, 1000),
        ({"retry-after": "0.5"}, 500),
        ({"retry-after": "1", "retry-after-ms": "20"}, 20),
        ({"retry-after": "Wed, 01 Jan 2025 00:01:00 GMT", "date": "Wed, 01 Jan 2025 00:00:00 GMT"}, 60_000),
        ({"retry-after": "Sat, 01 Mar 2025 00:00:01 GMT", "date": "Fri, 28 Feb 2025 23:59:59 GMT"}, 2000),
        ({"retry-after": "Wed, 01 Jan 2025 00:01:00 GMT"}, None),
        ({"retry-after": "Wed, 01 Jan 2025 00:00:00 GMT", "date": "Wed, 01 Jan 2025 00:01:00 GMT"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_wait_is_read_off_the_headers(headers: dict[str, str], wait_ms: int | None) -> None:
    """Seconds, milliseconds, or a date against the reply's own; what cannot be read asks for nothing."""
    assert wait_ms == purestep_formats.read_fault(status(503, headers=headers)).retry_after_ms


def test_wait_is_told_only_of_what_may_pass() -> None:
    """A refusal with a wait stays a refusal, unless the server says that asking again helps."""
    refused = purestep_formats.read_fault(status(400, headers={"retry-after": "1"}))
    asked_again = purestep_formats.read_fault(status(400, headers={"retry-after": "1", "x-should-retry": "true"}))
    assert (False, None) == (refused.retryable, refused.retry_after_ms)
    assert (True, 1000) == (asked_again.retryable, asked_again.retry_after_ms)


@given(
    st.sampled_from(["status", "timeout", "unreachable", "unusable", "thrown", "not_loaded", "ended", "cut"]),
    st.text(max_size=30),
    st.sampled_from(["", "webllm", "wllama", "transformers", "prompt_api", "none such"]),
    st.integers(0, 700),
)
def test_no_message_holds_the_secret(kind: Any, said: str, library: str, code: int) -> None:
    """Whatever a server or a library repeats, the key is not in what is logged."""
    secret = "sk-SECRET"
    words = f"{said}{secret}{said}"
    end = ReplyEnd(
        kind=kind, status=code, body=json.dumps({"error": {"message": words}}), name=words, message=words,
        library=library, secret=secret,
    )  # fmt: skip
    found = purestep_formats.read_fault(end)
    assert secret not in found.message
    assert secret not in repr(end)
    assert found.code in CODES


@pytest.mark.parametrize(
    ("secret", "said"),
    [
        ("k", "it is unknown: bad key [key], not [key]"),
        ("k.", "it is unknown: bad key k, not [key]"),
        ("unknown", "it is [key]: bad key k, not k."),
        ("is unknown: bad", "it [key] key k, not k."),
    ],
)
def test_short_key_is_hidden_as_a_word_of_its_own(secret: str, said: str) -> None:
    """A local server's "x" is no reason to spoil every word with that letter."""
    found = purestep_formats.read_fault(status(400, "it is unknown: bad key k, not k.", secret=secret)).message
    assert said.rstrip(".") in found


def test_address_is_hidden_in_the_servers_words_alone() -> None:
    """What the host itself says of the server is left as it is."""
    end = status(400, "http://h:80 (h) is down", source="The model server", hide=("h:80", "h"))
    assert "The model server refused the request (400): [address]ttp" in purestep_formats.read_fault(end).message


@pytest.mark.parametrize(
    "reason", ["error", "network_error", "abort", "ERROR", "something_new", "MALFORMED_FUNCTION_CALL"]
)
@pytest.mark.parametrize("done", [True, False])
def test_reply_with_a_reason_that_is_no_good_end_is_asked_for_again(reason: str, done: bool) -> None:
    """Also after the server has said that it is done; the reason is named."""
    chunks = [
        {"choices": [{"delta": {"content": "The total is"}}]},
        {"choices": [{"delta": {}, "finish_reason": reason}]},
    ]
    fault = closed(*map(json.dumps, chunks), *(["[DONE]"] if done else []))
    assert isinstance(fault, purestep.ModelError)
    assert (True, "unavailable") == (fault.retryable, fault.code)
    assert f'with the reason "{reason}", which is no good end' in (fault.message or "")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("end_turn", "stop"),
        ("EOS", "stop"),
        ("eos_token", "stop"),
        ("tool_use", "tool_calls"),
        ("function_call", "tool_calls"),
        ("MAX_TOKENS", "length"),
        ("model_length", "length"),
        ("SAFETY", "content_filter"),
        ("sensitive", "content_filter"),
        ("stop", "stop"),
        ("", None),
    ],
)
def test_known_reasons_are_told_in_the_words_of_chat_completions(given: str, reason: str | None) -> None:
    """As each of the servers calls them."""
    chunk = json.dumps({"choices": [{"delta": {"content": "Hi."}, "finish_reason": given}]})
    output = closed(chunk, "[DONE]")
    assert isinstance(output, purestep.ModelOutput)
    assert reason == output.finish_reason
