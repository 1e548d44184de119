"""What a dialect is: how calls and answers are written in text, as one value of plain functions and data."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from ..json_text import BLANK, encode_sorted
from ..lazy import lazy_pattern
from ..scanner import Table
from ..values import ReadCall, Reading, Tools, ToolSpec


def _as_it_is(text: str) -> str:
    return text


def result_text(tool: str, text: str, ok: bool) -> str:
    """Return a tool result as the user message of a dialect without a tool role."""
    return f"Result of {tool}: {text}" if ok else f"Error of {tool}: {text}"


class Sample(Struct, frozen=True, kw_only=True):
    """A call or an answer to be written in a dialect, for examples and past turns."""

    calls: tuple[ReadCall, ...] = ()
    answer: str | None = None


class Form(Struct, frozen=True, kw_only=True):
    """The parts around a call and its arguments.

    open, between, close: before, between and after all calls. begin, end: around one call's arguments, with
    `{name}` and `{index}` for the tool's name and the call's number. arguments: one JSON object, one tag for each
    (`tag`, with `{key}` and `{string}`), Python's keywords, or pairs with strings in `quote`. result: around a
    result that a plain chat server is sent; None writes it as words.
    """

    begin: str
    end: str = ""
    open: str = ""
    between: str = ""
    close: str = ""
    arguments: Literal["json", "tags", "python", "pairs"] = "json"
    tag: tuple[str, str] = ("", "")
    quote: str = ""
    result: tuple[str, str] | None = None


def describe_tools(tools: Tools) -> str:
    """Return the tools as lines for a system text: name, description, parameters schema as JSON."""
    return "\n".join(describe_tool(spec) for spec in tools.values())


_WHITE: Final = lazy_pattern("[ \t\r\n]+")


def one_line(text: str) -> str:
    """Return the text with each run of white space as one space."""
    return _WHITE.sub(" ", text.strip(BLANK))


def describe_tool(spec: ToolSpec) -> str:
    """Return one tool as a line for a system text."""
    about = f": {one_line(spec.description)}" if spec.description else ""
    return f"- {spec.name}{about}\n  parameters: {encode_sorted(spec.parameters).decode()}"


class Dialect(Struct, frozen=True, kw_only=True):
    """How calls and answers are written in text.

    read: text and the tools known (None: any) to a reading; never raises, linear in the text.
    instruct: tools to the part of the system text that teaches the form; the same tools give the same bytes.
    write: a call or an answer to text in this form.
    remind: one sentence that repeats the form, for corrections.
    constrain: tools and the answer's schema (None: text) to a JSON Schema of a whole output, None if it has none.
    hidden: marker pairs whose inside no reader of the streamed text should see.
    result_role: the role that a tool result is sent with.
    native_tools: the server is given the tools and returns calls beside the text.
    """

    name: str
    read: Callable[[str, Tools | None], Reading]
    instruct: Callable[[Tools], str]
    write: Callable[[Sample], str]
    remind: str
    constrain: Callable[[Tools, Any], dict[str, Any] | None] = lambda _tools, _answer: None
    hidden: Sequence[tuple[str, str]] = ()
    result_role: Literal["user", "tool"] = "user"
    native_tools: bool = False
    table: Table | None = None
    """The markers by which the scanner takes its text apart; None for a dialect with a reader of its own."""

    form: Form | None = None
    """How a call is written, as data: what grammars are made from."""

    result: Callable[[str, str, bool], str] = result_text
    """A tool's name, its result's text and whether it succeeded, to what a server without a tool role is sent."""

    abridge: Callable[[str], str] = _as_it_is
    """The text of a result to what the model is shown of it."""

    feedback: Callable[[str], str] = _as_it_is
    """A correction, or what became of a call that gave no result, to the turn that says so."""

    describe: Callable[[ToolSpec], str] = describe_tool
    """A tool to what the model reads of it, in the system text or in the result of a search."""

    is_taught: bool = False
    """Whether models were taught the prompt as it is: no example of a call is sent, and no frame around a result."""

    formatter: Callable[[str, str, bool], tuple[str, str]] | None = None
    """How streamed text is shown: what it holds back, a chunk and whether the output is over, to what it holds back
    then and the text that is shown. It is told what is text, without hidden parts; None shows that as it is."""

    stream: Literal["text", "bare", "envelope", "compact", "auto"] = "text"
    """How text streams: `text` as it comes without hidden parts, `bare` the same unless it begins as a call,
    `envelope` the content of a final, `compact` a question or an answer, `auto` text or the content of a final."""
