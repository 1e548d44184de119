"""What a person sees at a glance: what was checked and rejected, what an answer rests on, whose text is whose."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.axe import serious_findings
from tests.core.agents import call as said_call
from tests.core.agents import final as said_final
from tests.core.agents import ok, result, results, said
from tests.core.driver import Driver
from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition, final, tool

TOTAL = "the output is only a total line, without the data it counts"
FIND = tool("find", who="string")


def _played(playground: Playground, title: str) -> Page:
    """Play a preset by its script."""
    playground.play(title)
    return playground.page


def _card(page: Page, name: str) -> Locator:
    """Find a call by its tool and how it stands."""
    return page.get_by_role("group", name=name, exact=True)


def _backing(page: Page) -> Locator:
    return page.get_by_role("region", name="What the answer rests on")


def test_a_rejected_output_is_apart_from_an_accepted_one(playground: Playground) -> None:
    """The seed's own case: rejected with the check's words, tried again, and a failure that says what to do (R21)."""
    page = _played(playground, "Honest failure")
    rejected = _card(page, "run_command, rejected")
    expect(rejected).to_have_count(2)
    for at in (0, 1):
        expect(rejected.nth(at)).to_contain_text(f"Not used: {TOTAL} check plausibility")
        expect(rejected.nth(at)).not_to_contain_text("Checked")
    expect(page.locator(".thread .note").first).to_contain_text("Tried again: it did not pass a check")
    ending = page.locator(".ending")
    expect(ending).to_contain_text("There is no answer that passed its checks.")
    expect(ending).to_contain_text("Asked a script")
    expect(ending).to_contain_text("nothing that run_command gave was used: look at it, then ask in another way")
    expect(ending.get_by_role("list", name="What was rejected").get_by_role("listitem")).to_have_count(2)
    expect(page.locator(".thread .answer")).to_have_count(0)
    ending.get_by_role("button", name="run_command").first.click()
    expect(rejected.first).to_be_focused()
    playground.verify()


def test_an_answer_names_what_it_rests_on_and_leads_there(playground: Playground) -> None:
    """Each mark leads to its result, which leads back; each source has its sentences; a wrong value was sent back."""
    page = _played(playground, "Sources")
    note = page.locator(".thread .note")
    expect(note).to_contain_text('"1,400" stands neither in [2] nor in the request')
    rejected = "Ada Lovelace is customer 318 [1]. She owes 1,400 euros, due on 2026-05-01 [2]."
    expect(note.locator(".struck")).to_have_text(rejected)
    sources = _backing(page).get_by_role("listitem")
    expect(sources).to_have_text(
        [
            "1find_customerAda Lovelace is customer 318.",
            "2open_invoicesShe owes 1,500 euros on invoice 12, due on 2026-05-01.",
        ]
    )
    expect(page.locator(".answer")).to_contain_text("Checked: what it cites stands in the results")
    found = _card(page, "find_customer, accepted")
    expect(found).to_contain_text("Checked: has the right shape · fits the tool's schema")
    page.get_by_role("button", name="Result 2, of open_invoices").click()
    expect(_card(page, "open_invoices, accepted")).to_be_focused()
    sources.nth(0).get_by_role("button").click()
    expect(found).to_be_focused()
    found.get_by_role("button", name="Result 1: go to the answer").click()
    expect(page.locator(".answer")).to_be_focused()


def test_what_came_from_outside_is_labelled_where_it_stands_and_where_it_goes(playground: Playground) -> None:
    """The result has a label, the approval an origin for each argument; both stay after the person's answer."""
    page = _played(playground, "Injection")
    asked = page.locator(".card.waiting")
    outside = asked.get_by_role("list", name="What comes from outside").get_by_role("listitem")
    expect(outside).to_have_text(
        [
            "eve@evil.example comes from the web page, not from you. See it where it stands",
            re.compile("^All customers: Ada, Bob, Grace. was worded by the model after it had read text from outside."),
        ]
    )
    expect(asked).to_contain_text("subject: your words")
    expected = [
        "tofrom outside: read_page",
        "subjectyour words",
        "textworded by the model, having read text from outside",
    ]
    read = _card(page, "read_page, accepted")
    expect(read.locator(".origin")).to_have_text("from outside: read_page")
    outside.first.get_by_role("button", name="See it").click()
    expect(read).to_be_focused()
    asked.get_by_label("Reason").fill("The page is not the user")
    asked.get_by_role("button", name="Refuse").click()
    expect(_backing(page).get_by_role("listitem")).to_contain_text("from outside")
    kept = _card(page, "send_mail, refused").get_by_role("list", name="Where the arguments come from")
    expect(kept.get_by_role("listitem")).to_have_text(expected)
    expect(page.locator(".timeline .row", has_text="Tool returned").locator(".origin")).to_have_text("from outside")


