"""Receipts: what they say of runs, what they refuse, and that a signature alone convinces nobody."""

import hashlib
import json
import random
import re
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from msgspec import Raw
from msgspec.structs import replace

import purestep
from purestep_hosts import Agent, ScriptedModel, approved, calls, says, tool
from purestep_hosts.receipts import (
    ReceiptError,
    Statement,
    ToldAct,
    check_run,
    checked_receipt,
    keys,
    make_receipt,
    only_runs,
    public_key_of,
    signer_by_command,
    signer_of,
    statement_of,
)
from purestep_hosts.receipts.errors import CLOCK_SKEW_S, MAX_TOLD_ACTS
from purestep_hosts.receipts.trees import leaf_hash, root_and_paths, root_of
from purestep_hosts.sessions import chain
from tests.hosts.odd_logs import odd_logs
from tests.hosts.signed_runs import NOW, paid, pair, pay, written
from tools.breaking.attack import Attack, run_attack
from tools.breaking.attacks import receipts

KINDS = ("ed25519", "p256")


def signed(*statements: Statement, kind: str = "ed25519", issued_at: int = NOW) -> bytes:
    """The receipt of statements."""
    return make_receipt(statements, pair(kind)[0], issued_at=issued_at)


def code_of(receipt: bytes, *, kind: str = "ed25519", now: int = NOW) -> str:
    """The code that a receipt is refused by; empty for one that is taken."""
    try:
        checked_receipt(receipt, pair(kind)[1], now=now)
    except ReceiptError as error:
        return error.code
    return ""


@pytest.mark.parametrize("attack", receipts.ATTACKS, ids=[attack.name for attack in receipts.ATTACKS])
def test_promise_holds(attack: Attack) -> None:
    """No false decision is accepted, no honest log is refused, no changed receipt is taken."""
    assert [] == run_attack(attack, seed=0, seconds=0).broken


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 2, 7])
def test_logs_meet_their_receipt(kind: str, count: int) -> None:
    """Each of the runs of one signature, also taken out of it alone."""
    logs = {statement_of(paid(number)).run_id: paid(number) for number in range(count)}
    whole = signed(*map(statement_of, logs.values()), kind=kind)
    for run_id, log in logs.items():
        (said,) = checked_receipt(only_runs(whole, [run_id]), pair(kind)[1], now=NOW).statements
        assert (run_id, 0, True) == (
            said.run_id,
            check_run([log], said).lines_after,
            check_run([log], said).same_software,
        )
    assert len(logs) == len(checked_receipt(whole, pair(kind)[1], now=NOW).statements)


def test_statement_says_what_the_log_leads_to() -> None:
    """Its chain, its definition, where it stands, and each act with the line that tells it."""
    log = paid()
    said = statement_of(log)
    lines = log.splitlines()
    assert (len(lines), chain(lines), "done") == (said.lines, said.head, said.phase)
    assert (ToldAct(call_id="call_1", tool="pay", status="succeeded", line=len(lines)),) == said.acts
    definition = json.dumps(json.loads(lines[0])["agent"])
    assert (purestep.Agent.load(definition).digest,) == said.definitions


def test_acts_of_a_run_that_goes_on_are_told() -> None:
    """No ending has told them yet, so they have no line."""

    @tool(approval="ask")
    def refund(amount: int) -> str:
        """Refund an amount."""
        return f"{amount} refunded"

    outputs = [calls("pay", amount=5), calls("refund", amount=5)]
    run = Agent(ScriptedModel(outputs), tools=[pay, refund]).run_sync("Pay 5 and take it back.")
    said = statement_of(run.log.encode())
    assert ("approval", (ToldAct(call_id="call_1", tool="pay", status="succeeded"),)) == (said.phase, said.acts)

    last = Agent(ScriptedModel([says("Both were done.")]), tools=[pay, refund])
    log = last.run_sync(after=run.log, approvals=[approved(call) for call in run.approvals]).log.encode()
    assert [("pay", len(log.splitlines())), ("refund", len(log.splitlines()))] == [
        (act.tool, act.line) for act in statement_of(log).acts
    ]
    assert 0 < check_run([log], said).lines_after


