"""Writes the diagram of transitions into docs/step.md: `python -m tools.make_diagram`.

What each phase takes is the core's own table; where that leads is LEADS_TO, which a test holds against played runs.
"""

from pathlib import Path

from purestep.steps import BEGINNING, TRANSITIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "step.md"
BEGIN, END = "<!-- transitions -->\n", "<!-- /transitions -->"

LEADS_TO = {
    ("model", "ModelOutput"): ("model", "approval", "tools", "done", "failed"),
    ("model", "ModelError"): ("model", "failed"),
    ("approval", "Approvals"): ("approval", "tools", "model", "failed"),
    ("tools", "ToolResults"): ("tools", "model", "failed"),
    ("done", "UserMessage"): ("model",),
    ("failed", "UserMessage"): ("model",),
}
"""Where each observation can lead; `Cancel` always leads to `failed`. A test plays runs against it."""


def diagram() -> str:
    """Give the diagram, fenced."""
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f"    [*] --> model: {kind.__struct_config__.tag}" for kind in BEGINNING]
    for phase, consumers in TRANSITIONS.items():
        for kind in consumers:
            for following in LEADS_TO.get((phase, kind.__name__), ("failed",)):
                lines.append(f"    {phase} --> {following}: {kind.__struct_config__.tag}")
    return "\n".join([*lines, "```", ""])


def main() -> None:
    """Put the diagram in its place."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{diagram()}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
