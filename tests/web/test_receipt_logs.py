"""Logs held in JavaScript against what receipts say of them, with the core and without it."""

import json
import random
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from purestep_hosts.receipts import Statement, statement_of
from purestep_hosts.receipts.statements import ToldAct
from purestep_hosts.session_log import chain
from tests.core.driver import Driver
from tests.edge.drivers import built_worker, serve
from tests.examples import ARE_ALL_WANTED
from tests.hosts.odd_logs import odd_logs
from tests.web.signed_logs import case, code_of_log, codes, found_by_node, lied, paid, public, receipt_of, stated
from tools.vectors.files import stored_vectors


@cache
def recorded() -> list[tuple[bytes, Statement]]:
    """Return the logs of all vectors, each with what is said of it."""
    logs = [each["args"][0].encode() for each in stored_vectors("replay") if each["name"].endswith("/verify")]
    return [(log, statement_of(log)) for log in logs]


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
    """What came since has to follow too, and a torn line is a difference."""
    said, log = stated(is_ended=False), paid()
    lines = log.splitlines(keepends=True)
    after = len(lines) - said.lines
    assert after > 0
    given = {
        log: after,
        log[:-1]: after,
        log + b'{"seq":': "bad_log",
        b"".join(lines[:-1]) + lines[-1].replace(b"Done.", b"None."): "bad_log" if derive else after,
        b"".join(lines[: said.lines]): 0,
        b"".join(lines[: said.lines - 1]): "receipt_mismatch",
        b"".join(lines[: said.lines])[:-9]: "receipt_mismatch",
        b"": "receipt_mismatch",
        log + lines[-1]: "bad_log",
        b"".join(lines[:-1]): "bad_log" if derive else after - 1,
        b"\xff" + log: "bad_log",
        log.replace(b'"paid"', b'"owed"'): "bad_log",
        log.replace(b'"schema_version":3', b'"schema_version":9'): "unsupported_version",
    }
    found = found_by_node(node, [case(log=each, statement=said, derive=derive) for each in given])
    assert list(given.values()) == [each.get("code", each.get("linesAfter")) for each in found]
    if derive:
        python = [code_of_log(each, said) for each in given]
        assert python == codes(found)


@pytest.mark.parametrize("derive", [False, True])
def test_every_byte_of_a_log_is_settled_as_in_python(node: str, derive: bool) -> None:
    """Blank lines and torn ones are refused, with their line."""
    odd = odd_logs(paid())
    found = found_by_node(node, [case(log=each.log, statement=stated(), derive=derive) for each in odd.values()])
    assert {name: (each.code, each.line) for name, each in odd.items()} == {
        name: (each.get("code", ""), each.get("line")) for name, each in zip(odd, found, strict=True)
    }


def test_a_last_line_that_is_none_to_the_core_is_refused(node: str) -> None:
    """JSON of a known kind, without its line break: the chain alone takes it, and Python calls it torn."""
    log = paid() + b'{"seq":%d,"kind":"user_message"}' % paid().count(b"\n")
    (found,) = found_by_node(node, [case(log=log, statement=stated(), derive=True)])
    assert ("bad_log", code_of_log(log, stated())) == (found["code"], found["code"])


def test_a_log_that_was_signed_within_a_step_is_refused(node: str) -> None:
    """Nothing vouches for it: the line is named that has to follow."""
    cut = paid().splitlines()[:-1]
    said = replace(stated(), lines=len(cut), head=chain(cut))
    (found,) = found_by_node(node, [case(log=b"".join(line + b"\n" for line in cut), statement=said, derive=True)])
    assert ("bad_log", len(cut) + 1) == (found["code"], found["line"])


def test_the_policies_of_agents_below_are_told(node: str) -> None:
    """Those of a definition and of the ones in it."""
    below = {"description": "Helps.", "agent": {"policies": [{"use": "flow", "version": 1}]}}
    log = Driver({"policies": [{"use": "redaction", "version": 1}], "agents": {"helper": below}}).log.encode()
    said = statement_of(log)
    assert 2 == len(said.policies)
    given = [case(log=log, statement=said, derive=derive) for derive in (False, True)]
    assert ["", ""] == codes(found_by_node(node, given))


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


def test_a_worker_checks_a_receipt(tmp_path: Path, package: Path) -> None:
    """In workerd, with the core that it has: a false decision is named there too."""
    assert package.is_dir()
    worker = built_worker(Path(__file__).with_name("receipts_worker.js"), tmp_path)
    log, said, line = lied()
    given = [
        case(receipt_of(stated()), paid(), derive=True),
        case(receipt_of(said, kind="p256"), log, key=public("p256")),
        case(receipt_of(said, kind="p256"), log, key=public("p256"), derive=True),
    ]
    with serve("workerd", {"unsigned": True}, tmp_path, "--worker", str(worker)) as service:
        found = [service.send("POST", "/", json.dumps(each).encode()).json() for each in given]
    assert [True, False, None] == [each.get("derived") for each in found]
    assert ("bad_log", line) == (found[2]["code"], found[2]["line"])
