"""Acts: the calls of an exchange that may have changed something, and what became of each."""

from typing import Any, Literal

from msgspec import Struct

ActStatus = Literal["succeeded", "failed", "refused", "unknown"]
"""Whether the tool ran to its end, said that it failed, was not run, or may have run."""


class Act(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A call of a tool that may act.

    `cut`: `params` has only a part of the arguments, since they are long; the log has all.
    """

    call_id: str
    tool: str
    params: dict[str, Any]
    status: ActStatus
    cut: bool = False
