"""Receipts that Python has made, read in JavaScript, and refused there by the same codes."""

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cbor2
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from purestep_hosts.anchors import AnchorError, public_key
from purestep_hosts.receipts import ReceiptError, only_runs, public_key_of
from purestep_hosts.receipts.envelopes import signed_envelope
from purestep_hosts.receipts.trees import leaf_hash, root_and_paths
from tests.web.signed_logs import (
    KINDS,
    NOW,
    case,
    code_of_receipt,
    codes,
    found_by_node,
    paid,
    public,
    receipt_of,
    rewritten,
    signed_again,
    signer,
    stated,
    with_claims,
)


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
        assert len(said) == found["runs"]


def test_runs_taken_out_of_a_receipt_are_taken(node: str) -> None:
    """Whichever they are, of trees of every small size."""
    cases = []
    for size in range(2, 10):
        names = [f"run-{number}" for number in range(size)]
        whole = receipt_of(*[replace(stated(), run_id=name) for name in names])
        cases += [case(only_runs(whole, [name])) for name in names] + [case(only_runs(whole, names[1::2]))]
    found = found_by_node(node, cases)
    assert {""} == set(codes(found))
    assert [size for size in range(2, 10) for _ in range(size + 1)] == [each["runs"] for each in found]


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


def with_header(**members: Any) -> bytes:
    """Return the receipt of a run with other members in its header."""
    header = cbor2.loads(cbor2.loads(receipt_of(stated())).value[0])
    made = {**header, **{int(name[1:]): value for name, value in members.items()}}
    return rewritten(receipt_of(stated()), protected=cbor2.dumps(made, canonical=True))


def without(header: bytes, name: str | None, **members: Any) -> bytes:
    """Return a header without a member, and with others."""
    kept = {label: value for label, value in cbor2.loads(header).items() if label != name}
    return bytes(cbor2.dumps({**kept, **members}, canonical=True))


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
    "a proof cut short": rewritten(
        TREE, unprotected={396: {-1: [cbor2.dumps([3, 0, [bytes(32)]])]}, "purestep-statements": ENTRIES[:1]}
    ),
    "a proof of no leaf": rewritten(
        TREE, unprotected={396: {-1: [cbor2.dumps([3, 3, [bytes(32)] * 2])]}, "purestep-statements": ENTRIES[:1]}
    ),
    "no number of runs": rewritten(TREE, protected=without(PARTS[0], "purestep-runs")),
    "another number of runs": rewritten(TREE, protected=without(PARTS[0], None, **{"purestep-runs": 4})),
    "a number of runs as text": rewritten(TREE, protected=without(PARTS[0], None, **{"purestep-runs": "3"})),
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


def test_the_entries_of_a_tree_have_one_order(node: str) -> None:
    """Their proofs are not signed, so each stands once, in the order of the tree, and names the size that is signed."""
    other_size = cbor2.dumps([4, *cbor2.loads(PROOFS[0])[1:]])
    given = [
        (PROOFS, ENTRIES),
        (PROOFS[::-1], ENTRIES[::-1]),
        (PROOFS[:1] * 2, ENTRIES[:1] * 2),
        ([other_size], ENTRIES[:1]),
    ]
    made = [rewritten(TREE, unprotected={396: {-1: proofs}, "purestep-statements": said}) for proofs, said in given]
    assert ["", "bad_receipt", "bad_receipt", "bad_receipt"] == codes(found_by_node(node, map(case, made)))


def test_a_receipt_of_many_items_fills_no_memory(node: str) -> None:
    """A file of 12 MB could be 12 million lists."""
    lists = b"\x9a\x00\x01\x86\xa0" + b"\x80" * 100_000
    found = found_by_node(node, [case(b"\xd2\x98\x78" + lists * 120)], "--max-old-space-size=200")
    assert ["bad_receipt"] == codes(found)


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


SSH_KEY, OTHER_KEY, PEM_KEY = public("ed25519", "ssh"), public("ed25519", "ssh", 2), public("ed25519")
KEY_FILES = {
    "a byte order mark": ("\ufeff" + SSH_KEY, ""),
    "blank lines around it": (f"\n \t\n{SSH_KEY}\r\n\n", ""),
    "lines of Windows": (PEM_KEY.replace("\n", "\r\n"), ""),
    "a comment": (f"{SSH_KEY.strip()} ann@example.org on two keyboards\n", ""),
    "both around PEM": (f"\ufeff\n{PEM_KEY}\n\n", ""),
    "two keys": (f"{SSH_KEY.strip()}\n{OTHER_KEY}", "bad_key"),
    "two keys, the other one first": (f"{OTHER_KEY.strip()}\n{SSH_KEY}", "bad_key"),
    "two keys in PEM": (PEM_KEY + public("ed25519", number=2), "bad_key"),
    "both forms": (f"{SSH_KEY.strip()}\n{PEM_KEY}", "bad_key"),
    "both forms, PEM first": (f"{PEM_KEY}{SSH_KEY}", "bad_key"),
    "words before it": (f"Our key:\n{PEM_KEY}", "bad_key"),
    "words after it": (f"{SSH_KEY.strip()}\nOur key\n", "bad_key"),
}


def test_a_file_with_one_key_is_taken_and_one_with_more_refused(node: str) -> None:
    """In Python and in JavaScript: of several only one would count, and nobody could see which."""
    found = codes(found_by_node(node, [case(SINGLE, key=text) for text, _ in KEY_FILES.values()]))
    assert {name: code for name, (_, code) in KEY_FILES.items()} == dict(zip(KEY_FILES, found, strict=True))
    python = {name: code_of_key(text.encode()) for name, (text, _) in KEY_FILES.items()}
    assert dict(zip(KEY_FILES, found, strict=True)) == python


def code_of_key(data: bytes) -> str:
    """Return the code by which Python refuses the file of a public key; empty: it takes it, for anchors too."""
    codes_found = set()
    for read in (public_key_of, public_key):
        try:
            read(data)
            codes_found.add("")
        except (ReceiptError, AnchorError) as error:
            codes_found.add(error.code)
    return " ".join(codes_found)


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


def by_another_library(node: str, given: list[tuple[bytes, str, bytes | None]]) -> list[str]:
    """Return what @auth0/cose says of receipts, each with its key and the root of its tree: the payload, or why not."""
    sent = [
        {"receipt": encoded(receipt), "key": public(kind), "root": root and encoded(root)}
        for receipt, kind, root in given
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
