"""What a message says: text, or parts of which some are images and files whose bytes stay with the host."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ..bounds import MAX_DATA_TEXTS, MAX_MESSAGE_PARTS, MAX_REFUSED_MEMBERS, MAX_RESULT_PARTS, MAX_SAFE_INTEGER

Count = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]

RequestMember = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,63}$")]
"""A member of a request to a model's server, by its name there."""

RefusedMembers = Annotated[tuple[RequestMember, ...], Meta(max_length=MAX_REFUSED_MEMBERS)]

PartKind = Literal["image", "file", "text", "audio"]
"""What a model must take to read a part: every model takes a file that is `text`, and few take `audio`."""


class TextPart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="text", tag_field="type", gc=False):
    """Words among the parts of a message."""

    text: str


class _Attached(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What stays with the host: the SHA-256 of its bytes (64 hex digits), its media type and their number.

    `call_id`: the call whose result has it, which the core says; None for what a user sends.
    """

    digest: str
    media_type: str
    bytes: Count
    name: str | None = None
    call_id: str | None = None


class ImagePart(_Attached, frozen=True, kw_only=True, tag="image", tag_field="type"):
    """An image whose bytes stay with the host: their SHA-256 (64 hex digits), media type and number."""


class FilePart(_Attached, frozen=True, kw_only=True, tag="file", tag_field="type"):
    """A file whose bytes stay with the host: their SHA-256 (64 hex digits), media type and number."""


AttachedPart = ImagePart | FilePart
ResultParts = Annotated[tuple[AttachedPart, ...], Meta(max_length=MAX_RESULT_PARTS)]
ContentPart = TextPart | ImagePart | FilePart
Content = str | Annotated[tuple[ContentPart, ...], Meta(min_length=1, max_length=MAX_MESSAGE_PARTS)]


class DataText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Text that came along with a user message and is not the user's own: what was piped in, a page that was dropped.

    `name`: what it is called, such as a file's name.
    """

    text: str
    name: str | None = None


Data = Annotated[tuple[DataText, ...], Meta(max_length=MAX_DATA_TEXTS)]

_BETWEEN: Final = "\n\n"
"""Between the texts of a message that has several."""


def text_of(content: object) -> str:
    """Return the words of a message's content; those of a file or an image are not among them."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, tuple) else ()
    return _BETWEEN.join([part.text for part in parts if isinstance(part, TextPart)])


def parts_of(content: object) -> list[tuple[int, AttachedPart]]:
    """Return the images and files of a message's content, each with its index among the parts."""
    if not isinstance(content, tuple):
        return []
    return [(index, part) for index, part in enumerate(content) if isinstance(part, ImagePart | FilePart)]


def with_text(content: Content, text: str) -> Content:
    """Return the content with words after it."""
    return f"{content}{_BETWEEN}{text}" if isinstance(content, str) else (*content, TextPart(text=text))


def joined_content(contents: Sequence[Content]) -> Content:
    """Return one content of several, in order: text where all of them are."""
    if all(isinstance(content, str) for content in contents):
        return _BETWEEN.join([text_of(content) for content in contents])
    joined: list[ContentPart] = []
    for content in contents:
        joined += (TextPart(text=content),) if isinstance(content, str) else content
    return tuple(joined)


def kind_of(part: AttachedPart) -> PartKind:
    """Return what a model must take to read a part; text is `text/*` and `application/json`."""
    if isinstance(part, ImagePart):
        return "image"
    if part.media_type.startswith("audio/"):
        return "audio"
    return "text" if part.media_type.startswith("text/") or part.media_type == "application/json" else "file"
