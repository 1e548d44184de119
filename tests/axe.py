"""What axe-core finds on a page that keeps somebody out."""

import json
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

AXE: Final = (Path(__file__).resolve().parents[1] / "web/node_modules/axe-core/axe.min.js").read_text()
SCHEMES: Final = ("light", "dark")

# Colours and lines that are being faded in have none of the contrast they end with, however long that takes. What a
# closed part of the page holds is not drawn: its transitions end by their clock, but stay listed and never settle their
# promises. What blinks for ever is left to blink. A line that came while axe looked is looked at again.
SETTLED_FINDINGS: Final = """async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const isFading = (each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity;
  const fades = () => document.getAnimations().some(isFading);
  for (;;) {
    do await drawn(); while (fades());
    const found = await axe.run(document, { resultTypes: ["violations"] });
    await drawn();
    if (!fades()) return found;
  }
}"""


def serious_findings(page: Page) -> list[str]:
    """Return what axe finds that keeps somebody out, in light and in dark."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE)
    return [finding for scheme in SCHEMES for finding in _findings_in(page, scheme)]


def _findings_in(page: Page, scheme: Any) -> list[str]:
    page.emulate_media(color_scheme=scheme)
    found: dict[str, Any] = page.evaluate(SETTLED_FINDINGS)
    return [
        f"{violation['id']} in {scheme}: {json.dumps([node['target'] for node in violation['nodes']][:3])}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