def test_an_opened_log_is_told_of_as_a_run_is(open_page: Open) -> None:
    """Labels of any name, and an answer without citations, of a run that this page has not made."""
    secret = {**FIND, "labels": ["secret"], "annotations": {"readOnlyHint": True}}
    run = Driver({"tools": [secret, {**tool("plain"), "annotations": {"readOnlyHint": True}}]}, "Find Ann")
    run.send(said(said_call("find", who="Ann")))
    run.send(ok("call_1", "Ann lives in Rome."))
    run.send(said(said_call("plain")))
    run.send(ok("call_2", "nothing new"))
    run.send(said(said_final("In Rome.")))
    playground = open_page()
    playground.open_log("secret.jsonl", run.log.encode())
    page = playground.page
    expect(_card(page, "find, accepted").locator(".origin")).to_have_text("secret: find")
    _card(page, "plain, accepted").wait_for()
    expect(_card(page, "plain, accepted").locator(".origin")).to_have_count(0)
    expect(page.locator(".answer")).to_contain_text("Names no result: this agent asks for no citations.")
    expect(_backing(page)).to_have_count(0)


def test_a_long_run_is_told_of_while_it_goes_on(open_page: Open) -> None:
    """After 110 steps a result has its labels and checks although the run has not ended, by that step alone."""
    hints = {"readOnlyHint": True, "openWorldHint": True}
    page_tool = {**tool("fetch"), "annotations": hints, "checks": ["plausibility"]}
    run = Driver({"dialect": "envelope", "tools": [page_tool]}, "Hello 0")
    for number in range(1, 55):
        run.send(said(said_final(f"Hi {number}.")))
        run.send({"type": "user_message", "content": f"Hello {number}"})
    run.send(said(said_final("Hi.")))
    # A script goes on after the outputs that the log has.
    outputs = [*[final("Hi.")] * 55, call("fetch"), call("fetch"), final("Read.")]
    playground = open_page(chosen="scripted", outputs=outputs)
    page = playground.page
    playground.open_log("long.jsonl", run.log.encode())
    playground.show_timeline()
    playground.ask("Read it")
    page.get_by_label("What does it return?").fill("It opens at nine.")
    playground.button("Return this result").click()
    page.get_by_role("heading", name="You play the tool").wait_for()
    read = _card(page, "fetch, accepted")
    expect(read.locator(".origin")).to_have_text("from outside: fetch")
    expect(read).to_contain_text("Checked: says something")


def _paid() -> Driver:
    """Return a run whose payment waits for two check tools, and whose answer will for one."""
    checks = [{**tool(name), "annotations": {"readOnlyHint": True}} for name in ("bank_has", "book_has", "reads_well")]
    pay = {
        **tool("pay", to="string"),
        "annotations": {"readOnlyHint": False},
        "checks": [{"tool": "bank_has"}, {"tool": "book_has"}],
    }
    agent = {"tools": [pay, *checks], "checks": [{"tool": "reads_well"}]}
    run = Driver(agent, "Pay Ann")
    run.send(said(said_call("pay", to="Ann")))
    run.send(ok("call_1", {"paid": 5}))
    return run


