"""The table of HTML's named characters: `python -m tools.pages.character_references` writes it from Python's own.

Python's is a dictionary of 2,231 entries that the web bundle would carry in a memory of its own; one text is a tenth of
that. The list is closed: WHATWG adds no names.
"""

import html.entities
import textwrap
from pathlib import Path

TARGET = Path(__file__).resolve().parents[2] / "hosts" / "purestep_tools" / "named_characters.py"
LINE_CHARS = 112


def named_characters_py() -> str:
    """Return the text of the module."""
    names = sorted(name.removesuffix(";") for name in html.entities.html5 if name.endswith(";"))
    entries = [f"{name} {'+'.join(f'{ord(char):x}' for char in html.entities.html5[f'{name};'])}" for name in names]
    legacy = sorted(name for name in html.entities.html5 if not name.endswith(";"))
    return (
        '"""HTML\'s named characters, as text. Made by tools/pages/character_references.py; do not edit.\n\n'
        'Source: WHATWG HTML, named character references.\n"""\n\n'
        "# A name, and its character or two by their hexadecimal numbers.\n"
        f"NAMED_CHARACTERS = {_literal(entries)}\n"
        "# Those that old pages write without a semicolon.\n"
        f"LEGACY_NAMES = {_literal(legacy)}\n"
    )


def _literal(entries: list[str]) -> str:
    lines = textwrap.wrap(" ".join(entries), LINE_CHARS, break_long_words=False, break_on_hyphens=False)
    return "\n".join(["(", *(f'    "{line} "' for line in lines[:-1]), f'    "{lines[-1]}"', ")"])


if __name__ == "__main__":
    TARGET.write_text(named_characters_py(), "ascii")
