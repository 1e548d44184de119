"""Text to values and back: one JSON policy for every text, the same on every host.

`codec` reads and writes JSON that came from outside; `canonical` makes the one form that is hashed; `extract` finds
JSON in a model's text and `repair` reads what is nearly JSON; `diagnose` says where a text stops being JSON, and
`excerpt` shows a value in a message. Nothing here knows what the values mean.
"""

from .canonical import call_key, call_signature, digest, plain_numbers, text_signature
from .codec import (
    check_bounds,
    check_stack,
    checked_bytes,
    clean_text,
    decode_cut_json,
    decode_json,
    encode,
    encode_sorted,
    to_bytes,
    within_bounds,
)
from .diagnose import describe, diagnose
from .excerpt import TYPE_PHRASES, json_text
from .extract import BLANK, NOT_BLANK, UNREADABLE, close_json, find_json, read_json
from .repair import Loose, read_loose

__all__ = [
    "BLANK",
    "NOT_BLANK",
    "TYPE_PHRASES",
    "UNREADABLE",
    "Loose",
    "call_key",
    "call_signature",
    "check_bounds",
    "check_stack",
    "checked_bytes",
    "clean_text",
    "close_json",
    "decode_cut_json",
    "decode_json",
    "describe",
    "diagnose",
    "digest",
    "encode",
    "encode_sorted",
    "find_json",
    "json_text",
    "plain_numbers",
    "read_json",
    "read_loose",
    "text_signature",
    "to_bytes",
    "within_bounds",
]
