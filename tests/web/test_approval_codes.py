"""Approval codes in JavaScript: the same texts as Python's, answers that go both ways, and the same refusals."""

import json
import random
import subprocess
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from purestep_hosts.approval_codes import ApprovalCodeError, ApprovalCodes, Waiting, fingerprint, public_text
from tests.examples import ARE_ALL_WANTED
from tests.waiting_states import waiting_states
from tools.breaking.attacks import approval_codes as attack

SCRIPT = Path(__file__).with_name("approval_codes.mjs")
HOSTILE = 10_000 if ARE_ALL_WANTED else 1_000
PARAMS: list[dict[str, Any]] = [
    {"n": 1e22, "m": 1.0, "o": -0.0, "p": 5e-324, "q": 2**64 + 1, "r": 0.1, "s": 1e16},
    {"text": "\u2028\x7f\x01\x1f\b\f\n\té\u202e/<\"\\'&\U0001f600"},
    {"": {"b": [None, True, {}, []], "__proto__": 1, "a": "\U0010ffff\ufffe"}},
]


def _key(key: Ed25519PrivateKey) -> dict[str, str]:
    form = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    return {"pkcs8": b64encode(form).decode(), "raw": b64encode(key.public_key().public_bytes_raw()).decode()}


def _said(waiting: Waiting) -> dict[str, Any]:
    """Return what waits as JavaScript is given it: by the decision's text."""
    calls = msgspec.json.encode({"type": "request_approval", "calls": waiting.calls}).decode()
    return {"run_id": waiting.run_id, "head": waiting.head, "decision": calls, "only": waiting.only}


@pytest.fixture(params=["node", "deno"])
def run(request: pytest.FixtureRequest, package: Path) -> Any:
    """Runs the script in an engine."""
    engine = [request.getfixturevalue("node")] if request.param == "node" else request.getfixturevalue("deno")

    def run_it(**given: Any) -> Any:
        keys = {"host": _key(attack.HOST), "person": _key(attack.ANN)}
        whole = {"keys": keys, "approvers": attack.APPROVERS, "name": attack.NAME, "now": attack.NOW, **given}
        done = subprocess.run(
            [*engine, str(SCRIPT), f"{package.as_uri()}/"],
            input=json.dumps(whole),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run_it


def _codes() -> ApprovalCodes:
    return ApprovalCodes(attack.HOST, attack.APPROVERS, name=attack.NAME)


def test_both_make_the_same_requests_and_read_each_others(run: Any) -> None:
    """Of each state that waits, byte for byte, whatever their arguments are; and take each other's answers."""
    states = [state for state in waiting_states() if not state.asks_for_a_form]
    (call, *_) = states[0].waiting().calls
    odd = [msgspec.structs.replace(call, params=params, tool="\u202e<b>") for params in PARAMS]
    waits = [state.waiting() for state in states] + [
        Waiting(run_id="run é", head="0" * 64, calls=(each,), only=("bob", "ann")) for each in odd
    ]
    mine = [_codes().request(waiting, now_ms=attack.NOW) for waiting in waits]
    told = [{**_said(waiting), "definition": waiting.definition} for waiting in waits]
    given = [[each.code, [{"approved": True}] * len(waiting.calls)] for each, waiting in zip(mine, waits, strict=True)]
    found = run(states=told, codes=given)
    assert [each.text for each in mine] == [each["text"] for each in found["requests"]]
    assert [each.text for each in mine] == [each["text"] for each in found["read"]]
    answers = [each["answer"] for each in found["read"]]
    for answer, waiting in zip(answers, waits, strict=True):
        assert all(each.approved for each in _codes().check(answer, waiting, now_ms=attack.NOW))
    assert fingerprint(public_text(attack.ANN)) == found["digits"]


def test_both_refuse_hostile_answers_alike(run: Any) -> None:
    """Each with the same code; the honest ones among them are taken, with the approver's name."""
    rng = random.Random(7)
    trials: list[dict[str, Any]] = []
    expected: list[Any] = []
    for number in range(HOSTILE):
        _, answer, against, now_ms = attack.hostile_answer(rng) if number % 10 else attack.honest_answer(rng)
        trials.append({"answer": answer, "state": _said(against), "at": now_ms})
        expected.append(_outcome(answer, against, now_ms))
    found = run(answers=trials)["checked"]
    assert expected == found
    assert HOSTILE / 10 == sum(isinstance(each, list) for each in expected)


def _outcome(answer: str, waiting: Waiting, now_ms: int) -> Any:
    try:
        return json.loads(msgspec.json.encode(_codes().check(answer, waiting, now_ms=now_ms)))
    except ApprovalCodeError as error:
        return {"code": error.code}


def test_what_cannot_be_asked_or_read_is_told_alike(run: Any) -> None:
    """A form, nothing at all, and codes that are none or become too large."""
    form = next(state for state in waiting_states() if state.asks_for_a_form)
    empty = {**form._asdict(), "decision": '{"type":"request_approval","calls":[]}'}
    bad = ["", "r.", "r.AAAA", "a.AAAA", "r." + "é" * 99, "r." + "A" * 600_000]
    found = run(states=[form._asdict(), empty], codes=[[each, []] for each in bad])
    assert ["form_call", "nothing_waits"] == [each["code"] for each in found["requests"]]
    assert {"bad_request"} == {each["code"] for each in found["read"]}


def test_mistakes_of_a_program_are_errors(run: Any) -> None:
    """Keys of another kind, nobody who may answer, lives that are none, and what of an answer would be lost."""
    state = next(state for state in waiting_states() if not state.asks_for_a_form and len(state.waiting().calls) == 1)
    found = run(mistakenIn={**_said(state.waiting()), "definition": state.definition})["mistakes"]
    assert {"thrown": ["TypeError"] * 11, "checked": ["bad_answer"] * 2} == found
