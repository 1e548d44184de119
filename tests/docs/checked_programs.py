"""The Python of the pages as programs that type checkers read, and what these find in them, all pages at once."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.docs.test_docs import PAGES, ROOT, page_name

Errors = dict[str, list[tuple[int, str]]]
"""Of each page that has some: their lines and messages, in order."""

MYPY = """\
[mypy]
strict = true
warn_unreachable = true
mypy_path = {root}
explicit_package_bases = true
cache_dir = {root}/.cache/mypy-pages
[mypy-tools.*]
follow_imports = silent
"""
PYRIGHT = {"typeCheckingMode": "strict", "pythonVersion": "3.11", "reportDuplicateImport": False}
"""Strict, but for imports that a page repeats, since its blocks are read one by one."""

THEIRS = {("docs/temporal.md", 'Type of "start_local" is partially unknown')}
"""What is wrong in the types of other packages, by page and the first line of the message."""

IMPORTS_AGENT = re.compile(r"from \w+ import .*\bAgent\b")
STARTS = {"python": re.compile(r"^```python$"), "py": re.compile(r"^```py$")}


def page_programs() -> dict[str, str]:
    """Return the programs of all pages by a name with the page's: code stands on the line that it has in its page.

    The blocks `python` of a page are one program, as test_docs runs them. A block `py` that imports an `Agent` is one
    of its own, and any other goes on with the program before it.
    """
    programs: dict[str, dict[int, str]] = {}
    for page in PAGES:
        lines = page.read_text(encoding="utf-8").splitlines()
        name = whole = page_name(page)
        for number, text in enumerate(lines):
            opened = next((language for language, start in STARTS.items() if start.match(text)), None)
            if opened is None:
                continue
            code = dict(enumerate(lines[number + 1 : lines.index("```", number)], number + 1))
            if opened == "python":
                name = whole
            elif any(IMPORTS_AGENT.match(each) for each in code.values()):
                name = f"{whole}#{number + 1}"
            programs.setdefault(name, {}).update(code)
    return {
        name: "".join(code.get(number, "") + "\n" for number in range(max(code) + 1)) for name, code in programs.items()
    }


def written(programs: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Write programs into a folder; gives the name of each by that of its file."""
    files = {re.sub(r"\W", "_", name) + ".py": name for name in programs}
    for file, name in files.items():
        (folder / file).write_text(programs[name], encoding="utf-8")
    return files


def found_by_mypy(folder: Path, files: Mapping[str, str]) -> Errors:
    """Return what mypy finds in strict mode in the files of a folder."""
    (folder / "mypy.ini").write_text(MYPY.format(root=ROOT), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--output", "json", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return by_page(files, [(line["file"], line["line"], f"{line['message']} [{line['code']}]") for line in lines])


def found_by_pyright(node: str, folder: Path, files: Mapping[str, str]) -> Errors:
    """Return what pyright finds in strict mode in the files of a folder."""
    options = {"include": [*files], "extraPaths": [str(ROOT)], **PYRIGHT}
    (folder / "pyrightconfig.json").write_text(json.dumps(options), encoding="utf-8")
    checker = ROOT / "web" / "node_modules" / "pyright" / "index.js"
    command = [node, checker, "--project", folder, "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    said: list[dict[str, Any]] = json.loads(done.stdout)["generalDiagnostics"]
    return by_page(
        files,
        [
            (Path(each["file"]).name, each["range"]["start"]["line"] + 1, f"{each['message']} [{each.get('rule')}]")
            for each in said
        ],
    )


def by_page(files: Mapping[str, str], found: list[tuple[str, int, str]]) -> Errors:
    """Return errors by the page that they are in, without those of the types of other packages."""
    errors: Errors = {}
    for file, line, message in sorted(found):
        page = files.get(file, file).partition("#")[0]
        if (page, message.partition("\n")[0]) not in THEIRS:
            errors.setdefault(page, []).append((line, message))
    return errors
