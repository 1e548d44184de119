"""Takes the pictures of the playground that the documentation shows: `python -m tools.make_pictures ADDRESS`.

ADDRESS is where `./build.sh serve` serves the page.
"""

import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def take(browser: Browser, address: str, theme: Literal["light", "dark"]) -> None:
    """Play the run that asks a person, up to its question, and take a picture of the page."""
    page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme=theme, reduced_motion="reduce")
    page.goto(address)
    page.get_by_role("button", name="Core ready in").wait_for()
    page.reload()  # the second visit finds the files in the browser's cache
    page.get_by_role("button", name="Core ready in").wait_for()
    page.get_by_role("button", name="Approval Asks you").click()
    page.get_by_role("button", name="Play it with a script").click()
    # For half a second the button does nothing, and looks like it.
    page.locator("button:not([aria-disabled=true])", has_text="Approve and run").wait_for()
    page.screenshot(path=FOLDER / f"playground-{theme}.png")
    page.close()


def main(address: str) -> None:
    """Take a picture in each theme."""
    FOLDER.mkdir(exist_ok=True)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser,
    ):
        for theme in THEMES:
            take(browser, address, theme)


if __name__ == "__main__":
    main(sys.argv[1])
