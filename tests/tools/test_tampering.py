"""Every kind of change of recorded logs, a seeded part of them (tools.tampering; `./build.sh break logs` tries all)."""

import json
import random
from collections.abc import Iterator

import pytest

import purestep
from tools.tampering import __main__ as tampering
from tools.tampering.changes import KINDS, Change, bounds_of, changes_of
from tools.tampering.verdicts import CHAIN, CORE, Counts, Found, chain_verifier, count_changes, found_by_core


def a_log() -> tuple[bytes, str]:
    """Return a log of six lines, two of them derived, and its head."""
    run = purestep.start(purestep.Agent.load({"tools": [{"name": "add"}]}), purestep.UserMessage(content="Add."), "r")
    log = run.log
    for observation in (
        purestep.ModelOutput(content='{"kind":"tool_call","tool_name":"add","arguments":{}}'),
        purestep.ToolResults(results=(purestep.ToolResult(call_id="call_1", ok=True, output=3),)),
    ):
        run = purestep.step(run.state, observation)
        log += run.log
    return log.encode(), run.state.head


@pytest.mark.needs("node")
def test_a_part_of_all_changes_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither verifier takes a changed log, and each names a line at which the change can show."""
    assert 0 == tampering.main(["200", "--sample", "5", "--jobs", "1", "--seed", "1"])
    assert 2 == capsys.readouterr().out.count("        0 not found, or at a wrong line")


@pytest.mark.needs("node")
def test_every_change_of_a_log_is_found() -> None:
    """All bytes and all lines of one log, each kind of change."""
    log, head = a_log()
    counts = {CORE: Counts(), CHAIN: Counts()}
    with chain_verifier() as chain:
        count_changes("a log", log, head, list(changes_of(log, "0")), counts, {CORE: found_by_core, CHAIN: chain})
    lines = log.count(b"\n")
    tried = {"byte": len(log), "dropped": lines, "swapped": lines - 1, "repeated": lines, "cut off": lines}
    for made in counts.values():
        assert (tried, []) == (dict(made.tried), made.broken)
        assert made.tried.total() == made.exact + made.later + made.by_head
        assert made.exact > made.later > made.by_head > 0


def test_what_the_core_finds_of_a_change_is_what_it_finds_of_the_whole_log() -> None:
    """The lines before a change are taken once for all changes; `verify_log` takes them again for each."""
    for name, log, head in [("a log", *a_log()), *tampering.recorded_logs()[::4]]:
        changes = [change for change in changes_of(log, name) if change.made(log) != log]
        changes = random.Random(name).sample(changes, 12)
        whole = [json.loads(purestep.verify_log(change.made(log), head)) for change in changes]
        assert [(said["code"], said["line"]) for said in whole] == list(found_by_core(log, head, changes))


def test_a_change_is_named_where_it_shows() -> None:
    """A fact shows at the derived line after it at the latest; the chain alone tells a derived line by the next one."""
    log, _ = a_log()
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert ["run_started", "user_message", "model_response", "tool_call", "tool_result", "verdict"] == kinds
    at = log.index(b"Add.")
    word = bounds_of(log, Change("byte", at, at + 1, b"a"))
    assert (2, 4, 4) == (word.first, word.core, word.chain)
    at = log.index(b'"kind":"tool_call","call_id"')
    derived = bounds_of(log, Change("byte", at + 2, at + 3, b"K"))
    assert (4, 4, 6) == (derived.first, derived.core, derived.chain)


def blind(log: bytes, head: str, changes: list[Change]) -> Iterator[Found]:
    """A verifier that takes what is cut off the end, and names the first line in any case."""
    for change in changes:
        yield None if change.kind == "cut off" else ("invalid_log", 1)


def test_a_verifier_that_misses_changes_is_found() -> None:
    """What it takes and what it names wrongly is counted as broken, and told."""
    log, head = a_log()
    counts = {CORE: Counts()}
    count_changes("a log", log, head, list(changes_of(log, "0")), counts, {CORE: blind})
    said = "\n".join(counts[CORE].broken)
    assert f"cut off [0, {len(log)}) by b'': not found" in said
    assert "invalid_log at line 1; expected 4 to 4" in said
    assert set(KINDS) == set(counts[CORE].tried)
