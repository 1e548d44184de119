"""The second verifier of the hash chain, in plain JavaScript without the core, beside the core's own."""

import base64
import json
import random
import re
import subprocess
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import purestep
from purestep_hosts.session_log import chain
from tests.examples import ARE_ALL_WANTED
from tools.vectors.files import stored_vectors

WEB = Path(__file__).resolve().parents[2] / "web"
VERIFIER = WEB / "verify" / "verify_log.mjs"
ENGINES = {"node": ["node"], "deno": [str(WEB / "node_modules" / ".bin" / "deno"), "run", "--allow-all", "--no-config"]}
Given = tuple[str | bytes, str | None]
DAMAGED_LOGS = 10_000 if ARE_ALL_WANTED else 600
DAMAGED_AT_ONCE = 200


@cache
def recorded() -> list[Given]:
    """Return the logs of all vectors, each with its head."""
    vectors = stored_vectors("replay")
    return [tuple(each["args"]) for each in vectors if each["name"].endswith("/verify") and each["args"][1]]


@cache
def short_logs() -> list[tuple[str, str]]:
    """Return the logs of the vectors that are checked in no time."""
    return [(str(log), head) for log, head in recorded() if head and len(log) < 6_000]


def tampered(log: str, random_: random.Random) -> list[str]:
    """Return a log changed in a byte, and with a line dropped, repeated, swapped with the next, or cut off the end."""
    data, lines = log.encode(), log.splitlines(keepends=True)
    at, line = random_.randrange(len(data)), random_.randrange(len(lines) - 1)
    byte = bytes([random_.choice([each for each in b'0aZ"} ,' if each != data[at]])])
    return [
        (data[:at] + byte + data[at + 1 :]).decode("utf-8", "replace"),
        "".join(lines[:line] + lines[line + 1 :]),
        "".join(lines[: line + 1] + lines[line:]),
        "".join([*lines[:line], lines[line + 1], lines[line], *lines[line + 2 :]]),
        "".join(lines[:-1]),
        log[:-1],
    ]


