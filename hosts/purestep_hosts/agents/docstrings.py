"""What a function's docstring says to a model: a description, its parameters, and examples of calls.

The styles of Google, NumPy, Sphinx and Epydoc are read by docstring-parser. Examples are doctest lines that call the
function with literal arguments:

    >>> weather("Oslo")  # What is the weather in Oslo?
    'rain'

The comment is what a user would have asked. Without one, the example asks in the words of the description.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from purestep import Example

_PROMPT: Final = ">>>"
_SECTION_SIGNS: Final = (":", "---", "@")
"""What every section of every style holds; a text without them is a description."""


class DocExample(msgspec.Struct, frozen=True):
    """A call in a docstring: its arguments as written, what was asked, and what it gave (UNSET where nobody says)."""

    positional: tuple[Any, ...]
    named: dict[str, Any]
    query: str
    result: Any = msgspec.UNSET


class DocText(msgspec.Struct, frozen=True):
    """A docstring taken apart."""

    description: str = ""
    parameters: dict[str, str] = {}
    examples: tuple[DocExample, ...] = ()


def read_docstring(docstring: str | None, name: str) -> DocText:
    """Return what the docstring of the function `name` says; what is in no style is all description."""
    text = inspect.cleandoc(docstring or "")
    examples = tuple(_examples(text, name)) if _PROMPT in text else ()
    if not any(sign in text for sign in _SECTION_SIGNS):
        return DocText(_without_examples(text), {}, examples)
    from docstring_parser import ParseError, parse

    try:
        found = parse(text)
    except ParseError:
        return DocText(_without_examples(text), {}, examples)
    parameters = {each.arg_name.lstrip("*"): _joined(each.description or "") for each in found.params}
    description = "\n\n".join(part for part in (found.short_description, found.long_description) if part)
    return DocText(_without_examples(description), parameters, examples)


def example_of(found: DocExample, arguments: dict[str, Any], description: str) -> Example:
    """Return an example as the definition has it, for arguments by name."""
    said = ", ".join(f"{name} {value}" for name, value in arguments.items())
    sentence = description.partition("\n")[0].rstrip(".")
    query = found.query or (f"{sentence}: {said}" if said else sentence)
    return Example(query=query, arguments=arguments, result=None if found.result is msgspec.UNSET else found.result)


def _examples(text: str, name: str) -> Iterator[DocExample]:
    from doctest import DocTestParser

    try:
        found = DocTestParser().get_examples(text)
    except ValueError:  # no doctest, as a prompt within a sentence
        return
    for each in found:
        with_result = _literal(each.want) if each.want else msgspec.UNSET
        call = _call(each.source, name)
        if call is not None:
            yield DocExample(call[0], call[1], _comment(each.source), with_result)


def _comment(source: str) -> str:
    """Return the comment of a line of code."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return ""
    return next((token.string.lstrip("# ").strip() for token in tokens if token.type == tokenize.COMMENT), "")


def _call(source: str, name: str) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Return the arguments of a call of the function, None for anything else."""
    try:
        match ast.parse(source.strip(), mode="eval").body:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) as call if called == name:
                named = {each.arg or "": ast.literal_eval(each.value) for each in call.keywords}
                return tuple(ast.literal_eval(each) for each in call.args), named
    except (SyntaxError, ValueError, TypeError):
        pass
    return None


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip())
    except (SyntaxError, ValueError):
        return msgspec.UNSET


def _without_examples(text: str) -> str:
    """Return a description without doctest lines, what they print, and headings left with nothing under them."""
    kept: list[str] = []
    in_example = False
    for line in text.splitlines():
        in_example = line.strip().startswith(_PROMPT) or (in_example and bool(line.strip()))
        if not in_example:
            kept.append(line)
    whole = "\n".join(kept).strip()
    return whole.removesuffix("Examples:").removesuffix("Example:").strip()


def _joined(text: str) -> str:
    return " ".join(text.split())
