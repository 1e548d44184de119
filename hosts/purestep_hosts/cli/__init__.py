"""The command `purestep`: arguments in, the answer on stdout, talk on stderr, an exit code that says how it ended."""

from purestep_hosts.cli.entry import main

__all__ = ["main"]
