"""Receipts that Python has made, checked in JavaScript: by the same codes, with the core and without it."""

import base64
import json
import random
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import cbor2
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from purestep_hosts.receipts import Statement, make_receipt, only_runs, statement_of
from purestep_hosts.receipts.envelopes import signed_envelope
from purestep_hosts.receipts.statements import ToldAct
from purestep_hosts.receipts.trees import leaf_hash, root_and_paths
from tests.examples import ARE_ALL_WANTED
from tests.web.signed_logs import (
    KINDS,
    NOW,
    case,
    code_of_log,
    code_of_receipt,
    found_by_node,
    lied,
    paid,
    public,
    receipt_of,
    signer,
    stated,
)
from tools.vectors.files import stored_vectors

WEB = Path(__file__).resolve().parents[2] / "web"
COMMAND = WEB / "verify" / "verify_receipt.mjs"


@cache
def recorded() -> list[tuple[bytes, Statement]]:
    """Return the logs of all vectors, each with what is said of it."""
    logs = [each["args"][0].encode() for each in stored_vectors("replay") if each["name"].endswith("/verify")]
    return [(log, statement_of(log)) for log in logs]


def codes(found: list[dict[str, Any]]) -> list[str]:
    """Return the codes of what was refused; empty for what was taken."""
    return [str(each.get("code") or each.get("name") or "") for each in found]


