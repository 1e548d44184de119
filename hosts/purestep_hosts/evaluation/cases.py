"""A case: what is asked, the tools with their results, and what makes a run right."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta

from purestep_hosts.evaluation.json_patch import PatchOperation

Order = Literal["given", "any"]
FurtherCalls = Literal["none", "read_only", "any"]

MAX_USER_TURNS: Final = 100
"""What a simulated user says in one case at most; a person gives up long before."""
Turns = Annotated[int, Meta(ge=1, le=MAX_USER_TURNS)]


class CannedResult(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tool gives for arguments that match; without `arguments` for all. Either `output` or `error`.

    `patch`: what becomes of the state then; where it cannot be made, the result is not given. Values of both may name
    arguments and places of the state, see `case_state`.
    """

    arguments: dict[str, Any] | None = None
    patch: list[PatchOperation] | None = None
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


class UserReply(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a user says to an answer that is as `when` says, without it to any; at most `times` in a case."""

    say: str
    when: str | WantedAnswer | None = None
    times: Turns = 1

    def wanted(self) -> WantedAnswer | None:
        """Return what the answer has to be like; a text alone has to stand in it."""
        return WantedAnswer(contains=self.when) if isinstance(self.when, str) else self.when


class GoalUser(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user whom a model plays that is told a goal, until it says that it is done, for `max_turns` at most.

    `model`: its name; left out, the one of `--user`. `script`: its outputs where that is the model named `script`.
    """

    goal: str
    model: str | None = None
    max_turns: Turns = 10
    script: list[Any] | None = None


class EvalCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of a suite.

    `query` or `turns`: what the user says, once or several times; `user`: what is said after that, to what the agent
    answered: replies, of which the first that fits is said, or a model with a goal. `agent`: a definition, or the path
    of an agent file from the suite's folder. `tools`: names of built-in tools that compute, and specs with `results` or
    `compute`. `calls`: those that a right run makes; an empty list: none; left out: not judged. `further_calls`: which
    calls may be made besides. `state`: what the tools read and change, or the path of a JSON file of it. `end_state`:
    what has to come of it, as a value or as a patch of `state`. `checks`: as in a definition. `may_fail`: a run that
    ends without an answer is not wrong for that. `script`: the outputs of the model named `script`.
    """

    id: str
    query: str | None = None
    turns: list[str] | None = None
    user: list[str | UserReply] | GoalUser | None = None
    agent: dict[str, Any] | str | None = None
    tools: list[str | dict[str, Any]] | None = None
    calls: list[WantedCall] | None = None
    order: Order = "given"
    further_calls: FurtherCalls = "read_only"
    state: dict[str, Any] | str | None = None
    end_state: dict[str, Any] | list[PatchOperation] | None = None
    answer: str | WantedAnswer | None = None
    checks: list[str | dict[str, Any]] | None = None
    judge: Rubric | None = None
    may_fail: bool = False
    script: list[Any] | None = None
    note: str | None = None

    def said(self) -> list[str]:
        """Return what the user says, one after the other; nothing where a simulated one begins."""
        return self.turns or ([] if self.query is None else [self.query])

    def wanted_answer(self) -> WantedAnswer | None:
        """Return what the answer is held to; a text alone has to stand in it."""
        return WantedAnswer(contains=self.answer) if isinstance(self.answer, str) else self.answer
