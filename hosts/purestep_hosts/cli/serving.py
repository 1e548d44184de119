"""The command `serve-model`: the local model as an OpenAI-compatible server on loopback, until Ctrl-C."""

from __future__ import annotations

import socket

from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.models.named import local_file, settings_of
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line
from purestep_hosts.stop_signals import StopSignals


def serve_model(model: str | None, port: int) -> int:
    """Serve the default model, or a GGUF file, until Ctrl-C; the base URL is printed on stdout."""
    settings = settings_of(model, None)
    if not settings.runs_here:
        raise UsageError("a server is chosen, and only a file can be served; give a GGUF file or bundled with --model")
    _check_port(port)
    from purestep_hosts.models.llamacpp import serve  # before fetching a model: its extra may be missing

    path = local_file(settings)

    printer, signals = stderr_printer(), StopSignals()
    with serve(path, port=port) as url:
        printer.row(Row("serving", one_line(path.stem), "good"))
        printer.row(Row("use it", f"purestep run --base-url {url} QUERY", "quiet"))
        printer.row(Row("stop", "Ctrl-C", "quiet"))
        print(url, flush=True)
        signals.wait()
    return codes.DONE


def _check_port(port: int) -> None:
    """Refuse a port that is taken, before a model is loaded for it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            reason = error.strerror
            raise UsageError(f"port {port} cannot be used ({reason}); give another, or 0 for a free one") from None
