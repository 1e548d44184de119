"""Texts that must stand in no state and no log (purestep.redaction.redaction, purestep.draft.redacted_texts)."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.bounds import MAX_REDACTION_STEPS
from purestep.redaction import Hidden, Redaction
from purestep.regex import compile_pattern
from purestep.values import RedactionSpec
from tests.core.agents import answer, approvals, call, final, ok, said, tool
from tests.core.driver import Driver

KEY = "sk-proj-0123456789abcdefGHIJ"
MAIL = "bob.miller@mail.example.org"
CARD = "4111 1111 1111 1111"
IBAN = "DE89 3704 0044 0532 0130 00"
ALL: dict[str, Any] = {"kinds": ["secrets", "emails", "card_numbers", "ibans"]}
TEXT = {"text": {"type": "string"}}
STAND_IN = re.compile(r"\[hidden [a-z_]+ [0-9a-f]{16}\]")


def hider(**members: Any) -> Hidden:
    """Return what hides by a redaction of these members."""
    spec = RedactionSpec(**members)
    return Hidden(Redaction(spec, [compile_pattern(source) for source in spec.patterns]), "salt")


def definition(**redaction: Any) -> dict[str, Any]:
    """Return a definition with three tools and this redaction."""
    tools = [tool("look_up", TEXT), tool("log_in", TEXT), tool("send", TEXT, approval="ask")]
    return {"tools": tools, "policies": [{"use": "redaction", **redaction}]}


def kinds_in(text: str, *kinds: str) -> list[str]:
    """Return the kinds of what is hidden in a text, in order."""
    return [found[0].split(" ")[1] for found in STAND_IN.finditer(hider(kinds=kinds or ALL["kinds"]).text(text))]


@pytest.mark.parametrize(
    ("secret", "around"),
    [
        (KEY, "The key is {}."),
        ("sk-ant-api03-abcdefghijklmnop", "{}"),
        ("AKIAIOSFODNN7EXAMPLE", "id={}"),
        ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "token {},"),
        ("github_pat_11ABCDEFG0123456789abcdef", '"{}"'),
        ("glpat-abcdefghij0123456789", "({})"),
        ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "key={}&q=1"),
        ("xoxb-123456789012-abcdefghij", "{} "),
        ("hf_abcdefghijklmnopqrstuvwxyz", "{}"),
        ("sk_live_0123456789abcdefgh", "{}"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s5mm-x_y", "Cookie: t={};"),
        ("abcdefgh01234567ijkl", "Authorization: Bearer {}"),
        ("dXNlcjpwYXNzd29yZDE=", "authorization: basic {}"),
        ("hunter22x", "DB_PASSWORD={}"),
        ("hunter22x", '{{\\"password\\": \\"{}\\"}}'),
        ("s3cret!!", "password: '{}'"),
        ("geheim12", "Passwort: {}"),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE1", "aws_secret_access_key = {}"),
        ("pa55!wörd", "postgresql://joe:{}@db.example/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE/+ab==\n-----END RSA PRIVATE KEY-----", "a\n{}\nb"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz", "cut off: {}"),
    ],
)
def test_a_secret_is_hidden_and_nothing_beside_it(secret: str, around: str) -> None:
    """What is known by its form or its name."""
    text = around.format(secret)
    hidden = hider(kinds=("secrets",))
    after = hidden.text(text)

    assert [secret] == list(hidden.texts.values())
    assert around.format(next(iter(hidden.texts))) == after


@pytest.mark.parametrize(
    "text",
    [
        "The password: required for all users.",
        "Reset your password: click here.",
        "secret = None",
        "a task-0123456789abcdefghijkl list, ask-0123456789abcdef0123",
        "https://example.org:8080/a@b",
        "Basic training begins at 10.",
        "order 4111 1111 1111 1112, 1234567890123, invoice 2026-11-24",
        "GB82 WEST 1234 5698 7654 33 is no IBAN",
        "@mention, a@b, mail me @ home",
        "key: value; token = abc",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    """A sentence about a password, a number with a wrong check digit, an address without a host."""
    assert text == hider(**ALL).text(text)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"Mail {MAIL}, please.", ["email"]),
        (f"{CARD}; 5500-0000-0000-0004, 378282246310005", ["card_number", "card_number", "card_number"]),
        (f"{IBAN} AND GB82WEST12345698765432.", ["iban", "iban"]),
        (f"{KEY} {MAIL} {CARD} {IBAN}", ["secret", "email", "card_number", "iban"]),
    ],
)
def test_personal_data_is_hidden_by_kind(text: str, kinds: list[str]) -> None:
    """The words around it stay, those after an IBAN too."""
    assert kinds == kinds_in(text)


def test_nothing_is_hidden_that_is_not_asked_for() -> None:
    """A kind that is not named."""
    assert [] == kinds_in(f"{MAIL} {CARD}", "secrets")


PIECES = st.sampled_from(
    [
        *(KEY, MAIL, CARD, IBAN, "EMP-1234", "EMP-12345678", "eyJhbGciOi.eyJzdWIiOi.ab", "a.b@c.de"),
        *(
            "[hidden email 0123456789abcdef]",
            "[hidden ",
            "]",
            "0123456789abcdef",
            "password",
            "sk-",
            "x",
            "4",
            "\u00e4",
        ),
        *(" ", "@", "-", "=", "\n", ":", "/", '"', "\\"),
    ]
)


@given(st.lists(PIECES, max_size=24).map("".join))
def test_looking_through_again_changes_nothing(text: str) -> None:
    """A recorded run is replayed through the redaction: what it left must be what it leaves."""
    spec = {**ALL, "patterns": ("EMP-[0-9]{4,8}", "\\bx+\\b")}
    after = hider(**spec).text(text)
    assert after == hider(**spec).text(after)


@given(st.lists(PIECES, max_size=24).map("".join), st.sampled_from([KEY, MAIL]))
def test_a_secret_among_anything_is_gone(noise: str, secret: str) -> None:
    """Where it stands by itself, whatever stands around."""
    assert secret not in hider(**ALL).text(f"{noise}\n{secret}\n{noise}")


def test_a_line_of_too_much_work_is_hidden_whole() -> None:
    """A pattern that takes too long hides more, never less; the other lines stay."""
    long = "a" * MAX_REDACTION_STEPS
    hidden = hider(patterns=("b(a|c)*d",))
    after = hidden.text(f"one\nb{long}\ntwo")

    assert ["one", "two"] == after.split("\n")[::2]
    assert [f"b{long}"] == list(hidden.texts.values())


def test_places_of_an_output_are_hidden() -> None:
    """By pointer, with `*` for every member, in objects and in JSON as text; what is not there is no fault."""
    customer = {"name": "Bob", "cards": [{"n": 41, "x": 1}, {"n": None}], "age": 30, "tags": ["a", "b"]}
    hidden = hider(outputs={"look_up": ("/name", "/cards/*/n", "/gone/x", "/tags/1", "/age/0")})
    found = hidden.output("look_up", customer)

    assert ["Bob", "41", "b"] == list(hidden.texts.values())
    name, card, tag = hidden.texts
    expected = {"name": name, "cards": [{"n": card, "x": 1}, {"n": None}], "age": 30, "tags": ["a", tag]}
    assert expected == found
    assert expected == json.loads(hidden.output("look_up", json.dumps(customer)))
    assert customer == hidden.output("other", customer)
    assert found == hidden.output("look_up", found)


def run_of(redaction: dict[str, Any], query: str = f"Log in with {KEY}, mail {MAIL}.") -> Driver:
    """Return a run that begins with a query."""
    return Driver(definition(**redaction), query)


def test_no_state_log_message_or_decision_has_the_text() -> None:
    """From the question over arguments, results, errors and an approval to the answer; the log verifies and replays."""
    run = run_of({**ALL, "reveal": ["log_in"]})
    key = next(found[0] for found in STAND_IN.finditer(run.log) if "secret" in found[0])
    run.send(said(call("log_in", text=key)))
    assert key == run.decision["params"]["text"]
    run.send(ok("call_1", {"user": MAIL, "paid_with": [int(CARD.replace(" ", ""))], MAIL: 1}))
    run.send(said(call("send", text=f"to {MAIL}")))
    run.send(approvals(answer(run.decision["calls"][0], True, params={"text": IBAN}, reason=f"use {IBAN}")))
    run.send(ok("call_2", f"sent to {IBAN}"))
    run.send(said(final(f"Sent to {MAIL} and paid with {CARD}.")))

    assert "done" == run.decision["type"]
    whole = json.dumps([run.state, run.messages, run.decision]) + run.log
    leaked = [text for text in (KEY, MAIL, CARD, CARD.replace(" ", ""), IBAN) if text in whole]
    assert [] == leaked
    assert json.loads(purestep.verify_log(run.log, (run.state or {})["head"]))["ok"]
    assert json.loads(purestep.replay_log(run.log))["state"] == run.state
    assert json.loads(purestep.redrive_log(run.log))["same"]


def test_history_is_hidden_as_well() -> None:
    """Messages that were said before, in a run of one's own and in the words of a whole state."""
    told = definition(**ALL)
    history = [{"role": "user", "content": f"I am {MAIL}"}, {"role": "assistant", "content": f"Hello {MAIL}"}]
    begun = {"agent": told, "run_id": "r", "history": history, "observation": {"type": "user_message", "content": "Hi"}}
    whole = purestep.create_agent_state(f"I am {MAIL}", json.dumps(told))

    assert MAIL not in purestep.run_agent_step(json.dumps(begun))
    assert MAIL not in whole
    assert MAIL not in purestep.run_agent_step(json.dumps({"state_json": whole, "model_output": f"Hello {MAIL}!"}))


