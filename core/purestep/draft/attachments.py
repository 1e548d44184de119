"""Images and files of users and of tool results: what a run keeps of them, and which models are asked with them.

A message that began or joined this exchange is sent to no model that cannot read it: another of the definition's models
is asked, or the run fails and says so. A model that reads what earlier exchanges had, too, is preferred; in the place
of what it cannot read, or its window has no room for, a notice is sent. What a tool gives is no reason to fail: a model
that cannot read it is told what it is.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import MAX_ATTACHMENTS, MAX_MEDIA_TYPE_CHARS, MAX_PART_NAME_CHARS
from ..errors import PurestepError
from ..values import CallModel, Content, ImagePart, PartKind, RunState, ShortenedMessage, parts_of
from ..window import Entry

_DIGEST: Final = "[0-9a-f]{64}"
_MEDIA_TYPE: Final = r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*"
"""Type and subtype as RFC 6838 restricts their names (4.2), in lower case, without parameters."""
_NAME: Final = r"[^\x00-\x1f\x7f/\\]+"
_FEATURES: Final[dict[PartKind, str]] = {"image": "images", "file": "files", "audio": "audio"}


def check_stored(digest: str, media_type: str, path: str) -> None:
    """Raise `invalid_input` for what names no bytes that a host keeps."""
    if re.fullmatch(_DIGEST, digest, re.ASCII) is None:
        raise _wrong("the SHA-256 of the bytes as 64 hex digits", f"{path}/digest")
    too_long = len(media_type) > MAX_MEDIA_TYPE_CHARS
    if too_long or re.fullmatch(_MEDIA_TYPE, media_type, re.ASCII) is None:
        raise _wrong('a media type such as "image/png", in lower case and without parameters', f"{path}/media_type")


def check_content(content: Content | tuple[()], path: str, *, is_kept: bool = False) -> None:
    """Raise `invalid_input` for images and files that cannot be what they are said to be.

    is_kept: of a message of a transcript, in which the core has named the calls of results.
    """
    for index, part in parts_of(content):
        at = f"{path}/{index}"
        check_stored(part.digest, part.media_type, at)
        if isinstance(part, ImagePart) != part.media_type.startswith("image/"):
            raise _wrong("an image of a media type image/..., or a file of another", f"{at}/media_type")
        if part.call_id is not None and not is_kept:
            raise _wrong("no call: the core names that of a result", f"{at}/call_id")
        if part.name is None:
            continue
        if len(part.name) > MAX_PART_NAME_CHARS or re.fullmatch(_NAME, part.name, re.ASCII) is None:
            raise _wrong(f"a name of 1 to {MAX_PART_NAME_CHARS} characters, which is no path", f"{at}/name")


def _wrong(expected: str, path: str) -> PurestepError:
    return PurestepError("invalid_input", f"expected {expected}", path)


def check_room(state: RunState, content: Content) -> None:
    """Raise `input_too_large` for more images and files than a run keeps."""
    if isinstance(content, str):
        return
    queued = sum([len(parts_of(message.content)) for message in state.run.queued])
    if len(state.window.attachments) + queued + len(parts_of(content)) > MAX_ATTACHMENTS:
        raise PurestepError(
            "input_too_large",
            f"expected at most {MAX_ATTACHMENTS} images and files in a run; begin a new one",
            "/observation/content",
        )


def takes_kind(agent: Agent, model: int, kind: PartKind) -> bool:
    """Whether the model with that index is sent parts of a kind; one of which nothing is said takes all but sound."""
    models, feature = agent.definition.models, _FEATURES.get(kind)
    supports = models[model].supports if model < len(models) else None
    return feature is None or (kind != "audio" if supports is None else feature in supports)


def kinds_asked(state: RunState) -> tuple[PartKind, ...]:
    """Return the kinds of parts that users have sent in this exchange, sorted."""
    sent = (part for part in state.window.attachments if part.message >= state.window.user_at and not part.about)
    return tuple(sorted({part.kind for part in sent}))


def takes_all(agent: Agent, state: RunState, model: int) -> bool:
    """Whether the model with that index takes all that this exchange is about."""
    return all(takes_kind(agent, model, kind) for kind in kinds_asked(state))


def next_model(agent: Agent, state: RunState) -> int | None:
    """Return the next larger model that takes what this exchange is about; None if there is none."""
    larger = range(state.window.model + 1, len(agent.definition.models))
    return next((model for model in larger if takes_all(agent, state, model)), None)


def refused_kind(agent: Agent, state: RunState) -> PartKind | None:
    """Return the first kind of this exchange that the model does not take."""
    return next((kind for kind in kinds_asked(state) if not takes_kind(agent, state.window.model, kind)), None)


def reader_of(agent: Agent, state: RunState) -> int | None:
    """Return the first model from the one at hand that takes what the conversation has, else what this exchange has."""
    models = range(state.window.model, max(1, len(agent.definition.models)))
    there = {(part.kind, bool(part.about)) for part in state.window.attachments if not part.left_out}
    # What a tool gave and nobody reads is no reason to ask another model.
    kinds = [kind for kind, given in sorted(there) if not given or any(takes_kind(agent, at, kind) for at in models)]
    for model in models:
        if all(takes_kind(agent, model, kind) for kind in kinds):
            return model
    return next((model for model in models if takes_all(agent, state, model)), None)


def advice(kind: PartKind) -> str:
    """Return what would have the model be sent parts of a kind that it does not take."""
    return f'name a model that reads it, with "{_FEATURES[kind]}" in supports'


def sent_parts(agent: Agent, state: RunState, decision: CallModel) -> CallModel:
    """Return a decision whose prompt has a notice in the place of each part that the model is not sent."""
    notices: dict[int, list[tuple[int, str]]] = {}
    for each in state.window.attachments:
        if each.left_out:
            notices.setdefault(each.message, []).append((each.part, corrections.part_left_out(each.kind, each.about)))
        elif not takes_kind(agent, state.window.model, each.kind):
            notices.setdefault(each.message, []).append((each.part, corrections.part_not_taken(each.kind, each.about)))
    if not notices:
        return decision
    return replace(decision, prompt=tuple(_noticed(decision.prompt, notices)))


def _noticed(prompt: Iterable[Entry], notices: dict[int, list[tuple[int, str]]]) -> Iterable[Entry]:
    for entry in prompt:
        if isinstance(entry, ShortenedMessage):
            yield replace(entry, parts=tuple(notices.get(entry.index, ())))
            continue
        begin, end = entry
        for index in sorted(notices):
            if begin <= index < end:
                if begin < index:
                    yield begin, index
                yield ShortenedMessage(index=index, cuts=(), parts=tuple(notices[index]))
                begin = index + 1
        if begin < end:
            yield begin, end


def attachments_fit(state: RunState) -> bool:
    """Whether attachments are of messages that there are, each named once."""
    attachments = state.window.attachments
    places = {(each.message, each.part) for each in attachments}
    return len(places) == len(attachments) and all(each.message < state.messages for each in attachments)
