"""The page of an evaluation, and that of two: one HTML file each, which asks for nothing and runs no script.

All text comes from models, tools and suites and is hostile: the template escapes it, and the page's policy forbids
scripts and requests. It is written piece by piece, so that memory does not grow with the runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import purestep
from purestep_hosts.evaluation import charts
from purestep_hosts.evaluation.figures import PairedResults, Summary, VariantFigures, quantile, variant_of
from purestep_hosts.evaluation.log_links import log_link
from purestep_hosts.evaluation.store import KINDS, EvalError, EvalStore, RunRecord, log_place
from purestep_hosts.extras import EVAL
from purestep_hosts.show.sanitize import sanitize

with EVAL:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

MAX_ROWS: Final = 20_000
"""Runs on the page; a browser takes a second for so many. The results hold all of them."""
_CHUNKS: Final = 200
"""Pieces of the template that are written at once."""


def write_report(
    path: Path,
    suite: str,
    store: EvalStore,
    keys: Sequence[bytes],
    summary: Summary,
    *,
    playground: str | None = None,
) -> Path:
    """Write the page of an evaluation; raises EvalError.

    keys: of its runs, in order. playground: its address, where the logs of the runs open.
    """
    variants = list(summary.variants.values())
    return _write(
        path,
        "report.html.jinja",
        title=suite,
        version=purestep.__version__,
        planned=len(keys),
        variants=variants,
        charts=_charts(variants),
        pairs=summary.pairs() if summary.counts else [],
        rows=_rows(store, keys[:MAX_ROWS], playground),
        playground=playground,
        left_out=max(0, len(keys) - MAX_ROWS),
    )


def write_comparison(path: Path, pair: PairedResults, figures: Sequence[VariantFigures], cases: Iterable[Any]) -> Path:
    """Write the page of two evaluations; raises EvalError. cases: those that differ, see `comparison.Changed`."""
    return _write(
        path,
        "comparison.html.jinja",
        title=f"{pair.one} and {pair.other}",
        version=purestep.__version__,
        pair=pair,
        variants=list(figures),
        charts=_charts(figures),
        cases=cases,
    )


def write_policy_diff(
    path: Path, title: str, counted: str, rows: Sequence[Any], problems: Sequence[tuple[str, str]]
) -> Path:
    """Write the page of what a definition decides otherwise in logs; raises EvalError.

    counted: how many logs differ, in words. rows: those of a `DiffTable`. problems: the names of logs that cannot be
    read, and why.
    """
    return _write(
        path,
        "policy_diff.html.jinja",
        title=title,
        version=purestep.__version__,
        counted=counted,
        rows=rows,
        problems=problems,
    )


def _charts(variants: Sequence[VariantFigures]) -> list[charts.Chart]:
    """Return the charts, whose text was escaped when they were drawn."""
    if not variants:
        return []
    made = [charts.success_chart(variants)]
    if any(figures.causes for figures in variants):
        made.append(charts.causes_chart(variants))
    made.append(charts.times_chart(variants))
    if any(figures.sums["prompt_tokens"] for figures in variants):
        made.append(charts.tokens_chart(variants))
    return [chart._replace(svg=Markup(chart.svg)) for chart in made]


def _rows(
    store: EvalStore, keys: Sequence[bytes], playground: str | None
) -> Iterator[tuple[RunRecord, dict[str, str], str | None]]:
    """Yield each result with the files that are kept of its run, by what they are called, and its link."""
    for key in keys:
        record = store.record(key.hex())
        if record is not None:
            log = record.log()
            more = {kind.lstrip("."): log_place(record.key, kind) for kind in KINDS}
            kept = {name: place for name, place in more.items() if (store.folder / place).exists()}
            link = None if playground is None else _link(playground, record, store.folder / log)
            yield record, {"log": log, **kept}, link


def _link(playground: str, record: RunRecord, log: Path) -> str | None:
    """Return where a log opens in the playground; None where it is gone, or too long."""
    try:
        return log_link(playground, f"{record.case}.jsonl", log.read_bytes())
    except OSError:
        return None


def _write(path: Path, template: str, **values: Any) -> Path:
    environment = Environment(
        loader=PackageLoader("purestep_hosts.evaluation", "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"shown": sanitize, "seconds": _seconds, "p_value": _p_value}
    environment.globals |= {"quantile": quantile, "variant_of": variant_of}
    temporary = path.with_name(f".{path.name}.tmp")
    stream = environment.get_template(template).stream(**values)
    stream.enable_buffering(_CHUNKS)
    try:
        with temporary.open("wb") as file:
            stream.dump(file, "utf-8", "backslashreplace")
        os.replace(temporary, path)
    except OSError as error:
        raise EvalError("eval_not_writable", f"{path} cannot be written ({error.strerror}).") from None
    return path


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms} ms"  # noqa: PLR2004 (a second)


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 (three digits)
