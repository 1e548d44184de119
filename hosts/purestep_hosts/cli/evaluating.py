"""The command `eval`: runs what a suite's folder lacks, and prints and writes what came of all of it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

import purestep
from purestep_hosts.agent_file import read_agent_file, with_profiles
from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.eval_models import eval_model
from purestep_hosts.cli.eval_tables import print_summary
from purestep_hosts.evaluation import EvalModel, EvalPlan, EvalStore, Runner, SuiteError, Variant, read_suite
from purestep_hosts.evaluation.bfcl import read_bfcl
from purestep_hosts.evaluation.figures import Summary
from purestep_hosts.evaluation.openai_evals import read_openai_evals
from purestep_hosts.evaluation.plan import DEFAULT_AGENT
from purestep_hosts.evaluation.report import write_report
from purestep_hosts.evaluation.store import AGAIN
from purestep_hosts.evaluation.suite import SuiteLine
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.mask import Mask
from purestep_hosts.settings import known_secrets
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

LEVELS: Final = ("off", "ground")
REPORT: Final = "report.html"


class SuiteOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `eval`."""

    suite: Path
    models: str | None = None
    dialects: str | None = None
    carry: str | None = None
    repeats: int = 1
    limit: int | None = None
    concurrency: int = 4
    out: Path | None = None
    agent: Path | None = None
    judge: str | None = None
    user: str | None = None
    base_url: str | None = None
    timeout: float | None = None
    form: str = "purestep"
    answers: Path | None = None
    playground: str | None = None
    as_json: bool = False
    quiet: bool = False


def evaluate(options: SuiteOptions) -> int:
    """Run the suite; returns CANCELLED after Ctrl-C, MODEL where no model gave anything."""
    playground = None if options.playground is None else _playground(options.playground)
    next(_cases(options)(), None)  # a suite that cannot be read is told before models are loaded
    with Interrupts() as interrupts, interrupts.raising():
        plan = _plan(options, interrupts)
    keys, judges = _checked(plan)
    if judges and plan.judge is None:
        raise UsageError(f"{judges} of the cases have a judge; name the model that judges with --judge MODEL")
    folder = options.out or Path(f"evaluation-{options.suite.stem}")
    with EvalStore(folder) as store:
        store.begin(keys)
        missing = sum(not store.has(key.hex()) for key in keys)
        stopped = missing > 0 and not asyncio.run(_run(plan, store, options, missing))
        summary = _summary(store, keys)
        report = write_report(folder / REPORT, options.suite.name, store, keys, summary, playground=playground)
        _print(options, folder, report, summary, planned=len(keys), stopped=stopped)
    if stopped:
        return codes.CANCELLED
    causes = [figures.causes for figures in summary.variants.values()]
    unreached = sum(count for each in causes for cause, count in each.items() if cause in AGAIN)
    return codes.MODEL if unreached == len(keys) else codes.DONE


def _plan(options: SuiteOptions, interrupts: Interrupts) -> EvalPlan:
    known = read_agent_file(options.agent) if options.agent is not None else {}
    named = {name: _model(name, options, interrupts) for name in _names(options.models) or [None]}
    models = {model.name: model for model in named.values()}
    users = {name: named[name] if name in named else _model(name, options, interrupts) for name in _names(options.user)}
    dialects = _names(options.dialects) or [None]
    for dialect in dialects:
        if dialect is not None and dialect not in purestep_dialects():
            raise UsageError(f"--dialects names {dialect!r}; the dialects are {', '.join(purestep_dialects())}")
    levels = _names(options.carry) or [None]
    for level in levels:
        if level is not None and level not in LEVELS:
            raise UsageError(f"--carry names {level!r}; the levels are {', '.join(LEVELS)}")
    return EvalPlan(
        folder=options.suite.absolute().parent,
        cases=_cases(options),
        where=lambda line: f"{options.suite}, line {line.number}",
        models=models,
        variants=[
            Variant(model=model, dialect=dialect, carry=level)
            for model in models
            for dialect in dialects
            for level in levels
        ],
        repeats=options.repeats,
        agent={**DEFAULT_AGENT, **with_profiles(known)},
        judge=_model(options.judge, options, interrupts) if options.judge is not None else None,
        users=_users(named, users),
    )


