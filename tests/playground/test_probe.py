"""The test of a model in the page: its course, its table, its profile, and runs that are asked as it found."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import purestep
from purestep_hosts.agent_file import with_profiles
from purestep_tools.probe import TASKS, ways_for
from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import PATIENCE_MS, Playground, call, definition, final, tool
from tests.playground.test_models import MODEL_PATIENCE_MS
from tests.replies import as_asked

QUICK_WAYS = ways_for("unused", quick=True)
QUICK_TASKS = [task for task in TASKS if task.is_quick]
NOTE = tool("save_note", text="string")
SAID = {
    "What is 17 plus 25?": (call("calculator", expression="17 + 25"), final("It is 42.")),
    "Save the note buy green paint": (call("save_note", text="buy green paint"), final("Saved.")),
    "Where is order 1042?": (call("lookup_order", number="1042"), final("It was shipped on Monday.")),
    "Good morning, how are you today?": (final("Very well."),),
    "Thank you, that was all for today": (final("You are welcome."),),
}


def serve(page: Page, refused: str = "tools") -> None:
    """Have a server that finishes every task, by envelopes without tools, and refuses a request with this member."""

    def answer(route: Route) -> None:
        body = route.request.post_data_json
        if refused in body:
            error = {"error": {"message": f"{refused} is not known here"}}
            return route.fulfill(status=400, json=error, headers={"Access-Control-Allow-Origin": "*"})
        asked = [message["content"] for message in body["messages"] if message["role"] == "user"]
        query = next(text for text in reversed(asked) if text in SAID)
        since = body["messages"][max(at for at, m in enumerate(body["messages"]) if m["content"] == query) :]
        outputs = SAID[query]
        content = outputs[min(len(outputs) - 1, len(since) // 2)]
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        message = as_asked(content, body) if "tools" in body else {"content": content}
        whole = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
        return route.fulfill(json=whole, headers={"Access-Control-Allow-Origin": "*"})

    page.context.route("**/chat/completions", answer)


def open_test(playground: Playground) -> None:
    """Open the dialog."""
    playground.button("Test this model").click()
    playground.page.get_by_role("dialog").wait_for()


def wait_for_end(playground: Playground, run_ms: int) -> None:
    """Wait for the end of a quick test, each of its runs for this long at most."""
    page, runs = playground.page, len(QUICK_WAYS) * len(QUICK_TASKS)
    page.locator(".probe-table").wait_for(timeout=run_ms)
    for ended in range(1, runs):
        no_further = "|".join(str(number) for number in range(ended + 1))
        course = page.locator(".probe-course", has_text=re.compile(rf"^\s*({no_further}) of {runs} runs"))
        expect(course).to_have_count(0, timeout=run_ms)
    playground.button("Use this").wait_for()


def rows(playground: Playground) -> list[list[str]]:
    """Return the table: way, help, and how many were right."""
    found = playground.page.locator(".probe-table tbody tr")
    return [
        [row.locator(".mono").inner_text(), *row.locator("td").all_inner_texts()[:2]]
        for row in (found.nth(at) for at in range(found.count()))
    ]


def downloaded(playground: Playground) -> dict[str, Any]:
    """Download the profile."""
    with playground.page.expect_download() as download:
        playground.button("Download profile").click()
    profile: dict[str, Any] = json.loads(download.value.path().read_text())
    return profile


def test_bundled_model_is_tested_in_the_tab(open_page: Open, model_path: Path) -> None:
    """The 135M model runs the tasks as it was taught; the profile makes a definition that the core takes."""
    assert model_path.is_file()
    playground = open_page()
    open_test(playground)
    playground.button("Start the test").click()
    playground.button("Use this").wait_for(timeout=MODEL_PATIENCE_MS)
    (way,) = ways_for("compact", quick=True)
    assert [[way.dialect, way.carry]] == [row[:2] for row in rows(playground)]
    profile = downloaded(playground)
    assert ("smollm2-135m-tools", len(QUICK_TASKS)) == (profile["name"], profile["figures"]["tasks"])
    assert (way.dialect, way.carry, way.supports()) == (profile["dialect"], profile["carry"], profile["supports"])
    assert 2048 == profile["window_tokens"]
    purestep.Agent.load(with_profiles({"models": [profile]}))


@pytest.fixture
def tested(open_page: Open) -> Playground:
    """The page with a server that was tested quickly."""
    playground = open_page(chosen="http", base_url="http://127.0.0.1:9/v1", model="qwen3", definition=definition(NOTE))
    serve(playground.page)
    open_test(playground)
    playground.button("Start the test").click()
    wait_for_end(playground, PATIENCE_MS)
    playground.complaints.clear()  # the browser itself writes a refused request to the console
    return playground


def test_table_and_profile_say_what_was_found(tested: Playground) -> None:
    """A server that needs no help is asked without any; one that refuses tools is asked in text."""
    right = f"{len(QUICK_TASKS)} of {len(QUICK_TASKS)}"
    expected = [
        ["envelope", "ground", right],
        ["envelope", "off", right],
        ["native", "off", f"1 of {len(QUICK_TASKS)}"],
    ]
    assert expected == rows(tested)
    table = tested.page.locator(".probe-table")
    expect(table.locator(".best")).to_contain_text("envelope")
    profile = downloaded(tested)
    figures = profile.pop("figures")
    assert {"name": "qwen3", "dialect": "envelope", "supports": ["json_schema"], "carry": "off"} == profile
    assert (4, 4, 7, 700, 70) == tuple(
        figures[name] for name in ("right", "tasks", "model_calls", "prompt_tokens", "completion_tokens")
    )


def test_dialog_keeps_nobody_out_and_fits_a_phone(tested: Playground) -> None:
    """With its table and its result axe finds nothing serious, and nothing is wider than a small screen."""
    assert [] == serious_findings(tested.page)
    tested.page.set_viewport_size({"width": 360, "height": 740})
    assert [] == serious_findings(tested.page)
    body = tested.page.locator(".probe .dialog-body")
    assert body.evaluate("(body) => body.scrollWidth <= body.clientWidth")


def test_profile_in_use_is_the_way_of_the_next_run(tested: Playground) -> None:
    """The run's definition names dialect and constraint; after a reload too, until the profile is removed."""
    page = tested.page
    tested.button("Use this").click()
    expect(tested.button("In use")).to_be_disabled()
    page.keyboard.press("Escape")
    page.reload()
    tested.wait_for_core()
    expect(page.locator("#model")).to_contain_text("As tested: envelope")
    tested.ask("Good morning, how are you today?")
    tested.expect_answer("Very well.")
    began = json.loads(tested.download_log().splitlines()[0])["agent"]
    served = {"name": "qwen3", "profile": "server"}
    assert ("envelope", [{**served, "supports": ["json_schema"]}]) == (began["dialect"], began["models"])
    tested.button("Remove").click()
    serve(page, refused="nothing")
    tested.button("New run").first.click()
    tested.ask("Good morning, how are you today?")
    tested.expect_answer("Very well.")
    began = json.loads(tested.download_log().splitlines()[0])["agent"]
    assert (False, [served]) == ("dialect" in began, began["models"])


