"""The command: `python -m tools.tuning [teach] --tools my_tools.json`, and the verbs generate, convert and measure."""

import argparse
import os
import sys
from itertools import islice
from pathlib import Path

from purestep_hosts.download import DownloadError, default_model
from purestep_hosts.models.adapters import SHIPPED, TAUGHT_NAME
from purestep_hosts.models.llamacpp import LlamaCppModel, ModelLoadError
from tools.tuning.converters import CONVERTERS, SourceFolderError
from tools.tuning.generators import OwnChoice, own_trees, trees
from tools.tuning.generators.languages import CODES
from tools.tuning.measuring import measure
from tools.tuning.mix import Generated, NothingToLearnError, Source, listed_source
from tools.tuning.tool_files import OwnTools, ToolFileError, read_tools
from tools.tuning.trees import Tree, TreeFileError, read_trees, write_trees

_HELD_OUT_SEED = 1_000_003
"""Added to a seed for trees that are measured with: no training comes to it."""
_FAULTS = (DownloadError, ModelLoadError, NothingToLearnError, SourceFolderError, ToolFileError, TreeFileError)


def main(arguments: list[str] | None = None) -> int:
    """Do what a verb says; the exit code is 1 where something that was given cannot be used."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or (given[0].startswith("-") and given[0] not in ("-h", "--help")):
        given = ["teach", *given]
    options = _parser().parse_args(given)
    try:
        result: int = options.run(options)
    except ModuleNotFoundError as error:
        print(f"{error.name} is not installed here; ./build.sh tuning has an environment with it", file=sys.stderr)
        return 1
    except _FAULTS as error:
        print(error, file=sys.stderr)
        return 1
    return result


def _say(line: str) -> None:
    print(line, flush=True)


# --- the verbs ----------------------------------------------------------------------------------------------


def _teach(options: argparse.Namespace) -> int:
    from tools.tuning.training.adapter_file import AdapterFileError
    from tools.tuning.training.base import BaseFileError
    from tools.tuning.training.teaching import Teaching, device_here, rows_here, teach
    from tools.tuning.training.trainer import Plan

    own = read_tools(options.tools) if options.tools else None
    sources = _sources(options, own)
    device = options.device or device_here()
    on_gpu = device != "cpu"
    start = None if options.start == "none" else Path(options.start or SHIPPED[TAUGHT_NAME].path)
    steps = options.steps or 300
    plan = Plan(
        steps=steps,
        minutes=options.minutes if options.minutes or options.steps else (20.0 if on_gpu else None),
        rate=options.rate or (2e-3 if start is None else 5e-4),
        rows=options.rows or rows_here(device),
        length=options.length or (1024 if on_gpu else 512),
        smoothing=options.smoothing,
        checkpoint=options.checkpoint,
    )
    base = options.base or default_model()
    teaching = Teaching(
        base=base,
        start=start,
        rank=options.rank,
        plan=plan,
        seed=options.seed,
        workers=options.workers or (os.cpu_count() or 1),
        device=device,
    )
    try:
        teach(teaching, sources, options.out, _say)
    except (AdapterFileError, BaseFileError) as error:
        print(error, file=sys.stderr)
        return 1
    _say(f"{options.out}: {options.out.stat().st_size} bytes")
    if options.measured:
        held_out = list(_held_out(options, own))
        for name, adapter in (("before", start), ("after", options.out)):
            _say(f"{name}, on {len(held_out)} trees that were not taught:")
            _say(measure(LlamaCppModel(base, adapter=adapter), held_out).table())
    return 0


def _sources(options: argparse.Namespace, own: OwnTools | None) -> list[Source]:
    found = [listed_source(path, weight) for path, weight in map(_weighted, options.trees)]
    shared = {"seed": options.seed, "calendar": options.calendar, "number": options.generated}
    if own is not None:
        choice = OwnChoice(languages=options.languages)
        found.append(Source(name="own tools", weight=1.0, of=Generated(own=own, choice=choice, **shared)))
    if options.generated:
        found.append(Source(name="generated", weight=1.0, of=Generated(**shared)))
    return found


def _weighted(given: str) -> tuple[Path, float]:
    path, _, weight = given.rpartition("=")
    try:
        return Path(path), float(weight)
    except ValueError:
        return Path(given), 1.0


def _languages(given: str) -> tuple[str, ...]:
    names = tuple(given.split(","))
    for name in names:
        if name not in CODES:
            raise argparse.ArgumentTypeError(f"expected {', '.join(CODES)} with commas between, got {name!r}")
    return names


def _held_out(options: argparse.Namespace, own: OwnTools | None) -> list[Tree]:
    seed = options.seed + _HELD_OUT_SEED
    if own is None:
        return list(islice(trees(seed, calendar=options.calendar), options.measured))
    choice = OwnChoice(languages=options.languages)
    return list(islice(own_trees(seed, own, choice, calendar=options.calendar), options.measured))


def _generate(options: argparse.Namespace) -> int:
    made = write_trees(options.out, islice(trees(options.seed, calendar=options.calendar), options.number))
    _say(f"{options.out}: {made} trees")
    return 0


def _convert(options: argparse.Namespace) -> int:
    made = write_trees(options.out, CONVERTERS[options.source](options.folder, options.seed))
    _say(f"{options.out}: {made} trees")
    return 0


def _measure(options: argparse.Namespace) -> int:
    base = options.base or default_model()
    adapter = None if options.adapter == "none" else Path(options.adapter or SHIPPED[TAUGHT_NAME].path)
    model = LlamaCppModel(base, adapter=adapter)
    for path in options.trees or [None]:
        found = trees(options.seed + _HELD_OUT_SEED, calendar=options.calendar) if path is None else read_trees(path)
        _say(f"{path or 'generated'}:")
        measured = measure(model, islice(found, options.number))
        _say(measured.table())
        if measured.unreadable:
            _say(f"{measured.unreadable} could not be asked about")
    return 0


# --- options ------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.tuning", description=__doc__)
    verbs = parser.add_subparsers(required=True)
    _teach_options(verbs.add_parser("teach", help="train an adapter (the verb may be left out)"))
    generate = verbs.add_parser("generate", help="write generated trees to look at")
    generate.add_argument("--number", type=int, default=1000)
    generate.set_defaults(run=_generate)
    convert = verbs.add_parser("convert", help="write a folder of public data as trees")
    convert.add_argument("source", choices=sorted(CONVERTERS))
    convert.add_argument("folder", type=Path)
    convert.set_defaults(run=_convert)
    for each in (generate, convert):
        each.add_argument("--out", type=Path, required=True)
    asked = verbs.add_parser("measure", help="ask a model about trees that it was not taught")
    asked.add_argument("trees", type=Path, nargs="*", help="files of trees (default: generated ones)")
    asked.add_argument("--adapter", help="a GGUF adapter, or none (default: the shipped one)")
    asked.add_argument("--base", type=Path, help="the base model's GGUF file (default: the bundled one)")
    asked.add_argument("--number", type=int, default=100, help="trees of each file, at most (default: 100)")
    asked.set_defaults(run=_measure)
    for each in (generate, convert, asked):
        each.add_argument("--seed", type=int, default=0)
    for each in (generate, asked):
        each.add_argument("--calendar", action="store_true")
    return parser


def _teach_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--tools", type=Path, help="a file with your own tools: of an MCP server, as OpenAI takes them, or an agent's")
    add(
        "--languages",
        type=_languages,
        default="en",
        help=f"of requests to your tools, with commas, of {','.join(CODES)} (default: en)",
    )
    add("--trees", action="append", default=[], metavar="FILE[=WEIGHT]", help="trees of a file, drawn with this weight")
    add("--generated", type=int, default=20_000, metavar="N", help="generated trees, and of your tools as many")
    add("--calendar", action="store_true", help="prompts list the next seven days, and dates are those of the list")
    add("--start", help="the adapter to go on from, .gguf or .safetensors, or none (default: the shipped one)")
    add("--base", type=Path, help="the base model's GGUF file (default: the bundled one)")
    add("--rank", type=int, default=32, help="of an adapter that starts from nothing (default: 32)")
    add("--minutes", type=float, help="how long to train (default: 20 on a GPU)")
    add("--steps", type=int, help="how many steps to train (default: 300 on a CPU)")
    add("--rate", type=float, help="the highest rate (default: 5e-4, from nothing 2e-3)")
    add("--rows", type=int, help="rows of a step (default: 48 on a GPU of 80 GB, 2 on a CPU)")
    add("--length", type=int, help="tokens of a row (default: 1024 on a GPU, 512 on a CPU)")
    add("--smoothing", type=float, default=0.0, help="of labels, which makes probabilities less sure (such as 0.05)")
    add("--checkpoint", type=Path, help="a file that the training is kept in, and goes on from when it is there")
    add("--seed", type=int, default=0, help="another seed draws other trees in another order (default: 0)")
    add("--workers", type=int, help="processes that make and encode trees (default: one for each processor)")
    add("--device", help="where to train: cuda, cuda:1, cpu (default: the GPU, if there is one)")
    add("--out", type=Path, default=Path("adapter.gguf"), help="the adapter's file (default: adapter.gguf)")
    add("--measured", type=int, default=20, metavar="N", help="trees to measure before and after with (default: 20)")
    parser.set_defaults(run=_teach)


if __name__ == "__main__":
    raise SystemExit(main())
