"""The tables of `eval`: a row for each variant, why runs were wrong, and what got better and worse."""

from __future__ import annotations

from collections.abc import Sequence

from purestep_hosts.evaluation.figures import PairedResults, Summary, VariantFigures
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line

_HEADS = (
    "variant", "right", "success", "95 %", "silent", "model calls", "tokens in", "out", "cost", "each right", "median",
    "p90",
)  # fmt: skip
_PAIR_HEADS = ("variant", "against", "cases", "better", "worse", "p", "silent")
_SHOWN_CASES = 20


def print_summary(summary: Summary) -> None:
    """Print the figures of all variants, the causes, and each variant beside the first."""
    printer = stdout_printer()
    printer.table(_HEADS, [_cells(figures) for figures in summary.variants.values()])
    for figures in summary.variants.values():
        if figures.causes:
            causes = ", ".join(f"{cause} {count}" for cause, count in figures.causes.most_common())
            printer.row(Row("wrong", f"{figures.variant}: {one_line(causes)}", "warning"))
    pairs = summary.pairs() if summary.counts else []
    if pairs:
        print_pairs(printer, pairs)


def print_pairs(printer: Printer, pairs: Sequence[PairedResults]) -> None:
    """Print how sets of results differ."""
    printer.line()
    rows = [
        (
            each.other,
            each.one,
            f"{each.cases:,}",
            f"{len(each.better)}",
            f"{len(each.worse)}",
            shown_p(each.p),
            f"{each.other_silent:,} against {each.one_silent:,}",
        )
        for each in pairs
    ]
    printer.table(_PAIR_HEADS, rows)


def print_cases(printer: Printer, pair: PairedResults) -> None:
    """Print which cases got better and worse."""
    for label, cases, tone in (("better", pair.better, "good"), ("worse", pair.worse, "bad")):
        if cases:
            more = f" and {len(cases) - _SHOWN_CASES} more" if len(cases) > _SHOWN_CASES else ""
            printer.row(Row(label, ", ".join(map(one_line, cases[:_SHOWN_CASES])) + more, tone))  # type: ignore[arg-type]


def shown_p(p: float) -> str:
    """Return a p as people write it."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004


def shown_ms(ms: int) -> str:
    """Return a time in seconds, or in milliseconds where it is short."""
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms} ms"  # noqa: PLR2004


def shown_cost(cost: float | None, figures: VariantFigures) -> str:
    """Return a cost of a variant in the unit of its model's price; a dash where there is none, `unknown` without it."""
    if figures.unpriced:
        return "unknown"
    return f"{cost:.4g}" if cost else "-"


def _cells(figures: VariantFigures) -> tuple[str, ...]:
    members, interval = figures.members(), figures.interval
    return (
        figures.variant,
        f"{figures.right:,} of {figures.runs:,}",
        f"{100 * interval.share:.1f} %",
        f"{100 * interval.low:.1f}-{100 * interval.high:.1f}",
        f"{figures.silent:,}",
        f"{figures.mean('model_calls'):.2f}",
        f"{figures.mean('prompt_tokens'):,.0f}",
        f"{figures.mean('completion_tokens'):,.0f}",
        shown_cost(figures.cost, figures),
        shown_cost(figures.cost_of_right, figures),
        shown_ms(members["median_ms"]),
        shown_ms(members["p90_ms"]),
    )
