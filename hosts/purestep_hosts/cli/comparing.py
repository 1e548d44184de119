"""The command `eval compare`: what of one evaluation another one got right that it did not, and the other way round."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.eval_tables import print_cases, print_pairs
from purestep_hosts.evaluation import EvalStore, RunRecord
from purestep_hosts.evaluation.figures import CaseCounts, PairedResults, VariantFigures, compared, variant_of
from purestep_hosts.evaluation.report import write_comparison
from purestep_hosts.show.printer import stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json


class Side(NamedTuple):
    """One evaluation's runs of a case: its counts, and one of them to look at, a wrong one if there is one."""

    right: int
    runs: int
    silent: int
    record: RunRecord
    link: str


class ChangedCase(NamedTuple):
    """A case that one evaluation got right more often than the other."""

    name: str
    is_better: bool
    one: Side
    other: Side


class _Side:
    """An evaluation: its figures, and by case the counts and the key of a run to look at."""

    def __init__(self, name: str, store: EvalStore) -> None:
        self.store = store
        self.figures = VariantFigures(name)
        self.counts: dict[str, CaseCounts] = {}
        self.keys: dict[str, str] = {}
        self.variants: set[str] = set()

    def add(self, record: RunRecord, case: str) -> None:
        self.figures.add(record)
        self.counts[case] = self.counts.get(case, CaseCounts()).with_run(record)
        if case not in self.keys or not record.right:
            self.keys[case] = record.key

    def side(self, case: str, page: Path | None) -> Side:
        record = self.store.record(self.keys[case])
        assert record is not None
        link = os.path.relpath(self.store.folder / record.log(), page.parent) if page is not None else ""
        return Side(*self.counts[case], record, Path(link).as_posix())


def print_comparison(one: Path, other: Path, page: Path | None, *, as_json: bool) -> int:
    """Print how the second evaluation differs from the first, and write the page where one is named.

    Where both have the same variants, each is compared with itself; where each has one, that one with the other.
    """
    with EvalStore(one, writes=False) as first, EvalStore(other, writes=False) as second:
        sides = _sides((str(one), first), (str(other), second))
        pair = compared(str(one), sides[0].counts, str(other), sides[1].counts)
        if not pair.cases:
            raise UsageError(f"{one} and {other} have no case in common; give two evaluations of one suite")
        if page is not None:
            write_comparison(page, pair, [side.figures for side in sides], _changed(pair, sides, page))
    if as_json:
        print(sanitized_json(pair.members()), flush=True)
        return codes.DONE
    printer = stdout_printer()
    print_pairs(printer, [pair])
    print_cases(printer, pair)
    if page is not None:
        stderr_printer().row(Row("report", one_line(str(page)), "good"))
    return codes.DONE


def _sides(*given: tuple[str, EvalStore]) -> tuple[_Side, _Side]:
    one, other = (_Side(name, store) for name, store in given)
    variants = [{variant_of(record) for record in store.latest()} for _, store in given]
    if variants[0] != variants[1] and not all(len(each) == 1 for each in variants):
        names = "; ".join(f"{name}: {', '.join(sorted(each))}" for (name, _), each in zip(given, variants, strict=True))
        raise UsageError(f"expected evaluations of the same variants, or of one variant each; got {names}")
    named = len(variants[0]) > 1
    for side in (one, other):
        for record in side.store.latest():
            side.add(record, f"{record.case} ({variant_of(record)})" if named else record.case)
    return one, other


def _changed(pair: PairedResults, sides: tuple[_Side, _Side], page: Path) -> Iterator[ChangedCase]:
    for cases, is_better in ((pair.worse, False), (pair.better, True)):
        for name in cases:
            yield ChangedCase(name, is_better, sides[0].side(name, page), sides[1].side(name, page))
