"""What JavaScript calls: the core's JSON functions and the tools' by name, with text as str or through two buffers.

Importing this module makes the extension module findable and imports the core's packages. It is outside of them
because it belongs to one host, the bundle for Pyodide.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ExtensionFileLoader, ModuleSpec

_SITE = "/lib/python3.14/site-packages"
# The package lies in the zip, where no extension can; web/src/core/side_modules.ts names the same path.
_EXTENSIONS = {"msgspec._core": f"{_SITE}/msgspec/_core.cpython-314-wasm32-emscripten.so"}
# Here the portable validator judges alone: its verdicts are the same, and the native one would be a sixth of a visit.
_LEFT_OUT = "purestep.schema.native"
_FIRST_SIZE = 1 << 16  # one allocation serves nearly all calls
_SPARE = 1 << 20  # bytes: a longer text makes a buffer of twice its length, but keeps no more than this for the next
_LONG_OUTPUT = 4096  # characters; a shorter str is faster for JavaScript to take than bytes to decode


class _ExtensionFinder:
    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        place = _EXTENSIONS.get(name)
        return place and ModuleSpec(name, ExtensionFileLoader(name, place), origin=place)


sys.meta_path.append(_ExtensionFinder)
sys.modules[_LEFT_OUT] = None  # type: ignore[assignment] # an import ends here, and looks into no archive

import purestep  # noqa: E402 - the finder must be there first
from purestep.api.foreign_dialects import register_foreign_dialect  # noqa: E402 - as above
from purestep.policy import BUILT_IN  # noqa: E402
from purestep_tools.json_functions import JSON_FUNCTIONS as TOOL_FUNCTIONS  # noqa: E402 - as above

for _module in BUILT_IN.values():
    import_module(_module)  # a definition may name it: later, an import would need the archive
for _name in purestep.__all__:
    getattr(purestep, _name)  # what `purestep` imports when a name is asked for is loaded with it here, as above

_input = bytearray(_FIRST_SIZE)
_output = bytearray(_FIRST_SIZE)


def input_of(size: int) -> bytearray | None:
    """Give the buffer that arguments are written into, with room for that many bytes; None if memory has none."""
    global _input  # noqa: PLW0603 - JavaScript holds a view of it between calls
    if len(_input) < size:
        try:
            _input = bytearray(size + min(size, _SPARE))
        except (MemoryError, OverflowError):
            return None
    return _input


def output_of(size: int) -> bytearray:
    """Give the buffer that results are left in, with room for that many bytes."""
    global _output  # noqa: PLW0603 - as above
    if len(_output) < size:
        _output = bytearray(size + min(size, _SPARE))
    return _output


def reset() -> None:
    """Take new buffers, so that the old ones keep no text of earlier calls."""
    global _input, _output  # noqa: PLW0603 - as above
    _input = bytearray(_FIRST_SIZE)
    _output = bytearray(_FIRST_SIZE)


def callable(name: str) -> Callable[..., str | int]:
    """Give the JSON function of that name, which gives text, or the length of what it left in the output buffer."""
    function = _function(name)

    def call(*texts: str | None) -> str | int:
        try:
            if function is None:
                return _error("unknown_function", f"the core has no JSON function named {name}")
            return _result(function(*texts))
        except MemoryError:
            return no_room()
        except BaseException as error:
            # An exception that crosses is slow, and Node prints the whole script with it.
            return _error(
                "internal_error", f"this is a defect in purestep ({type(error).__name__}); please report the input"
            )

    return call


def register(source: str, call: Callable[[str, str], str]) -> str:
    """Register a dialect whose functions are JavaScript's."""
    return register_foreign_dialect(source, call)


def _function(name: str) -> Callable[..., str] | None:
    return TOOL_FUNCTIONS.get(name) or (getattr(purestep, name, None) if name in purestep.__all__ else None)


def call_long(name: str, *lengths: int) -> str | int:
    """Call the JSON function with the texts that lie in the input buffer one after the other; -1 stands for None."""
    try:
        texts = _texts(lengths)
    except MemoryError:
        return no_room()
    return callable(name)(*texts)


def no_room() -> str:
    """Give the answer to texts that the memory of this host cannot hold."""
    return _error("input_too_large", "expected an input that the memory of this host has room for; send less at a time")


def _texts(lengths: tuple[int, ...]) -> list[str | None]:
    texts = []
    at = 0
    for length in lengths:
        texts.append(None if length < 0 else _input[at : at + length].decode())
        at += max(length, 0)
    return texts


def _result(text: str) -> str | int:
    if len(text) < _LONG_OUTPUT:
        return text
    data = text.encode()
    output_of(len(data))[: len(data)] = data
    return len(data)


def _error(code: str, message: str) -> str:
    return f'{{"error":{{"code":"{code}","message":"{message}","path":""}}}}'