def redacted(**members: Any) -> dict[str, Any]:
    """Return what the JSON function gives."""
    found: dict[str, Any] = json.loads(purestep.redact_observation(json.dumps(members)))
    return found


def test_a_host_keeps_what_was_hidden_and_gives_it_to_the_named_tool_only() -> None:
    """A page that has the model send a secret elsewhere gets what stands for it."""
    told = definition(**ALL, reveal=["log_in"])
    first = redacted(agent=told, observation={"type": "user_message", "content": f"Log in with {KEY}."}, salt="s")
    (stand_in,) = first["hidden"]
    run = Driver(told, first["observation"]["content"])
    run.send(said(call("log_in", text=stand_in)))

    def given(tool: str, hidden: Any) -> Any:
        asked = {"state": run.state, "tool": tool, "params": run.decision["params"], "hidden": hidden}
        return json.loads(purestep.reveal_params(json.dumps(asked)))

    assert {"params": {"text": KEY}} == given("log_in", first["hidden"])
    assert {"params": {"text": stand_in}} == given("send", first["hidden"])
    lost = given("log_in", {})
    assert ({"text": stand_in}, False) == (lost["params"], lost["result"]["ok"])
    assert stand_in in lost["result"]["error"]


def test_what_was_hidden_once_is_hidden_wherever_it_stands() -> None:
    """A tool's output names it without what made it known."""
    told = definition(kinds=["secrets"])
    run = Driver(told, "Hi")
    run.send(said(call("look_up", text="a")))
    hidden = {"[hidden secret 0123456789abcdef]": "hunter22x"}
    found = redacted(state=run.state, observation=ok("call_1", "logged in with hunter22x"), hidden=hidden)

    assert "logged in with [hidden secret 0123456789abcdef]" == found["observation"]["results"][0]["output"]


