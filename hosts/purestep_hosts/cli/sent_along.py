"""What goes along with the first question of a command: files, and resources and prompts of MCP servers."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from purestep import DataText
from purestep_hosts.attachments import Attachment, attachment
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.options import RunOptions

if TYPE_CHECKING:
    from purestep_hosts.mcp import McpServers
    from purestep_hosts.outside_data import OutsideData


class SentAlong:
    """The files of `--attach`, read at once, and what is of servers, read once those are connected."""

    def __init__(self, options: RunOptions) -> None:
        """Read the files; raises AttachmentError. What may be a server's is one where no such file exists."""
        self._resources = [each for each in options.attach if ":" in each and not Path(each).exists()]
        self._prompts = options.prompt
        self.files: tuple[Attachment, ...] = tuple(
            [attachment(Path(each)) for each in options.attach if each not in self._resources]
        )
        self.texts: tuple[DataText, ...] = ()

    def read(self, servers: McpServers | None) -> None:
        """Read the resources and prompts; raises McpError, UsageError, and AttachmentError as for a missing file."""
        for given in self._resources:
            server, _, name = given.partition(":")
            if servers is None or server not in servers.names:
                self.files += (attachment(Path(given)),)
            else:
                self._take(servers.resource(server, name))
        for given in self._prompts:
            self._take(_prompt(servers, given))
        self._resources, self._prompts = [], ()

    def _take(self, found: OutsideData) -> None:
        self.texts += found.texts
        self.files += found.files


def _prompt(servers: McpServers | None, given: str) -> OutsideData:
    try:
        words = shlex.split(given)
    except ValueError as error:
        raise UsageError(f"--prompt {given!r}: {str(error).lower()}; expected 'SERVER:NAME ARG=VALUE'") from None
    server, sign, name = words[0].partition(":") if words else ("", "", "")
    if not (sign and server and name and all("=" in word for word in words[1:])):
        raise UsageError(f"--prompt {given!r} cannot be read; expected 'SERVER:NAME ARG=VALUE'")
    if servers is None:
        raise UsageError(f"--prompt {given!r} needs its server; name it with --mcp {server}=COMMAND")
    arguments = {name: value for name, _, value in (word.partition("=") for word in words[1:])}
    return servers.prompt(server, name, **arguments)
