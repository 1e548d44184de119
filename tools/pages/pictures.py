"""Takes the pictures of the playground that the documentation shows: `python -m tools.pages.pictures ADDRESS`.

ADDRESS is where `./build.sh serve` serves the page.
"""

import sys
from itertools import product
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Picture(NamedTuple):
    """A preset, up to the moment when this stands there, under a name of its own."""

    name: str
    preset: str
    until: str


PICTURES = (
    # For half a second the button does nothing, and looks like it.
    Picture("playground", "Approval", "button:not([aria-disabled=true]):has-text('Approve and run')"),
    Picture("playground-sources", "Sources", ".answer .passed"),
)


def take(browser: Browser, address: str, theme: Literal["light", "dark"], picture: Picture) -> None:
    """Play a preset by its script and take a picture of the page."""
    page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme=theme, reduced_motion="reduce")
    page.goto(address)
    page.get_by_role("button", name="Core ready in").wait_for()
    page.reload()  # the second visit finds the files in the browser's cache
    page.get_by_role("button", name="Core ready in").wait_for()
    page.get_by_role("button", name="Settings").click()
    page.locator("#agent").get_by_role("button", name=picture.preset, exact=True).click()
    page.get_by_role("button", name="Play it with a script").click()
    page.locator(picture.until).wait_for()
    page.wait_for_timeout(200)  # the conversation follows its end in the next frame
    page.screenshot(path=FOLDER / f"{picture.name}-{theme}.png")
    page.close()


def main(address: str) -> None:
    """Take each picture in each theme."""
    FOLDER.mkdir(exist_ok=True)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"]) as browser,
    ):
        for theme, picture in product(THEMES, PICTURES):
            take(browser, address, theme, picture)


if __name__ == "__main__":
    main(sys.argv[1])
