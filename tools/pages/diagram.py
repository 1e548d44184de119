"""Writes the diagram of transitions into docs/step.md: `python -m tools.pages.diagram`.

The transitions are the core's own table, which a test compares with actual runs.
"""

from pathlib import Path

from purestep.steps import BEGINNING, TRANSITIONS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "step.md"
BEGIN, END = "<!-- transitions -->\n", "<!-- /transitions -->"


def diagram() -> str:
    """Return the diagram, fenced."""
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f"    [*] --> model: {kind.__struct_config__.tag}" for kind in BEGINNING]
    for phase, accepted in TRANSITIONS.items():
        for kind, transition in accepted.items():
            for following in transition.leads_to:
                lines.append(f"    {phase} --> {following}: {kind.__struct_config__.tag}")
    return "\n".join([*lines, "```", ""])


def main() -> None:
    """Put the diagram in its place."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{diagram()}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
