"""The commands that show what a log is worth: `verify`, `anchor` and `receipt`."""

from __future__ import annotations

# ruff: noqa: PLR0913 (typer reads a command's options from its parameters)
from pathlib import Path
from typing import Annotated

import typer

from purestep_hosts.cli import options as o
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.help_text import GroupedCommand

Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="New file for it.")]


def add_proof_commands(app: typer.Typer, panel: str) -> None:
    """Add the commands `verify`, `anchor` and `receipt`; panel: the group that the help lists them in."""
    for command, said in (
        (verify, "Derive a log again and compare the bytes."),
        (anchor, "Write down what a log is now, to be kept elsewhere."),
        (receipt, "Sign a statement of what runs did."),
    ):
        app.command(cls=GroupedCommand, rich_help_panel=panel, short_help=said)(command)


def verify(
    log: Annotated[
        str | None, typer.Argument(metavar="[LOG]", help="last, a session's id, a file, - , or a folder of logs.")
    ] = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HEX", help="Expected last hash of the log, from a copy kept elsewhere."),
    ] = None,
    receipt: Annotated[
        Path | None,
        typer.Option("--receipt", metavar="FILE", help="Receipt of the log or the folder; alone, it is shown."),
    ] = None,
    anchor: Annotated[
        Path | None, typer.Option("--anchor", metavar="FILE", help="Anchor that the log has to meet.")
    ] = None,
    signer: Annotated[
        Path | None,
        typer.Option("--signer", metavar="FILE", help="Public key that has to have signed the receipt or anchor."),
    ] = None,
    roots: Annotated[
        Path | None,
        typer.Option("--roots", metavar="FILE", help="Certificates (PEM) that vouch for the anchor's timestamp."),
    ] = None,
    *,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", min=1, max=64, help="Processes for a folder of logs; one per processor."),
    ] = None,
    as_json: o.DataOption = False,
    sessions: o.SessionsOption = None,
) -> int:
    """Derive a log, or all below a folder, again from its facts and compare the bytes; exit code 6 if they differ."""
    from purestep_hosts.cli.anchoring import AnchorChoice
    from purestep_hosts.cli.logs import find_log
    from purestep_hosts.cli.receipt_checking import print_with_receipt
    from purestep_hosts.cli.verifying import is_folder_of_logs, print_verify, print_verify_all

    if receipt is not None:
        if head or anchor or roots:
            raise UsageError("a receipt has the head and who signed it; leave out --head, --anchor and --roots")
        return print_with_receipt(log, sessions, receipt, signer, jobs, as_json=as_json)
    if log is None:
        raise UsageError("expected a log: last, a session's id, a file, - , or a folder of logs")
    if signer and anchor is None:
        raise UsageError("--signer is the key that has to have signed something; give that with --receipt or --anchor")
    choice = AnchorChoice(anchor=anchor, signer=signer, roots=roots)
    if is_folder_of_logs(log):
        if head or choice != AnchorChoice():
            raise UsageError("--head and --anchor say what one log has to be; give that log instead of a folder")
        return print_verify_all(Path(log), jobs, as_json=as_json)
    found = find_log(log, sessions, is_read_once=choice == AnchorChoice())
    return print_verify(found, head, choice, as_json=as_json)


def anchor(
    log: o.LogArgument,
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Ed25519 private key to sign it with.")
    ] = None,
    timestamp: Annotated[
        str | None,
        typer.Option("--timestamp", metavar="URL", help="Timestamp authority (RFC 3161) to ask for a token."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="New file for it; stdout by default.")
    ] = None,
    sessions: o.SessionsOption = None,
) -> int:
    """Write the number of a log's lines and the head after them, signed or timestamped; `verify --anchor` takes it."""
    from purestep_hosts.cli.anchoring import print_anchor
    from purestep_hosts.cli.logs import find_log

    return print_anchor(find_log(log, sessions), key, timestamp, output)


def receipt(
    logs: Annotated[
        list[str], typer.Argument(metavar="LOG...", help="Logs, folders of logs or sessions; with --from, ids of runs.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="Private key, Ed25519 or ECDSA on P-256.")
    ] = None,
    sign_with: Annotated[
        str | None,
        typer.Option("--sign-with", metavar="COMMAND", help="Program that signs stdin, for a hardware key."),
    ] = None,
    signer: Annotated[Path | None, typer.Option("--signer", metavar="FILE", help="Public key of --sign-with.")] = None,
    issuer: Annotated[
        str, typer.Option("--issuer", metavar="TEXT", help="Who signs: a name or an address; else the key's hash.")
    ] = "",
    given: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Receipt of several runs to take some out of."),
    ] = None,
    output: Output = None,
    sessions: o.SessionsOption = None,
) -> int:
    """Sign what runs did, as the statement of one or a tree over several; `verify --receipt` checks it.

    Every decision is derived again first: a log in which one does not follow from the facts gets no receipt.
    """
    from purestep_hosts.cli.receipting import KeyChoice, write_part, write_receipt
    from purestep_hosts.cli.redriving import logs_of

    if given is not None:
        if key or sign_with or signer or issuer:
            raise UsageError("what is taken out with --from keeps its signature; leave out the options that sign")
        return write_part(given, logs, output)
    found = [each for log in logs for each in logs_of(log, sessions)]
    return write_receipt(found, KeyChoice(key=key, sign_with=sign_with, signer=signer), issuer, output)
