"""Runs of agents that call others: with the model of the page for all, their approvals, and what is shown of them."""

import json
import re
from typing import Any

from playwright.sync_api import expect

import purestep
from purestep_hosts import ScriptedModel
from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition, final, tool
from tests.playground.test_after_run import code_shown

PAY = {**tool("pay", amount="integer"), "approval": "ask"}
DESK = {"agent": {"instructions": "You pay.", "tools": [PAY]}, "description": "Pays."}
TEAM: dict[str, Any] = {
    "chosen": "scripted",
    "definition": definition(agents={"desk": DESK}, instructions="You lead."),
    "outputs": [call("desk", question="Pay 5"), call("pay", amount=5), final("5 paid."), final("Tom has it.")],
}


def asked(open_page: Open, **changed: Any) -> Playground:
    """Open the page and ask; the agent below waits for a person."""
    playground = open_page(**{**TEAM, **changed})
    playground.ask("Pay Tom")
    playground.page.get_by_role("group", name="desk > pay").wait_for()
    return playground


def paid(playground: Playground, output: str = "5 paid") -> None:
    """Approve the call below, and play its tool."""
    button = playground.button("Approve and run")
    expect(button).not_to_have_attribute("aria-disabled", "true")
    button.click()
    playground.page.get_by_label("What does it return?").fill(output)
    playground.button("Return this result").click()


def test_an_agent_below_asks_and_answers(open_page: Open) -> None:
    """One model plays both, the card and the timeline name the agent, and the log verifies."""
    playground = asked(open_page)
    paid(playground)
    playground.expect_answer("Tom has it.")
    rows = playground.page.locator(".timeline .row")
    expect(rows.filter(has_text="Agent asked")).to_contain_text("desk: Pay 5")
    expect(rows.filter(has_text="Ask a person")).to_contain_text("desk: pay")
    expect(rows.filter(has_text="Approved")).to_contain_text("desk: pay")
    expect(rows.filter(has_text="Run started").nth(1)).to_have_text(re.compile("Run started *desk"))
    expect(rows.filter(has_text="Tool returned")).to_contain_text("desk: pay: 5 paid")
    expect(rows.filter(has_text="Agent answered")).to_contain_text("desk: 5 paid.")
    expect(playground.page.get_by_label("What may have been changed")).to_contain_text("desk > pay amount=5")
    playground.verify()
    acts = json.loads(playground.download_log().splitlines()[-1])["acts"]
    assert [("pay", ["desk"])] == [(act["tool"], act["path"]) for act in acts]


def test_a_tree_goes_on_in_a_later_visit(open_page: Open) -> None:
    """The page is left while the agent below waits; the next one asks again, and goes on."""
    playground = asked(open_page)
    playground.page.reload()
    playground.wait_for_core()
    playground.button("Resume").click()
    playground.page.get_by_role("group", name="desk > pay").wait_for()
    paid(playground)
    playground.expect_answer("Tom has it.")
    playground.verify()


def test_a_log_of_a_tree_opens_step_by_step(open_page: Open) -> None:
    """The lines of agents are grouped as they came: each step of the run is one of the opened log."""
    playground = asked(open_page)
    paid(playground)
    playground.expect_answer("Tom has it.")
    rows = [step.locator(".row:not(.decides)").count() for step in playground.steps().all()]
    assert (7, 2) == (len(rows), rows[0])
    playground.open_log("run.jsonl", playground.download_log())
    playground.show_timeline()
    expect(playground.steps()).to_have_count(7)
    assert rows == [step.locator(".row:not(.decides)").count() for step in playground.steps().all()]


def test_the_prompt_of_an_agent_is_its_own(open_page: Open) -> None:
    """Looking inside a step of which an agent asks its model shows that agent's messages."""
    playground = asked(open_page)
    playground.button("Look inside step 2").click()
    dialog = playground.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Prompt", exact=True).click()
    expect(dialog).to_contain_text("You pay.")
    expect(dialog).not_to_contain_text("You lead.")


def test_the_program_of_a_tree_makes_it_again(open_page: Open) -> None:
    """The program has each agent, with its own tools, and the acts of the run again."""
    playground = asked(open_page)
    paid(playground)
    playground.button("Share by a link").wait_for()
    code = code_shown(playground, "Python")
    assert 2 == code.count('"openai:gpt-5",')
    model = ScriptedModel([purestep.ModelOutput(content=text) for text in TEAM["outputs"]])
    told: dict[str, Any] = {"MODEL": model, "input": lambda _question: "yes"}
    exec(code.replace('"openai:gpt-5",', "MODEL,").replace("print(", "RESULT = ("), told)
    assert "Tom has it." == told["RESULT"]
    assert 'desk.asTool({ name: "desk", description: "Pays." })' in code_shown(playground, "JavaScript")


# Each look of what agents write: under which call, its name, whether it was open, its text, and whether it is markup.
WATCH = """() => {
  globalThis.below = [];
  new MutationObserver(() => {
    for (const part of document.querySelectorAll("details.below")) {
      const call = part.closest(".call")?.dataset.call;
      const [name, text] = ["summary", "p"].map((each) => part.querySelector(each).textContent);
      const seen = [call, name, part.open, text, part.querySelector("b, img") !== null];
      if (JSON.stringify(below.at(-1)) !== JSON.stringify(seen)) below.push(seen);
      if (call === "call_2" && below.filter(([of]) => of === call).length === 1) part.querySelector("summary").click();
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
LONG = "I pay <b>5</b><img src=x onerror=alert(1)> to Tom. " * 20


def test_what_agents_write_is_folded_under_the_call(open_page: Open) -> None:
    """By the path of each, as text, while it comes; what was opened stays so for the agent's next output."""
    clerk = {"agent": {"instructions": "You count."}, "description": "Counts."}
    desk = {"agent": {"instructions": "You pay.", "agents": {"clerk": clerk}}, "description": "Pays."}
    first = [call("desk", question="Look"), final("I pay")]
    outputs = [
        *first,
        call("desk", question="Pay"),
        call("clerk", question="Count"),
        *[final(LONG)] * 2,
        final("Done."),
    ]
    playground = open_page(chosen="scripted", definition=definition(agents={"desk": desk}), outputs=outputs)
    playground.page.evaluate(WATCH)
    playground.ask("Pay Tom")
    playground.expect_answer("Done.")
    looks: list[tuple[str, str, bool, str, bool]] = [tuple(each) for each in playground.page.evaluate("below")]
    looks = [look for look in looks if look[0] != "call_1"]
    assert {"call_2"} == {look[0] for look in looks}
    names = [look[1].partition(" writes, ")[0] for look in looks]
    assert ["desk > clerk", "desk"] == [name for at, name in enumerate(names) if names[at - 1 : at] != [name]]
    assert ([False], {True}) == ([looks[0][2]], {look[2] for look in looks[-3:]})
    assert all(LONG.startswith(text) and not is_markup for _, _, _, text, is_markup in looks)
    assert len({text for _, _, _, text, _ in looks}) > 3
    expect(playground.page.locator("details.below")).to_have_count(0)
    expect(playground.page.locator(".thread .by-model")).to_have_count(1)
    expect(playground.page.locator('[data-call="call_2"] .call-result')).to_contain_text("I pay <b>5</b>")
