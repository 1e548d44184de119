"""The log read back: replayed into the run it records, and verified byte for byte.

A log is facts and derived lines. `LogReplayer` takes one line at a time: each must be the next one that the core
itself would write, because the step that wrote it is made again from the facts before it. `replay` gives the run
back; `verify` names the first line that differs; `explain` tells what a person wants to know and the lines do not say.
`redrive` gives the facts to another definition and names the first decision that differs, `policy_diff` all of them;
`diff` where two runs part. `change_under` tells what becomes of a run that waits under another definition, and
`cache_audit` what a server's prompt cache could have had of each request. `read_part` reads a part of an output that
the log holds whole, `logged_reasoning` the reasoning of a model's output.
"""

from .cache_audits import cache_audit
from .cached_parts import AuditedRequest
from .changes import Change, ChangedCall, change_under
from .diff import LogDiff, diff
from .explain import explain, explain_from_json
from .lines import LogLines, LogText, whole_lines
from .output_parts import PartResult, part_from_json, read_part
from .policy_differences import ChangedMove, Move, PolicyDiff, policy_diff
from .reasoning import logged_reasoning
from .redrive import Redriven, redrive
from .replay import (
    Replayed,
    Verified,
    read_events,
    read_together,
    replay,
    verify,
    verify_on,
)
from .replayer import LogReplayer, read_line
from .request_audits import audit_requests
