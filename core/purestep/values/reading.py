"""What a model's output says: the common result of every dialect's reader."""

from typing import Any, Final

from msgspec import Struct


class ReadCall(Struct, frozen=True, kw_only=True, gc=False):
    """One tool call as the model wrote it; nothing about it is checked yet."""

    tool: str
    params: dict[str, Any]
    call_id: str | None = None
    skill: bool = False
    """It is written as the call of a skill, so it is never one of a tool."""


class Problem(Struct, frozen=True, kw_only=True, gc=False):
    """Something about the text that is not as it should be; `code` is one of FATAL or NOTES."""

    code: str
    message: str


class Reading(Struct, frozen=True, kw_only=True, gc=False):
    """A model output, read: the text meant for the reader, the reasoning, the calls, and what was wrong."""

    content: str | None = None
    reasoning: str | None = None
    calls: tuple[ReadCall, ...] = ()
    problems: tuple[Problem, ...] = ()
    closed: bool = False
    """The form itself shows that the text is complete, even if the server says it was truncated."""
    asks: bool = False
    """The content is a question to the user, in a form that tells one from an answer."""


FATAL: Final = frozenset({"parse_error", "truncated", "unknown_tool", "invalid_arguments"})
"""Problems that the model is asked to mend."""

NOTES: Final = frozenset({"repaired", "ignored_text"})
"""Problems that are only recorded: they do not change what the output means."""


def parse_error(message: str) -> Problem:
    """Return the problem for a text with no readable call and no answer."""
    return Problem(code="parse_error", message=message)


def truncated(message: str) -> Problem:
    """Return the problem for a text that ends inside a call or answer."""
    return Problem(code="truncated", message=message)


def repaired(message: str) -> Problem:
    """Return the note that a text was mended, and how."""
    return Problem(code="repaired", message=message)


def ignored_text(message: str) -> Problem:
    """Return the note that part of a text was left out."""
    return Problem(code="ignored_text", message=message)


def fatal_problem(reading: Reading) -> Problem | None:
    """Return the first problem that the model must mend, if any."""
    for problem in reading.problems:
        if problem.code in FATAL:
            return problem
    return None


# --- while it streams ----------------------------------------------------------------------------------------


class StreamText(Struct, frozen=True, kw_only=True, tag="text", tag_field="type"):
    """Text that is safe to show."""

    text: str


class _Unshown(Struct, frozen=True, kw_only=True):
    """An event that is no text: what there is to show of it is nothing."""

    @property
    def text(self) -> str:
        """Nothing, so that a host may join the text of all events."""
        return ""


class StreamReasoning(_Unshown, frozen=True, kw_only=True, tag="reasoning", tag_field="type"):
    """More of the reasoning, as the model or its server wrote it: no answer, so it is shown apart from the text."""

    reasoning: str


class StreamCall(_Unshown, frozen=True, kw_only=True, tag="call", tag_field="type"):
    """A complete call, as the model wrote it; nothing about its arguments is checked yet, and nothing may run."""

    tool: str
    params: dict[str, Any]


class StreamStop(_Unshown, frozen=True, kw_only=True, tag="stop", tag_field="type"):
    """The decision is certain: the host may stop generating. Comes once.

    at: how many characters (code points) of the output matter; the same however the text was cut into chunks.
    """

    at: int


class StreamRetract(_Unshown, frozen=True, kw_only=True, tag="retract", tag_field="type"):
    """All text before was reasoning that the chat template had opened: take back what was shown as text."""


StreamEvent = StreamText | StreamReasoning | StreamCall | StreamStop | StreamRetract


# --- reasoning that a provider sends beside the text ---------------------------------------------------------

REASONING_TEXTS: Final = ("reasoning_content", "reasoning")
"""Members of a message that are text."""

REASONING_LISTS: Final = ("reasoning_details", "thinking_blocks")
"""Members of a message that are lists of typed parts."""

READABLE: Final = ("text", "summary", "thinking")
"""Members of such a part that people can read."""


def reasoning_beside(extra: Any) -> str:
    """Return the reasoning in what a provider sent beside the text, once: the same may come under several names.

    extra: any JSON value. What is encrypted or signed is no text.
    """
    if not isinstance(extra, dict):
        return ""
    texts = (text for name in REASONING_TEXTS if isinstance(text := extra.get(name), str))
    lists = (_of_parts(parts) for name in REASONING_LISTS if isinstance(parts := extra.get(name), list))
    return next((text for found in (texts, lists) for text in found if text), "")


def _of_parts(parts: list[Any]) -> str:
    items = (item for part in parts if isinstance(part, dict) for item in part.items())
    return "".join([text for name, text in items if name in READABLE and isinstance(text, str)])