def found_by(engine: str, given: list[Given]) -> list[dict[str, Any]]:
    """Return what the verifier finds of logs in an engine."""
    program = [*ENGINES[engine], str(Path(__file__).with_name("verify_logs.mjs")), VERIFIER.as_uri()]
    sent = [[log if isinstance(log, str) else {"base64": base64.b64encode(log).decode()}, head] for log, head in given]
    done = subprocess.run(program, input=json.dumps(sent), capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@cache
def recorded_by_core() -> list[dict[str, Any]]:
    """Return what the core finds of the logs of all vectors."""
    return by_core(recorded())


def by_core(given: list[Given]) -> list[dict[str, Any]]:
    """Return what the core finds of logs."""
    return [json.loads(purestep.verify_log(log, head)) for log, head in given]


def verdicts(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return what both have to agree on."""
    return [(each["ok"], each["lines"], each["head"]) for each in found]


def resealed(data: bytes) -> bytes:
    """Return a log with `seq` and `prev` written anew, as who writes all of it can; unreadable ones as they are."""
    made, head = [], ""
    try:
        for seq, line in enumerate(data.splitlines()):
            event = {**json.loads(line), "seq": seq}
            if "prev" in event:
                event["prev"] = head
            made.append(json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode())
            head = chain(made[-1:], head)
    except (ValueError, TypeError):
        return data
    return b"".join(line + b"\n" for line in made)


def damaged(data: bytes, random_: random.Random) -> bytes:
    """Return a log damaged in one of the ways in which files are, or by hand."""
    lines = data.splitlines(keepends=True)
    at, line = random_.randrange(len(data)), random_.randrange(len(lines))
    before, here, after = b"".join(lines[:line]), lines[line], b"".join(lines[line + 1 :])
    put = random_.choice([b"\0", b"\n", b" ", b"\r", b"\xff", b"\xef\xbb\xbf", b"\x1b[31m", "\u202e".encode(), b"<b>"])
    member = random_.choice([b'"seq":0,', b'"kind":"cancelled",', b'"prev":"",', b'"more":9007199254740993,'])
    made = random_.choice(
        [
            lambda: data[:at] + bytes([random_.randrange(256)]) + data[at + 1 :],
            lambda: data[:at] + put + data[at:],
            lambda: data[:at] + data[at + random_.randrange(1, 9) :],
            lambda: data[:at],
            lambda: before + after,
            lambda: before + here + here + after,
            lambda: before + after + here,
            lambda: before + b"{" + member + here[1:] + after,
            lambda: before + here.replace(b"}\n", b"," + member[:-1] + b"}\n") + after,
            lambda: before + re.sub(rb"[0-9]+", b"9007199254740993", here, count=1) + after,
            lambda: before + here.replace(b",", b", ", 1) + after,
            lambda: before + b"\n" + here + after,
            lambda: data.replace(b"\n", b"\r\n"),
            lambda: data.decode().encode("utf-16"),
            lambda: put + data,
            lambda: data + data,
            lambda: zlib.compress(data),
            lambda: data.replace(b'"schema_version":3', b'"schema_version":%d' % random_.randrange(9)),
        ]
    )()
    return resealed(made) if random_.randrange(4) == 0 else made


def is_read_over(data: bytes) -> bool:
    """Whether a log has what the core reads over without a head: blank lines, or no line break at its end."""
    return not data.endswith(b"\n") or any(not line.strip() for line in data.split(b"\n")[:-1])


@pytest.mark.parametrize("seed", range(DAMAGED_LOGS // DAMAGED_AT_ONCE))
def test_both_verifiers_agree_on_damaged_logs(node: str, seed: int) -> None:
    """With the head neither takes one; without it the chain refuses none that the core takes, and no earlier line."""
    random_ = random.Random(seed)
    chosen = [random_.choice(short_logs()) for _ in range(DAMAGED_AT_ONCE)]
    made = [(damaged(log.encode(), random_), head) for log, head in chosen]
    changed = [(data, head) for (data, head), (log, _) in zip(made, chosen, strict=True) if data != log.encode()]
    core = [(purestep.verify(data, head), purestep.verify(data)) for data, head in changed]
    held = found_by("node", [(data, head) for data, head in changed])
    alone = found_by("node", [(data, None) for data, _ in changed])
    for (data, _), (with_head, without), by_chain, by_chain_alone in zip(changed, core, held, alone, strict=True):
        assert (False, False) == (with_head.ok, by_chain["ok"]), data
        if without.ok and not by_chain_alone["ok"]:
            assert is_read_over(data), data
        if not without.ok and not by_chain_alone["ok"]:
            assert (without.line or 0) <= by_chain_alone["line"], data


@pytest.mark.parametrize("engine", ENGINES)
def test_every_log_has_the_verdict_of_the_core(node: str, engine: str) -> None:
    """All logs of the vectors hold, with as many lines and the same head."""
    assert verdicts(recorded_by_core()) == verdicts(found_by(engine, recorded()))


def test_every_change_is_found(node: str) -> None:
    """A byte, a line dropped, repeated, swapped or cut off the end: given the head, neither takes it."""
    random_ = random.Random(7)
    given = [(changed, head) for log, head in recorded()[::4] for changed in tampered(log, random_) if changed != log]
    assert [False] * len(given) == [each["ok"] for each in found_by("node", given)]
    assert [False] * len(given) == [each["ok"] for each in by_core(given)]


def test_without_a_head_a_change_shows_at_the_next_derived_line(node: str) -> None:
    """The line that carries the hash of those before it is named."""
    log = next(log for log, _ in recorded() if log.count("\n") > 6)
    lines = log.splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if '"kind":"model_response"' in line)
    derived = next(number for number, line in enumerate(lines, 1) if number > at + 1 and '"prev":' in line)
    changed = "".join([*lines[:at], lines[at].replace("}\n", " }\n"), *lines[at + 1 :]])
    found = found_by("node", [(changed, None)])[0]
    assert (False, "log_mismatch", derived) == (found["ok"], found["code"], found["line"])


def test_a_page_checks_a_log(page: Page) -> None:
    """As it is, as a module of a page."""
    log, head = recorded()[0]
    checked = "async ([log, head]) => (await import('/verify/verify_log.mjs')).verifyLog(log, head)"
    assert verdicts(by_core([(log, head)])) == verdicts([page.evaluate(checked, [log, head])])


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["good.jsonl"], 0, "verified 2 lines, head "),
        (["bad.jsonl"], 6, "line 2: expected seq 1; got 7"),
        (["none.jsonl"], 2, "none.jsonl cannot be read (ENOENT)"),
        ([], 2, "usage: node verify_log.mjs LOG [HEAD]"),
        (["hostile.jsonl"], 6, 'line 1: expected an event; got kind "?[31m'),
    ],
)
def test_it_is_a_program(node: str, tmp_path: Path, arguments: list[str], status: int, said: str) -> None:
    """It says in one line what it found, without the escape codes of a log."""
    log = purestep.start(None, purestep.UserMessage(content="Hello"), run_id="r").log
    (tmp_path / "good.jsonl").write_text(log, "utf-8")
    (tmp_path / "bad.jsonl").write_text(log.replace('"seq":1', '"seq":7'), "utf-8")
    (tmp_path / "hostile.jsonl").write_text('{"kind":"\\u009b[31m"}\n', "utf-8")
    done = subprocess.run([node, str(VERIFIER), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (status, "", said) == (done.returncode, done.stderr, done.stdout[: len(said)])


def test_it_is_short() -> None:
    """Somebody who wants to trust it can read it."""
    assert len(VERIFIER.read_text("utf-8").splitlines()) <= 200
