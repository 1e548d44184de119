"""What is wrong with the shape of a reply, as it is raised while the reply is read."""

from typing import Any, Final, TypeVar

from msgspec import Struct

Kind = TypeVar("Kind", dict[str, Any], list[Any], str)


class Flaw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Why what came is no chat completion. syntax: it is no JSON. retryable: asking again may help."""

    message: str
    retryable: bool = True
    syntax: bool = False


class NoCompletion(Exception):
    """Raised where a chunk has another shape; never leaves the functions that take a chunk."""

    def __init__(self, message: str, *, retryable: bool = True, syntax: bool = False) -> None:
        super().__init__(message)
        self.flaw = Flaw(message=message, retryable=retryable, syntax=syntax)


_EXPECTED: Final = {dict: "an object", list: "a list", str: "text"}


def expected(kind: type[Kind], value: object, what: str) -> Kind:
    """Return a value that is of the kind expected; raises NoCompletion."""
    if isinstance(value, kind):
        return value
    raise NoCompletion(f"{what} is {_kind(value)}; expected {_EXPECTED[kind]}")


def _kind(value: object) -> str:
    match value:
        case None:
            return "missing"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"
