"""The core's functions as tools: each computes its answer from its arguments alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

import purestep


class ReadArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A model's output as text."""

    text: Annotated[str, Meta(description="What the model wrote, raw.")]
    tools: Annotated[
        list[Any] | None,
        Meta(description="The tools it was offered, in OpenAI's or MCP's shape; null: any name."),
    ] = None
    dialect: Annotated[str, Meta(description="How it writes calls; auto recognises the known families.")] = "auto"


class CheckArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value and the schema that it should fit."""

    schema: Annotated[dict[str, Any] | bool, Meta(description="A JSON Schema, draft 2020-12.")]
    value: Annotated[Any, Meta(description="The JSON value to check.")]


class VerifyArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A log, and the hash that it should end with."""

    log: Annotated[str, Meta(description="The text of a purestep log, JSON lines.")]
    head: Annotated[str | None, Meta(description="The last hash of the log, from a copy kept elsewhere.")] = None


class ReplayArguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A log."""

    log: Annotated[str, Meta(description="The text of a purestep log, JSON lines.")]


class CoreFunction(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that calls a JSON function of the core; `call` takes the arguments that were read."""

    name: str
    description: str
    takes: type
    call: Callable[[Any], str]


def _read(given: ReadArguments) -> str:
    return purestep.read_model_output(msgspec.json.encode(given))


def _check(given: CheckArguments) -> str:
    return purestep.check_value(msgspec.json.encode(given))


def _verify(given: VerifyArguments) -> str:
    return purestep.verify_log(given.log, given.head)


def _replay(given: ReplayArguments) -> str:
    return purestep.replay_log(given.log)


CORE_FUNCTIONS: Final = (
    CoreFunction(
        name="read_model_output",
        description="Read tool calls, reasoning and visible text out of what a language model wrote, in any of the "
        "known dialects, and name what was wrong with it.",
        takes=ReadArguments,
        call=_read,
    ),
    CoreFunction(
        name="check_value",
        description="Check a JSON value against a JSON Schema; gives every fault with its path.",
        takes=CheckArguments,
        call=_check,
    ),
    CoreFunction(
        name="verify_log",
        description="Derive a purestep log again and compare the bytes; names the first line that differs.",
        takes=VerifyArguments,
        call=_verify,
    ),
    CoreFunction(
        name="replay_log",
        description="Replay a purestep log into the run's state, its current decision and its messages.",
        takes=ReplayArguments,
        call=_replay,
    ),
)
