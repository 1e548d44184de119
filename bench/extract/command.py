"""The command `./build.sh bench extract`: what is found by form and capitals alone, and with the bundled model."""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.carry.models import KeptReplies
from bench.extract.judge import TARGETS, Count, Outcome, count, shown
from bench.extract.texts import MarkedText, marked_texts
from purestep import Done, ModelSpec
from purestep_hosts.download import default_model
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions
from purestep_hosts.skill_run import run_skill

REPLIES = Path(__file__).resolve().parents[2] / ".cache" / "extract"
LEVELS = ("off", "route")


class NoModelError(Exception):
    """The core asked for a model where the control has none."""


def main(arguments: list[str]) -> int:
    """Measure and print; the exit code is 1 where a value does not stand in its text."""
    parser = argparse.ArgumentParser(prog="./build.sh bench extract", description=__doc__)
    parser.add_argument("--split", choices=("tune", "final"), default="tune", help="final is for the end only")
    parser.add_argument("--targets", default=",".join(TARGETS), help="some of them (default: all)")
    parser.add_argument("--level", choices=LEVELS, default="route", help="how much the core does for the model")
    parser.add_argument("--first", type=int, help="only so many texts, the first ones of the half")
    parser.add_argument("--no-model", action="store_true", help="what the core finds alone, at `route`")
    parser.add_argument("--show", action="store_true", help="print what was missed and what was too much")
    given = parser.parse_args(arguments)
    model = None if given.no_model else _model()
    counts = {}
    for target in given.targets.split(","):
        outcomes = [_outcome(marked, target, given.level, model) for marked in marked_texts(given.split)[: given.first]]
        counts[target] = count(outcomes)
        for outcome in outcomes if given.show else ():
            print(shown(outcome), end="\n" if shown(outcome) else "")
    title = f"{model.name if model else 'no model'}, level: {given.level}, half: {given.split}"
    Console(width=None if sys.stdout.isatty() else 140).print(_table(title, counts))
    return 1 if any(each.standing < each.given for each in counts.values()) else 0


def _model() -> KeptReplies:
    path = default_model()
    identity = f"{path.stem} {path.stat().st_size}"
    return KeptReplies(LlamaCppModel(path, LlamaCppOptions(n_threads=1)), identity, REPLIES)


def _outcome(marked: MarkedText, target: str, level: str, model: KeptReplies | None) -> Outcome:
    spec = ModelSpec(name="m", supports=("json_schema",), carry="off" if level == "off" else "route")

    def loaded() -> KeptReplies:
        if model is None:
            raise NoModelError
        return model

    before = 0 if model is None else len(model.asked)
    try:
        ended = run_skill("extract", {"text": marked.text, "target": target}, spec, loaded, Interrupts())
    except NoModelError:
        return Outcome(marked=marked, target=target, data=None, code="no_model")
    calls = 0 if model is None else len(model.asked) - before
    if isinstance(ended, Done):
        return Outcome(marked=marked, target=target, data=ended.data, model_calls=calls)
    return Outcome(marked=marked, target=target, data=None, code=ended.code, model_calls=calls)


def _table(title: str, counts: dict[str, Count]) -> Table:
    heads = ("target", "stand in the text", "recall", "right of those given", "failed", "model calls a text")
    made = Table(*heads, title=title)
    for target, each in counts.items():
        made.add_row(
            target,
            f"{each.standing} of {each.given}",
            f"{each.right} of {each.expected} ({each.recall:.0%})",
            f"{each.right} of {each.given} ({each.precision:.0%})",
            f"{each.failed} of {each.texts}",
            f"{each.model_calls / each.texts:.2f}",
        )
    return made
