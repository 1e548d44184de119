"""What axe-core finds on a page that keeps somebody out."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page

AXE: Final = (Path(__file__).resolve().parents[1] / "web/node_modules/axe-core/axe.min.js").read_text()
SCHEMES: Final = ("light", "dark")

# Colours and lines that are being faded in have none of the contrast they end with, however long that takes. What a
# closed part of the page holds is not drawn: its transitions end by their clock, but stay listed and never settle their
# promises. What blinks for ever is left to blink. A line that came while axe looked is looked at again.
SETTLED_FINDINGS: Final = """async (rules) => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const isFading = (each) => each.playState === "running" && each.effect.getComputedTiming().endTime !== Infinity;
  const fades = () => document.getAnimations().some(isFading);
  for (;;) {
    do await drawn(); while (fades());
    const found = await axe.run(document, { resultTypes: ["violations"], ...rules });
    await drawn();
    if (!fades()) return found;
  }
}"""


# A scheme changes colours and nothing else. Rules are turned on by their tag, those of the strictest level as well.
COLOURS: Final = {
    "runOnly": {"type": "tag", "values": ["cat.color"]},
    "rules": {"color-contrast-enhanced": {"enabled": False}},
}
RULES: Final[dict[str, Any]] = {"light": {}, "dark": COLOURS}


def serious_findings(page: Page, schemes: Iterable[str] = SCHEMES) -> list[str]:
    """Return what axe finds that keeps somebody out, in light, and of colours in dark."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE)
    return [finding for scheme in schemes for finding in _findings_in(page, scheme)]


def _findings_in(page: Page, scheme: Any) -> list[str]:
    page.emulate_media(color_scheme=scheme)
    found: dict[str, Any] = page.evaluate(SETTLED_FINDINGS, RULES[scheme])
    return [
        f"{violation['id']} in {scheme}: {json.dumps([node['target'] for node in violation['nodes']][:3])}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
    ]
