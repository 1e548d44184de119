"""The AI SDK: its providers as models of an agent, and an agent as the stream that its clients read."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import purestep

HERE = Path(__file__).parent
VERSIONS = ("v4", "v3", "v2")
CLIENTS = ("ai", "ai-v7")
MODEL_PARTS = ("usage", "extra")


@pytest.fixture(scope="module")
def sdk(node: str, package: Path) -> dict[str, Any]:
    """The outcome of each run."""
    command = [node, HERE / "ai_sdk.mjs", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def facts(log: str) -> list[dict[str, Any]]:
    """Return the lines of a log without what a provider counts and keeps otherwise, and so without their chain."""
    lines = [json.loads(line) for line in log.splitlines()]
    return [{name: value for name, value in line.items() if name not in ("prev", *MODEL_PARTS)} for line in lines]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_provider_gives_the_run_that_its_server_gives(version: str, sdk: dict[str, Any]) -> None:
    """Calls, answer and what is shown are those of the same server asked without a provider."""
    found, direct = sdk["versions"][version], sdk["direct"]
    assert facts(direct["log"]) == facts(found["log"])
    assert (direct["shown"], direct["end"]) == (found["shown"], found["end"])
    assert purestep.verify_log(found["log"]).startswith('{"ok":true')


@pytest.mark.parametrize("version", VERSIONS)
def test_a_provider_is_sent_what_the_core_says(version: str, sdk: dict[str, Any]) -> None:
    """Messages, tools and settings arrive at the server, and so does the reasoning of the calls."""
    found, direct = sdk["versions"][version]["asked"], sdk["direct"]["asked"]
    assert 2 == len(found)
    assert direct[0]["tools"] == found[0]["tools"]
    assert (0, 50) == (found[0]["temperature"], found[0]["max_tokens"])
    sent = found[1]["messages"]
    assert [message["role"] for message in direct[1]["messages"]] == [message["role"] for message in sent]
    assert ("I add.", ["3", "7"]) == (sent[1]["reasoning_content"], [message["content"] for message in sent[2:]])


@pytest.mark.parametrize("version", VERSIONS)
def test_usage_is_counted(version: str, sdk: dict[str, Any]) -> None:
    """Prompt, answer and cached tokens are in the log."""
    responses = [json.loads(line) for line in sdk["versions"][version]["log"].splitlines() if "model_response" in line]
    usage = [response["usage"] for response in responses]
    assert [(5, 3), (7, 2)] == [(each["prompt_tokens"], each["completion_tokens"]) for each in usage]
    assert 4 == usage[1]["cached_tokens"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_image_arrives_at_the_server(version: str, sdk: dict[str, Any]) -> None:
    """As the data URL that a server asked without a provider gets."""
    found = sdk["attached"][version]
    text, image = found["content"]
    assert ("A dot.", {"type": "text", "text": "What is this?"}) == (found["answer"], text)
    assert ("image_url", "data:image/gif;base64,R0lGODlh") == (image["type"], image["image_url"]["url"])


def test_a_schema_constrains_the_model(sdk: dict[str, Any]) -> None:
    """The response format of the decision arrives at the server with its schema and name."""
    asked = sdk["envelope"]["asked"][0]["response_format"]
    assert ("json_schema", "envelope") == (asked["type"], asked["json_schema"]["name"])
    assert "final" == asked["json_schema"]["schema"]["properties"]["kind"]["const"]
    assert "It is 3." == sdk["envelope"]["shown"]


def test_the_server_is_let_go(sdk: dict[str, Any]) -> None:
    """When the answer is complete or the run is stopped, the request is closed."""
    assert ("It is 3.", [False]) == (sdk["early"]["end"]["answer"], sdk["early"]["left"])
    assert ("cancelled", [False]) == (sdk["cancelled"]["end"]["code"], sdk["cancelled"]["left"])
    assert "done" == sdk["silent"]


@pytest.mark.parametrize(
    ("fault", "code", "requests"),
    [
        ("key", "unavailable", 1),
        ("rate", "rate_limit", 2),
        ("overflow", "overflow", 1),
        ("broken", "unavailable", 2),
        ("odd", "unavailable", 2),
        ("cut", "unavailable", 2),
        ("unfinished", "unavailable", 2),
        ("error_in_stream", "unavailable", 2),
    ],
)
def test_faults_are_the_cores_to_judge(fault: str, code: str, requests: int, sdk: dict[str, Any]) -> None:
    """What a server refuses or breaks off has its code in the log, and is asked again where that may help."""
    found = sdk["faults"][fault]
    assert ([code], requests) == ([error for error, _ in found["errors"]], found["asked"])
    assert ("done" if requests == 2 else "failed") == found["end"]["type"]
    assert not found["leaked"]


def test_a_wait_that_the_server_asks_for_is_kept(sdk: dict[str, Any]) -> None:
    """`retry-after` comes through the provider."""
    assert [2000] == sdk["faults"]["rate"]["waits"]


def test_what_is_no_model_is_refused(sdk: dict[str, Any]) -> None:
    """A name, another version and nothing at all are told with what to do."""
    assert 3 == len(sdk["no_model"])
    for told in sdk["no_model"]:
        assert told.startswith("invalid_input: expected a language model of a provider")


@pytest.mark.parametrize("version", ["v2", "v4"])
def test_what_a_provider_signs_goes_back_to_it(version: str, sdk: dict[str, Any]) -> None:
    """Reasoning with its signature, redacted reasoning and the data of calls come back as provider options."""
    found = sdk["signed"][version]
    reasoning, redacted, call = found["sent"][1]["content"]
    assert ("I add.", {"own": {"signature": "s1"}}) == (reasoning["text"], reasoning["providerOptions"])
    assert {"own": {"redacted": "r"}} == redacted["providerOptions"]
    assert ({"a": 1, "b": 2}, {"own": {"thought": "t"}}) == (call["input"], call["providerOptions"])
    assert "It is 3." == found["end"]


@pytest.mark.parametrize("client", CLIENTS)
def test_clients_take_every_chunk(client: str, sdk: dict[str, Any]) -> None:
    """The schemas of versions 6 and 7 refuse nothing, and the messages they make are valid."""
    assert [] == sdk["chats"][client]["problems"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_chat_goes_on_over_approvals_and_processes(client: str, sdk: dict[str, Any]) -> None:
    """One message holds a call, its approval and the answer; another process goes on from the log."""
    found = sdk["chats"][client]
    assert [
        ["user", [["text", "Good day"]]],
        ["assistant", [["text", "done", "Good day to you."], ["data-acts"]]],
        ["user", [["text", "Refund 7"]]],
        [
            "assistant",
            [["dynamic-tool", "output-available", "refunded 7"], ["text", "done", "It is refunded."], ["data-acts"]],
        ],
        ["user", [["text", "Refund 8"]]],
        ["assistant", [["dynamic-tool", "output-denied"], ["text", "done", "It was refused."], ["data-acts"]]],
    ] == found["messages"]
    assert ([7], True) == (found["ran"], found["verified"])


@pytest.mark.parametrize("client", CLIENTS)
def test_each_stream_is_whole(client: str, sdk: dict[str, Any]) -> None:
    """It begins with `start`, ends with `finish`, and has each of them once."""
    streams = sdk["chats"][client]["streams"]
    assert 5 == len(streams)
    for chunks in streams:
        assert ("start", "finish", 1, 1) == (chunks[0], chunks[-1], chunks.count("start"), chunks.count("finish"))


def test_misuse_of_streams_is_told(sdk: dict[str, Any]) -> None:
    """A second stream, a wrong definition, a chat without a message: each says what was expected."""
    found = sdk["streams"]
    assert ["expected one stream at a time; read this one, or cancel it"] == found["second"]
    assert ['the keyword "propertys" is not supported; did you mean "properties"?'] == found["wrong"]
    assert found["without_log"][0].startswith("expected the log of the run so far")
    assert found["empty"].startswith("invalid_input: expected a chat that ends with a message of the user")
    assert ("invalid_input", None) == (found["regenerate"], found["reconnect"])


def test_streams_are_stopped(sdk: dict[str, Any]) -> None:
    """Cancelling the stream or aborting its signal cancels the run, which the stream says while it is read."""
    assert "cancelled" == sdk["streams"]["after_cancel"]
    assert ["start", "abort"] == [sdk["streams"]["aborted"][0], sdk["streams"]["aborted"][-1]]


def test_no_rejection_is_left_unhandled(sdk: dict[str, Any]) -> None:
    """What nobody awaits is no unhandled rejection."""
    assert [] == sdk["unhandled"]
