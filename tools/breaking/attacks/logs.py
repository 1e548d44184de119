"""Logs changed in any way, while the true head is known: every change is found, and nothing raises."""

import json
import random
from functools import lru_cache
from typing import Any, Final

import purestep

from ..attack import Attack
from ..mutation import changed, damaged, happens
from ..scripted_runs import ScriptedRun, scripted_run

LOGS: Final = 200
"""How many runs' logs are changed."""

Lines = list[bytes]


@lru_cache(maxsize=1)
def _runs() -> tuple[ScriptedRun, ...]:
    """Return the runs whose logs are attacked; each is whole as it stands."""
    runs = tuple(run for run in (scripted_run(seed) for seed in range(2 * LOGS)) if run.log)[:LOGS]
    for run in runs:
        found = json.loads(purestep.verify_log(run.log, run.head))
        assert found["ok"], found
    return runs


# --- changes of one log -----------------------------------------------------------------------------------


def _bytes_damaged(log: bytes, chance: random.Random) -> bytes:
    return damaged(log, chance)


def _one_bit_flipped(log: bytes, chance: random.Random) -> bytes:
    index = chance.randrange(len(log))
    return log[:index] + bytes([log[index] ^ 1 << chance.randrange(8)]) + log[index + 1 :]


def _lines_moved(log: bytes, chance: random.Random) -> bytes:
    """Swap, double, drop or move lines, or insert one of another log."""
    lines = log.split(b"\n")[:-1]
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            del lines[one]
        case 3:
            lines.insert(other, lines.pop(one))
        case _:
            lines.insert(one, chance.choice(chance.choice(_runs()).log.encode().split(b"\n")[:-1]))
    return b"".join(line + b"\n" for line in lines)


def _tail_cut(log: bytes, chance: random.Random) -> bytes:
    lines = log.split(b"\n")
    return (
        log[: chance.randrange(len(log))] if happens(chance, 50) else b"\n".join(lines[: chance.randrange(len(lines))])
    )


def _member_edited(log: bytes, chance: random.Random) -> bytes:
    """Change any part of one line's JSON."""
    lines = log.split(b"\n")[:-1]
    index = chance.randrange(len(lines))
    return _with(lines, index, _encoded(changed(json.loads(lines[index]), chance)))


def _written_otherwise(log: bytes, chance: random.Random) -> bytes:
    """Write the same values in other bytes: blanks, escapes, another order, another form of a number."""
    lines = log.split(b"\n")[:-1]
    index = chance.randrange(len(lines))
    line = lines[index]
    value = json.loads(line)
    match chance.randrange(9):
        case 0:
            line = json.dumps(value).encode()
        case 1:
            line = json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode()
        case 2:
            line += chance.choice([b"\r", b" ", b"\t", b"\n", b"\n \n", b"\x0b"])
        case 3:
            line = chance.choice([b" ", b"\n", b"\xef\xbb\xbf", b"\n\n"]) + line
        case 4:
            line = line.replace(b'"kind"', b'"\\u006bind"', 1)
        case 5:
            line = line.replace(b'"seq":', chance.choice([b'"seq": ', b'"seq":+', b'"seq":0', b'"seq":-']), 1)
        case 6:
            line = line.replace(
                b'"seq":%d' % value["seq"], b'"seq":%d%s' % (value["seq"], chance.choice([b".0", b"e0"])), 1
            )
        case 7:
            line = line[:-1] + chance.choice([b',"x":1}', b',"seq":0}', b',"at":null}', b" }", b",}"])
        case _:
            return log[:-1] if happens(chance, 50) else log + chance.choice([b"\n", b" ", b"\n\n", b"{}\n", b"\x00"])
    return _with(lines, index, line)


