"""Text to values and back: one JSON policy for every text, the same on every host.

`codec` decodes and encodes the JSON of hosts; `canonical` makes the one form that is hashed. `extract` finds JSON in a
model's text, and `repair` reads text that is nearly JSON, with `loose_parser` and its parts `loose_text`,
`loose_strings`, `loose_scalars` and `open_containers`. `diagnose` says where a text stops being JSON, and `excerpt`
shows a value or a text in a message; `terminal_codes` leaves out what only a terminal reads. Nothing here knows what
the values mean.
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
    utf8,
    within_bounds,
)
from .diagnose import diagnose
from .excerpt import TYPE_PHRASES, excerpt_of
from .extract import BLANK, NOT_BLANK, UNREADABLE, WHITE_SPACE, Found, close_json, find_json, read_json
from .loose_parser import CLOSERS_MISSING, CUT_GUESSES, RepairedJson
from .loose_text import Shape
from .repair import repair_json
from .terminal_codes import plain_value, without_terminal_codes
