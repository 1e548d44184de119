"""Patterns and decoders that are made when they are first used.

A pattern takes 0.1 ms to compile and a decoder of a union longer; a run uses few of the core's, and an import none.
So a module of the core makes its own here, and `tools/checks/core_rules.py` holds it to that.

What hands msgspec a type does it here, one thread at a time; see `tests/core/test_threads.py`.
"""

import re
from _thread import RLock
from collections.abc import Callable
from typing import Any, AnyStr, Final, TypeVar, cast, overload

import msgspec

Shape = TypeVar("Shape")

MAKING: Final = RLock()
"""Held by who has msgspec learn of a type. It keeps what it knows at the type, also while that is half of it: another
thread that met the type meanwhile would end the process."""


class _FirstUse:
    """Stands for what a function makes, and takes each member from it when that is first asked for."""

    def __init__(self, make: Callable[..., Any], *given: Any) -> None:
        self._make = make
        self._given = given
        self._made: Any = None

    def take(self, name: str) -> Any:
        """Return the member of that name, and keep it."""
        with MAKING:
            if self._made is None:
                self._made = self._make(*self._given)
        member = getattr(self._made, name)
        setattr(self, name, member)
        return member


class _Member:
    """A member of what is made. Python asks here only for what the instance does not keep yet.

    A class with `__getattr__` has none of the interpreter's quick ways to an attribute, also where nothing is lacking.
    """

    def __set_name__(self, owner: type[_FirstUse], name: str) -> None:
        self._name = name

    def __get__(self, stand_in: _FirstUse, owner: type[_FirstUse]) -> Any:
        return stand_in.take(self._name)


class _Pattern(_FirstUse):
    match, fullmatch, search, finditer, findall = _Member(), _Member(), _Member(), _Member(), _Member()
    sub, subn, split = _Member(), _Member(), _Member()
    pattern, flags, groups, groupindex = _Member(), _Member(), _Member(), _Member()


class _Decoder(_FirstUse):
    decode, decode_lines, type = _Member(), _Member(), _Member()


def lazy_pattern(source: AnyStr, flags: int = 0) -> "re.Pattern[AnyStr]":
    """Return a regular expression that is compiled when it is first used, with the members of a compiled one."""
    return cast("re.Pattern[AnyStr]", _Pattern(re.compile, source, flags))


@overload
def lazy_decoder(shape: type[Shape]) -> "msgspec.json.Decoder[Shape]": ...
@overload
def lazy_decoder(shape: Any) -> "msgspec.json.Decoder[Any]": ...
def lazy_decoder(shape: Any) -> "msgspec.json.Decoder[Any]":
    """Return a decoder of JSON that is made when it first decodes; shape: a struct, or a union of structs."""
    return cast("msgspec.json.Decoder[Any]", _Decoder(msgspec.json.Decoder, shape))


@overload
def decoder_of(shape: type[Shape]) -> "msgspec.json.Decoder[Shape]": ...
@overload
def decoder_of(shape: Any) -> "msgspec.json.Decoder[Any]": ...
def decoder_of(shape: Any) -> "msgspec.json.Decoder[Any]":
    """Return a decoder of JSON that is made now; shape: a type that msgspec knows. Raises TypeError for any other."""
    with MAKING:
        return msgspec.json.Decoder(shape)


def decode_as(data: bytes | str, shape: type[Shape]) -> Shape:
    """Return a JSON text as a value of a type that msgspec knows.

    Safe in any thread, unlike `msgspec.json.decode` while another thread meets the type for the first time. Raises
    msgspec.DecodeError, msgspec.ValidationError.
    """
    with MAKING:
        return msgspec.json.decode(data, type=shape)


@overload
def convert_to(value: object, shape: type[Shape]) -> Shape: ...
@overload
def convert_to(value: object, shape: Any) -> Any: ...
def convert_to(value: object, shape: Any) -> Any:
    """Return a JSON value as a value of a type that msgspec knows; safe in any thread, as `decode_as` is.

    Raises msgspec.ValidationError.
    """
    with MAKING:
        return msgspec.convert(value, shape)
