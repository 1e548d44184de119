"""The suite: tasks, tools and the fixed world that the tools answer from, so that each run asks the same."""

from typing import Any, Final, NamedTuple

from purestep_tools.arithmetic import CalculatorError
from purestep_tools.calculator import calculate


class ExpectedCall(NamedTuple):
    """A call that a task takes: its arguments, or what it has to give where there are many ways to write them."""

    tool: str
    params: dict[str, str] | None = None
    output: int | None = None


class Task(NamedTuple):
    """What is asked, the calls that it takes in order, and what stands in the answer."""

    id: str
    query: str
    calls: tuple[ExpectedCall, ...] = ()
    answer: str = ""
    is_quick: bool = False


TASKS: Final = (
    Task("sum", "What is 17 plus 25?", (ExpectedCall("calculator", output=42),), answer="42", is_quick=True),
    Task("product", "How much is 36 times 12?", (ExpectedCall("calculator", output=432),), answer="432"),
    Task("brackets", "Compute (8 + 4) * 3", (ExpectedCall("calculator", output=36),), answer="36"),
    Task(
        "note",
        "Save the note buy green paint",
        (ExpectedCall("save_note", params={"text": "buy green paint"}),),
        is_quick=True,
    ),
    Task(
        "remember",
        "Write down that the meeting moved to Friday",
        (ExpectedCall("save_note", params={"text": "the meeting moved to Friday"}),),
    ),
    Task(
        "order",
        "Where is order 1042?",
        (ExpectedCall("lookup_order", params={"number": "1042"}),),
        answer="shipped",
        is_quick=True,
    ),
    Task(
        "status",
        "Can you tell me the status of order B-77?",
        (ExpectedCall("lookup_order", params={"number": "B-77"}),),
        answer="returned",
    ),
    Task(
        "page",
        "What does https://example.org/opening say?",
        (ExpectedCall("fetch_page", params={"url": "https://example.org/opening"}),),
        answer="nine",
    ),
    Task(
        "prices",
        "Open https://example.org/prices and tell me what is there",
        (ExpectedCall("fetch_page", params={"url": "https://example.org/prices"}),),
        answer="lemons",
    ),
    Task(
        "two",
        "Look up order 5531 and then save the note call the courier",
        (
            ExpectedCall("lookup_order", params={"number": "5531"}),
            ExpectedCall("save_note", params={"text": "call the courier"}),
        ),
    ),
    Task("greeting", "Good morning, how are you today?"),
    Task("thanks", "Thank you, that was all for today", is_quick=True),
)

TOOLS: Final[tuple[dict[str, Any], ...]] = (
    {
        "name": "calculator",
        "description": "Compute the value of an arithmetic expression.",
        "parameters": {
            "type": "object",
            "properties": {"expression": {"type": "string", "description": "for example (3 + 4) * 2"}},
            "required": ["expression"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
        "examples": [
            {
                "query": "What is 12 times 7?",
                "arguments": {"expression": "12 * 7"},
                "result": 84,
                "answer": "It is 84.",
            },
        ],
    },
    {
        "name": "save_note",
        "description": "Save a note: write a text down to remember it.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "the text of the note"}},
            "required": ["text"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": False},
        "examples": [
            {
                "query": "Save the note water the plants",
                "arguments": {"text": "water the plants"},
                "result": "saved",
                "answer": "The note is saved.",
            },
        ],
    },
    {
        "name": "lookup_order",
        "description": "Look up the status of an order: where it is and whether it has arrived.",
        "parameters": {
            "type": "object",
            "properties": {"number": {"type": "string", "description": "the order number"}},
            "required": ["number"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
        "examples": [
            {
                "query": "Where is order 8800?",
                "arguments": {"number": "8800"},
                "result": "packed",
                "answer": "Order 8800 is packed.",
            },
        ],
    },
    {
        "name": "fetch_page",
        "description": "Fetch a web page by its address and give its text.",
        "parameters": {
            "type": "object",
            "properties": {"url": {"type": "string", "format": "uri", "description": "the address of the page"}},
            "required": ["url"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
        "examples": [
            {
                "query": "What does https://example.net/about say?",
                "arguments": {"url": "https://example.net/about"},
                "result": "A small bakery.",
                "answer": "It says: A small bakery.",
            },
        ],
    },
)

WRITING_TOOL: Final = "save_note"
"""The tool that stands for all with an effect: a call of it that nobody asked for makes a task wrong."""

_ORDERS: Final = {"1042": "shipped on Monday", "B-77": "returned to the sender", "5531": "waiting for payment"}
_PAGES: Final = {
    "https://example.org/opening": "We are open from nine to five.",
    "https://example.org/prices": "Lemons cost 2 euros, plums 3 euros.",
}


def tasks_of(*, quick: bool) -> tuple[Task, ...]:
    """Return the tasks of the suite, or those of the quick one."""
    return tuple(task for task in TASKS if task.is_quick or not quick)


def tool_outcome(tool: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return what a tool of the suite returns; the core has validated the arguments."""
    try:
        return {"ok": True, "output": _output(tool, params)}
    except CalculatorError as error:
        return {"ok": False, "error": str(error), "error_kind": "invalid_arguments"}
    except LookupError:
        named = ", ".join(map(str, params.values()))
        return {"ok": False, "error": f"{tool} knows nothing of {named}", "error_kind": "execution"}


def _output(tool: str, params: dict[str, Any]) -> Any:
    match tool:
        case "calculator":
            return calculate(params["expression"])
        case "save_note":
            return "saved"
        case "lookup_order":
            return _ORDERS[params["number"].strip(" ").removeprefix("#")]
        case "fetch_page":
            return _PAGES[params["url"].rstrip("/")]
    raise LookupError(tool)
