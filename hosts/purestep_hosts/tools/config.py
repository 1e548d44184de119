"""What the person who starts the host decides about tools, and no model can change."""

from __future__ import annotations

from pathlib import Path

import msgspec

from purestep_hosts.tools.limits import FETCH_TIME_LIMIT_MS


class ToolConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The wiring of the built-in tools.

    `session_dir` holds the notes and the record of finished writes. `root` is the only folder that the file
    tools see; None leaves them out. `hidden` are file name patterns that they never show. `allow_hosts` are
    hosts ("name" or "name:port") that `fetch_url` may reach although they are private. `pass_environment` are
    variables that shell commands get beside the basic ones. `names` are the tools to offer, None for all.
    """

    session_dir: Path
    root: Path | None = None
    hidden: tuple[str, ...] = (".env", ".env.*", ".envrc", "*.env", ".git", ".ssh", ".netrc", ".aws", "*.pem", "id_*")
    allow_hosts: tuple[str, ...] = ()
    pass_environment: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    max_output_chars: int = 4000
    shell_time_limit_s: float = 60.0
    fetch_time_limit_s: float = FETCH_TIME_LIMIT_MS / 1000
