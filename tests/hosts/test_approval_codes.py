"""Approval codes: a request of what waits, a signed answer to it, and every answer that does not count."""

import random
import zlib
from typing import Any, cast

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

import purestep
from purestep_hosts import Agent, RunResult, ScriptedModel, calls, says, tool
from purestep_hosts.approval_codes import (
    MAX_PICTURE_CHARS,
    ApprovalCodeError,
    ApprovalCodes,
    Waiting,
    answer_request,
    fingerprint,
    public_text,
)
from purestep_hosts.approval_texts import (
    ANSWER_FORMAT,
    MAX_REQUEST_BYTES,
    base64url,
    packed_answer,
    packed_request,
    signed_part,
    unpacked_answer,
    unpacked_request,
    written,
)
from tests.waiting_states import waiting_states

HOST, ANN, BOB = (Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32) for number in (1, 2, 3))
CODES = ApprovalCodes(HOST, {"ann": public_text(ANN), "bob": public_text(BOB)}, name="Ann's desk")
NOW = 1_700_000_000_000
PAGE = "https://example.org/approve.html"


@tool(approval="ask", destructive=True)
def refund_order(number: int) -> str:
    """Refund an order."""
    return f"Order {number} is refunded."


def _agent(*outputs: Any) -> Agent:
    return Agent(ScriptedModel(list(outputs)), tools=[refund_order])


def _waits(*numbers: int) -> tuple[RunResult[Any], Waiting]:
    run = _agent(*(calls("refund_order", number=number) for number in numbers)).run_sync("Refund", run_id="run-1")
    return run, Waiting(run_id=run.run_id, head=run.state.head, calls=run.approvals)


def _answer(waiting: Waiting, *said: bool | str, key: Ed25519PrivateKey = ANN) -> str:
    request = CODES.request(waiting, now_ms=NOW)
    return answer_request(request.link(PAGE), key, said, host=public_text(HOST), now_ms=NOW)


def _refusal(answer: str, waiting: Waiting, now_ms: int = NOW) -> str:
    with pytest.raises(ApprovalCodeError) as error:
        CODES.check(answer, waiting, now_ms=now_ms)
    return error.value.code


def test_an_answer_lets_the_run_go_on() -> None:
    """The call runs, and the log says who approved it."""
    run, waiting = _waits(8)
    approvals = CODES.check(_answer(waiting, True), waiting, now_ms=NOW)
    done = _agent(says("Done.")).run_sync(after=run.log, approvals=approvals)
    assert "Done." == done.answer
    assert '"approved":true,"by":"ann"' in done.log


def test_a_refusal_has_its_reason() -> None:
    """The model reads why."""
    _, waiting = _waits(8)
    (approval,) = CODES.check(_answer(waiting, "it was paid by cash"), waiting, now_ms=NOW)
    assert (False, "it was paid by cash", "ann") == (approval.approved, approval.reason, approval.by)


def test_an_answer_is_taken_as_a_link_too() -> None:
    """And with blanks around it, as people copy it."""
    _, waiting = _waits(8)
    assert CODES.check(f" {PAGE}#{_answer(waiting, True)}\n", waiting, now_ms=NOW)[0].approved


def test_the_same_state_gives_the_same_request() -> None:
    """A host that was started again, or another machine with its key, takes the answer."""
    _, waiting = _waits(8)
    again = ApprovalCodes(HOST, {"ann": public_text(ANN)}, name="Ann's desk")
    assert CODES.request(waiting, now_ms=NOW).text == again.request(waiting, now_ms=NOW).text
    assert again.check(_answer(waiting, True), waiting, now_ms=NOW)[0].approved


