"""A model's reply: from the chunks of a chat completion to one observation, the same on every host.

Theory of operation. A host opens a reply for the state that waits for it, feeds it the chunks as they come, as text,
shows what the events say, and ends the model once the reply is over. It closes the reply with how the source ended,
as it saw that: by itself, an HTTP status, a time limit, an error of a library. What this means is decided here:
`completion.py` puts text, calls and usage together, the streaming filter says what may be shown and where the text
stops to matter, `fault_table.py` holds every kind of failure with its code and whether asking again may help.
Retries are the step's: a reply is asked for once, and what went wrong is the observation `model_error`.

    open_reply ─> feed_reply ─> ... ─> close_reply ─> model_output or model_error

A reply is a frozen value; n chunks cost as much as their text.
"""

from ..bounds import MAX_ERROR_BODY_CHARS, MAX_REPLY_LINE_BYTES
from .faults import FAULT_HEADERS, ReplyEnd, read_fault
from .json_form import fault_from_json, reply_from_json
from .reply import Reply, close_reply, feed_reply, open_reply
