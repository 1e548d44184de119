"""The bounds of replies that hosts keep, for TypeScript: `python -m tools.types.reply_bounds [--check]`.

They are the core's; web/src/generated/reply_bounds.ts is written from there.
"""

import json
import sys
from pathlib import Path

import purestep_formats

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "web" / "src" / "generated" / "reply_bounds.ts"
VALUES = (
    ("MAX_REPLY_LINE_BYTES", "Bytes of one line, or of a body that does not stream; past it a host stops reading."),
    ("MAX_ERROR_BODY_CHARS", "Characters of an error reply's body that a host hands over."),
    ("FAULT_HEADERS", "The headers of an error reply that a host hands over."),
)


def reply_bounds_ts() -> str:
    """Return the text of the TypeScript module."""
    members = (
        f"/** {said} */\nexport const {name} = {_written(getattr(purestep_formats, name))};\n" for name, said in VALUES
    )
    return "// Made from the core by tools/types/reply_bounds.py; do not edit.\n" + "\n".join(members)


def _written(value: object) -> str:
    return f"{json.dumps(value)} as const" if isinstance(value, tuple) else json.dumps(value)


def main() -> str | None:
    """Write the module, or with --check say whether the written one is current."""
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(reply_bounds_ts(), "utf-8")
        return None
    current = TARGET.read_text("utf-8") if TARGET.exists() else ""
    stale = f"{TARGET.name} is not current: run python -m tools.types.reply_bounds"
    return None if current == reply_bounds_ts() else stale


if __name__ == "__main__":
    sys.exit(main())
