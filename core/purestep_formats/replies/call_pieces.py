"""The calls of a reply put together from their pieces, which servers number, name and identify in many ways.

A piece without a name continues a call, whatever id it has: some servers give each piece a new one. A piece with a name
begins a call, or continues one whose name comes in pieces; where the call before is whole, or another id comes, it
begins one, even under the same index. What is not certain leaves a call that cannot be read, and is never run.
"""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from purestep.errors import PurestepError
from purestep.json_text import clean_text, decode_json, encode, to_bytes
from purestep.values import Count

from ..bounds import MAX_CALL_NAME_CHARS, MAX_REPLY_CALLS
from .flaws import NoCompletion, expected
from .growing import NO_TEXT, GrowingText, grown, whole
from .provider_parts import WHOLE


class CallSoFar(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One call while its pieces come. index: its place; number: that of the server; choice: the one that it is of."""

    index: Count
    number: Count | None = None
    choice: Count = 0
    id: str = ""
    name: str = ""
    arguments: GrowingText = NO_TEXT
    extra: Any = None
    is_open: bool = False
    """It is one only once arguments come: so far there is the name of the whole call before it, again."""


class _Piece(Struct, frozen=True, kw_only=True):
    """What one entry of a message's calls says."""

    number: int | None
    id: str
    name: str
    arguments: str
    extra: Any


_LOOKED_AT: Final = 20_000
"""Characters of arguments that are read to see whether they are whole: longer ones are not parted by that."""


def with_calls(
    calls: tuple[CallSoFar, ...], entries: list[Any], choice: int, *, is_whole: bool
) -> tuple[tuple[CallSoFar, ...], int]:
    """Return the calls with a message's pieces, and the characters that were added.

    is_whole: the message is not a part of a stream, so that each entry is a call. Raises NoCompletion.
    """
    size = 0
    for position, entry in enumerate(entries):
        piece = _piece(expected(dict, entry, "a tool call"))
        own = sorted([call for call in calls if call.choice == choice], key=lambda call: call.index)
        before = None if is_whole else _continued(own, piece, position, len(entries))
        if before is None:
            repeats = bool(own) and not piece.arguments and piece.name == own[-1].name
            is_open = repeats and piece.number is None and not piece.id and not is_whole
            before = CallSoFar(index=len(calls), number=piece.number, choice=choice, is_open=is_open)
        if before.index >= MAX_REPLY_CALLS:
            raise NoCompletion(f"the reply holds more than {MAX_REPLY_CALLS} tool calls", retryable=False)
        call, added = _with_piece(before, piece)
        calls, size = (*[each for each in calls if each.index != call.index], call), size + added
    return calls, size


def calls_in_order(calls: tuple[CallSoFar, ...]) -> list[CallSoFar]:
    """Return the calls of the first choice that has any, as its server has numbered them."""
    first = min([call.choice for call in calls], default=0)
    own = [call for call in calls if call.choice == first and not (call.is_open and not call.arguments.parts)]
    return sorted(own, key=lambda call: (call.index if call.number is None else call.number, call.index))


def _piece(entry: dict[str, Any]) -> _Piece:
    number, call_id = entry.get("index"), entry.get("id")
    if number is not None and (type(number) is not int or not 0 <= number < MAX_REPLY_CALLS):
        raise NoCompletion(f"a tool call has an index that is no number from 0 to {MAX_REPLY_CALLS - 1}")
    function = expected(dict, entry.get("function") or {}, "a tool call's function")
    arguments = function.get("arguments") or ""
    return _Piece(
        number=number,
        id=str(call_id) if isinstance(call_id, int) else clean_text(expected(str, call_id or "", "a tool call's id")),
        name=clean_text(expected(str, function.get("name") or "", "a function's name")),
        # Some servers send the object itself.
        arguments=encode(arguments).decode() if isinstance(arguments, dict) else expected(str, arguments, "arguments"),
        extra=entry.get(WHOLE),
    )


def _continued(own: list[CallSoFar], piece: _Piece, position: int, entries: int) -> CallSoFar | None:
    """Return the call that a piece continues; None where it begins one. own: the calls of its choice."""
    if piece.number is not None:
        numbered = [call for call in own if call.number == piece.number]
        known = next((call for call in numbered if piece.id and call.id == piece.id), None)
        last = known or (numbered[-1] if numbered else None)
    elif piece.id and (of_id := [call for call in own if call.id == piece.id]):
        last = of_id[-1]
    elif entries > 1:  # each entry of a message is of a call of its own
        last = own[position] if position < len(own) else None
    else:
        last = own[-1] if own else None
    return last if last is not None and (not piece.name or _is_same(last, piece)) else None


def _is_same(call: CallSoFar, piece: _Piece) -> bool:
    """Whether a piece with a name continues a call: it has no other id, and the call is not whole before it."""
    if piece.id and call.id and piece.id != call.id:
        return False
    if not call.arguments.parts:
        return True
    if piece.name == call.name and not piece.arguments and (piece.number is not None or piece.id):
        return True  # some servers repeat the name in each piece
    return piece.name == call.name and not _is_whole(call.arguments)


def _is_whole(arguments: GrowingText) -> bool:
    if sum(map(len, arguments.parts)) > _LOOKED_AT:
        return False
    text = whole(arguments)
    if not text.rstrip().endswith("}"):  # ascii: blanks of JSON
        return False
    try:
        return isinstance(decode_json(to_bytes(text)), dict)
    except PurestepError:
        return False


def _with_piece(before: CallSoFar, piece: _Piece) -> tuple[CallSoFar, int]:
    arguments, added = grown(before.arguments, piece.arguments)
    more = "" if piece.name == before.name or len(before.name) > MAX_CALL_NAME_CHARS else piece.name
    call = replace(
        before,
        id=before.id or piece.id,
        name=before.name + more,
        arguments=arguments,
        extra=piece.extra or before.extra,
    )
    return call, len(added) + len(more)
