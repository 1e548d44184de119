"""What happens while an output streams: the events that a filter gives."""

from typing import Any

from msgspec import Struct


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
