"""The command `probe`: asks a model a small suite in several ways, and says which way suits it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from purestep_hosts import durable_files
from purestep_hosts.cli import codes
from purestep_hosts.cli.confirming import confirm_server
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import model_file, model_for, model_name, settings_for
from purestep_hosts.extras import LOCAL
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.model import LOCAL_WINDOW_TOKENS
from purestep_hosts.probe import Combination, Measured, best_of, combinations, dialect_for, measure, profile_of
from purestep_hosts.probe.profile import figures_of
from purestep_hosts.probe.suite import Task, probe_suite
from purestep_hosts.settings import Settings
from purestep_hosts.show.printer import stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

if TYPE_CHECKING:
    from purestep_hosts.models.model import Model

_HEADS = ("dialect", "constraint", "carry", "right", "model calls", "prompt tokens", "seconds", "note")


def probe(choice: AgentChoice, *, quick: bool, save: Path | None, as_json: bool) -> int:
    """Measure the model and print the table; returns CANCELLED after Ctrl-C, MODEL when it never gave anything."""
    _check_folder(save)
    tasks = [task for task in probe_suite().tasks if task.quick or not quick]
    with Interrupts() as interrupts:
        settings = settings_for(choice)
        confirm_server(settings, Path.cwd(), interrupts)
        model = _loaded(choice, settings, interrupts)
        ways = combinations(choice.dialect or dialect_for(model_name(choice)), quick=quick)
        found: list[Measured] = []
        try:
            _measure_all(ways, tasks, model, interrupts, found)
            stopped = False
        except KeyboardInterrupt:
            stopped = True
    best = best_of(found, len(tasks))
    window_tokens = None if settings.url is not None else LOCAL_WINDOW_TOKENS
    profile = None if best is None else profile_of(best, model_name(choice), window_tokens)
    if save is not None and profile is not None:
        durable_files.replace(save, f"{sanitized_json(profile, indent=2)}\n".encode())
    _print(found, profile, save, as_json=as_json, model=model.name, stopped=stopped)
    if stopped:
        return codes.CANCELLED
    return codes.MODEL if all(measured.refusal for measured in found) else codes.DONE


def _check_folder(save: Path | None) -> None:
    if save is not None and not save.absolute().parent.is_dir():
        raise UsageError(f"--save names {save}, whose folder does not exist; give a file in a folder that does")


def _loaded(choice: AgentChoice, settings: Settings, interrupts: Interrupts) -> Model:
    if choice.script is None and settings.url is None:
        LOCAL.require()
        with interrupts.raising():
            settings = replace(settings, model_path=model_file(settings))
    return interrupts.run(lambda: model_for(choice, settings))


def _measure_all(
    ways: Sequence[Combination],
    tasks: Sequence[Task],
    model: Model,
    interrupts: Interrupts,
    found: list[Measured],
) -> None:
    """Measure each way; what is known of the one at hand is always the last of `found`."""
    printer = stderr_printer()
    for way in ways:
        found.append(Measured(combination=way, tasks=()))

        def notice(measured: Measured) -> None:
            found[-1] = measured

        measure(way, tasks, model, interrupts, notice)
        printer.row(Row("measured", f"{way}: {found[-1].right} of {len(tasks)} right", "quiet"))


def _print(
    found: Sequence[Measured],
    profile: dict[str, Any] | None,
    save: Path | None,
    *,
    as_json: bool,
    model: str,
    stopped: bool,
) -> None:
    if as_json:
        rows = [_row_data(measured) for measured in found]
        print(sanitized_json({"model": model, "stopped": stopped, "rows": rows, "profile": profile}), flush=True)
        return
    printer = stdout_printer()
    printer.table(_HEADS, [_cells(measured) for measured in found if measured.tasks])
    notes = stderr_printer()
    if stopped:
        notes.row(Row("stopped", "the table holds what was measured until then", "warning"))
    if profile is None:
        notes.row(Row("profile", "none: no way finished a task", "warning"))
        return
    way = f"dialect {profile['dialect']}, supports {sanitized_json(profile['supports'])}, carry {profile['carry']}"
    notes.row(Row("profile", f"{way}{f'; written to {one_line(str(save))}' if save else ''}", "good"))


def _row_data(measured: Measured) -> dict[str, Any]:
    way = measured.combination
    failed = {probed.task: probed.wrong for probed in measured.tasks if probed.wrong}
    return {
        "dialect": way.dialect,
        "constraint": way.constraint,
        "carry": way.carry,
        **figures_of(measured),
        "wrong": failed,
        "refusal": measured.refusal,
    }


def _cells(measured: Measured) -> tuple[str, ...]:
    way, figures = measured.combination, figures_of(measured)
    right = f"{figures['right']} of {figures['tasks']}"
    counts = (f"{figures['model_calls']}", f"{figures['prompt_tokens']:,}", f"{figures['seconds']}")
    return (way.dialect, way.constraint, way.carry, right, *counts, one_line(measured.refusal))