def test_digests_depend_on_the_salt() -> None:
    """The same text has one digest in a run, and another one in a run with another salt."""
    told, twice = definition(**ALL), {"type": "user_message", "content": f"{MAIL} {MAIL}"}
    found = [redacted(agent=told, observation=twice, salt=salt)["observation"]["content"].split("] ") for salt in "ab"]

    assert found[0][0] + "]" == found[0][1]
    assert found[0][0] != found[1][0]


@pytest.mark.parametrize(
    ("redaction", "code", "path"),
    [
        ({"kinds": ["names"]}, "invalid_agent", "/policies/0/kinds/0"),
        ({"patterns": ["(a"]}, "unsupported_pattern", "/policies/0/patterns/0"),
        ({"patterns": ["(a)\\1"]}, "unsupported_pattern", "/policies/0/patterns/0"),
        ({"outputs": {"gone": ["/a"]}}, "invalid_agent", "/policies/0/outputs"),
        ({"outputs": {"look_up": ["a"]}}, "invalid_agent", "/policies/0/outputs/look_up/0"),
        ({"outputs": {"look_up": []}}, "invalid_agent", "/policies/0/outputs/look_up"),
        ({"reveal": ["gone"]}, "invalid_agent", "/policies/0/reveal/0"),
        ({"hide": []}, "invalid_agent", "/policies/0/hide"),
    ],
)
def test_a_redaction_that_cannot_hold_is_refused(redaction: dict[str, Any], code: str, path: str) -> None:
    """With the place of what is wrong."""
    error = json.loads(purestep.load_agent(json.dumps(definition(**redaction))))["error"]
    assert (code, path) == (error["code"], error["path"])


def test_an_empty_redaction_hides_nothing() -> None:
    """A definition may name what it hides later."""
    assert KEY in Driver(definition(), KEY).log


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"agent": {}, "observation": {"type": "user_message", "content": "a"}, "salt": "s" * 257}, "/salt"),
        ({"agent": {}, "observation": {"type": "said"}}, "/observation/type"),
        ({"agent": {}}, ""),
    ],
)
def test_an_input_that_does_not_fit_is_an_error_as_data(given: dict[str, Any], path: str) -> None:
    """As with every JSON function."""
    assert ("invalid_input", path) == tuple(redacted(**given)["error"][name] for name in ("code", "path"))


def test_codes_for_a_terminal_part_no_secret() -> None:
    """A search in colour splits what it finds; a text with nothing to hide keeps its colours."""
    red, plain = "\x1b[01;31m", "\x1b[0m"
    hidden = hider(kinds=("secrets",))
    after = hidden.text(f"{red}key{plain} {KEY[:9]}{red}{KEY[9:15]}{plain}{KEY[15:]}")
    assert STAND_IN.sub("", after) == "key "
    assert [*hidden.texts.values()] == [KEY]
    assert hidden.text(f"{red}nothing{plain} here") == f"{red}nothing{plain} here"


@pytest.mark.parametrize(
    "text",
    [f"\x1b]8;;https://a.example/?key={KEY}\x07here\x1b]8;;\x07", f"\x1b{KEY}", f"\x1b{KEY} {KEY[:9]}\x1b[0m{KEY[9:]}"],
)
def test_a_code_for_a_terminal_keeps_no_secret(text: str) -> None:
    """No terminal shows the address of a link, and a code that does not end takes a letter of what follows."""
    hidden = hider(kinds=("secrets",))
    assert KEY[1:] not in hidden.text(text)
    assert {*hidden.texts.values()} == {KEY}