def _judged(accepts: dict[str, bool]) -> Driver:
    """Return that run judged, up to its end or its correction."""
    run = _paid()
    for _ in range(2):
        if run.decision["type"] == "call_model":
            run.send(said(said_final("Ann has the money.")))
        if run.decision["type"] == "invoke_tool":
            run.send(results(*[result(each, _verdict(accepts, entry["tool"])) for each, entry in run.calls().items()]))
    return run


def _verdict(accepts: dict[str, bool], name: str) -> Any:
    return {"accept": accepts[name], "reason": f"{name} says no"}


def test_a_result_is_not_accepted_before_its_last_check(open_page: Open) -> None:
    """One check has accepted it, the other has not come: it has returned, and nothing is said of what it passed."""
    run = _paid()
    run.send(ok("call_2", {"accept": True}))
    playground = open_page()
    playground.open_log("half.jsonl", run.log.encode())
    page = playground.page
    _card(page, "bank_has, accepts").wait_for()
    _card(page, "book_has, running").wait_for()
    expect(_card(page, "pay, returned")).not_to_contain_text("Checked")


def test_a_check_tool_stands_beside_what_it_judges(open_page: Open) -> None:
    """One that accepts does not take back what another has rejected, and neither is shown as a call of the model."""
    playground = open_page()
    playground.open_log("no.jsonl", _judged({"bank_has": False, "book_has": True, "reads_well": True}).log.encode())
    page = playground.page
    paid = _card(page, "pay, rejected")
    expect(paid).to_contain_text("Not used: bank_has says no check tool")
    expect(_card(page, "bank_has, rejects")).to_contain_text("checks a result")
    expect(_card(page, "book_has, accepts")).to_contain_text("checks a result")
    _card(page, "bank_has, rejects").get_by_role("button", name="checks a result").click()
    expect(paid).to_be_focused()


def test_a_check_of_an_answer_that_accepts_is_no_rejection(open_page: Open) -> None:
    """The answer stands, and says that a check tool has accepted it."""
    playground = open_page()
    playground.open_log("yes.jsonl", _judged({"bank_has": True, "book_has": True, "reads_well": True}).log.encode())
    page = playground.page
    expect(_card(page, "reads_well, accepts")).to_contain_text("checks the answer")
    expect(page.locator(".answer")).to_contain_text("Checked: a check tool accepts it")
    expect(_card(page, "pay, accepted")).to_contain_text("Checked: a check tool accepts it")
    expect(page.locator(".thread .call")).to_have_count(4)
    expect(page.locator(".thread .note")).to_have_count(0)


def test_marks_are_buttons_only_where_the_core_has_found_one(open_page: Open) -> None:
    """In code and links they stay text; no character of an answer makes a button, and no name of a tool markup."""
    evil = {**tool("find", who="string"), "annotations": {"readOnlyHint": True}}
    run = Driver({"tools": [evil], "checks": ["citations"]}, "Find Ann, https://a.example/x, 0")
    run.send(said(said_call("find", who="Ann")))
    run.send(ok("call_1", "Ann <img src=x onerror=alert(1)>"))
    answer = "**Ann [1]** `x [1]` [see [1]](https://a.example/x)\n\n\u0001" + "0\u0001 <i>Ann</i> [1, 1]"
    run.send(said(said_final(answer)))
    assert "done" == run.decision["type"], run.messages[-1]["content"]
    playground = open_page()
    playground.open_log("marks.jsonl", run.log.encode())
    shown = playground.page.locator(".answer .markdown")
    expect(shown.locator("strong").get_by_role("button")).to_have_text("1")
    expect(shown.get_by_role("button")).to_have_count(3)
    expect(shown.locator("code")).to_have_text("x [1]")
    expect(shown.get_by_role("link")).to_have_text("see [1]")
    expect(shown).to_contain_text("\\x010\\x01 <i>Ann</i>")
    assert 0 == playground.page.locator(".thread i, .thread img").count()