def test_acts_of_agents_name_the_way_down() -> None:
    """As they stand beside the answer."""
    desk = Agent(ScriptedModel([calls("pay", amount=5), says("Paid.")]), name="desk", instructions="Pay.", tools=[pay])
    lead = Agent(ScriptedModel([calls("desk", question="Pay 5"), says("Done.")]), instructions="Lead.", tools=[desk])
    (act,) = statement_of(lead.run_sync("Pay 5.").log.encode()).acts
    assert (("desk",), "pay") == (act.path, act.tool)


def test_policies_and_hidden_texts_are_counted() -> None:
    """By their names and kinds; nothing of a text is told."""
    rules = {"use": "redaction", "kinds": ["secrets", "emails"]}
    agent = purestep.Agent.load({"tools": [], "policies": [rules]})
    text = "I am ann@example.org and bob@example.org, my key is sk-live-0123456789abcdef, once more ann@example.org."
    begun = purestep.start(agent, purestep.UserMessage(content=text), "run-1")
    said = statement_of(begun.log.encode())
    assert ({"email": 2, "secret": 1}, ["redaction"]) == (said.hidden, [use.use for use in said.policies])
    assert b"ann@" not in said.encoded()


def test_definitions_are_those_that_the_run_had_in_order() -> None:
    """Also where it went on under another one."""
    agents = [purestep.Agent.load({"tools": [], "instructions": text}) for text in ("One.", "Two.")]
    run = purestep.start(agents[0], purestep.UserMessage(content="Hello"), "run-1")
    changed = purestep.step(run.state, purestep.AgentChanged(agent=Raw(agents[1].source)))
    said = statement_of((run.log + changed.log).encode())
    assert tuple(agent.digest for agent in agents) == said.definitions


def test_acts_past_the_bound_are_counted() -> None:
    """A run of any length has a statement of bounded size."""
    agent = purestep.Agent.load({"tools": [{"name": "pay"}], "limits": {"max_turns": 40}})
    run = purestep.start(agent, purestep.UserMessage(content="Pay."), "run-1")
    log = run.log
    for number in range(MAX_TOLD_ACTS + 5):
        for given in (
            purestep.ModelOutput(content=calls("pay", n=number)),
            purestep.ToolResults(results=(purestep.ToolResult(call_id="call_1", ok=True, output="ok"),)),
            purestep.ModelOutput(content=says("Paid.")),
            purestep.UserMessage(content="Again."),
        ):
            run = purestep.step(run.state, _fitting(given, run))
            log += run.log
    said = statement_of(log.encode())
    assert (MAX_TOLD_ACTS, 5) == (len(said.acts), said.acts_left_out)


def _fitting(given: Any, run: Any) -> Any:
    """A result of the call that waits."""
    if not isinstance(given, purestep.ToolResults):
        return given
    return purestep.ToolResults(results=(replace(given.results[0], call_id=run.decision.calls[0].call_id),))


def test_log_with_a_blank_line_gets_no_receipt() -> None:
    """It is not the one that was written, and its lines have other numbers."""
    lines = paid().splitlines(keepends=True)
    for number in range(2, len(lines)):
        with pytest.raises(ReceiptError) as raised:
            statement_of(b"".join([*lines[: number - 1], b"\n", *lines[number - 1 :]]))
        assert ("bad_log", number) == (raised.value.code, raised.value.line)


def test_false_log_gets_no_receipt() -> None:
    """The line is named before anything is signed."""
    forged = paid().replace(b'"content":"It is paid.","acts"', b'"content":"Never.","acts"')
    with pytest.raises(ReceiptError, match="line 8") as raised:
        statement_of(forged)
    assert ("bad_log", 8) == (raised.value.code, raised.value.line)


def test_log_that_ends_within_a_step_gets_no_receipt() -> None:
    """The line that is missing is named."""
    lines = paid().splitlines(keepends=True)
    with pytest.raises(ReceiptError) as raised:
        statement_of(b"".join(lines[:-1]))
    assert ("bad_log", 8) == (raised.value.code, raised.value.line)


