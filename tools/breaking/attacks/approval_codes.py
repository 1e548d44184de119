"""Answers to approval codes that were forged, changed, kept, swapped, or are somebody else's."""

import hashlib
import json
import random
from base64 import urlsafe_b64decode
from functools import lru_cache
from typing import Any, Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import purestep
from purestep_hosts.approval_codes import ApprovalCodeError, ApprovalCodes, Waiting, answer_request, public_text
from purestep_hosts.approval_texts import ANSWER_FORMAT, base64url, packed_answer, signed_part, unpacked_answer

from ..attack import Attack
from ..mutation import changed, damaged

NOW: Final = 1_700_000_000_000
_LATER: Final = NOW + 3_600_000
_RUNS: Final = 30
_ROUNDS: Final = 3
_TOOL: Final = {"name": "pay", "parameters": {"type": "object"}, "approval": "ask"}
_SHARED: Final = {"to": "Ada", "euros": 8}


_Hostile = tuple[str, str, Waiting, int]
"""What was done to it, the answer, what waits, and the host's clock."""


def _key(name: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


HOST, ANN, _BOB, _EVE = map(_key, ("host", "ann", "bob", "eve"))
APPROVERS: Final = {"ann": public_text(ANN), "bob": public_text(_BOB)}
NAME: Final = "Ann's desk"
_CODES: Final = ApprovalCodes(HOST, APPROVERS, name=NAME)


@lru_cache(maxsize=1)
def _waits() -> tuple[tuple[Waiting, ...], ...]:
    """Return for each of some runs what waits one after another, the same calls again among it."""
    return tuple(_waits_of(number) for number in range(_RUNS))


def _waits_of(number: int) -> tuple[Waiting, ...]:
    rng = random.Random(number)
    found: list[Waiting] = []
    run = _Run(f"run-{number}")
    for _ in range(_ROUNDS):
        given = [rng.choice([_SHARED, {"to": str(number)}]) for _ in range(rng.randint(1, 2))]
        if run.send(_said(given))["type"] != "request_approval":
            break  # the same call once too often
        found.append(run.waiting())
        if rng.randrange(2):  # the user says something meanwhile: the same calls wait, of another state
            run.send({"type": "user_message", "content": "Wait"})
            found.append(run.waiting())
        calls = run.decision["calls"]
        yes = [{"call_id": call["call_id"], "key": call["key"], "approved": True} for call in calls]
        run.send({"type": "approvals", "approvals": yes})
        results = [{"call_id": call["call_id"], "ok": True, "output": "paid"} for call in calls]
        run.send({"type": "tool_results", "results": results})
    return tuple(found)


def _said(given: list[Any]) -> dict[str, Any]:
    calls = [
        {"id": str(index), "type": "function", "function": {"name": "pay", "arguments": json.dumps(arguments)}}
        for index, arguments in enumerate(given)
    ]
    return {"type": "model_output", "tool_calls": calls}


class _Run:
    """One run, driven through the JSON function."""

    def __init__(self, run_id: str) -> None:
        self._rest: dict[str, Any] = {"run_id": run_id}
        self.send({"type": "user_message", "content": "Pay"})

    def send(self, observation: dict[str, Any]) -> Any:
        """Send an observation, and return the decision."""
        given = {"agent": {"tools": [_TOOL]}, "observation": observation, **self._rest}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        self._rest = {"state": output["state"]}
        self.decision: Any = output["decision"]
        return self.decision

    def waiting(self) -> Waiting:
        """Return what waits."""
        state = self._rest["state"]
        calls = msgspec.convert(self.decision["calls"], tuple[purestep.ApprovalCall, ...])
        return Waiting(run_id=state["run_id"], head=state["head"], calls=calls)


def _taken(answer: str, waiting: Waiting, now_ms: int = NOW) -> bool:
    try:
        _CODES.check(answer, waiting, now_ms=now_ms)
    except ApprovalCodeError:
        return False
    return True


def _answer(waiting: Waiting, key: Ed25519PrivateKey, said: bool | str = True, codes: ApprovalCodes = _CODES) -> str:
    request = codes.request(waiting, now_ms=NOW)
    host = json.loads(request.text)["host"]
    return answer_request(request.code, key, [said] * len(waiting.calls), host=host, now_ms=NOW)


def _answering(rng: random.Random) -> str | None:
    """Give a host one hostile answer; the honest one for what waits is taken, and no other."""
    _, honest, waiting, now_ms = honest_answer(rng)
    if not _taken(honest, waiting, now_ms):
        return f"the honest answer {honest} is refused"
    name, answer, against, now_ms = hostile_answer(rng)
    return f"{name}: {answer} is taken for {against}" if _taken(answer, against, now_ms) else None


def honest_answer(rng: random.Random) -> _Hostile:
    """Return an answer that counts."""
    waiting = rng.choice(rng.choice(_waits()))
    return "honest", _answer(waiting, ANN), waiting, NOW


def hostile_answer(rng: random.Random) -> _Hostile:
    """Return an answer, what waits, and the time, of which at least one is not what it has to be."""
    run = rng.choice(_waits())
    waiting = rng.choice(run)
    honest = _answer(waiting, ANN)
    while True:
        name, answer, against, now_ms = rng.choice(_WAYS)(rng, run, waiting, honest)
        is_same_code = answer.strip().rpartition("#")[2] == honest  # a link with the code, or blanks around it
        if not (is_same_code and against == waiting and now_ms == NOW):
            return name, answer, against, now_ms


def _flipped(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    return "changed bytes", damaged(honest.encode(), rng).decode("latin-1"), waiting, NOW


def _flipped_bits(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    data = bytearray(_data(honest))
    for _ in range(rng.randint(1, 3)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return "flipped bits", "a." + base64url(bytes(data)), waiting, NOW


def _spare_bits(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    """Return the answer with another last character, which may stand for the same bytes."""
    return "with spare bits", honest[:-1] + rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef-_"), waiting, NOW


def _cut(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    at = rng.randrange(len(honest))
    return "truncated or lengthened", rng.choice([honest[:at], honest + honest[at:]]), waiting, NOW


def _of_another_run(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    other = rng.choice(rng.choice(_waits()))
    return "of another run or state", honest, other, NOW


def _replayed(rng: random.Random, run: tuple[Waiting, ...], waiting: Waiting, honest: str) -> _Hostile:
    return "of another moment of the run", honest, rng.choice(run), NOW


def _edited_wait(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    call = msgspec.to_builtins(rng.choice(waiting.calls))
    while True:
        try:
            other = msgspec.convert(changed(call, rng), purestep.ApprovalCall)
            other_text = msgspec.json.encode(other)
        except (msgspec.MsgspecError, UnicodeEncodeError):
            continue
        break
    if other.form or other_text in [msgspec.json.encode(each) for each in waiting.calls]:
        return "nothing", honest, waiting, NOW
    calls = [other, *waiting.calls[1:]]
    rng.shuffle(calls)
    return "of other calls", honest, msgspec.structs.replace(waiting, calls=tuple(calls)), NOW


def _of_another_person(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    if rng.randrange(2):
        return "of a stranger", _answer(waiting, _EVE), waiting, NOW
    limited = msgspec.structs.replace(waiting, only=("ann",))
    return "of somebody else", _answer(limited, _BOB), limited, NOW


def _under_another_name(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    read, _, _ = unpacked_answer(_answer(waiting, _EVE))
    text = msgspec.json.encode(msgspec.structs.replace(read, key=public_text(ANN)))
    return "under another's key", packed_answer(text, _EVE.sign(signed_part(text, ANSWER_FORMAT))), waiting, NOW


def _of_another_host(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    other = ApprovalCodes(_EVE, APPROVERS, name=NAME)
    return "to another host's request", _answer(waiting, ANN, codes=other), waiting, NOW


def _moved_signature(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    refused = _answer(waiting, ANN, "no")
    texts = [unpacked_answer(each)[1:] for each in (honest, refused)]
    if rng.randrange(2):
        return "an approval signed as a refusal", packed_answer(texts[0][0], texts[1][1]), waiting, NOW
    read = msgspec.structs.replace(unpacked_answer(refused)[0], answers=unpacked_answer(honest)[0].answers)
    return "a refusal made an approval", packed_answer(msgspec.json.encode(read), texts[1][1]), waiting, NOW


def _another_form(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    """Return the answer in another form, signed by the right key: added members, blanks, another order, deflated."""
    text = unpacked_answer(honest)[1].decode()
    other = rng.choice(
        [
            text[:-1] + f',"{rng.choice("abcxyz")}":{rng.randrange(99)}}}',
            text.replace(":", ": ", rng.randint(1, 5)),
            json.dumps(dict(sorted(json.loads(text).items())), separators=(",", ":")),
            text.replace("approved", "\\u0061pproved", 1),
            text.replace('{"format"', '{"at":1,"format"'),
            text.replace("true", rng.choice(["1", '"true"', "null", "[true]"])),
            text.replace(f'"at":{NOW}', f'"at":{NOW}.0'),
            text.replace('"approved":true', '"approved":true,"reason":"but"'),
            text + rng.choice([" ", "\n", "\x00", "{}"]),
        ]
    ).encode()
    return "in another form", packed_answer(other, ANN.sign(signed_part(other, ANSWER_FORMAT))), waiting, NOW


def _of_another_kind(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    """Return a signature that the right key has made of the same text for something else."""
    text = unpacked_answer(honest)[1]
    signed = rng.choice([text, b"purestep-approval-1\n" + text, b"purestep-anchor-1\n" + text])
    return "signed for something else", packed_answer(text, ANN.sign(signed)), waiting, NOW


def _too_late(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    return "too late", honest, waiting, _LATER + rng.choice([0, 1, 10**6, 10**12])


def _held_longer(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    read, _, signature = unpacked_answer(honest)
    text = msgspec.json.encode(msgspec.structs.replace(read, expires_at=_LATER + rng.randint(1, 10**9)))
    return "with another expiry", packed_answer(text, signature), waiting, rng.choice([NOW, _LATER])


def _request_itself(rng: random.Random, run: Any, waiting: Waiting, honest: str) -> _Hostile:
    code = _CODES.request(waiting, now_ms=NOW).code
    return "the request itself", rng.choice([code, "a." + code[2:], honest[2:], "r." + honest[2:]]), waiting, NOW


def _data(code: str) -> bytes:
    body = code[2:]
    return urlsafe_b64decode(body + "=" * (-len(body) % 4))


_WAYS: Final = (
    _flipped, _flipped_bits, _spare_bits, _cut, _of_another_run, _replayed, _edited_wait, _of_another_person,
    _under_another_name, _of_another_host, _moved_signature, _another_form, _of_another_kind, _too_late, _held_longer,
    _request_itself,
)  # fmt: skip

ATTACKS: Final = (
    Attack(
        name="approval-codes",
        promise="An answer to an approval code counts for exactly the calls that wait, once, from a listed person.",
        trial=_answering,
        least=10_000,
    ),
)
