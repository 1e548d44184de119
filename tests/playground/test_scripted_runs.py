import json

from playwright.sync_api import expect

from tests import listing
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, call, definition, final, tool


def test_a_preset_plays_without_any_download(playground: Playground) -> None:
    """One click shows a correction, a tool call with its verdict, and an answer."""
    playground.play("Adder")
    playground.expect_answer("The sum of 17 and 25 is 42.")
    expect(playground.page.locator(".thread .call")).to_contain_text("accepted")
    expect(playground.page.locator(".thread .note")).to_contain_text("Corrected")
    expect(playground.page.locator(".answer .acts")).to_have_text("Changed nothing: this agent's tools only read.")


def test_outputs_are_written_in_the_page(playground: Playground) -> None:
    """A person writes the outputs of the scripted model by hand, and the run goes through them."""
    page = playground.page
    page.get_by_label("Scripted").check()
    while playground.button("Remove output 1").count():
        playground.button("Remove output 1").click()
    for number, output in enumerate(SUM["outputs"], 1):
        playground.button("Add an output").click()
        page.get_by_label(f"Output {number}", exact=True).fill(output)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")


def test_timeline_shows_every_fact_and_decision_in_order(open_page: Open) -> None:
    """Each step shows what came in, what the core derived and what it asks for, in the order of the log."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    expect(playground.steps()).to_have_count(4)
    assert playground.labels() == [
        *("Run started", "You asked", "Ask the model"),
        *("Model said", "Wants", "Run"),
        *("Tool returned", "Accepted", "Ask the model"),
        *("Model said", "Answer", "Done"),
    ]


def test_rows_open_to_the_exact_json(open_page: Open) -> None:
    """What a row of the timeline opens to is the line of the log, value for value."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    row = playground.page.locator(".row", has_text="Tool returned")
    row.locator("summary").click()
    shown = json.loads(row.locator("pre").inner_text())
    lines = [json.loads(line) for line in playground.download_log().splitlines()]
    assert shown == next(line for line in lines if line["kind"] == "tool_result")


def test_prompt_and_state_of_each_step_can_be_looked_at(open_page: Open) -> None:
    """The dialog gives the messages that the model was sent, and the state with the counters of that step."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    dialog = playground.page.get_by_role("dialog")
    playground.button("Look inside step 3").click()
    state = json.loads(dialog.locator("pre").inner_text())
    assert (state["phase"], state["exchange"]["used"]["turns"], state["run"]["calls"]) == ("model", 1, 1)
    dialog.get_by_role("button", name="Prompt", exact=True).click()
    roles = dialog.locator(".role").all_inner_texts()
    assert (roles[0], roles[-2:]) == ("system", ["assistant", "user"])
    dialog.get_by_role("button", name="Step before").click()
    expect(dialog).to_contain_text("Step 2")


def test_a_long_number_keeps_its_digits(open_page: Open) -> None:
    """A number past what JavaScript holds is shown and recorded with all its digits."""
    big = '{"kind":"tool_call","tool_name":"note","arguments":{"n":12345678901234567890123}}'
    settings = {"chosen": "scripted", "definition": definition(tool("note", n="number"), approval={"default": "ask"})}
    playground = open_page(**settings, outputs=[big, final("It was refused.")])
    playground.ask("Note it")
    playground.button("Refuse").click()
    playground.expect_answer("It was refused.")
    assert b'"n":12345678901234567890123' in playground.download_log()
    playground.verify()


def test_stop_ends_the_run_while_it_waits(open_page: Open) -> None:
    """Stop takes the card away, and the core records a cancelled run."""
    playground = open_page(chosen="scripted", definition=definition(), outputs=[])
    playground.ask("Hello")
    playground.page.get_by_role("heading", name="You play the model").wait_for()
    playground.button("Stop").click()
    expect(playground.page.locator(".thread .note")).to_contain_text("You stopped the run")
    expect(playground.page.get_by_role("heading", name="You play the model")).to_have_count(0)
    playground.verify()


def test_text_is_shown_while_it_comes(open_page: Open) -> None:
    """The answer appears piece by piece before it is there as a whole."""
    playground = open_page(chosen="scripted", definition=definition(), outputs=[final("word " * 200)])
    playground.page.evaluate(
        """() => { globalThis.lengths = new Set(); new MutationObserver(() => {
             lengths.add(document.querySelector(".speaking")?.textContent.length ?? 0);
           }).observe(document.body, { childList: true, subtree: true, characterData: true }); }"""
    )
    playground.ask("Say a lot")
    playground.expect_answer("word word")
    assert playground.page.evaluate("lengths.size") > 5


def test_text_runs_in_the_direction_of_its_letters(open_page: Open) -> None:
    """A sentence of Hebrew ends at the left, with its full stop."""
    playground = open_page(chosen="scripted", definition=definition(), outputs=[final("\u05e9\u05dc\u05d5\u05dd.")])
    playground.ask("Say hello")
    playground.expect_answer("\u05e9\u05dc\u05d5\u05dd")
    first, last = playground.answer(".").evaluate(
        """(element) => [0, 4].map((at) => { const range = document.createRange();
             const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
             range.setStart(text, at); range.setEnd(text, at + 1);
             return range.getBoundingClientRect().left; })"""
    )
    assert last < first


def test_a_tool_that_the_page_has_not_is_played_by_its_user(open_page: Open) -> None:
    """An unknown tool asks the user for its result, which goes to the core as it was given."""
    outputs = [call("weather", city="Oslo"), final("It is raining.")]
    playground = open_page(chosen="scripted", definition=definition(tool("weather", city="string")), outputs=outputs)
    playground.ask("How is the weather in Oslo?")
    playground.page.get_by_label("What does it return?").fill('{"rain": true}')
    playground.button("Return this result").click()
    playground.expect_answer("It is raining.")
    assert b'"output":{"rain":true}' in playground.download_log()


def test_a_listing_of_nothing_but_its_total_is_never_an_answer(open_page: Open) -> None:
    """`total 7079928` is rejected, asked for again, rejected, and the page says what failed and what to do."""
    outputs = [call("shell", command=listing.COMMAND)] * 2
    playground = open_page(chosen="scripted", definition=definition(listing.SHELL), outputs=outputs)
    playground.ask(listing.QUESTION)
    calls = playground.page.locator(".thread .call")
    for number in range(2):
        playground.page.get_by_label("What does it return?").fill(listing.ONLY_TOTAL)
        playground.button("Return this result").click()
        expect(calls.nth(number)).to_contain_text("rejected")
        expect(calls.nth(number)).to_contain_text(listing.REASON)
    thread = playground.page.locator(".thread")
    expect(thread).to_contain_text("nothing that shell gave was used: look at it, then ask in another way")
    expect(playground.answer("7079928")).to_have_count(0)
    listing.check_log([json.loads(line) for line in playground.download_log().splitlines()])


def test_a_double_click_on_send_asks_once(open_page: Open) -> None:
    """Stop stands where Send stood when the second click comes: it stops nothing."""
    playground = open_page(**SUM)
    playground.page.get_by_label("Your question").fill("What is 17 plus 25?")
    playground.button("Send", exact=True).dblclick()
    playground.expect_answer("It is 42.")
    expect(playground.page.locator(".thread .by-user")).to_have_count(1)