def test_statement_that_lies_about_a_true_log_is_refused() -> None:
    """What it says besides the chain is held against the log too."""
    said = statement_of(paid())
    lies: dict[str, Any] = {
        "acts": (),
        "acts_left_out": 1,
        "definitions": (None,),
        "hidden": {"email": 1},
        "hidden_for_good": 1,
        "phase": "failed",
        "run_id": "another",
    }
    for name, value in lies.items():
        with pytest.raises(ReceiptError) as raised:
            check_run([paid()], replace(said, **{name: value}))
        assert "receipt_mismatch" == raised.value.code, name


def test_log_that_was_cut_is_refused() -> None:
    """Also where what is left verifies."""
    two = paid() + purestep.step(purestep.replay(paid()).state, purestep.UserMessage(content="Thank you.")).log.encode()
    said = statement_of(two)
    with pytest.raises(ReceiptError, match="cut off"):
        check_run([paid()], said)
    assert 1 == check_run([two], statement_of(paid())).lines_after


@pytest.mark.parametrize("name", odd_logs(b"\n"))
def test_every_byte_of_a_log_is_settled(name: str) -> None:
    """Blank lines and torn ones are refused, with their line, by who signs and by who checks."""
    odd = odd_logs(paid())[name]
    assert (odd.code, odd.line) == refused(lambda: check_run([odd.log[:99], odd.log[99:]], statement_of(paid())))
    assert (odd.code, odd.line) == refused(lambda: statement_of(odd.log))


def refused(function: Any) -> tuple[str, int | None]:
    """The code and the line by which a log is refused; none for one that is taken."""
    try:
        function()
    except ReceiptError as error:
        return error.code, error.line
    return "", None


def test_torn_line_is_told_from_lines_that_came_since() -> None:
    """And what to do about it is said."""
    grown = paid() + purestep.step(purestep.replay(paid()).state, purestep.UserMessage(content="Thanks.")).log.encode()
    said = statement_of(paid())
    assert 1 == check_run([grown], said).lines_after
    with pytest.raises(ReceiptError, match=r"line 10: the last line is torn \(4 bytes\).*--resume"):
        check_run([grown + b"junk"], said)


def test_what_came_after_the_receipt_has_to_follow_too() -> None:
    """A log that has grown is derived to its end."""
    grown = (
        paid() + b'{"seq":8,"kind":"final_answer","prev":"%s","answer":"No."}\n' % statement_of(paid()).head.encode()
    )
    with pytest.raises(ReceiptError, match="line 9"):
        check_run([grown], statement_of(paid()))


def test_newer_core_is_named_where_nothing_can_be_shown() -> None:
    """What that one derives is not known here; what derives the same is accepted."""
    newer = replace(statement_of(paid()), software=replace(statement_of(paid()).software, version="99.0.0"))
    assert not check_run([paid()], newer).same_software
    forged = paid().replace(b'"content":"It is paid.","acts"', b'"content":"Never.","acts"')
    claimed = replace(newer, head=chain(forged.splitlines()))
    with pytest.raises(ReceiptError, match=re.escape("purestep 99.0.0 has signed it")) as raised:
        check_run([forged], claimed)
    assert "newer_core" == raised.value.code


def test_policy_that_is_not_installed_is_named() -> None:
    """The decisions cannot be derived without it."""
    forged = paid().replace(b'"tools":[', b'"policies":[{"use":"refund_hours","version":1}],"tools":[', 1)
    with pytest.raises(purestep.PurestepError) as raised:
        check_run([forged], replace(statement_of(paid()), head=chain(forged.splitlines())))
    assert ("unknown_policy", "refund_hours") == (raised.value.code, raised.value.detail["name"])


def test_clock_in_the_future_is_refused() -> None:
    """Clocks may be apart by some minutes, and a receipt may be old."""
    assert ["", "", "receipt_from_future"] == [
        code_of(signed(statement_of(paid()), issued_at=NOW + ahead))
        for ahead in (-(10**9), CLOCK_SKEW_S, CLOCK_SKEW_S + 1)
    ]


