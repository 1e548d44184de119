"""Dialects whose functions are written in another language: each takes and gives JSON text.

A host that embeds the core, such as the npm package, registers one with `register_foreign_dialect` and a function that
calls its members by name. What comes back is read strictly: a member that fails, or gives something else than its form,
is the error `dialect_failed`, and the step was not made.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from ..bounds import MAX_DIALECT_NAME_CHARS, MAX_MARKER_PAIRS
from ..dialects import Dialect, Sample, register_dialect
from ..errors import PurestepError
from ..json_text import clean_text, decode_json, encode, to_bytes, utf8
from ..lazy import lazy_decoder
from ..values import Problem, ReadCall, Reading, Tools, converted
from .error_data import guarded

ForeignCall = Callable[[str, str], object]
"""A member's name and its arguments as JSON, to `{"value"}` or `{"error"}` with words; anything else is an error."""

_Marker = Annotated[str, Meta(min_length=1)]


class ForeignDialect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The data of a dialect, and which of the functions that need not be there are."""

    name: Annotated[str, Meta(min_length=1, max_length=MAX_DIALECT_NAME_CHARS)]
    remind: str
    hidden: Annotated[tuple[tuple[_Marker, _Marker], ...], Meta(max_length=MAX_MARKER_PAIRS)] = ()
    functions: tuple[str, ...] = ()


class ForeignReading(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `read` gives: an answer's text or calls, with what was not read as written."""

    content: str | None = None
    calls: tuple[ReadCall, ...] = ()
    problems: tuple[Problem, ...] = ()


class Shown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `format` gives: what it holds back, and the text that may be shown."""

    held: str
    text: str


class _Answer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    value: Any = None
    error: str | None = None


_ANSWER_DECODER: Final = lazy_decoder(_Answer)
Form = TypeVar("Form")


def register_foreign_dialect(source: str, call: ForeignCall) -> str:
    """Register a dialect; source: its data as JSON. Returns `{"name"}`, or `{"error"}` as every JSON function does."""
    return guarded(_registered, source, call)


def _registered(source: str, call: ForeignCall) -> bytes:
    dialect: ForeignDialect = converted(ForeignDialect, decode_json(to_bytes(source)), "invalid_input")
    register_dialect(_dialect(dialect, call))
    return encode({"name": dialect.name})


def _dialect(foreign: ForeignDialect, call: ForeignCall) -> Dialect:
    def asked(member: str, form: type[Form] | Any, **arguments: Any) -> Any:
        return _asked(foreign.name, call, member, form, arguments)

    def read(text: str, tools: Tools | None) -> Reading:
        found = asked("read", ForeignReading, text=clean_text(text), tools=_listed(tools))
        return Reading(content=found.content, calls=found.calls, problems=found.problems)

    def instruct(tools: Tools) -> str:
        return str(asked("instruct", str, tools=_listed(tools)))

    def write(sample: Sample) -> str:
        return str(asked("write", str, calls=sample.calls, answer=sample.answer))

    def constrain(tools: Tools, answer: Any) -> dict[str, Any] | None:
        schema: dict[str, Any] | None = asked(
            "constrain", dict[str, Any] | None, tools=_listed(tools), answer_schema=answer
        )
        return schema

    def format_text(held: str, chunk: str, is_over: bool) -> tuple[str, str]:
        shown = asked("format", Shown, held=held, chunk=clean_text(chunk), over=is_over)
        return shown.held, shown.text

    named = foreign.functions
    optional: dict[str, Any] = {"constrain": constrain} if "constrain" in named else {}
    return Dialect(
        name=foreign.name,
        read=read,
        instruct=instruct,
        write=write,
        remind=foreign.remind,
        hidden=foreign.hidden,
        formatter=format_text if "format" in named else None,
        **optional,
    )


def _listed(tools: Tools | None) -> Any:
    return None if tools is None else list(tools.values())


def _asked(name: str, call: ForeignCall, member: str, form: Any, arguments: dict[str, Any]) -> Any:
    """Return what a member gives, of its form. Error codes: `dialect_failed`."""
    text = call(member, encode(arguments).decode())
    try:
        answer: _Answer = _ANSWER_DECODER.decode(encode(decode_json(utf8(text))) if isinstance(text, str) else b"")
    except (msgspec.MsgspecError, PurestepError):
        raise _failed(name, member, "gave no JSON") from None
    if answer.error is not None:
        raise _failed(name, member, f"failed: {answer.error}")
    try:
        return converted(form, answer.value, "dialect_failed")
    except PurestepError as error:
        raise _failed(name, member, f"gave something else than its form: {error.path} {error.message}") from None


def _failed(name: str, member: str, why: str) -> PurestepError:
    return PurestepError("dialect_failed", f"the dialect {name} could not be used: {member} {why}")
