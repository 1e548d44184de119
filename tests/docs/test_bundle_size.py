"""The size of the bundle is one figure, which a tool writes and a limit of CI holds."""

import re

from tools.pages.bundle_size import PAGES, ROOT, with_figures


def test_pages_have_the_figure_of_the_limit() -> None:
    """Each page that tells a size is as `python -m tools.pages.bundle_size` writes it."""
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in PAGES}
    assert texts == {name: with_figures(text) for name, text in texts.items()}
    assert [] == [name for name, text in texts.items() if "<!-- first visit: " not in text]
    assert "| `core.snapshot` | " in texts["web/README.md"]


def test_no_page_has_a_figure_of_its_own() -> None:
    """What a page loads or a first visit sends is said with the marks around it, or not at all."""
    pages = [ROOT / "README.md", ROOT / "web" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    marked = re.compile(r"<!-- first visit: \w+ -->.*?<!-- / -->")
    said = [line for line in lines if re.search(r"first visit|page loads|bundle has", line)]
    assert [] == [line for line in said if re.search(r"\d MB", marked.sub("", line))]
    assert said
