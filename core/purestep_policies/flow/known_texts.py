"""What the policy keeps: the user's words, the beginnings of results, and the labels that were read."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from purestep.text import fold

from .bounds import MAX_RESULT_CHARS, MAX_RESULTS, MAX_RESULTS_CHARS, MAX_SAID_CHARS

DATA: Final = ""
"""The tool of what came along with a user message."""


class KnownResult(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The beginning of what a call gave, in small letters; without `call_id` it came along with a user message."""

    call_id: str
    tool: str
    text: str


class KnownTexts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What values may have come from, over the whole run, since the transcript stays; bounded, whatever its length.

    `said`: what the user has said, in small letters, the latest last. `results`: of the latest calls, the latest last.
    `read`: the labels of all that the model has read, sorted.
    """

    said: str = ""
    results: tuple[KnownResult, ...] = ()
    read: tuple[str, ...] = ()


def with_said(known: KnownTexts, said: str) -> KnownTexts:
    """Return what is known once the user has said something; of one very long message the beginning and the end."""
    text = fold(said)
    if len(text) > MAX_SAID_CHARS:
        half = MAX_SAID_CHARS // 2
        text = f"{text[: half - 1]}\n{text[-half:]}"
    return replace(known, said=f"{known.said}\n{text}"[-MAX_SAID_CHARS:] if known.said else text)


def with_read(known: KnownTexts, labels: tuple[str, ...]) -> KnownTexts:
    """Return what is known once something with these labels was read."""
    read = tuple(sorted({*known.read, *labels}))
    return known if read == known.read else replace(known, read=read)


def with_result(known: KnownTexts, call_id: str, tool: str, text: str) -> KnownTexts:
    """Return what is known once a result was read; the oldest results make room."""
    if not text:
        return known
    latest = KnownResult(call_id, tool, fold(text[:MAX_RESULT_CHARS]))
    kept: list[KnownResult] = []
    left = MAX_RESULTS_CHARS
    for result in (latest, *reversed(known.results)):
        left -= len(result.text)
        if left < 0 or len(kept) == MAX_RESULTS:
            break
        kept.append(result)
    return replace(known, results=tuple(reversed(kept)))
