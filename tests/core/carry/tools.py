"""A toolbox for tests of carry: nine tools, lean and full, with every kind of argument."""

from typing import Any

from purestep.carry import Router
from purestep.values import Example, ToolSpec
from purestep.values.toolspec import Annotations

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
READS = Annotations(readOnlyHint=True)


def parameters(optional: dict[str, Any] | None = None, /, **required: Any) -> dict[str, Any]:
    """Give an object schema; `optional` names those that need not be given."""
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


SPECS = {
    spec.name: spec
    for spec in (
        ToolSpec(
            name="calculator",
            description="Compute the value of an arithmetic expression.",
            parameters=parameters(expression=TEXT),
            annotations=READS,
            examples=(Example(query="What is 12 times 7?", arguments={"expression": "12 * 7"}),),
        ),
        ToolSpec(
            name="note_add",
            description="Save a note.",
            parameters=parameters({"priority": {"enum": ["low", "high"]}}, note=TEXT),
        ),
        ToolSpec(
            name="note_search",
            description="Find notes.",
            parameters=parameters({"limit": {"type": "integer"}}, query=TEXT),
            annotations=READS,
        ),
        ToolSpec(
            name="fetch_page",
            description="Fetch a web page.",
            parameters=parameters(url={"type": "string", "format": "uri"}),
            annotations=READS,
        ),
        ToolSpec(
            name="get_weather",
            description="Get the weather",
            parameters=parameters({"unit": {"enum": ["celsius", "fahrenheit"], "default": "celsius"}}, city=TEXT),
            annotations=READS,
        ),
        ToolSpec(
            name="order_status", description="Look up an order", parameters=parameters(order_id=TEXT), annotations=READS
        ),
        ToolSpec(
            name="send_payment",
            description="Pay money to somebody",
            parameters=parameters(recipient=TEXT, amount={"type": "number", "minimum": 1, "maximum": 1000}),
            annotations=Annotations(destructiveHint=True),
        ),
        ToolSpec(
            name="convert_currency",
            description="Convert money between currencies",
            parameters=parameters(
                amount=NUMBER, source={"enum": ["EUR", "USD", "GBP"]}, target={"enum": ["EUR", "USD", "GBP"]}
            ),
            annotations=READS,
        ),
        ToolSpec(
            name="move_file",
            description="Move a file",
            parameters=parameters({"overwrite": {"type": "boolean"}}, source_path=TEXT, destination_path=TEXT),
        ),
        ToolSpec(
            name="create_event",
            description="Create a calendar event",
            parameters=parameters(
                {"time": TEXT, "guest": {"type": "string", "format": "email"}}, title=TEXT, date=TEXT
            ),
        ),
        ToolSpec(
            name="days_between",
            description="Count the days between two dates",
            parameters=parameters(start=TEXT, end=TEXT),
            annotations=READS,
        ),
        ToolSpec(
            name="count_letter",
            description="Count how often a letter occurs in a text",
            parameters=parameters(text=TEXT, letter={"type": "string", "maxLength": 1}),
            annotations=READS,
        ),
        ToolSpec(
            name="tag_items",
            description="Put tags on items",
            parameters=parameters(tags={"type": "array", "items": TEXT}, ids={"type": "array", "items": NUMBER}),
        ),
        ToolSpec(
            name="search_files",
            description="Search for files",
            parameters=parameters(pattern=TEXT, folder=TEXT),
            annotations=READS,
        ),
        ToolSpec(
            name="set_alarm",
            description="Set an alarm",
            parameters=parameters({"label": {"anyOf": [TEXT, {"type": "null"}]}}, minutes={"type": "integer"}),
        ),
    )
}

ROUTER = Router(SPECS)