def test_another_key_is_told_from_a_changed_receipt() -> None:
    """Of the same kind or another one."""
    receipt = signed(statement_of(paid()))
    assert "signer_mismatch" == code_of(receipt, kind="p256")
    other = public_key_of(written(Ed25519PrivateKey.generate())[1])
    with pytest.raises(ReceiptError) as raised:
        checked_receipt(receipt, other, now=NOW)
    assert "signer_mismatch" == raised.value.code
    assert "signature_invalid" == code_of(receipt[:-1] + bytes([receipt[-1] ^ 1]))


def test_keys_of_other_kinds_are_refused() -> None:
    """And such as have a password."""
    rsa = generate_private_key(65537, 2048)
    p384 = ec.generate_private_key(ec.SECP384R1())
    locked = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")
    )
    for data in (written(rsa)[0], written(p384)[0], locked, b"", b"key"):
        with pytest.raises(ReceiptError, match="expected a private key"):
            signer_of(data)
    for data in (written(rsa)[1], written(p384)[1], written(rsa)[0], b"ssh-ed25519 AAAA"):
        with pytest.raises(ReceiptError, match="expected a public key"):
            public_key_of(data)


def test_each_end_of_a_receipt_is_refused() -> None:
    """A file that was cut anywhere."""
    for receipt in (signed(statement_of(paid())), signed(statement_of(paid(1)), statement_of(paid(2)))):
        assert {"bad_receipt"} == {code_of(receipt[:end]) for end in range(len(receipt))}
        assert {"bad_receipt"} == {code_of(receipt + more) for more in (b"\x00", receipt)}


def test_one_receipt_has_one_form() -> None:
    """The same value in another encoding is refused, and so is what nobody asked for."""
    receipt = signed(statement_of(paid()))
    protected, unprotected, payload, signature = cbor2.loads(receipt[1:])
    header = cbor2.loads(protected)
    others = [
        [protected, {"note": "x"}, payload, signature],
        [protected, unprotected, payload, signature, b""],
        [cbor2.dumps({**header, 5: 1}, canonical=True), unprotected, payload, signature],
        [cbor2.dumps({**header, 15: {**header[15], 3: "x"}}, canonical=True), unprotected, payload, signature],
        [cbor2.dumps({**header, 1: True}, canonical=True), unprotected, payload, signature],
        [protected, unprotected, payload.decode(), signature],
        [protected, unprotected, None, signature],
    ]
    encoded = [b"\xd2" + cbor2.dumps(each, canonical=True) for each in others]
    indefinite = (
        b"\xd2\x9f" + b"".join(cbor2.dumps(each) for each in (protected, unprotected, payload, signature)) + b"\xff"
    )
    longer = b"\xd2\x98\x04" + receipt[2:]
    huge = b"\xd2\x84\x5b" + b"\xff" * 8
    deep = b"\xd2" + b"\x81" * 10_000
    many = b"\xd2\x9a" + (10**8).to_bytes(4) + b"\x80" * 10**8
    for each in (many, *encoded, indefinite, longer, huge, deep, b"\xd8\x62" + receipt[1:], b"", b"\xd2", b"{}"):
        assert "bad_receipt" == code_of(each), each[:20]


def test_kinds_of_a_newer_release_are_told_apart() -> None:
    """They are no damage: a newer release may read them."""
    receipt = signed(statement_of(paid()))
    protected, unprotected, payload, signature = cbor2.loads(receipt[1:])
    header = cbor2.loads(protected)
    for member in ({1: -19}, {3: "application/vnd.purestep.statement+cbor"}):
        changed = [cbor2.dumps({**header, **member}, canonical=True), unprotected, payload, signature]
        assert "unsupported_receipt" == code_of(b"\xd2" + cbor2.dumps(changed, canonical=True))
    other = replace(statement_of(paid()), format="purestep-statement-2")
    assert "unsupported_receipt" == code_of(signed(other))


