"""The command `purestep`: arguments in, the answer on stdout, progress on stderr, and an exit code."""

import signal


def main() -> None:
    """Run the command and exit with its code."""
    # Until the command can report it, Ctrl-C ends the process without a traceback; importing it takes the longest.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from purestep_hosts.cli import entry

    entry.main()


__all__ = ["main"]
