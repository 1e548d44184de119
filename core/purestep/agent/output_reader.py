"""The built-in tool `read_output`: the rest of an output that was too long to be shown whole, a part at a time.

It is offered where the definition allows it, once an output was cut, and is answered from the log: no tool is run.
"""

from typing import Any, Final

from ..bounds import DEFAULT_MAX_OUTPUT_CHARS
from ..policy import DefinitionOptions
from ..schema import compile_schema
from ..values import AgentDefinition, Annotations, ToolSpec
from .tools import CompiledTool

READ_OUTPUT: Final = "read_output"

_PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "call_id": {"type": "string", "description": "the id in the notice at the end of the output"},
        "from": {"type": "integer", "minimum": 0, "description": "the first character to read"},
    },
    "required": ["call_id", "from"],
    "additionalProperties": False,
}


def output_reader(definition: AgentDefinition, options: DefinitionOptions) -> CompiledTool | None:
    """Return the tool where the definition asks for it; a tool of the user's with its name takes its place."""
    if not options.reads_on or any(tool.name == READ_OUTPUT for tool in definition.tools):
        return None
    spec = ToolSpec(
        name=READ_OUTPUT,
        description="Read on in an output that was cut.",
        parameters=_PARAMETERS,
        annotations=Annotations(readOnlyHint=True, idempotentHint=True),
    )
    return CompiledTool(
        spec=spec,
        parameters=compile_schema(_PARAMETERS),
        output=None,
        approval="auto",
        max_output_chars=DEFAULT_MAX_OUTPUT_CHARS,
    )
