"""The redaction that a definition asks for, compiled and held to its tools."""

from collections.abc import Iterable

from ..errors import PurestepError
from ..json_text import excerpt_of
from ..redaction import Redaction
from ..regex import Budget
from ..schema import is_pointer, pattern_at
from ..values import RedactionSpec


def compile_redaction(spec: RedactionSpec, place: str, tools: Iterable[str], budget: Budget) -> Redaction:
    """Return what hides texts; raises `invalid_agent` and the codes of patterns.

    place: of the options in the definition. tools: the names of all tools, those that check among them.
    """
    known = frozenset(tools)
    for name, pointers in spec.outputs.items():
        _check_tool(name, known, f"{place}/outputs")
        for index, pointer in enumerate(pointers):
            if not is_pointer(pointer):
                raise PurestepError(
                    "invalid_agent",
                    f'expected a JSON Pointer into the output, such as "/customer/iban"; got {excerpt_of(pointer)}',
                    f"{place}/outputs/{name}/{index}",
                )
    for index, name in enumerate(spec.reveal):
        _check_tool(name, known, f"{place}/reveal/{index}")
    patterns = [pattern_at(f"{place}/patterns/{index}", source, budget) for index, source in enumerate(spec.patterns)]
    return Redaction(spec, patterns)


def _check_tool(name: str, known: frozenset[str], path: str) -> None:
    if name not in known:
        raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(name)}", path)
