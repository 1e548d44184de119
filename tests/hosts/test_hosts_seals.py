"""Seals of native hosts: held to the vectors that the edge is held to, and to nothing but what was sealed."""

import copy
import hmac
import json
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts.seals import LIFE_MS, MAX_KEYS, SealError, SealKey, Seals
from tools.vectors.files import FOLDER

VECTORS = json.loads((FOLDER / "seals" / "seals.json").read_text(encoding="utf-8"))
KEY = SealKey(**VECTORS["key"])
SEALS = Seals([KEY])
HONEST = next(vector for vector in VECTORS["vectors"] if vector["name"] == "asked")
STATE, MESSAGES, USER, SEAL = (HONEST[name] for name in ("state", "messages", "user", "seal"))
BEFORE = HONEST["expires_at"] - 1
NEWER = SealKey(id="newer", secret="another-secret-of-the-tests-for-rotation")


def code_of(seal: Any, state: Any = STATE, messages: Any = MESSAGES, **how: Any) -> str:
    """Return the code of a check that refuses, or "" for one that takes it."""
    seals = how.pop("seals", SEALS)
    try:
        seals.check(seal, state, messages, **{"now_ms": BEFORE, "user": USER, **how})
    except SealError as error:
        return error.code if KEY.secret not in str(error) else "told the secret"
    return ""


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["name"])
def test_seal_is_the_vectors(vector: dict[str, Any]) -> None:
    """Made and taken, with the bytes that every host gives."""
    how = {"now_ms": vector["expires_at"] - LIFE_MS, "user": vector["user"], "children": vector.get("children", {})}
    assert vector["seal"] == SEALS.seal(vector["state"], vector["messages"], **how)
    SEALS.check(vector["seal"], vector["state"], vector["messages"], **how)


def test_seal_fits_json_written_again() -> None:
    """A client may order and blank its JSON as it likes."""
    again = json.loads(json.dumps(STATE, sort_keys=True, indent=2))
    assert "" == code_of(SEAL, again)


@pytest.mark.parametrize("name", sorted(STATE))
def test_each_member_of_a_state_is_sealed(name: str) -> None:
    """Changed or left out, the run is another one."""
    left_out = {key: value for key, value in STATE.items() if key != name}
    changed = {**STATE, name: [STATE[name]]}
    assert ["seal_invalid"] * 2 == [code_of(SEAL, left_out), code_of(SEAL, changed)]


@pytest.mark.parametrize("path", [("phase",), ("pending", 0, "status"), ("pending", 0, "approved"), ("calls",)])
def test_edits_that_let_a_call_run_are_refused(path: tuple[Any, ...]) -> None:
    """What a client gains most by: phase, status, and an approval that nobody gave."""
    state = copy.deepcopy(STATE)
    place: Any = state
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = {"phase": "tools", "status": "run", "approved": True, "calls": 0}[path[-1]]
    assert "seal_invalid" == code_of(SEAL, state)


@pytest.mark.parametrize(
    "messages",
    [[], MESSAGES[:-1], MESSAGES[::-1], [*MESSAGES, MESSAGES[0]], {}, None, [{**MESSAGES[0], "role": "tool"}]],
)
def test_another_transcript_is_refused(messages: Any) -> None:
    """The model reads no word that this host did not hand out."""
    assert "seal_invalid" == code_of(SEAL, STATE, messages)


def test_seal_of_another_run_or_point_is_refused() -> None:
    """Nor does the seal of one answer carry over to the next."""
    begun = next(vector for vector in VECTORS["vectors"] if vector["name"] == "begun")
    assert "seal_invalid" == code_of(begun["seal"])
    assert "seal_invalid" == code_of(SEAL, begun["state"], begun["messages"])
    assert "seal_invalid" == code_of(SEAL, {**STATE, "run_id": "other"})


@pytest.mark.parametrize("user", ["", "bob@example", "ann@example ", "ANN@example"])
def test_seal_of_another_user_is_refused(user: str) -> None:
    """A run that is leaked helps nobody else."""
    assert "seal_invalid" == code_of(SEAL, user=user)


def test_seal_ends_with_its_expiry() -> None:
    """And its expiry cannot be edited."""
    assert ["", "seal_expired", "seal_expired"] == [code_of(SEAL, now_ms=BEFORE + more) for more in (0, 1, LIFE_MS)]
    later = SEAL.replace(str(HONEST["expires_at"]), str(HONEST["expires_at"] + 1))
    assert "seal_invalid" == code_of(later)