def test_an_answer_counts_once() -> None:
    """The run has moved on: the same call again, with the same arguments, is asked about anew."""
    run, waiting = _waits(8)
    answer = _answer(waiting, True)
    approvals = CODES.check(answer, waiting, now_ms=NOW)
    later = _agent(calls("refund_order", number=8)).run_sync(after=run.log, approvals=approvals)
    assert "waiting" == later.status
    assert "answer_stale" == _refusal(answer, Waiting(run_id="run-1", head=later.state.head, calls=later.approvals))


def test_other_answers_are_refused() -> None:
    """Each with its own code."""
    _, waiting = _waits(8)
    answer = _answer(waiting, True)
    _, text, signature = unpacked_answer(answer)
    forged = packed_answer(text.replace(b'"approved":true', b'"approved":false'), signature)
    assert "answer_forged" == _refusal(forged, waiting)
    assert "answer_stale" == _refusal(answer, replace(waiting, head="0" * 64))
    assert "answer_stale" == _refusal(answer, replace(waiting, run_id="run-2"))
    assert "answer_expired" == _refusal(answer, waiting, NOW + 3_600_000)
    stranger = Ed25519PrivateKey.generate()
    assert "answer_not_allowed" == _refusal(_answer(waiting, True, key=stranger), waiting)
    only_ann = replace(waiting, only=("ann",))
    assert "answer_not_allowed" == _refusal(_answer(only_ann, True, key=BOB), only_ann)
    assert CODES.check(_answer(only_ann, True), only_ann, now_ms=NOW)[0].approved
    for odd in ("", "a.", answer[:-1], answer + "A", CODES.request(waiting, now_ms=NOW).code, "a." + "é" * 100):
        assert "bad_answer" == _refusal(odd, waiting)


def _two_calls() -> Waiting:
    output = purestep.ModelOutput(
        tool_calls=[
            {"id": str(number), "type": "function", "function": {"name": "pay", "arguments": f'{{"euros":{number}}}'}}
            for number in (7, 8)
        ]
    )
    definition = {"tools": [{"name": "pay", "parameters": {"type": "object"}, "approval": "ask"}]}
    begun = purestep.start(purestep.Agent.load(definition), purestep.UserMessage(content="Pay"), run_id="run-1")
    asked = purestep.step(begun.state, output)
    assert isinstance(asked.decision, purestep.RequestApproval)
    return Waiting(run_id="run-1", head=asked.state.head, calls=asked.decision.calls)


def test_each_call_of_a_turn_has_its_answer() -> None:
    """In their order; fewer answers than calls are none."""
    waiting = _two_calls()
    assert [False, True] == [each.approved for each in CODES.check(_answer(waiting, False, True), waiting, now_ms=NOW)]
    with pytest.raises(ValueError, match="an answer for each of 2 calls"):
        _answer(waiting, True)
    read, _, _ = unpacked_answer(_answer(waiting, True, True))
    text = written(replace(read, answers=read.answers[:1]))
    assert "bad_answer" == _refusal(packed_answer(text, ANN.sign(signed_part(text, ANSWER_FORMAT))), waiting)


def test_nothing_is_cut() -> None:
    """A request that no phone could take is refused; one that no picture could hold has a link."""
    _, waiting = _waits(8)
    (call,) = waiting.calls
    long = replace(waiting, calls=(replace(call, params={"text": random.Random(1).randbytes(800).hex()}),))
    assert len(CODES.request(long, now_ms=NOW).link(PAGE)) > MAX_PICTURE_CHARS
    assert CODES.check(_answer(long, True), long, now_ms=NOW)[0].approved
    endless = replace(waiting, calls=(replace(call, params={"text": "x" * MAX_REQUEST_BYTES}),))
    with pytest.raises(ApprovalCodeError, match="answer where the run is") as error:
        CODES.request(endless, now_ms=NOW)
    assert "request_too_large" == error.value.code


