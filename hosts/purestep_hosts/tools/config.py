"""The tool settings of the person who starts the host, out of reach of any model."""

from __future__ import annotations

from pathlib import Path

import msgspec

from purestep_hosts.tools.limits import FETCH_TIME_LIMIT_MS


class ToolConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the built-in tools.

    `session_dir` holds the notes and the record of finished writes. `root` is the only folder that the file tools can
    use; None leaves these tools out. `hidden` are patterns of file names that they never show. `allow_hosts` are
    private hosts ("name" or "name:port") that `fetch_url` may reach. `pass_environment` are environment variables that
    shell commands get in addition to the basic ones. `names` are the tools to offer, None for all.
    `skills` are the folders of the skills that `read_skill` reads, by name;
    without any there is no such tool.
    """

    session_dir: Path
    root: Path | None = None
    hidden: tuple[str, ...] = (".env", ".env.*", ".envrc", "*.env", ".git", ".ssh", ".netrc", ".aws", "*.pem", "id_*")
    allow_hosts: tuple[str, ...] = ()
    pass_environment: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    skills: dict[str, Path] = {}
    max_output_chars: int = 4000
    shell_time_limit_s: float = 60.0
    fetch_time_limit_s: float = FETCH_TIME_LIMIT_MS / 1000
