"""The specs of the tools that pages have too, for TypeScript: `python -m tools.web_tool_specs [--check]`.

They are declared once, beside the Python functions; web/src/generated/tool_specs.ts is written from there.
"""

import json
import sys
from pathlib import Path

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "web" / "src" / "generated" / "tool_specs.ts"
NAMES = ("add_numbers", "calculator", "echo", "fetch_url", "session_note_append", "session_note_search")
"""The tools that web/src/tools runs; those of files and commands have no place in a page."""


def tool_specs_ts() -> str:
    """Give the text of the TypeScript module."""
    # The folder goes into functions that are not called here, never into a spec.
    specs = Toolbox(ToolConfig(session_dir=Path("unused"), names=NAMES)).specs()
    members = "".join(f"  {spec['name']}: {json.dumps(spec, ensure_ascii=False)},\n" for spec in specs)
    return (
        "// Made from hosts/purestep_hosts/tools by tools/web_tool_specs.py; do not edit.\n"
        'import type { ToolSpec } from "./wire.js";\n\n'
        "/** The specs of the tools that native hosts and pages share, by name. */\n"
        f"export const TOOL_SPECS = {{\n{members}}} satisfies Record<string, ToolSpec>;\n"
    )


def main() -> str | None:
    """Write the module, or with --check say whether the written one is current."""
    if "--check" not in sys.argv[1:]:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(tool_specs_ts(), "utf-8")
        return None
    current = TARGET.read_text("utf-8") if TARGET.exists() else ""
    return None if current == tool_specs_ts() else f"{TARGET.name} is not current: run python -m tools.web_tool_specs"


if __name__ == "__main__":
    sys.exit(main())