def _users(models: dict[str | None, EvalModel], users: dict[str | None, EvalModel]) -> dict[str | None, EvalModel]:
    """Return the models that may play users by name; None is the first of `--user`."""
    found = {**models, **users}
    found.pop(None, None)
    if users:
        found[None] = next(iter(users.values()))
    return found


def _playground(address: str) -> str:
    """Return the address without its fragment, where the log will stand."""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(
            f"--playground is {address!r}; expected the address of a playground, such as http://127.0.0.1:4173/"
        )
    return parts._replace(fragment="").geturl()


def purestep_dialects() -> tuple[str, ...]:
    """Return the dialects that the core knows."""
    return tuple(msgspec.json.decode(purestep.core_info())["dialects"])


def _model(name: str | None, options: SuiteOptions, interrupts: Interrupts) -> EvalModel:
    return eval_model(name, options.base_url, options.timeout, interrupts)


def _names(given: str | None) -> list[str | None]:
    names = [name.strip() for name in (given or "").split(",")]
    return list(dict.fromkeys(name for name in names if name))


def _cases(options: SuiteOptions) -> Callable[[], Iterator[SuiteLine]]:
    match options.form:
        case "purestep" if options.answers is None:
            return partial(read_suite, options.suite, options.limit)
        case "purestep":
            raise UsageError("--answers goes with --format bfcl; a suite of its own form has its answers in it")
        case "bfcl":
            return partial(read_bfcl, options.suite, options.answers, options.limit)
        case "openai-evals" if options.answers is None:
            return partial(read_openai_evals, options.suite, options.limit)
        case "openai-evals":
            raise UsageError("--answers goes with --format bfcl; samples of an eval have their answers in them")
    raise UsageError(f"--format names {options.form!r}; the forms are purestep, bfcl and openai-evals")


def _checked(plan: EvalPlan) -> tuple[list[bytes], int]:
    """Read the whole suite before any model is asked; return the runs' keys, and how many cases have a judge."""
    keys, judged = [], set()
    for run in plan.runs():
        keys.append(bytes.fromhex(run.key))
        if run.case.judge is not None:
            judged.add(run.case.id)
    if not keys:
        raise SuiteError("the suite has no case")
    return keys, len(judged)


async def _run(plan: EvalPlan, store: EvalStore, options: SuiteOptions, missing: int) -> bool:
    """Make the missing runs; returns whether all were made. Ctrl-C ends it, a second one at once."""
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
        task.cancel()

    loop.add_signal_handler(signal.SIGINT, stop)
    with stderr_printer().progress("runs", missing, shown=not options.quiet) as advance:
        runner = Runner(plan, store, options.concurrency, Mask(known_secrets()), lambda record: advance())
        try:
            await runner.run()
        except asyncio.CancelledError:
            return False
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, before)
    return True


def _summary(store: EvalStore, keys: list[bytes]) -> Summary:
    summary = Summary()
    for key in keys:
        record = store.record(key.hex())
        if record is not None:
            summary.add(record)
    return summary


def _print(options: SuiteOptions, folder: Path, report: Path, summary: Summary, *, planned: int, stopped: bool) -> None:
    made = sum(figures.runs for figures in summary.variants.values())
    if options.as_json:
        shown: dict[str, Any] = {
            "suite": options.suite.name,
            "planned": planned,
            "made": made,
            "stopped": stopped,
            "variants": [figures.members() for figures in summary.variants.values()],
            "compared": [pair.members() for pair in summary.pairs()] if summary.counts else [],
            "folder": str(folder),
            "report": str(report),
        }
        print(sanitized_json(shown), flush=True)
        return
    print_summary(summary)
    notes = stderr_printer()
    if stopped:
        notes.row(Row("stopped", f"{made:,} of {planned:,} runs are made; the same command goes on", "warning"))
    if not options.quiet:
        notes.row(Row("report", one_line(str(report)), "good"))
