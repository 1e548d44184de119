"""A case: what is asked, the tools with their results, and what makes a run right."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET

Order = Literal["given", "any"]
FurtherCalls = Literal["none", "read_only", "any"]


class CannedResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tool gives for arguments that match; without `arguments` for all. Either `output` or `error`."""

    arguments: dict[str, Any] | None = None
    output: Any = UNSET
    error: str | None = None


class WantedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call that a right run makes. `arguments`: matched by value, see `matching`; left out, any will do.

    As a list: several, any of which are right. `defaults`: whether an argument that is its parameter's default may be
    given or left out.
    """

    tool: str
    arguments: dict[str, Any] | list[dict[str, Any]] | None = None
    defaults: bool = True


class WantedAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a right answer is like; all that is given has to hold.

    `contains`: texts that stand in it, as whole words and numbers; a list inside is one of several. `lacks`: texts that
    do not. `pattern`: a regular expression of JSON Schema. `equal`: the text, or the data. `schema`: a JSON Schema of
    the data.
    """

    contains: str | list[str | list[str]] | None = None
    lacks: str | list[str] | None = None
    pattern: str | None = None
    equal: Any = UNSET
    schema: dict[str, Any] | None = None


class Rubric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a judge model is asked about the answer; `script` holds the judge's outputs where it is scripted."""

    rubric: str
    script: list[Any] | None = None


class EvalCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a suite.

    `query` or `turns`: what the user says, once or several times. `agent`: a definition, or the path of an agent file
    from the suite's folder. `tools`: names of built-in tools that compute, and specs with `results` or `compute`.
    `calls`: those that a right run makes; an empty list: none; left out: not judged. `further_calls`: which calls may
    be made besides. `checks`: as in a definition. `may_fail`: a run that ends without an answer
    is not wrong for that. `script`: the outputs of the model named `script`.
    """

    id: str
    query: str | None = None
    turns: list[str] | None = None
    agent: dict[str, Any] | str | None = None
    tools: list[str | dict[str, Any]] | None = None
    calls: list[WantedCall] | None = None
    order: Order = "given"
    further_calls: FurtherCalls = "read_only"
    answer: str | WantedAnswer | None = None
    checks: list[str | dict[str, Any]] | None = None
    judge: Rubric | None = None
    may_fail: bool = False
    script: list[Any] | None = None
    note: str | None = None

    def said(self) -> list[str]:
        """Return what the user says, one after the other."""
        return self.turns or [self.query or ""]

    def wanted_answer(self) -> WantedAnswer | None:
        """Return what the answer is held to; a text alone has to stand in it."""
        return WantedAnswer(contains=self.answer) if isinstance(self.answer, str) else self.answer