@pytest.mark.parametrize("form", ["pem", "ssh"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_receipt_says_in_javascript_what_it_says_in_python(node: str, kind: str, form: str) -> None:
    """Of one run and of several, by both kinds of keys, which are read in both forms."""
    key = public(kind, form)
    several = tuple([stated(f"run-{number}") for number in range(5)])
    given = [(stated(),), several[:2], several]
    cases = [case(receipt_of(*each, kind=kind), key=key) for each in given]
    for said, found in zip(given, found_by_node(node, cases), strict=True):
        assert [json.loads(each.encoded()) for each in said] == found["statements"]
        assert ("Acme", NOW, signer(kind).key.uri) == (found["issuer"], found["issuedAt"], found["signer"])


def test_runs_taken_out_of_a_receipt_are_taken(node: str) -> None:
    """Whichever they are, of trees of every small size."""
    cases = []
    for size in range(2, 10):
        names = [f"run-{number}" for number in range(size)]
        whole = receipt_of(*[replace(stated(), run_id=name) for name in names])
        cases += [case(only_runs(whole, [name])) for name in names] + [case(only_runs(whole, names[1::2]))]
    assert {""} == set(codes(found_by_node(node, cases)))


def changed_bytes(receipt: bytes) -> Iterator[bytes]:
    """Yield a receipt with each byte changed, and cut off at each."""
    for at in range(len(receipt)):
        yield receipt[:at] + bytes([receipt[at] ^ (1 << at % 8)]) + receipt[at + 1 :]
        yield receipt[:at] + bytes([receipt[at] ^ 0xFF]) + receipt[at + 1 :]
        yield receipt[:at]
    yield receipt + b"\0"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("runs", [1, 2])
def test_no_changed_byte_is_taken(node: str, kind: str, runs: int) -> None:
    """Each byte changed, and a receipt cut off at each, is refused by the code that Python refuses it by."""
    receipt = receipt_of(*[stated(f"run-{number}") for number in range(runs)], kind=kind)
    changed = list(changed_bytes(receipt))
    found = codes(found_by_node(node, [case(each, key=public(kind)) for each in changed]))
    assert "" not in found
    assert [code_of_receipt(each, kind) for each in changed] == found


def rewritten(receipt: bytes, **parts: Any) -> bytes:
    """Return a receipt of which parts are written otherwise, as anybody can."""
    names = ("protected", "unprotected", "payload", "signature")
    value = dict(zip(names, cbor2.loads(receipt).value, strict=True))
    return b"\xd2" + cbor2.dumps([({**value, **parts})[name] for name in names], canonical=True)


def with_claims(**claims: Any) -> bytes:
    """Return the receipt of a run with other claims in its header, which its signature does not fit any more."""
    header = cbor2.loads(cbor2.loads(receipt_of(stated())).value[0])
    labels = {"issuer": 1, "subject": 2, "at": 6}
    told = {**header[15], **{labels.get(name, name): value for name, value in claims.items()}}
    return rewritten(receipt_of(stated()), protected=cbor2.dumps({**header, 15: told}, canonical=True))


def with_header(**members: Any) -> bytes:
    """Return the receipt of a run with other members in its header."""
    header = cbor2.loads(cbor2.loads(receipt_of(stated())).value[0])
    made = {**header, **{int(name[1:]): value for name, value in members.items()}}
    return rewritten(receipt_of(stated()), protected=cbor2.dumps(made, canonical=True))


SINGLE = receipt_of(stated())
TREE = receipt_of(stated("run-1"), stated("run-2"), stated("run-3"))
PARTS = cbor2.loads(TREE).value
PROOFS, ENTRIES = PARTS[1][396][-1], PARTS[1]["purestep-statements"]

BAD_FORMS = {
    "nothing": b"",
    "a list of no length": b"\xd2\x9f" + SINGLE[2:] + b"\xff",
    "another tag": b"\xd1" + SINGLE[1:],
    "no tag": SINGLE[1:],
    "the tag in more bytes": b"\xd8\x12" + SINGLE[1:],
    "the list's length in more bytes": b"\xd2\x98\x04" + SINGLE[2:],
    "two receipts": SINGLE * 2,
    "a length of 16 EB": b"\xd2\x9b" + b"\xff" * 8,
    "a million items": b"\xd2\x9a\x00\x0f\x42\x40" + b"\x80" * 1_000_000,
    "nested lists": b"\xd2" + b"\x81" * 100_000,
    "a text of 4 GB": b"\xd2\x84\x7a" + b"\xff" * 4,
    "JSON": b'{"format":"purestep-statement-1"}',
    "an extra member": with_header(_99=1),
    "an extra claim": with_claims(more=1),
    "a member in the open header": rewritten(SINGLE, unprotected={1: -8}),
    "no issuer": with_claims(issuer=""),
    "a long issuer": with_claims(issuer="\U0001f600" * 1025),
    "an issuer that is no text": with_claims(issuer=b"Acme"),
    "a time that is no number": with_claims(at="now"),
    "a time in parts of seconds": with_claims(at=1.5),
    "a key that is no bytes": with_header(_4="key"),
    "a payload as text": rewritten(SINGLE, payload="x"),
    "a tree as one run": rewritten(TREE, payload=ENTRIES[0]),
    "an entry less": rewritten(TREE, unprotected={396: {-1: PROOFS}, "purestep-statements": ENTRIES[1:]}),
    "no entry": rewritten(TREE, unprotected={396: {-1: []}, "purestep-statements": []}),
    "proofs changed over": rewritten(TREE, unprotected={396: {-1: PROOFS[::-1]}, "purestep-statements": ENTRIES}),
    "labels as fractions": rewritten(TREE, unprotected={396.0: {-1.0: PROOFS}, "purestep-statements": ENTRIES}),
    "a proof with more": rewritten(
        TREE, unprotected={396: {-1: [cbor2.dumps([3, 0, [], 1])]}, "purestep-statements": ENTRIES[:1]}
    ),
    "a map out of order": b"\xd2\x84\x43\xa2\x04\x01" + SINGLE[2:],
    "a name twice": rewritten(SINGLE, protected=b"\xa2\x01\x27\x01\x27"),
}

OTHER_FORMS = {
    "another algorithm": with_header(_1=-35),
    "another content type": with_header(_3="application/json"),
}

CHANGED_PARTS = {
    "another issuer": with_claims(issuer="Acmf"),
    "the longest issuer": with_claims(issuer="\U0001f600" * 1024),
    "a time before 1970": with_claims(at=-1),
    "a time past all clocks": with_claims(at=2**63),
    "no signature": rewritten(SINGLE, signature=b""),
    "a signature with more": rewritten(SINGLE, signature=cbor2.loads(SINGLE).value[3] + b"\0"),
    "a statement of another run": rewritten(SINGLE, payload=stated("run-2").encoded()),
}


@pytest.mark.parametrize(
    ("forms", "code"),
    [(BAD_FORMS, "bad_receipt"), (OTHER_FORMS, "unsupported_receipt"), (CHANGED_PARTS, "signature_invalid")],
    ids=["bad forms", "other forms", "changed parts"],
)
def test_what_was_written_otherwise_is_refused_as_python_does(node: str, forms: dict[str, bytes], code: str) -> None:
    """Other encodings, other members, large claims: a receipt has one form."""
    found = dict(zip(forms, codes(found_by_node(node, map(case, forms.values()))), strict=True))
    assert dict.fromkeys(forms, code) == found
    assert {name: code_of_receipt(each) for name, each in forms.items()} == found


STATEMENTS = {
    "white space": (b'{"format": "purestep-statement-1"', "bad_receipt"),
    "a newer format": (b'{"format":"purestep-statement-2"}', "unsupported_receipt"),
    "no JSON": (b"[1", "bad_receipt"),
    "a list": (b"[]", "bad_receipt"),
    "nested lists": (b'{"format":"purestep-statement-1","acts":' + b"[" * 3000, "bad_receipt"),
    "no UTF-8": (b'{"format":"\xff"}', "bad_receipt"),
    "too much": (b'{"format":"purestep-statement-1",' + b" " * 2**20, "bad_receipt"),
}


def test_signed_statements_of_other_forms_are_refused(node: str) -> None:
    """Although the key has signed them."""
    good = stated().encoded()
    given = {name: (signed_again(rewritten(SINGLE, payload=text)), code) for name, (text, code) in STATEMENTS.items()}
    for name, before, after in (
        ("an extra member", b'"lines":', b'"more":1,"lines":'),
        ("a member twice", b'"lines":', b'"lines":7,"lines":'),
        ("no lines", b'"lines":', b'"line":'),
        ("lines as text", b'"phase":"done"', b'"phase":1'),
        ("a short digest", b'"head":"', b'"head":"0'),
        ("an act that is none", b'"acts":[', b'"acts":[null,'),
        ("a negative number", b'"acts_left_out":0', b'"acts_left_out":-1'),
        ("a path that is empty", b'"status":', b'"path":[],"status":'),
    ):
        assert before in good
        given[name] = signed_again(rewritten(SINGLE, payload=good.replace(before, after, 1))), "bad_receipt"
    given["another subject"] = signed_again(with_claims(subject="run-2")), "bad_receipt"
    given["a run twice"] = make_tree_of(stated().encoded(), stated().encoded()), "bad_receipt"
    found = dict(zip(given, codes(found_by_node(node, [case(each) for each, _ in given.values()])), strict=True))
    assert {name: code for name, (_, code) in given.items()} == found
    assert {name: code_of_receipt(each) for name, (each, _) in given.items()} == found


def signed_again(receipt: bytes) -> bytes:
    """Return a receipt of a run, whatever it is, signed by the right key."""
    protected, _, payload, _ = cbor2.loads(receipt).value
    text = cbor2.dumps(["Signature1", protected, b"", payload], canonical=True)
    return rewritten(receipt, signature=signer("ed25519").sign(text))


def make_tree_of(*entries: bytes) -> bytes:
    """Return a receipt of statements, whatever they are."""
    return signed_envelope(entries, "", signer("ed25519"), "Acme", NOW).encoded()


def test_keys_that_are_none_or_others_are_told(node: str) -> None:
    """Another key, one of another kind, one that is private, and what is no key."""
    private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAEB\n-----END PRIVATE KEY-----\n"
    keys = {
        public("ed25519", number=2): "signer_mismatch",
        public("p256"): "signer_mismatch",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ== me": "bad_key",
        "ssh-ed25519 AAAA": "bad_key",
        public("ed25519", "ssh")[:-12]: "bad_key",
        public("p256").replace("QgAE", "QgAF"): "bad_key",
        private: "bad_key",
        "": "bad_key",
        "hello": "bad_key",
    }
    assert list(keys.values()) == codes(found_by_node(node, [case(SINGLE, key=key) for key in keys]))


def test_only_the_smaller_of_two_signatures_counts(node: str) -> None:
    """With (r, s) also (r, order - s) fits a key on P-256; a receipt would have two forms."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    receipt = receipt_of(stated(), kind="p256")
    signature = cbor2.loads(receipt).value[3]
    other = signature[:32] + (order - int.from_bytes(signature[32:])).to_bytes(32)
    given = [receipt, rewritten(receipt, signature=other)]
    assert ["", "signature_invalid"] == codes(found_by_node(node, [case(each, key=public("p256")) for each in given]))


def test_a_receipt_from_the_future_is_refused(node: str) -> None:
    """Clocks may be five minutes apart."""
    given = [receipt_of(stated(), issued_at=NOW + ahead) for ahead in (300, 301, 2**40)]
    assert ["", "receipt_from_future", "receipt_from_future"] == codes(found_by_node(node, map(case, given)))


@pytest.mark.parametrize("derive", [False, True])
def test_every_recorded_log_is_what_its_statement_says(node: str, derive: bool) -> None:
    """With policies, agents, hidden texts and changed definitions among them."""
    found = found_by_node(node, [case(log=log, statement=said, derive=derive) for log, said in recorded()])
    assert [(said.lines, 0, derive) for _, said in recorded()] == [
        (each.get("lines"), each.get("linesAfter"), each.get("derived")) for each in found
    ]


def untrue(said: Statement) -> dict[str, Statement]:
    """Return what is said of a run with each of its members false."""
    act = ToldAct(call_id="call_9", tool="pay", status="failed", line=said.lines)
    return {
        "run_id": replace(said, run_id="other"),
        "head": replace(said, head="0" * 64),
        "definitions": replace(said, definitions=(None, *said.definitions)),
        "policies": replace(said, policies=(*said.policies, type(said.policies[0])(use="flow", version=9)))
        if said.policies
        else replace(said, acts=(*said.acts, act)),
        "acts": replace(said, acts=(*said.acts, act)),
        "acts_left_out": replace(said, acts_left_out=said.acts_left_out + 1),
        "hidden": replace(said, hidden={**said.hidden, "email": said.hidden.get("email", 0) + 1}),
        "hidden_for_good": replace(said, hidden_for_good=said.hidden_for_good + 1),
        "lines": replace(said, lines=said.lines + 1),
        "phase": replace(said, phase="approval" if said.phase == "model" else "model"),
        "last_definition": replace(said, definitions=(*said.definitions[:-1], "0" * 64)),
    }


UNSEEN = ("phase", "last_definition", "acts_left_out")
"""What a log without a derivation does not show."""


@pytest.mark.parametrize("derive", [False, True])
def test_what_a_log_does_not_lead_to_is_told(node: str, derive: bool) -> None:
    """Each member of a statement, false: without a core those that the lines say."""
    drawn = random.Random(3).sample(recorded(), 30)
    given = [(name, log, false) for log, said in drawn for name, false in untrue(said).items()]
    found = codes(found_by_node(node, [case(log=log, statement=false, derive=derive) for _, log, false in given]))
    taken = {name for (name, _, _), code in zip(given, found, strict=True) if code == ""}
    assert (set() if derive else set(UNSEEN)) == taken
    if derive:
        assert [code_of_log(log, false) for _, log, false in given] == found


def test_a_false_decision_is_found_by_the_core_alone(node: str) -> None:
    """Chained anew and signed by the right key: the receipt and the chain hold, and the core names the line."""
    log, said, line = lied()
    receipt = receipt_of(said)
    plain, derived = found_by_node(node, [case(receipt, log, derive=derive) for derive in (False, True)])
    assert {"run_id": "run-1", "lines": said.lines, "linesAfter": 0, "derived": False} == plain
    assert ("bad_log", line) == (derived["code"], derived["line"])
    assert f"line {line}: " in derived["message"]


@pytest.mark.parametrize("derive", [False, True])
def test_a_log_may_have_grown_and_not_shrunk(node: str, derive: bool) -> None:
    """What came since has to follow too; a line that is being written is none yet."""
    said, log = stated(is_ended=False), paid()
    lines = log.splitlines(keepends=True)
    after = len(lines) - said.lines
    assert after > 0
    given = {
        log: after,
        log[:-1]: after,
        log + b'{"seq":': after,
        b"".join(lines[:-1]) + lines[-1].replace(b"Done.", b"None."): "bad_log" if derive else after,
        b"".join(lines[: said.lines]): 0,
        b"".join(lines[: said.lines - 1]): "receipt_mismatch",
        b"".join(lines[: said.lines])[:-9]: "receipt_mismatch",
        b"": "receipt_mismatch",
        log + lines[-1]: "bad_log",
        b"\xff" + log: "bad_log",
        log.replace(b'"paid"', b'"owed"'): "bad_log",
        log.replace(b'"schema_version":3', b'"schema_version":9'): "unsupported_version",
    }
    found = found_by_node(node, [case(log=each, statement=said, derive=derive) for each in given])
    assert list(given.values()) == [each.get("code", each.get("linesAfter")) for each in found]
    if derive:
        python = [code_of_log(each, said) for each in given]
        assert python == codes(found)


def test_a_newer_core_is_told_where_this_one_derives_otherwise(node: str) -> None:
    """A newer version alone is no fault: what is derived here may be the same."""
    log, said, _ = lied()
    newer = replace(said.software, version="99.0.0")
    given = [
        case(log=paid(), statement=replace(stated(), software=newer), derive=True),
        case(log=log, statement=replace(said, software=newer), derive=True),
        case(log=log, statement=replace(said, software=replace(newer, version="0.0.1")), derive=True),
    ]
    assert ["", "newer_core", "bad_log"] == codes(found_by_node(node, given))


def damaged(log: bytes, random_: random.Random) -> bytes:
    """Return a log changed in a byte, or with a line dropped, repeated or moved, chained anew or not."""
    at, lines = random_.randrange(len(log)), log.splitlines(keepends=True)
    line = random_.randrange(len(lines))
    return random_.choice(
        [
            lambda: log[:at] + bytes([random_.randrange(32, 127)]) + log[at + 1 :],
            lambda: b"".join(lines[:line] + lines[line + 1 :]),
            lambda: b"".join(lines[: line + 1] + lines[line:]),
            lambda: log[:at],
            lambda: log.replace(b"\n", b"\r\n"),
        ]
    )()


def test_damaged_logs_are_refused_as_python_does(node: str) -> None:
    """The core's verdict is the same; the chain alone takes no log whose first lines are other ones."""
    random_ = random.Random(11)
    drawn = [random_.choice(recorded()) for _ in range(1000 if ARE_ALL_WANTED else 150)]
    given = [(damaged(log, random_), log, said) for log, said in drawn]
    derived = codes(found_by_node(node, [case(log=each, statement=said, derive=True) for each, _, said in given]))
    plain = codes(found_by_node(node, [case(log=each, statement=said) for each, _, said in given]))
    for (each, log, said), by_core, by_chain in zip(given, derived, plain, strict=True):
        assert code_of_log(each, said) == by_core, each
        assert (by_chain == "") == (by_core == ""), (each, log)


def test_a_page_checks_a_receipt(page: Page) -> None:
    """As it is, as a module of a page, with both kinds of keys."""
    checked = """async ([receipt, key, now, log]) => {
      const { verifyReceipt, verifyRun } = await import('/verify/receipts.mjs');
      const found = await verifyReceipt(Uint8Array.from(receipt), key, { now });
      return verifyRun(log, found.statements[0]);
    }"""
    for kind in KINDS:
        given = [list(receipt_of(stated(), kind=kind)), public(kind), NOW, paid().decode()]
        assert {"run_id": "run-1", "lines": stated().lines, "linesAfter": 0, "derived": False} == page.evaluate(
            checked, given
        )


def run_command(folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit code of the command and what it prints."""
    done = subprocess.run(
        ["node", "--no-warnings", str(COMMAND), *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "" == done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def folder(node: str, tmp_path: Path) -> Path:
    """A folder with logs, a receipt of them and the key."""
    del node
    for number in (1, 2):
        path = tmp_path / "logs" / str(number) / "log.jsonl"
        path.parent.mkdir(parents=True)
        path.write_bytes(paid(f"run-{number}"))
    (tmp_path / "runs.receipt").write_bytes(
        make_receipt([stated("run-1"), stated("run-2")], signer("ed25519"), issued_at=NOW - 1_000_000_000, issuer="Acme")
    )
    (tmp_path / "key.pub").write_text(public("ed25519", "ssh"), "utf-8")
    return tmp_path


def test_the_command_derives_what_it_can_and_says_which(folder: Path) -> None:
    """A log or a folder, with the core or without it."""
    code, said = run_command(folder, "logs", "runs.receipt", "key.pub")
    assert 0 == code
    assert re.fullmatch(
        r"signed by Acme with urn:ietf:params:oauth:ckt:sha-256:\S{43} at 1995-05-09T06:13:20Z by its clock\n"
        r"verified run-1: 8 lines, 1 act, 2 hidden texts; every decision derived again\n"
        r"verified run-2: 8 lines, 1 act, 2 hidden texts; every decision derived again\n",
        said,
    ), said
    code, said = run_command(folder, "--plain", "logs/2/log.jsonl", "runs.receipt", "key.pub")
    assert (0, "fits run-2: 8 lines, 1 act, 2 hidden texts; no decision was derived") == (code, said.splitlines()[1])


def test_the_command_names_what_is_wrong_or_missing(folder: Path) -> None:
    """A run without a log, a log of another run, and a log that was changed."""
    (folder / "logs" / "2" / "log.jsonl").write_bytes(paid("run-\x1b[31m3"))
    (folder / "logs" / "1" / "log.jsonl").write_bytes(paid().replace(b'"accept"', b'"reject"'))
    code, said = run_command(folder, "logs", "runs.receipt", "key.pub")
    assert 6 == code
    assert re.search(r"^wrong logs/1/log.jsonl: .*line \d", said, re.MULTILINE)
    assert "wrong logs/2/log.jsonl: the receipt says nothing of the run of this log" in said
    assert "missing run-2: the receipt names it, and there is no log of it" in said


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ((), 2, "usage: node verify_receipt.mjs LOG RECEIPT PUBLIC_KEY [--plain]"),
        (("logs", "none", "key.pub"), 2, "none cannot be read (ENOENT)"),
        (("none", "runs.receipt", "key.pub"), 2, "none cannot be read (ENOENT)"),
        (("logs", "runs.receipt", "runs.receipt"), 2, "expected a public key"),
        (("logs", "key.pub", "key.pub"), 6, "expected a receipt"),
        (("logs", "runs.receipt", "other.pub"), 6, "the receipt was signed with another kind of key"),
        (("logs", "hostile.receipt", "key.pub"), 6, "signed by A?[31m?? with urn"),
    ],
)
def test_the_command_says_in_a_line_what_it_cannot_check(
    folder: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    """Without the escape codes of a receipt."""
    (folder / "other.pub").write_text(public("p256"), "utf-8")
    (folder / "hostile.receipt").write_bytes(signed_again(with_claims(issuer="A\x1b[31m\u202e\n", at=1)))
    code, printed = run_command(folder, *arguments, "--plain")
    lines = printed.splitlines()
    assert (status, True) == (code, any(line.startswith(said) for line in lines)), printed


def by_another_library(node: str, given: list[tuple[bytes, str, bytes | None]]) -> list[str]:
    """Return what @auth0/cose says of receipts, each with its key and the root of its tree: the payload, or why not."""
    sent = [
        {"receipt": encoded(receipt), "key": public(kind), "root": root and encoded(root)} for receipt, kind, root in given
    ]
    program = [node, "--no-warnings", str(Path(__file__).with_name("cose_elsewhere.mjs"))]
    text = "".join(json.dumps(each) + "\n" for each in sent)
    done = subprocess.run(program, input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def encoded(data: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(data).decode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_cose_library_accepts_what_is_signed_here_and_nothing_else(node: str, kind: str) -> None:
    """One run as the payload, several by the detached root; and each changed in a bit of what is signed."""
    runs = [stated("run-1"), stated("run-2"), stated("run-3")]
    root, _ = root_and_paths([leaf_hash(each.encoded()) for each in runs])
    single, tree = receipt_of(runs[0], kind=kind), receipt_of(*runs, kind=kind)
    good = [(single, kind, None), (tree, kind, root), (only_runs(tree, ["run-2"]), kind, root)]
    assert [encoded(each) for each in (runs[0].encoded(), root, root)] == by_another_library(node, good)
    signed = single.index(b"purestep-statement-1")
    bad = [
        (single[:-1] + bytes([single[-1] ^ 1]), kind, None),
        (single[:signed] + b"P" + single[signed + 1 :], kind, None),
        (single.replace(b"Acme", b"Acmf"), kind, None),
        (single, KINDS[kind == KINDS[0]], None),
        (tree, kind, root[:-1] + bytes([root[-1] ^ 1])),
    ]
    assert [True] * len(bad) == [each.startswith("refused: ") for each in by_another_library(node, bad)]
