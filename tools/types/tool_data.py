"""What native hosts and pages share, for TypeScript: `python -m tools.types.tool_data [--check]`.

Specs and limits of tools, the characters that are never shown as they are, and where kinds of servers are, are declared
once, in Python; the modules of `MODULES` in web/src/generated are written from there.
"""

import json
import sys
from pathlib import Path

from purestep_hosts.models.server_kinds import BY_NAME, SERVER_KINDS, ServerKind
from purestep_hosts.show import hidden_characters
from purestep_hosts.tools import limits
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from purestep_tools import BLOCKS, UNSEEN

FOLDER = Path(__file__).resolve().parents[2] / "web" / "src" / "generated"
NAMES = ("add_numbers", "calculator", "echo", "fetch_url", "session_note_append", "session_note_search")
"""The tools that web/src/tools runs; those of files and commands have no place in a page."""


def tool_specs_ts() -> str:
    """Return the TypeScript module of the specs."""
    # The folder goes into functions that are not called here, never into a spec.
    specs = Toolbox(ToolConfig(session_dir=Path("unused"), names=NAMES)).specs()
    members = "".join(f"  {spec['name']}: {json.dumps(spec, ensure_ascii=False)},\n" for spec in specs)
    return (
        "// Made from hosts/purestep_hosts/tools by tools/types/tool_data.py; do not edit.\n"
        'import type { ToolSpec } from "./wire.js";\n\n'
        "/** The specs of the tools that native hosts and pages share, by name. */\n"
        f"export const TOOL_SPECS = {{\n{members}}} satisfies Record<string, ToolSpec>;\n"
    )


def tool_limits_ts() -> str:
    """Return the TypeScript module of the limits, and of the elements of HTML that hide or separate text."""
    shared = {name: value for name, value in vars(limits).items() if name.isupper()}
    elements = {"UNSEEN": sorted(UNSEEN), "BLOCKS": sorted(BLOCKS)}
    lines = [_constant(name, value) for name, value in {**shared, **elements}.items()]
    return (
        "// Made from hosts/purestep_hosts/tools/limits.py, which says why each is what it is, and from\n"
        "// hosts/purestep_tools by tools/types/tool_data.py; do not edit.\n" + "".join(lines)
    )


def hidden_characters_ts() -> str:
    """Return the TypeScript module of the characters that are shown as escapes, as ranges of code points."""
    tables = {name: value for name, value in vars(hidden_characters).items() if name.isupper()}
    lines = [f"export const {name} = {json.dumps(table)} as const;\n" for name, table in tables.items()]
    return (
        "// Made from hosts/purestep_hosts/show/hidden_characters.py, which says what each range is, by\n"
        "// tools/types/tool_data.py; do not edit.\n" + "".join(lines)
    )


def server_kinds_ts() -> str:
    """Return the TypeScript module of the servers that are asked by chat completions, in the order of the table."""
    asked = [kind for kind in SERVER_KINDS if "openai" in (kind.wire, kind.elsewhere)]
    members = "".join(f"  {json.dumps(kind.name)}: {_server(kind)},\n" for kind in asked)
    others = [kind.name for kind in BY_NAME.values() if "openai" not in (kind.wire, kind.elsewhere)]
    return (
        "// Made from hosts/purestep_hosts/models/server_kinds.py, which has the source of each, by\n"
        "// tools/types/tool_data.py; do not edit.\n\n"
        "/** Kinds of servers by name: where each is, how it wants to be asked, and whether it is on this machine. */\n"
        f"export const SERVER_KINDS = {{\n{members}}} as const;\n\n"
        "/** Kinds of servers that are asked in a protocol of their own, and not here. */\n"
        f"export const OTHER_KINDS: readonly string[] = {json.dumps(others)};\n"
    )


def _server(kind: ServerKind) -> str:
    profile = next(name for name in (f"{kind.name}-chat", kind.name) if name in BY_NAME)
    at = {"title": kind.title, "baseUrl": kind.base_url(None), "profile": profile, "isLocal": kind.is_local}
    return json.dumps(at)


def _constant(name: str, value: object) -> str:
    text = json.dumps(value)
    match value:
        case [str(), *_]:
            return f"export const {name}: readonly string[] = {text};\n"
        case [int(), *_]:
            return f"export const {name}: readonly number[] = {text};\n"
        case _:
            return f"export const {name} = {text};\n"


MODULES = {
    "server_kinds.ts": server_kinds_ts,
    "tool_specs.ts": tool_specs_ts,
    "tool_limits.ts": tool_limits_ts,
    "hidden_characters.ts": hidden_characters_ts,
}
"""What makes each file of web/src/generated that this writes."""


def main() -> str | None:
    """Write the modules, or with --check say which of the written ones is not current."""
    texts = {FOLDER / name: make() for name, make in MODULES.items()}
    if "--check" in sys.argv[1:]:
        stale = [path.name for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text]
        return f"not current: {', '.join(stale)}; run python -m tools.types.tool_data" if stale else None
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main())
