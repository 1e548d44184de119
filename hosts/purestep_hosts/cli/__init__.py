"""The command `purestep`: arguments in, the answer on stdout, progress on stderr, and an exit code."""

from purestep_hosts.cli.entry import main

__all__ = ["main"]
