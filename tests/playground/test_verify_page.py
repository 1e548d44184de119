"""The page that checks logs without the core, beside the playground and with its headers."""

from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import Playground, final
from tests.web.test_verify_page import drop, log


def test_the_playground_leads_to_it_and_it_leads_back(open_page: Open, context: BrowserContext, tmp_path: Path) -> None:
    """A log that was checked there is opened here by a link that holds it, and the core makes its steps again."""
    playground = open_page(chosen="scripted", outputs=[final("Hi")])
    playground.show_log()
    address = playground.page.get_by_role("link", name="check logs without the core").get_attribute("href")
    (tmp_path / "a.jsonl").write_text(log(), "utf-8")
    page = context.new_page()
    page.goto(playground.url + str(address))
    page.locator("#file-input").set_input_files(tmp_path / "a.jsonl")
    page.get_by_role("link", name="Make its decisions again in the playground").click()
    back = Playground(page, playground.url)
    found = page.get_by_role("region", name="What checking the log found")
    expect(found).to_contain_text("Every decision was derived again")
    back.expect_answer("Hi")


def test_a_dropped_folder_is_read_to_its_end(context: BrowserContext, site: str, tmp_path: Path) -> None:
    """Also one with more files than a browser lists at once, and with folders in it."""
    for number in range(240):
        folder = tmp_path / "logs" / f"{number % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.jsonl").write_text(log() if number else log()[:-1], "utf-8")
    page = context.new_page()
    page.goto(f"{site}verify.html")
    drop(page, tmp_path / "logs")
    expect(page.get_by_role("status")).to_have_text("240 logs checked: 239 whole, 1 not finished.")
    expect(page.get_by_role("listitem").filter(has_text="not finished")).to_contain_text("logs/0/0.jsonl")
    assert [] == serious_findings(page)
    assert [] == page.evaluate("violations")
