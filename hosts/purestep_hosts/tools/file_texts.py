"""Tools that look into the files of one folder: search_files and count_words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from purestep import Example
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.files import MAX_PATH_CHARS, PATH, read_text
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.root_folder import RootFolder
from purestep_hosts.tools.tool import OPEN, READ_ONLY, RunningCall, Tool, ToolFailure, parameters, text

_MAX_SOUGHT_CHARS = 200
_MAX_FILES = 5000
"""Of a search: a project without what was installed into it."""
_MAX_LINES = 50
"""Found lines: more than a model can use."""
_MAX_LINE_CHARS = 200


def tools(config: ToolConfig) -> tuple[Tool, ...]:
    """Return the tools over `config.root`, none without a root."""
    if config.root is None:
        return ()
    root = RootFolder(config.root, config.hidden)
    return (_search_tool(root, config.max_output_chars), _count_tool(root))


def _search_tool(root: RootFolder, max_output_chars: int) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        sought = bounded_text(params, "text", max_chars=_MAX_SOUGHT_CHARS)
        if not sought.strip():
            raise ToolFailure("the text to look for is empty", "invalid_arguments")
        found: list[str] = []
        for path in _paths(root):
            call.check()
            found += _lines_with(root, path, sought.casefold())
            if len(found) > _MAX_LINES:
                return "\n".join([*found[:_MAX_LINES], "and more"])
        return "\n".join(found) or f"no file contains: {sought}"

    return Tool(
        name="search_files",
        description="Find the lines in files that contain a text.",
        parameters=parameters(text=text("the text to look for")),
        run=run,
        annotations=READ_ONLY,
        labels=OPEN,
        max_output_chars=max_output_chars,
        examples=(
            Example(
                query="Which files mention lemons?",
                arguments={"text": "lemons"},
                result="shopping.txt:3: two lemons",
                answer="The file shopping.txt mentions lemons in line 3.",
            ),
        ),
    )


def _paths(root: RootFolder) -> Iterator[str]:
    """Yield the files below the folder, sorted, without links and hidden ones."""
    folders, seen = [""], 0
    while folders:
        folder = folders.pop(0)
        for entry in _entries(root, folder):
            path = os.path.join(folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            elif entry.is_file(follow_symlinks=False):
                seen += 1
                if seen > _MAX_FILES:
                    return
                yield path


def _entries(root: RootFolder, folder: str) -> list[os.DirEntry[str]]:
    with suppress(OSError), root.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY) as descriptor:
        with os.scandir(descriptor) as found:
            shown = [entry for entry in found if root.shows(entry.name) and not entry.name.startswith(".")]
        return sorted(shown, key=lambda entry: entry.name)
    return []


def _lines_with(root: RootFolder, path: str, sought: str) -> Iterator[str]:
    # A file that cannot be read as text is passed over: the search is through all others.
    with suppress(ToolFailure, OSError):
        for number, line in enumerate(read_text(root, path).splitlines(), 1):
            if sought in line.casefold():
                yield f"{path}:{number}: {line.strip()[:_MAX_LINE_CHARS]}"


def _count_tool(root: RootFolder) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        content = read_text(root, bounded_text(params, "path", max_chars=MAX_PATH_CHARS))
        lines, words = len(content.splitlines()), len(content.split())
        return f"{lines} lines, {words} words, {len(content)} characters"

    return Tool(
        name="count_words",
        description="Count the lines and words of a text file.",
        parameters=parameters(path=PATH),
        run=run,
        annotations=READ_ONLY,
        examples=(
            Example(
                query="How long is hello.txt?",
                arguments={"path": "hello.txt"},
                result="2 lines, 5 words, 24 characters",
                answer="hello.txt has 2 lines and 5 words.",
            ),
        ),
    )