def test_what_cannot_be_asked_is_told() -> None:
    """A run that waits for nobody, a call that wants a form filled in, and names that nobody has."""
    _, waiting = _waits(8)
    form = replace(waiting.calls[0], form={"type": "object"})
    for odd, code in ((replace(waiting, calls=()), "nothing_waits"), (replace(waiting, calls=(form,)), "form_call")):
        with pytest.raises(ApprovalCodeError) as error:
            CODES.request(odd, now_ms=NOW)
        assert code == error.value.code
    for only, told in ((("eve",), "eve"), ((), "got none")):
        with pytest.raises(ValueError, match=told):
            CODES.request(replace(waiting, only=only), now_ms=NOW)
    for life in (0, -1, 2**53):
        with pytest.raises(ValueError, match="a life of"):
            CODES.request(waiting, now_ms=NOW, life_ms=life)


def test_an_empty_list_lets_nobody_answer() -> None:
    """Not even with an answer to the request that everybody may answer."""
    _, waiting = _waits(8)
    assert "answer_not_allowed" == _refusal(_answer(waiting, True), replace(waiting, only=()))


def test_keys_and_answers_of_other_kinds_are_told() -> None:
    """Whoever makes them sees it at once, and what a client sends is no error of the host's."""
    _, waiting = _waits(8)
    elliptic: Any = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(TypeError, match="an Ed25519 private key"):
        ApprovalCodes(elliptic, {})
    with pytest.raises(TypeError, match="an Ed25519 private key"):
        _answer(waiting, True, key=elliptic)
    with pytest.raises(TypeError, match="True, False, or a text"):
        _answer(waiting, cast("bool", 1))
    for odd in (None, b"a.AAAA", 5):
        assert "bad_answer" == _refusal(cast("str", odd), waiting)


def test_a_link_has_one_place_for_the_code() -> None:
    """A page with a fragment of its own loses that."""
    _, waiting = _waits(8)
    request = CODES.request(waiting, now_ms=NOW)
    assert request.link(f"{PAGE}#top") == request.link(PAGE)


@pytest.mark.parametrize("text", ["", "x", public_text(ANN)[:-1] + "B", public_text(ANN) + "A"])
def test_what_is_no_key_cannot_be_listed(text: str) -> None:
    """It is noticed at once, not with the first answer; and no two people have one key."""
    with pytest.raises(ValueError, match="public key"):
        ApprovalCodes(HOST, {"ann": text})
    with pytest.raises(ValueError, match="of their own"):
        ApprovalCodes(HOST, {"ann": public_text(ANN), "bob": public_text(ANN)})


def test_a_person_answers_no_request_of_another_host() -> None:
    """Nor one that was changed, or that unpacks to more than any has."""
    _, waiting = _waits(8)
    request = CODES.request(waiting, now_ms=NOW)
    _, text, signature = unpacked_request(request.code)
    changed = packed_request(text.replace(b'"number', b'"numbeR'), signature)
    bomb = "r." + base64url(signature + zlib.compress(b"{" * 200_000_000, 9, -zlib.MAX_WBITS))
    assert len(bomb) < 300_000
    for code, host in ((request.code, public_text(BOB)), (changed, public_text(HOST)), (bomb, public_text(HOST))):
        with pytest.raises(ApprovalCodeError) as error:
            answer_request(code, ANN, [True], host=host, now_ms=NOW)
        assert "bad_request" == error.value.code


def test_people_compare_twenty_four_digits() -> None:
    """The same ones as the page shows."""
    assert "6a3803d5f059902a1c6dafbc" == fingerprint(public_text(ANN))


def test_waiting_states_fit_into_a_picture() -> None:
    """95 of 100 of the vectors' and the recorded runs' states have a link of less than 1,000 characters."""
    states = [state for state in waiting_states() if not state.asks_for_a_form]
    sizes = [len(CODES.request(state.waiting(), now_ms=NOW).link(PAGE)) for state in states]
    assert len(sizes) >= 50
    assert sum(size < MAX_PICTURE_CHARS for size in sizes) >= 0.95 * len(waiting_states())
