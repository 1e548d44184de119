"""The names under which a server is given tools whose own names it would not take.

Servers take letters a to z, digits, `_` and `-`, the first a letter or `_`, in a bounded number, and refuse the whole
request for another name. What they cannot take is replaced, and a digest of the name keeps it apart from all others.
Sources: OpenAI API reference, `tools[].function.name`; Gemini API, `FunctionDeclaration.name`.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from ..dialects import strict_arguments
from ..errors import PurestepError
from ..json_text import encode, plain_numbers, read_json
from ..lazy import lazy_pattern
from ..values import NativeFunction
from .corrections import shown

_TAKEN: Final = lazy_pattern(r"[a-zA-Z_][a-zA-Z0-9_-]*")
_OTHERS: Final = lazy_pattern(r"[^a-zA-Z0-9_-]")
_DIGEST_CHARS: Final = 8


def sent_names(names: Iterable[str], most: int) -> dict[str, str]:
    """Return other names, of at most so many characters, for those that a server would not take.

    Error codes: `invalid_agent`, for a tool that has the name of another one.
    """
    own = tuple(names)
    others = {name: _sent(name, most) for name in own if not _fits(name, most)}
    taken = {*own}
    for name, sent in others.items():
        if sent in taken:
            raise PurestepError(
                "invalid_agent", f'"{shown(name)}" is sent to the server as "{sent}", which another tool is named'
            )
        taken.add(sent)
    return others


def sent_function(function: NativeFunction, most: int) -> NativeFunction:
    """Return a call as any server takes it back in a history: a name that fits, an object as arguments.

    most: of the characters of a name. What the model wrote stands in the log, and in the words of the correction.
    """
    name, arguments = function.name, function.arguments
    fits = _fits(name, most)
    if not isinstance(arguments, str) or not isinstance(read_json(arguments), dict):
        arguments = encode(strict_arguments(plain_numbers(arguments)) or {}).decode()
    elif fits:
        return function
    return NativeFunction(name=name if fits else _sent(name, most), arguments=arguments)


def names_by_sent(names: Iterable[str], most: int) -> dict[str, str]:
    """Return the names by what a server is given in their place, for those that it would not take."""
    return {_sent(name, most): name for name in names if not _fits(name, most)}


def _fits(name: str, most: int) -> bool:
    return len(name) <= most and _TAKEN.fullmatch(name) is not None


def _sent(name: str, most: int) -> str:
    digest = sha256(name.encode()).hexdigest()[:_DIGEST_CHARS]
    kept = _OTHERS.sub("_", name)
    begin = kept if _TAKEN.fullmatch(kept) else f"_{kept}"
    return f"{begin[: most - _DIGEST_CHARS - 1]}_{digest}"
