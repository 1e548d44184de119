"""Requests part by part, as a server's prompt cache has them: tools, the schema of the output, then the messages."""

from typing import NamedTuple

from msgspec import Struct

from ..values import Usage


class AuditedRequest(Struct, frozen=True, kw_only=True):
    """One request, beside the one before of its kind.

    `line`: the number of its line, in a log that of its output, from 1. `messages`: how many it had, `common` how many
    of those before it begins with. `tokens` and `common_tokens`: the same in estimated tokens, tools and schema
    included; `before_tokens`: those of the whole request before. `cause`: why it does not begin with all of that, ""
    where it does; `start` for the first. `prompt_tokens` and `cached_tokens`: as its server said. `billed_again`: of
    the tokens that both begin with, those that the server did not have, as far as it said.
    """

    line: int
    messages: int
    common: int
    tokens: int
    common_tokens: int
    before_tokens: int
    cause: str
    path: tuple[str, ...] = ()
    model: str = ""
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    billed_again: int | None = None


class SentParts(NamedTuple):
    """The parts of a request as they were sent, their estimated tokens, and what its server said of it."""

    parts: list[bytes]
    tokens: list[int]
    head: int
    """How many parts stand before the messages."""
    prompt_tokens: int | None
    at: int = 0
    """How many lines the log had then."""
    once: str = ""
    """Why it had other tools or another schema for this one time, or for a while."""


def common_parts(before: SentParts | None, sent: SentParts) -> int:
    """Return how many parts a request begins with that the one before begins with."""
    if before is None:
        return 0
    pairs = enumerate(zip(before.parts, sent.parts, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(before.parts), len(sent.parts)))


def compared(
    line: int, sent: SentParts, before: SentParts | None, common: int, cause: str, usage: Usage | None
) -> AuditedRequest:
    """Return a request beside the one before; common: how many parts both begin with."""
    cached = None if usage is None else usage.cached_tokens
    return AuditedRequest(
        line=line,
        messages=len(sent.parts) - sent.head,
        common=max(0, common - sent.head),
        tokens=sum(sent.tokens),
        common_tokens=sum(sent.tokens[:common]),
        before_tokens=0 if before is None else sum(before.tokens),
        cause=cause,
        prompt_tokens=sent.prompt_tokens,
        cached_tokens=cached,
        billed_again=_billed_again(before, sent, common, cached),
    )


def _billed_again(before: SentParts | None, sent: SentParts, common: int, cached: int | None) -> int | None:
    """Return how much of what was sent before its server did not have: of the whole, the share that stands in both.

    That is an estimate, and no more than what the server said that the request has.
    """
    if before is None or before.prompt_tokens is None or cached is None:
        return None
    whole = sum(before.tokens)
    shared = before.prompt_tokens * sum(before.tokens[:common]) // whole if whole else 0
    return max(0, (shared if sent.prompt_tokens is None else min(shared, sent.prompt_tokens)) - cached)