def test_other_signature_of_the_same_numbers_is_refused() -> None:
    """With (r, s) also (r, -s) is a signature of P-256: a receipt has one of them."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    receipt = signed(statement_of(paid()), kind="p256")
    other = receipt[:-32] + (order - int.from_bytes(receipt[-32:])).to_bytes(32)
    assert ["", "signature_invalid"] == [code_of(each, kind="p256") for each in (receipt, other)]


def test_statement_of_another_run_does_not_fit_its_proof() -> None:
    """In a receipt of several, two statements change places, or one is another."""
    receipt = signed(statement_of(paid(1)), statement_of(paid(2)))
    protected, unprotected, payload, signature = cbor2.loads(receipt[1:])
    one, two = unprotected["purestep-statements"]
    proofs = unprotected[396][-1]
    for entries, shown in (
        ([two, one], proofs),
        ([two, one], proofs[::-1]),
        ([one, one], proofs),
        ([one, one], proofs[:1] * 2),
        ([one, statement_of(paid(3)).encoded()], proofs),
    ):
        changed = [protected, {396: {-1: shown}, "purestep-statements": entries}, payload, signature]
        assert "bad_receipt" == code_of(b"\xd2" + cbor2.dumps(changed, canonical=True))


def test_number_of_runs_is_signed() -> None:
    """A receipt of some of them tells how many there were, and nobody without the key makes that another number."""
    whole = signed(*[statement_of(paid(number)) for number in range(5)])
    part = only_runs(whole, [statement_of(paid(3)).run_id])
    assert (1, 5) == (len((found := checked_receipt(part, pair("ed25519")[1], now=NOW)).statements), found.runs)
    for receipt in (whole, part):
        changed = [receipt[:at] + bytes([byte ^ 1]) + receipt[at + 1 :] for at, byte in enumerate(receipt)]
        assert "" not in {code_of(each) for each in changed}


def test_statement_that_nobody_could_read_is_not_signed() -> None:
    """One past the bound would be refused by whoever checks it."""
    with pytest.raises(ReceiptError, match="it had 20,000 definitions") as raised:
        signed(replace(statement_of(paid()), definitions=("0" * 64,) * 20_000))
    assert "bad_log" == raised.value.code


def test_program_that_signs_too_late_is_told_without_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may hold the PIN of a device."""
    monkeypatch.setattr(keys, "_SIGNING_TIMEOUT_S", 0.1)
    with pytest.raises(ReceiptError, match="gave no signature") as raised:
        signer_by_command("sh -c 'sleep 60' pin-1234", pair("p256")[1]).sign(b"text")
    assert ("signing_failed", False) == (raised.value.code, "pin-1234" in raised.value.message)


def test_same_run_is_signed_once() -> None:
    """Two logs of one run would leave open which of them is meant."""
    with pytest.raises(ReceiptError, match="two of the logs are of one run"):
        signed(statement_of(paid()), statement_of(paid()))


def test_trees_are_those_of_certificate_transparency() -> None:
    """The roots over the first of eight known entries, which other implementations have too."""
    entries = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    leaves = [leaf_hash(bytes.fromhex(each)) for each in entries]
    roots = [root_and_paths(leaves[:size])[0].hex() for size in (1, 2, 3, 8)]
    assert [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ] == roots


def test_each_leaf_leads_to_the_root_and_no_other_does() -> None:
    """At its place, by its path, in trees of every small size."""
    chance = random.Random(7)
    for size in range(1, 40):
        leaves = [hashlib.sha256(bytes([each])).digest() for each in range(size)]
        root, paths = root_and_paths(leaves)
        for index, path in enumerate(paths):
            assert root == root_of(leaves[index], index, size, path)
            wrong = chance.randrange(-1, size + 2)
            assert wrong == index or root != root_of(leaves[index], wrong, size, path)
            assert root != root_of(leaves[index], index, size, [*path, bytes(32)])
            assert not path or root != root_of(leaves[index], index, size, path[:-1])
