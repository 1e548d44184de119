"""File tools inside one folder: read_file, list_dir, write_file."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from purestep import Example
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.idempotent_log import IdempotentLog
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.limits import MAX_RESULT_BYTES
from purestep_hosts.tools.root_folder import RootFolder
from purestep_hosts.tools.tool import OPEN, READ_ONLY, RunningCall, Tool, ToolFailure, hints, parameters, text

MAX_PATH_CHARS = 1000
_MAX_WRITE_CHARS = 200_000
# A longer listing is of no use to a model.
_MAX_ENTRIES = 500
PATH = text("path inside the folder, for example notes/today.txt")


def tools(config: ToolConfig) -> tuple[Tool, ...]:
    """Return the file tools over `config.root`, none without a root."""
    if config.root is None:
        return ()
    root = RootFolder(config.root, config.hidden)
    written = IdempotentLog(config.session_dir / "written.jsonl")
    limit = config.max_output_chars
    return (_read_tool(root, limit), _list_tool(root, limit), _write_tool(root, written))


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Turn an OSError about `path` into a ToolFailure that names it."""
    try:
        yield
    except OSError as error:
        raise ToolFailure(f"{path}: {(error.strerror or 'failed').lower()}", "io") from None


def _read_tool(root: RootFolder, max_output_chars: int) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        path = bounded_text(params, "path", max_chars=MAX_PATH_CHARS)
        return read_text(root, path)

    return Tool(
        name="read_file",
        description="Read a text file.",
        parameters=parameters(path=PATH),
        run=run,
        annotations=READ_ONLY,
        labels=OPEN,
        max_output_chars=max_output_chars,
        examples=(
            Example(
                query="Read the file hello.txt",
                arguments={"path": "hello.txt"},
                result="Good morning!",
                answer="The file says: Good morning!",
            ),
        ),
    )


def read_text(root: RootFolder, path: str) -> str:
    """Return the text of a file below the folder; raises ToolFailure for another file, a link out of it, or no text."""
    with _named(path), root.open(path, os.O_RDONLY) as descriptor:
        return _text_of(descriptor, path)


def _text_of(descriptor: int, path: str) -> str:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise ToolFailure(f"{path} is no file", "invalid_arguments")
    if found.st_nlink > 1:
        # The kernel does not tell where the others are, and one may be a file outside of the folder.
        raise ToolFailure(f"{path} has a second name (a hard link), which may be outside of the folder; copy it first")
    data = bytearray()
    while piece := os.read(descriptor, 1 << 16):
        data += piece
        if len(data) > MAX_RESULT_BYTES:
            raise ToolFailure(f"{path} is larger than {MAX_RESULT_BYTES} bytes, the most that can be read")
    try:
        content = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ToolFailure(f"{path} is no text file") from None
    if "\0" in content:
        raise ToolFailure(f"{path} is no text file")
    return content


def _list_tool(root: RootFolder, max_output_chars: int) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        path = bounded_text({"path": ".", **params}, "path", max_chars=MAX_PATH_CHARS)
        with _named(path), root.open(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor:
            return _listing(root, descriptor) or "the folder is empty"

    return Tool(
        name="list_dir",
        description="List the files in a folder.",
        parameters={**parameters(path=text('path of the folder; "." is the top one')), "required": []},
        run=run,
        annotations=READ_ONLY,
        labels=OPEN,
        max_output_chars=max_output_chars,
        examples=(
            Example(
                query="Show the files in the folder music",
                arguments={"path": "music"},
                result="song.txt 13 bytes",
                answer="The folder music holds: song.txt",
            ),
            Example(
                query="List the files here",
                arguments={"path": "."},
                result="song.txt 13 bytes",
                answer="There is one file: song.txt",
            ),
        ),
    )


def _listing(root: RootFolder, descriptor: int) -> str:
    with os.scandir(descriptor) as found:
        entries = sorted((entry for entry in found if root.shows(entry.name)), key=lambda entry: entry.name)
    lines = [_line(entry) for entry in entries[:_MAX_ENTRIES]]
    more = len(entries) - len(lines)
    return "\n".join([*lines, f"and {more} more"] if more else lines)


def _line(entry: os.DirEntry[str]) -> str:
    name = entry.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if entry.is_symlink():
        return f"{name} link"
    if entry.is_dir():
        return f"{name}/"
    return f"{name} {entry.stat(follow_symlinks=False).st_size} bytes"


def _write_tool(root: RootFolder, written: IdempotentLog) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        path = bounded_text(params, "path", max_chars=MAX_PATH_CHARS)
        content = bounded_text(params, "content", max_chars=_MAX_WRITE_CHARS).encode("utf-8", "replace")
        if call.key not in written:
            with _named(path), root.parent(path) as (folder, name):
                _replace(folder, name, content)
            written.append(call.key, path)
        return f"wrote {len(content)} bytes to {path}"

    return Tool(
        name="write_file",
        description="Write a text file; a file that is there is replaced.",
        parameters=parameters(path=PATH, content=text("the whole text of the file")),
        run=run,
        annotations=hints(destructive=True, idempotent=True),
        approval="ask",
        examples=(
            Example(
                query="Save the word apple in fruit.txt.",
                arguments={"path": "fruit.txt", "content": "apple"},
                result="wrote 5 bytes to fruit.txt",
                answer="I saved the word apple in fruit.txt.",
            ),
        ),
    )


def _replace(folder: int, name: str, content: bytes) -> None:
    """Replace a file atomically: readers see the old or the new content, also after a crash."""
    temporary = f".{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, _mode(folder, name), dir_fd=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)


def _mode(folder: int, name: str) -> int:
    """Return the permissions of the file to be replaced, or those of a new one."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return 0o666
    if not stat.S_ISREG(found.st_mode):
        raise ToolFailure(f"{name} is no file", "invalid_arguments")
    return stat.S_IMODE(found.st_mode)
