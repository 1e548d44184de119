"""Tool search: of many tools a model is offered a few and the built-in `find_tools`, by which it finds the others.

A definition with more tools than `tools_offered` defers all that are not `always` offered. They stay its tools in
everything else: a call of one is checked and run as any call is, whether it was found or not.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from ..bounds import DEFAULT_MAX_OUTPUT_CHARS, FOUND_AT_ONCE, MAX_SEARCH_CHARS, MAX_SHOWN_KINDS, RANKED_AT_ONCE
from ..checks import ranking_by
from ..errors import PurestepError
from ..schema import compile_schema
from ..text import TextIndex, fused
from ..values import AgentDefinition, Annotations, Check, OneTool, ToolSpec
from .skill_tools import READ_SKILL, written_skills
from .tools import CompiledTool

FIND_TOOLS: Final = "find_tools"

_PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_SEARCH_CHARS,
            "description": "what the tool is to do, in a few words, and of which kind it is",
        }
    },
    "required": ["query"],
    "additionalProperties": False,
}

_NAME, _KIND, _ABOUT, _MORE, _PARAMETER, _ABOUT_PARAMETER = 16, 8, 6, 1, 2, 1
"""What a word weighs by where it stands: in the tool's own name, before that, in the first sentence about the tool, in
the others, in a parameter's name, and in what is said of a parameter."""

_BEFORE: Final = "__"
"""Stands between a kind and a tool's own name: hosts name the tools of MCP servers SERVER__TOOL."""


class ToolSearch:
    """The deferred tools of a definition.

    Attributes: `places`, of each by name, its index among the definition's tools; `names`, the same the other way;
    `limits`, by the index of a model, how many tools it is offered all at once; `finder`, the built-in tool; `ranking`,
    the call of the host's tool that ranks them, too.
    """

    def __init__(self, definition: AgentDefinition, deferred: Mapping[str, int], limits: tuple[int, ...]) -> None:
        self.places = deferred
        self.names = {place: name for name, place in deferred.items()}
        self.limits = limits
        self.finder = _finder(definition, tuple(self.names))
        self.ranking = ranking_by(definition.tools_ranked_by) if definition.tools_ranked_by else None
        self._tools = definition.tools

    def find(self, query: str, ranked: Sequence[str] = ()) -> tuple[int, ...]:
        """Return the places of the tools that fit a query best, the best first: by its words, and as they were ranked.

        ranked: names, the best first; one that no deferred tool has counts for nothing.
        """
        order, index = self._index
        if not ranked:
            return tuple([order[at] for at in index.rank(query, FOUND_AT_ONCE)])
        by_words = [self.names[order[at]] for at in index.rank(query, RANKED_AT_ONCE)]
        known = [name for name in ranked[:RANKED_AT_ONCE] if name in self.places]
        return tuple([self.places[name] for name in fused(by_words, known)[:FOUND_AT_ONCE]])

    @cached_property
    def _index(self) -> tuple[tuple[int, ...], TextIndex]:
        """The deferred tools in the definition's order, and what ranks them; made for the first search."""
        order = tuple(sorted(self.names))
        return order, TextIndex([_parts(self._tools[place]) for place in order])


def tool_search(definition: AgentDefinition, offered: Mapping[str, CompiledTool]) -> ToolSearch | None:
    """Return the search where a model of the definition is offered fewer tools than there are; None elsewhere.

    offered: the tools that a model may call. Error codes: `duplicate_tool`, for a tool with the name of the search.
    """
    limits = _limits(definition)
    if len(offered) <= min(limits):
        return None
    always = _always(definition)
    deferred = {
        spec.name: place
        for place, spec in enumerate(definition.tools)
        if spec.name in offered and not spec.always and spec.name not in always
    }
    if FIND_TOOLS in offered:
        raise PurestepError(
            "duplicate_tool",
            f'a tool is named "{FIND_TOOLS}", as the built-in tool is by which the others are found; rename it, or '
            f"set tools_offered to {len(offered)}",
            f"/tools/{[spec.name for spec in definition.tools].index(FIND_TOOLS)}/name",
        )
    return ToolSearch(definition, deferred, limits) if deferred else None


def _limits(definition: AgentDefinition) -> tuple[int, ...]:
    given = definition.tools_offered
    return tuple([model.tools_offered or given for model in definition.models]) or (given,)


def _always(definition: AgentDefinition) -> frozenset[str]:
    """Return the tools that the definition itself has the model use, so that none of them has to be found."""
    choice = definition.tool_choice
    chosen = (choice.tool,) if isinstance(choice, OneTool) else ()
    demanded = [name for each in definition.checks if isinstance(each, Check) for name in each.tools or ()]
    return frozenset((*chosen, *demanded, *((READ_SKILL,) if written_skills(definition) else ())))


def _finder(definition: AgentDefinition, deferred: tuple[int, ...]) -> CompiledTool:
    spec = ToolSpec(
        name=FIND_TOOLS,
        description=f"Find tools by what they do: {len(deferred)} more can be used, and are not listed. "
        + _kinds([definition.tools[place].name.rpartition(_BEFORE)[0] for place in deferred]),
        parameters=_PARAMETERS,
        annotations=Annotations(readOnlyHint=True, idempotentHint=True),
    )
    return CompiledTool(
        spec=spec,
        parameters=compile_schema(_PARAMETERS),
        approval="auto",
        max_output_chars=DEFAULT_MAX_OUTPUT_CHARS,
    )


def _kinds(kinds: list[str]) -> str:
    """Return how many tools there are of which kind, the first kinds by name."""
    counts = dict.fromkeys(kinds, 0)
    for kind in kinds:
        counts[kind] += 1
    others = counts.pop("", 0)
    if not counts:
        return "Search before you say that something cannot be done."
    shown = [f"{kind} ({number})" for kind, number in list(counts.items())[:MAX_SHOWN_KINDS]]
    others += sum(list(counts.values())[MAX_SHOWN_KINDS:])
    return f"They are of: {', '.join([*shown, *((f'others ({others})',) if others else ())])}."


def _parts(spec: ToolSpec) -> Iterator[tuple[str, int]]:
    """Yield what is said of a tool, with the weight of its words."""
    kind, _, name = spec.name.rpartition(_BEFORE)
    yield name, _NAME
    yield kind, _KIND
    if spec.annotations is not None and spec.annotations.title:
        yield spec.annotations.title, _NAME
    first, end, rest = spec.description.partition("\n")
    about, _, more = first.partition(". ")
    yield about, _ABOUT
    yield f"{more}{end}{rest}", _MORE
    given = spec.parameters.get("properties")
    properties: dict[str, Any] = given if isinstance(given, dict) else {}
    yield from ((name, _PARAMETER) for name in properties)
    for schema in properties.values():
        said = schema.get("description") if isinstance(schema, dict) else None
        if isinstance(said, str):
            yield said, _ABOUT_PARAMETER
