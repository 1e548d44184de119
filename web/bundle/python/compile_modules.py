"""Runs in Pyodide while the bundle is built: compiles modules, and says which ones a program loaded."""

import importlib._bootstrap_external as external
import sys
from types import CodeType

UNCHECKED_HASH = 0b01  # hash-based and never compared with a source, which is not there
NO_SOURCE = b"\0" * 8
FULL_ENTRY = b"\xef\x00"  # the next 8 code units are on the same line as those before; Objects/locations.md of CPython


def compiled(source: str, path: str, short_lines: bool) -> bytes:
    """Give the .pyc of a module's source: no docstrings and no asserts, as python -OO, and line tables as asked for."""
    code = compile(source, path, "exec", dont_inherit=True, optimize=2)
    return external._code_to_hash_pyc(_shortened(code) if short_lines else code, NO_SOURCE, checked=False)


def _shortened(code: CodeType) -> CodeType:
    """Say of every instruction that it stands on the line of its def; a table left empty would break tracebacks."""
    units = len(code.co_code) // 2
    table = FULL_ENTRY * (units // 8) + (bytes([0xE8 | (units % 8 - 1), 0]) if units % 8 else b"")
    consts = tuple(_shortened(const) if isinstance(const, CodeType) else const for const in code.co_consts)
    return code.replace(co_linetable=table, co_consts=consts)


def loaded_files(prefix: str) -> list[str]:
    """Give the files below a path that the modules loaded by now came from, sorted, relative to it."""
    files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    return sorted(file.removeprefix(prefix) for file in files if file.startswith(prefix))
