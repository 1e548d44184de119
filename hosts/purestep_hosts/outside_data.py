"""What was read from elsewhere to go along with a question, and is not the user's: texts as data, and files."""

from __future__ import annotations

import msgspec

from purestep import DataText
from purestep_hosts.attachments import Attachment


class OutsideData(msgspec.Struct, frozen=True, kw_only=True):
    """Texts and files from outside: `texts` go as data of the message, so no word of theirs counts as the user's.

    `files` go as its parts, by their digest; each has a line in `texts` too, so that the message has data beside it.
    """

    texts: tuple[DataText, ...]
    files: tuple[Attachment, ...] = ()
