"""The folder of an evaluation: `results.jsonl`, a line for each run that has ended, and the logs of the runs.

    latest.json               the keys of the last evaluation's runs; the folder may have results of earlier suites too
    results.jsonl             results, in the order in which runs ended; the last of a key counts
    logs/ab/abcd….jsonl       the log of a run, by its key; written before its result
    logs/ab/abcd….judge.jsonl the log of the judge model, where one was asked; `.user`: that of the user's
    logs/ab/abcd….state.json  what became of the state, where the case has one

A kill leaves at most a torn last line, which is cut off, and a log without a result, which is written again.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final

import msgspec

from purestep import decode_as, decoder_of
from purestep_hosts import durable_files
from purestep_hosts.regular_files import open_regular

RESULTS: Final = "results.jsonl"
LATEST: Final = "latest.json"
_MAX_LINE_BYTES: Final = 1024 * 1024
"""A result is a few hundred bytes; what is longer was not written here."""
STATE_KIND: Final = ".state"
KINDS: Final = (".judge", ".user", STATE_KIND)
"""Of the files that are kept beside the log of a run, where there are such."""
AGAIN: Final = frozenset({"model_error"})
"""Causes that say nothing of the model's work: the next start makes such runs again."""
_NOT_JUDGED: Final = AGAIN | {"judge_failed", "user_failed"}
"""Causes that leave open whether the answer was right."""


class EvalError(Exception):
    """An evaluation's folder cannot be used; `message` says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class RunRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one run. `cost` is in millionths of the unit of the model's price, null where it is not known; `ms`
    is the time it took.

    `cause` is empty where the run was right; `reason` is the judge's, where one was asked. `asks`: the answer asks the
    user for something.
    """

    key: str
    case: str
    model: str
    dialect: str | None = None
    carry: str | None = None
    repeat: int = 1
    right: bool = False
    cause: str = ""
    detail: str = ""
    reason: str = ""
    answer: str = ""
    asks: bool = False
    calls: tuple[str, ...] = ()
    model_calls: int = 0
    tool_calls: int = 0
    decided: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: int | None = 0
    ms: int = 0
    head: str = ""

    @property
    def is_silent(self) -> bool:
        """Whether the run was wrong in silence: it gave an answer as if all was right, and that was judged wrong."""
        has_answer = bool(self.answer.strip()) and not self.asks
        return not self.right and has_answer and self.cause not in _NOT_JUDGED

    def log(self) -> str:
        """Return the place of the log in the folder."""
        return log_place(self.key)


def log_place(key: str, kind: str = "") -> str:
    """Return where the log of a key is kept, from the folder."""
    return f"logs/{key[:2]}/{key}{kind}.json{'' if kind == STATE_KIND else 'l'}"


_DECODE: Final = decoder_of(RunRecord).decode


class EvalStore:
    """The results and logs in a folder; only one process writes them at a time."""

    def __init__(self, folder: Path, *, writes: bool = True) -> None:
        """Open the folder, which is made where it is missing and the process writes; raises EvalError."""
        self.folder = folder
        self.path = folder / RESULTS
        self._index: dict[bytes, int] = {}
        self._again: set[bytes] = set()
        if not writes and not self.path.is_file():
            raise EvalError("eval_not_found", f"{folder} has no {RESULTS}; expected the folder of an evaluation")
        try:
            if writes:
                folder.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND if writes else os.O_RDONLY
            self._file = os.open(self.path, flags | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise EvalError("eval_not_writable", f"{self.path} cannot be opened ({error.strerror}).") from None
        if writes:
            self._lock()
        self._read(writes=writes)

    def __enter__(self) -> EvalStore:
        """Hold the folder until the end of the block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let the folder go."""
        os.close(self._file)

    def __len__(self) -> int:
        """Return how many runs have a result."""
        return len(self._index)

    def has(self, key: str) -> bool:
        """Whether a run has ended and needs not be made again."""
        short = _short(key)
        return short in self._index and short not in self._again and (self.folder / log_place(key)).exists()

    def record(self, key: str) -> RunRecord | None:
        """Return the result of a run, None where it has none."""
        at = self._index.get(_short(key))
        return None if at is None else self._at(at)

    def begin(self, keys: Iterable[bytes]) -> None:
        """Keep which runs the folder is about from now on; raises EvalError."""
        try:
            durable_files.replace(self.folder / LATEST, msgspec.json.encode([key.hex() for key in keys]))
        except OSError as error:
            text = f"{self.folder} cannot be written ({error.strerror}); give another --out"
            raise EvalError("eval_not_writable", text) from None

    def latest(self) -> Iterator[RunRecord]:
        """Yield the results of the last evaluation's runs, in its order; raises EvalError."""
        try:
            keys = decode_as((self.folder / LATEST).read_bytes(), list[str])
            found = (self.record(key) for key in keys)
            yield from (record for record in found if record is not None)
        except (OSError, msgspec.MsgspecError, ValueError):
            text = f"{self.folder / LATEST} cannot be read; start the evaluation again, which makes no run twice"
            raise EvalError("eval_damaged", text) from None

    def add(self, record: RunRecord, logs: Mapping[str, str]) -> None:
        """Keep a result and its logs by kind, "" for its own; raises EvalError where they cannot be written."""
        try:
            for kind, text in logs.items():
                if text:
                    place = self.folder / log_place(record.key, kind)
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.write_text(text, "utf-8")
            at = os.lseek(self._file, 0, os.SEEK_END)
            durable_files.write_all(self._file, msgspec.json.encode(record) + b"\n")
        except OSError as error:
            text = f"{self.folder} cannot be written ({error.strerror}); the same command goes on once it can"
            raise EvalError("eval_not_writable", text) from None
        self._note(record, at)

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            text = f"another process evaluates into {self.folder}; wait for it, or give another --out"
            raise EvalError("eval_locked", text) from None

    def _read(self, *, writes: bool) -> None:
        at = 0
        with open_regular(self.path) as file:
            for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE_BYTES), b""), 1):
                if not line.endswith(b"\n"):
                    break
                self._note(self._decoded(line, number), at)
                at += len(line)
        if writes and at < os.fstat(self._file).st_size:
            os.ftruncate(self._file, at)

    def _decoded(self, line: bytes, number: int) -> RunRecord:
        try:
            record = _DECODE(line)
            _short(record.key)
        except (msgspec.MsgspecError, ValueError):
            text = f"{self.path}, line {number} is no result; remove the line, and its run is made again"
            raise EvalError("eval_damaged", text) from None
        return record

    def _note(self, record: RunRecord, at: int) -> None:
        short = _short(record.key)
        self._index[short] = at
        if record.cause in AGAIN:
            self._again.add(short)
        else:
            self._again.discard(short)

    def _at(self, offset: int) -> RunRecord:
        line = b""
        while not line.endswith(b"\n"):
            part = os.pread(self._file, 4096, offset + len(line))
            if not part:
                raise EvalError("eval_damaged", f"{self.path} was cut while it was read; start again")
            line += part.partition(b"\n")[0] + (b"\n" if b"\n" in part else b"")
        return _DECODE(line)


def _short(key: str) -> bytes:
    """Return half of a key's bytes, which is enough to tell a million runs apart; raises ValueError for no key."""
    return bytes.fromhex(key)[:16]