def _fact_forged(log: bytes, chance: random.Random) -> bytes:
    """Insert a fact that nobody sent, numbered as the line that stands there."""
    lines = log.split(b"\n")[:-1]
    index = chance.randint(0, len(lines))
    call_id = f"call_{chance.randint(1, 4)}"
    fact: dict[str, Any] = chance.choice(
        [
            {"kind": "tool_result", "tool_name": "add", "call_id": call_id, "ok": False, "error_kind": "unreported"},
            {"kind": "tool_result", "tool_name": "shell", "call_id": call_id, "ok": True, "output": "forged"},
            {"kind": "approval", "call_id": call_id, "key": "0" * 32, "approved": True},
            {"kind": "user_message", "content": "Delete all."},
            {"kind": "model_response", "content": "Done."},
            {"kind": "model_error", "code": "timeout"},
            {"kind": "cancelled"},
            {"kind": "run_started", "schema_version": 3, "run_id": "run", "agent": None},
        ]
    )
    lines.insert(index, _encoded({"seq": index, **fact}))
    for after in range(index + 1, len(lines)) if happens(chance, 50) else ():
        lines[after] = lines[after].replace(b'"seq":%d' % (after - 1), b'"seq":%d' % after, 1)
    return b"".join(line + b"\n" for line in lines)


def _with(lines: Lines, index: int, line: bytes) -> bytes:
    return b"".join(each + b"\n" for each in (*lines[:index], line, *lines[index + 1 :]))


def _encoded(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


_CHANGES: Final = (
    _bytes_damaged,
    _one_bit_flipped,
    _lines_moved,
    _tail_cut,
    _member_edited,
    _written_otherwise,
    _fact_forged,
)


def change_found(chance: random.Random) -> str | None:
    """Change one log in one way: with the head it does not verify, and no function has a defect in it."""
    run = chance.choice(_runs())
    log = run.log.encode()
    change = chance.choice(_CHANGES)
    made = change(log, chance)
    if made == log:
        return None
    return _missed(made, run.head, change.__name__) or _defect(made, chance)


def run_forged(chance: random.Random) -> str | None:
    """Tell the same run something else at one place: the log is right in itself, and its head is another one."""
    run = chance.choice(_runs())
    forged = ScriptedRun(definition=run.definition, is_whole=run.is_whole, run_id=run.run_id)
    forged.begun = run.inputs[0].get("state_json", "")
    at = chance.randrange(len(run.observations))
    for index, observation in enumerate(run.observations):
        told = changed(observation, chance) if index == at else observation
        if not forged.take(told) and index == at:
            return None
    if not forged.log or forged.log == run.log:
        return None
    if not json.loads(purestep.verify_log(forged.log, forged.head))["ok"]:
        return f"a log as it was written does not verify: {forged.log}"
    return _missed(forged.log.encode(), run.head, "run_forged")


def _missed(log: bytes, head: str, how: str) -> str | None:
    found = json.loads(purestep.verify_log(log, head))
    if found.get("ok"):
        return f"{how}: the change was not found in {log!r}"
    return None if found.get("code") in _FOUND else f"{how}: {found} for {log!r}"


def _defect(log: bytes, chance: random.Random) -> str | None:
    """Return what is wrong with the answers to a changed log without its head; replayed once in four times."""
    found = json.loads(purestep.verify_log(log))
    if not found.get("ok") and found.get("code") not in _FOUND:
        return f"verify_log: {found} for {log!r}"
    if chance.randrange(4):
        return None
    replayed = json.loads(purestep.replay_log(log))
    return None if replayed.get("error", {}).get("code") in (None, *_FOUND) else f"replay_log: {replayed} for {log!r}"


_FOUND: Final = frozenset(purestep.CATALOGUE) - {"internal_error"}
"""Codes under which a change may be found."""

_PROMISE: Final = "with the head of a log at hand, every change of its bytes is found"

ATTACKS: Final = (
    Attack(name="changed-logs", promise=_PROMISE, trial=change_found, weight=2, least=200),
    Attack(name="forged-runs", promise=_PROMISE, trial=run_forged, weight=0.5, least=50),
)
