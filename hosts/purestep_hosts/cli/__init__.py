"""The command `purestep`: arguments in, the answer on stdout, progress on stderr, and an exit code."""

import signal

# Until the command can report it, Ctrl-C ends the process without a traceback.
_reaction = signal.getsignal(signal.SIGINT)
if _reaction is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from purestep_hosts.cli.entry import main  # noqa: E402

if _reaction is signal.default_int_handler:
    signal.signal(signal.SIGINT, _reaction)

__all__ = ["main"]