def test_written_results_are_given_to_their_own_agent_only(open_page: Open) -> None:
    """Another definition with a tool of the same name has its user play that tool."""
    playground = open_page(
        chosen="scripted",
        definition=definition(tool("run_command", command="string")),
        outputs=[call("run_command", command="ls"), final("It is a.txt.")],
    )
    playground.ask("Which file?")
    expect(playground.page.locator(".card.waiting")).to_contain_text("You play the tool run_command")


def test_what_was_done_stands_under_an_answer(open_page: Open) -> None:
    """The call itself, whatever the answer says of it; that nothing was changed is said too."""
    playground = open_page(
        chosen="scripted",
        definition=definition({**tool("send_mail", to="string"), "annotations": {"readOnlyHint": False}}),
        outputs=[final("I have sent it."), call("send_mail", to="ada@example.com"), final("Ada knows.")],
    )
    page = playground.page
    playground.ask("Mail Ada")
    expect(page.locator(".answer .acts")).to_have_text("Changed nothing")
    playground.ask("Mail her now")
    card = page.locator(".card.waiting")
    card.get_by_role("textbox").first.fill("sent")
    card.get_by_role("button", name="Return this result").click()
    acts = page.get_by_role("region", name="What may have been changed")
    expect(acts.get_by_role("listitem")).to_have_text(["send_mail to=ada@example.com"])
    acts.get_by_role("button", name="send_mail").click()
    expect(page.locator(".call").last).to_be_focused()
    playground.verify()


def test_citations_need_nothing_but_the_keyboard(playground: Playground) -> None:
    """Tab comes to the mark, Enter goes to its result, and on to the way back."""
    page = _played(playground, "Sources")
    mark = page.get_by_role("button", name="Result 1, of find_customer")
    mark.wait_for()
    page.locator(".answer").focus()
    page.keyboard.press("Tab")
    expect(mark).to_be_focused()
    page.keyboard.press("Enter")
    found = _card(page, "find_customer, accepted")
    expect(found).to_be_focused()
    assert "solid" == found.evaluate("(card) => getComputedStyle(card).outlineStyle")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_be_focused()


PRESETS = [("Sources", ".backing"), ("Honest failure", ".ending"), ("Injection", ".card.waiting .outside-values")]


@pytest.mark.parametrize(("title", "end"), PRESETS)
def test_they_keep_nobody_out_and_fit_the_narrowest_screen(playground: Playground, title: str, end: str) -> None:
    """Colours, names and roles; at 320 pixels nothing scrolls sideways or is wider than the conversation."""
    page = _played(playground, title)
    page.locator(end).wait_for()
    assert [] == serious_findings(page)
    page.set_viewport_size({"width": 320, "height": 700})
    wide = """() => [document.documentElement.scrollWidth,
        ...[...document.querySelectorAll(".thread *")].map((part) => part.getBoundingClientRect().right)]"""
    assert max(page.evaluate(wide)) <= 320


def test_the_end_of_an_answer_is_in_sight(playground: Playground) -> None:
    """What is told of an answer comes after it, and the conversation follows."""
    playground.page.set_viewport_size({"width": 390, "height": 844})
    page = _played(playground, "Sources")
    expect(page.locator(".answer .passed")).to_be_in_viewport()
    expect(page.locator(".answer .answer-foot")).to_be_in_viewport()


def test_the_welcome_is_read_from_its_beginning(playground: Playground) -> None:
    """On a small screen the headline is in sight, not the end of the page."""
    playground.page.set_viewport_size({"width": 390, "height": 700})
    playground.page.reload()
    playground.wait_for_core()
    expect(playground.page.get_by_role("heading", name="Stop an agent before it")).to_be_in_viewport()


def test_a_failure_says_what_its_reader_can_do(open_page: Open) -> None:
    """Where the message does not say it, the core's advice stands below."""
    playground = open_page(chosen="scripted", definition=definition(FIND), outputs=['{"kind":', '{"kind":'])
    playground.ask("Find Ann")
    ending = playground.page.locator(".ending")
    expect(ending).to_contain_text("There is no answer: what the model wrote was cut off.")
    expect(ending).to_contain_text("What you can do: ask for a shorter answer, or raise sampling.max_tokens")
