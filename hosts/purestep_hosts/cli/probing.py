"""The command `probe`: asks a model a small suite in several ways, and says which way suits it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import purestep
from purestep_hosts import durable_files
from purestep_hosts.cli import codes
from purestep_hosts.cli.confirming import confirm_server
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.loading import loaded_model
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import as_taught, model_name, settings_for
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.model import LOCAL_WINDOW_TOKENS
from purestep_hosts.probe import measured
from purestep_hosts.show.printer import stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json
from purestep_tools.probe import Probe, begin_probe

if TYPE_CHECKING:
    from purestep_hosts.models.model import Model

_HEADS = ("dialect", "constraint", "carry", "right", "model calls", "prompt tokens", "seconds", "note")


def probe(choice: AgentChoice, *, quick: bool, save: Path | None, as_json: bool) -> int:
    """Measure the model and print the table; returns CANCELLED after Ctrl-C, MODEL when it never gave anything."""
    _check_folder(save)
    with Interrupts() as interrupts:
        settings = settings_for(choice)
        confirm_server(settings, Path.cwd(), interrupts)
        model = loaded_model(choice, settings, interrupts, purestep.Agent.load(as_taught({}, choice)))
        window_tokens = LOCAL_WINDOW_TOKENS if settings.runs_here else None
        probe = begin_probe(model_name(choice), dialect=choice.dialect, quick=quick, window_tokens=window_tokens)
        probe, stopped = _measured(probe, model, interrupts)
    profile = probe.profile()
    if save is not None and profile is not None:
        durable_files.replace(save, f"{sanitized_json(profile, indent=2)}\n".encode())
    _print(probe, profile, save, as_json=as_json, stopped=stopped)
    if stopped:
        return codes.CANCELLED
    return codes.MODEL if all(each.refusal() for each in probe.found) else codes.DONE


def _check_folder(save: Path | None) -> None:
    if save is not None and not save.absolute().parent.is_dir():
        raise UsageError(f"--save names {save}, whose folder does not exist; give a file in a folder that does")


def _measured(probe: Probe, model: Model, interrupts: Interrupts) -> tuple[Probe, bool]:
    """Return the probe with what was measured, and whether Ctrl-C ended it."""
    printer, newest = stderr_printer(), probe
    try:
        for newest in measured(probe, model, interrupts):
            if ended := newest.ended_way():
                printer.row(Row("measured", f"{ended.way}: {ended.right()} of {len(probe.tasks())} right", "quiet"))
    except KeyboardInterrupt:
        return newest, True
    return newest, False


def _print(
    probe: Probe,
    profile: dict[str, Any] | None,
    save: Path | None,
    *,
    as_json: bool,
    stopped: bool,
) -> None:
    rows = [each.row() for each in probe.found]
    if as_json:
        shown = {"model": probe.model, "stopped": stopped, "rows": rows, "profile": profile}
        print(sanitized_json(shown), flush=True)
        return
    printer = stdout_printer()
    printer.table(_HEADS, [_cells(row) for row in rows])
    notes = stderr_printer()
    if stopped:
        notes.row(Row("stopped", "the table holds what was measured until then", "warning"))
    if profile is None:
        notes.row(Row("profile", "none: no way finished a task", "warning"))
        return
    way = f"dialect {profile['dialect']}, supports {sanitized_json(profile['supports'])}, carry {profile['carry']}"
    notes.row(Row("profile", f"{way}{f'; written to {one_line(str(save))}' if save else ''}", "good"))


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    right = f"{row['right']} of {row['tasks']}"
    counts = (f"{row['model_calls']}", f"{row['prompt_tokens']:,}", f"{row['seconds']}")
    return (row["dialect"], row["constraint"], row["carry"], right, *counts, one_line(row["refusal"]))