def test_stopped_test_keeps_what_was_measured(open_page: Open) -> None:
    """Stop ends the run under way; the rows so far stay, and a question can be asked again."""
    playground = open_page(chosen="http", base_url="http://127.0.0.1:9/v1", model="small", definition=definition(NOTE))
    page = playground.page
    held: list[Route] = []
    serve(page)
    fourth = QUICK_TASKS[3].query
    page.context.route(
        "**/chat/completions",
        lambda route: held.append(route) if fourth in (route.request.post_data or "") else route.fallback(),
    )
    open_test(playground)
    playground.button("Start the test").click()
    expect(page.locator(".probe-course")).to_contain_text("3 of 12 runs")
    page.keyboard.press("Escape")
    playground.button("Testing: 3 of 12").wait_for()
    playground.ask("Good morning, how are you today?")
    expect(page.locator("#question-hint")).to_contain_text("The model is being tested")
    expect(page.get_by_label("Your question")).to_have_value("Good morning, how are you today?")
    playground.button("Testing: 3 of 12").click()
    playground.button("Stop").click()
    expect(page.get_by_role("dialog")).to_contain_text("Stopped.")
    assert [["envelope", "ground", "3 of 4"]] == rows(playground)
    expect(playground.button("Test again")).to_be_enabled()
