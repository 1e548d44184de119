"""Skills in definitions and states: which ones an agent has, and how far the execution of one is."""

from typing import Annotated

from msgspec import Meta, Struct

from ..bounds import MAX_MODEL_RETRIES, MAX_REFUSED_CHARS, MAX_RETRY_AFTER_MS, MAX_SKILL_DESCRIPTION_CHARS
from .toolspec import ToolName


class SkillEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A skill of a definition: a built-in one by its name alone, else a written one, which has a description.

    The body of a written skill stays with the host; the model reads it with the tool `read_skill`.
    """

    name: ToolName
    description: Annotated[str, Meta(max_length=MAX_SKILL_DESCRIPTION_CHARS)] = ""


class SkillFault(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an input or an output was refused, in a sentence."""

    kind: str
    message: str


class SkillProgress(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """How far the skill is that a run executes: the first of its pending calls that waits for that.

    `outputs`: model outputs that were read. `errors`: model errors in a row. `fault`: what is corrected. `refused`:
    the output that is corrected.
    """

    outputs: Annotated[int, Meta(ge=0, le=1)] = 0
    errors: Annotated[int, Meta(ge=0, le=MAX_MODEL_RETRIES)] = 0
    wait_ms: Annotated[int, Meta(ge=0, le=MAX_RETRY_AFTER_MS)] = 0
    fault: SkillFault | None = None
    refused: Annotated[str, Meta(max_length=MAX_REFUSED_CHARS)] = ""
