"""The tool choice: whether tools may, must or must not be used in an exchange.

Source: OpenAI's `tool_choice`, held to a whole exchange instead of one model call.
"""

from typing import Literal

from msgspec import Struct

from .toolspec import ToolName


class OneTool(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """This tool has to be called first."""

    tool: ToolName


ToolChoice = Literal["auto", "required", "none"] | OneTool
"""`auto`: the model chooses; `required`: a tool before the answer; `none`: an answer without tools."""
