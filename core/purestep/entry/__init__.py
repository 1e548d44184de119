"""The other entry points: the whole-state form, the streaming filter, and reading or checking without a run.

`whole_state` carries a run in one JSON text, as programs for agent.rs do; `stream` filters an output while it is
generated, `standalone_stream` the same as a JSON function; `standalone` reads a model's text and checks a value
without a run, and `standalone_skill` executes a skill; `sealed` gives the text that a seal is computed over. The delta
form needs no entry point here: see `purestep.steps` and `purestep.api`.
"""

from . import whole_state
from .sealed import text_to_seal
from .standalone import check_json, check_standalone, read_standalone, read_text
from .standalone_skill import skill_from_json
from .standalone_stream import stream_standalone
from .stream import Stream, close_stream, feed, is_one_object, open_stream