def test_keys_rotate() -> None:
    """The first key seals; an older one is taken until it is removed."""
    rotated, removed = Seals([NEWER, KEY]), Seals([NEWER])
    assert ["", "seal_invalid"] == [code_of(SEAL, seals=seals) for seals in (rotated, removed)]
    sealed = rotated.seal(STATE, MESSAGES, now_ms=BEFORE, user=USER)
    assert sealed.startswith("v1.newer.")
    assert ["", "seal_invalid"] == [code_of(sealed, seals=seals) for seals in (removed, SEALS)]


def test_same_name_with_another_secret_is_another_key() -> None:
    """A name says which key to try, and proves nothing."""
    assert "seal_invalid" == code_of(SEAL, seals=Seals([SealKey(id=KEY.id, secret=NEWER.secret)]))


LAST_BITS = (
    SEAL[:-1]
    + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".index(SEAL[-1]) + 1
    ]
)


@pytest.mark.parametrize(
    "seal",
    [
        "",
        "v1",
        SEAL[:-1],
        SEAL[1:],
        SEAL + "=",
        SEAL + "A",
        SEAL + "\n",
        " " + SEAL,
        LAST_BITS,
        SEAL.replace("v1.", "v2."),
        SEAL.replace("v1.", "V1."),
        SEAL.replace(".", ".0", 2),
        SEAL.replace(KEY.id, "nobody"),
        SEAL.replace(KEY.id, "\u0661"),
        SEAL.rpartition(".")[0] + "." + "A" * 43,
        SEAL.rpartition(".")[0] + ".",
        "v1." + "k" * 100_000,
        "A" * 10_000_000,
    ],
    ids=lambda seal: seal[-20:],
)
def test_what_is_no_seal_of_ours_is_refused(seal: str) -> None:
    """Cut, longer, in another spelling, or of any size."""
    assert "seal_invalid" == code_of(seal)


def test_no_seal_is_told_apart() -> None:
    """A client that forgot it learns what to send."""
    assert "seal_missing" == code_of(None)


def test_macs_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a seal fits is decided by compare_digest alone."""
    monkeypatch.setattr(hmac, "compare_digest", lambda expected, given: False)
    assert "seal_invalid" == code_of(SEAL)
    monkeypatch.setattr(hmac, "compare_digest", lambda expected, given: True)
    assert "" == code_of(SEAL, {**STATE, "phase": "tools"})


@pytest.mark.parametrize(
    "keys",
    [
        [],
        [SealKey(id="a", secret="s" * 31)],
        [SealKey(id="a", secret="s" * 32), SealKey(id="a", secret="t" * 32)],
        [SealKey(id="a.b", secret="s" * 32)],
        [SealKey(id="", secret="s" * 32)],
        [SealKey(id="a" * 65, secret="s" * 32)],
        [SealKey(id=f"a{number}", secret="s" * 32) for number in range(MAX_KEYS + 1)],
    ],
    ids=["none", "short", "twice", "dot", "nameless", "long", "many"],
)
def test_keys_that_cannot_seal_are_refused_without_their_secret(keys: list[SealKey]) -> None:
    """Before anything is sealed."""
    with pytest.raises(ValueError, match="expected") as raised:
        Seals(keys)
    assert "sss" not in str(raised.value)


def test_secret_is_in_no_text_of_a_key() -> None:
    """A key that is printed or logged by accident shows its name."""
    assert KEY.secret not in f"{KEY!r} {KEY} {SEALS!r} {vars(SEALS)}"


def test_what_is_no_state_is_not_sealed() -> None:
    """A host's own mistake is told, by its path."""
    with pytest.raises(purestep.PurestepError) as raised:
        SEALS.seal({}, [], now_ms=0)
    assert ("invalid_input", "/state") == (raised.value.code, raised.value.path)


def test_typed_values_have_the_seal_of_their_json() -> None:
    """A Python host may seal what a step gave it."""
    step = purestep.start(purestep.Agent.load({}), purestep.UserMessage(content="Hi"), run_id="r")
    sealed = SEALS.seal(step.state, step.messages, now_ms=5)
    state, messages = (json.loads(msgspec.json.encode(value)) for value in (step.state, step.messages))
    SEALS.check(sealed, state, messages, now_ms=5)
