"""What a step costs natively, against the least that any step has to do, and against the length of the run."""

import hashlib
from typing import Any

import msgspec

import purestep
from bench.figures import Figure, cpu_us
from bench.runs import LongRun, said
from purestep.entry.whole_state import WholeState


class Envelope(msgspec.Struct):
    """The smallest value a step has to decode: the model's call."""

    kind: str
    tool_name: str
    arguments: dict[str, Any]


def floor(run: LongRun) -> Any:
    """Return the bare loop: decode the call and hash the log line that records it."""
    decode = msgspec.json.Decoder(Envelope).decode
    text = said(17)["content"].encode()
    line = run.log[1].split("\n")[1].encode()

    def bare() -> str:
        decode(text)
        return hashlib.sha256(line).hexdigest()

    return bare


class DecodedState(msgspec.Struct):
    """The whole state with every message decoded: what splicing is compared with."""

    schema_version: int
    history: list[dict[str, Any]]
    is_complete: bool
    final_answer: str | None
    agent: Any
    run: Any


def _state_bytes(run: LongRun) -> int:
    return len(msgspec.json.encode(run.state))


def measure() -> list[Figure]:
    """Measure the delta form at two lengths, the bare loop, and splicing against decoding."""
    short, long = LongRun(10), LongRun(10_000)
    step = purestep.run_agent_step
    first, last = short.input(), long.input()
    at_10, at_10_000, bare = cpu_us([lambda: step(first), lambda: step(last), floor(short)], 400)
    return [
        Figure("delta step at 10 messages", at_10, "µs", at_most=12),
        Figure("delta step at 10,000 messages", at_10_000, "µs", at_most=12),
        Figure("10,000 messages to 10", at_10_000 / at_10, "times", at_most=1.5),
        Figure("state at 10 messages", _state_bytes(short), "bytes"),
        Figure("state at 10,000 messages", _state_bytes(long), "bytes", at_most=2 * _state_bytes(short)),
        Figure("bare loop: decode the call, hash its log line", bare, "µs"),
        Figure("delta step to bare loop", at_10 / bare, "times", at_most=20),
        *_whole(),
    ]


def _whole() -> list[Figure]:
    """Measure a whole-state step at 1,000 messages, and splicing its history against decoding every message."""
    state_json, given = LongRun(1_000).whole()
    encode, data = msgspec.json.encode, state_json.encode()
    by_decoding = msgspec.json.Decoder(DecodedState).decode
    by_splicing = msgspec.json.Decoder(WholeState).decode
    outer = msgspec.json.Decoder(dict[str, Any]).decode

    def decoded_round() -> bytes:
        """Do what any whole-state step has to around its decision, with every message decoded."""
        state = by_decoding(outer(given)["state_json"])
        return encode({"state_json": encode(state).decode()})

    step, around, decoded, spliced = cpu_us(
        [
            lambda: purestep.run_agent_step(given),
            decoded_round,
            lambda: encode(by_decoding(data)),
            lambda: encode(by_splicing(data)),
        ],
        20,
    )
    return [
        Figure("whole-state step at 1,000 messages", step, "µs"),
        Figure("reading and writing the state, decoded to spliced", decoded / spliced, "times", at_least=3),
        Figure("a round that decodes every message and decides nothing, to the step", around / step, "times"),
    ]
