"""The rule that words decide nothing in the core: no list of natural-language words, whatever it is written as.

What a sentence means is the model's to say. A list of verbs, names or tools' names that a program compares with is a
rule on words, and no list is long enough. This looks for such lists in the syntax trees of core/, all modules at once:

- tuples, lists, sets, and keys or values of dicts, nested ones as well;
- texts that are split, where they stand or by the name of their constant;
- alternatives of a pattern, `a|b|c`;
- what one function compares with: `==`, `in`, `case`, `startswith` and their like;
- words that are given one by one to a call;
- files in the package beside the modules.

A word is a text of letters, with at most three joints (a blank, hyphen, apostrophe or underscore). A message is
longer. Not counted are names that the core gives itself: members of what goes over the wire, tags, values of `Literal`
types, keys of a definition, and what `DECLARED` lists; nor those of `STANDARD_NAMES`. What then holds `MIN_WORDS` or
more is a finding, unless `EXCEPTIONS` says why it may stay. An exception for what is not there is a finding as well.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tools.checks.finding import Finding
from tools.checks.word_exceptions import DECLARED, EXCEPTIONS, STANDARD_NAMES, NamesByModule

CORE = "core/"
TABLE = "tools/checks/word_exceptions.py"
DEFINITION_SCHEMA = "purestep/agent.schema.json"
FILES_BESIDE = frozenset(
    {
        DEFINITION_SCHEMA,
        "README.md",
        "purestep_formats/families/README.md",
        *(f"{package}/py.typed" for package in ("purestep", "purestep_formats", "purestep_policies")),
    }
)
"""Files in core/ that are no modules: no program of the core reads them."""

WIRE_ROOM = "purestep/values/"
"""The room whose structs go over the wire: their members are names, not words."""

ADVICE = (
    "words decide nothing in the core: check structure or values, or ask the model; what is no such list is named "
    f"with its reason in {TABLE}"
)
MAX_SHOWN_WORDS = 6

MIN_WORDS = 3
"""Words that make a list. Two are mostly the two sides of one thing, as in `("start", "end")`."""

_JOINT = "[ _'\u2019-]"
_LETTERS = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTERS}+(?:{_JOINT}{_LETTERS}+){{0,3}}")
_ALTERNATIVES = re.compile(rf"{_LETTERS}(?:{_LETTERS}|{_JOINT})*(?:\|{_LETTERS}(?:{_LETTERS}|{_JOINT})*)+")
_BETWEEN_WORDS = re.compile(r"[\s,;|/]+")
_AROUND = " \t\n.,;:!?*"
"""What may stand around a word that a text is compared with."""

_GROUP = re.compile(r"\(\?P<([a-z_0-9]+)>", re.ASCII)

_COMPARING = frozenset(
    {
        *("startswith", "endswith", "removeprefix", "removesuffix", "find", "rfind", "index", "rindex"),
        *("count", "partition", "rpartition", "replace", "split", "rsplit"),
    }
)
_SPLITTING = frozenset({"split", "rsplit", "splitlines", "partition"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


Place = tuple[str, str]
"""A module, from core/ on, and a name in it."""


class WordList(NamedTuple):
    """Words that stand together in a module: the line, the name that holds them, and the words in order."""

    line: int
    name: str
    words: tuple[str, ...]


def check_words(
    files: Mapping[str, str],
    exceptions: Mapping[str, NamesByModule] = EXCEPTIONS,
    declared: NamesByModule = DECLARED,
) -> list[tuple[str, Finding]]:
    """Return the lists of words in the core, and the exceptions that cover none, as (path, finding).

    files: each file's text by its path from core/ on.
    """
    modules = {path: ast.parse(text) for path, text in sorted(files.items()) if path.endswith(".py")}
    names = {(path, name): part for path, tree in modules.items() for name, part in _named_parts(tree)}
    here = [(path, name) for path, inner in declared.items() for name in inner]
    known = STANDARD_NAMES.union(
        *(_own_names(tree, path) for path, tree in modules.items()),
        _names_of_definition(files.get(DEFINITION_SCHEMA, "{}")),
        *(map(_text, ast.walk(names[place])) for place in here if place in names),
    )
    split = frozenset(name for tree in modules.values() for name in _split_names(tree))
    found = [(path, each) for path, tree in modules.items() for each in word_lists(tree, known, split)]
    excepted = [(path, name) for places in exceptions.values() for path, inner in places.items() for name in inner]
    return [
        *_findings(found, excepted),
        *_files_beside({*files} - {*modules}),
        *_idle(excepted, {(path, each.name) for path, each in found}, "covers no list of words"),
        *_idle(here, {*names}, "is not there"),
    ]


def word_lists(tree: ast.Module, known: frozenset[str], split: frozenset[str]) -> Iterator[WordList]:
    """Yield the lists of words in one module; known: what is no word; split: constants that a program splits."""
    for name, part in _named_parts(tree):
        skipped = _annotations(part)
        for line, texts in _collections(part, name, split, skipped):
            words = tuple(dict.fromkeys(word for text in texts if (word := _word(text)) and word not in known))
            if len(words) >= MIN_WORDS:
                yield WordList(line, name, words)


def _findings(found: list[tuple[str, WordList]], excepted: list[Place]) -> Iterator[tuple[str, Finding]]:
    """Yield what no exception covers; several lists under one name are one finding."""
    told = set(excepted)
    for path, each in found:
        if (path, each.name) not in told:
            told.add((path, each.name))
            words = ", ".join([*each.words[:MAX_SHOWN_WORDS], *(["..."] if each.words[MAX_SHOWN_WORDS:] else [])])
            yield f"{CORE}{path}", Finding(each.line, f"{each.name} is a list of words ({words}): {ADVICE}")


def _files_beside(paths: set[str]) -> Iterator[tuple[str, Finding]]:
    for path in sorted(paths - FILES_BESIDE):
        yield f"{CORE}{path}", Finding(1, f"a file beside the modules may be a list of words: {ADVICE}")


def _idle(table: list[Place], there: set[Place], why: str) -> Iterator[tuple[str, Finding]]:
    """Yield the entries of a table of exceptions that name nothing."""
    for path, name in sorted({*table} - there):
        yield TABLE, Finding(1, f"{name} of {path} {why}: remove the entry")


# --- what is looked at ------------------------------------------------------------------------------------


def _named_parts(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the statements of a module and of its classes, each with the name that it gives, or "(module)"."""
    waiting: list[tuple[str, ast.stmt]] = [("", part) for part in tree.body]
    for before, part in waiting:
        match part:
            case ast.ClassDef(name=name, body=body):
                waiting += [(f"{before}{name}.", inner) for inner in body]
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield f"{before}{name}", part
            case ast.Assign(targets=[ast.Name(id=name), *_]) | ast.AnnAssign(target=ast.Name(id=name)):
                if name not in {"__all__", "__slots__"}:
                    yield f"{before}{name}", part
            case _:
                yield f"{before}(module)", part


def _annotations(part: ast.AST) -> frozenset[int]:
    """Return the ids of all nodes of annotations and `Literal` types, which name values of the core's own."""
    typed: list[ast.AST] = []
    for node in ast.walk(part):
        match node:
            case ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation):
                typed.append(annotation)
            case ast.FunctionDef(returns=ast.expr() as annotation):
                typed.append(annotation)
            case ast.Subscript(value=ast.Name(id="Literal")):
                typed.append(node)
            case _:
                pass
    return frozenset(id(inner) for node in typed for inner in ast.walk(node))


def _collections(
    part: ast.stmt, name: str, split: frozenset[str], skipped: frozenset[int]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the texts that stand together in a statement, with the line of the first."""
    nodes = [node for node in ast.walk(part) if id(node) not in skipped]
    for node in nodes:
        for texts in _together(node):
            yield getattr(node, "lineno", part.lineno), texts
    if name in split and not isinstance(part, _FUNCTIONS):
        yield part.lineno, [text for node in nodes for text in _BETWEEN_WORDS.split(_text(node))]
    yield part.lineno, [text for node in nodes for text in _compared(node)]


def _together(node: ast.AST) -> Iterator[list[str]]:
    """Yield the texts that stand together in one expression."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            yield [text for element in elements for text in _texts(element)]
        case ast.Dict(keys=keys, values=values):
            yield [text for key in keys if key is not None for text in _texts(key)]
            yield [text for value in values for text in _texts(value)]
        case ast.Constant(value=str() | bytes()):
            yield _alternatives(_text(node))
        case ast.Call(func=ast.Attribute(value=value, attr=attribute)) if attribute in _SPLITTING:
            yield [text for whole in _texts(value) for text in _BETWEEN_WORDS.split(whole)]
        case ast.Call(args=arguments):
            yield [_text(argument) for argument in arguments]
        case _:
            pass


def _compared(node: ast.AST) -> list[str]:
    """Return the texts that an expression compares something with."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [text for side in (left, *others) for text in _texts(side)]
        case ast.MatchValue(value=value):
            return _texts(value)
        case ast.Call(func=ast.Attribute(attr=attribute), args=arguments) if attribute in _COMPARING:
            return [text for argument in arguments for text in _texts(argument)]
        case _:
            return []


def _texts(node: ast.AST) -> list[str]:
    """Return the texts of a literal, nested ones as well."""
    match node:
        case ast.Constant():
            return [text] if (text := _text(node)) else []
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return [text for element in elements for text in _texts(element)]
        case ast.Starred(value=value):
            return _texts(value)
        case _:
            return []


def _text(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Constant(value=bytes() as content):
            return content.decode("utf-8", "replace")
        case _:
            return ""


def _alternatives(text: str) -> list[str]:
    """Return the alternatives of words in a text that may be a pattern, with or without groups around them."""
    plain = re.sub(r"\\[bABZz]|\(\?:|\(\?<?[=!]|[()?]", "", text)
    return [word for found in _ALTERNATIVES.findall(plain) for word in found.split("|")]


def _word(text: str) -> str:
    """Return the word that a text is, without the marks around it; "" for what is none."""
    word = text.strip(_AROUND)
    return word if len(word) > 1 and _WORD.fullmatch(word) else ""


# --- what is no word --------------------------------------------------------------------------------------


def _own_names(tree: ast.Module, path: str) -> Iterator[str]:
    """Yield the names that a module gives: members of the wire, tags, values of `Literal`, groups of patterns."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(body=body, keywords=keywords):
                yield from (_text(keyword.value) for keyword in keywords if keyword.arg == "tag")
                if path.startswith(WIRE_ROOM):
                    yield from (ast.unparse(inner.target) for inner in body if isinstance(inner, ast.AnnAssign))
            case ast.Subscript(value=ast.Name(id="Literal"), slice=values):
                yield from map(_text, ast.walk(values))
            case ast.Constant(value=str() | bytes()):
                yield from _GROUP.findall(_text(node))
            case _:
                pass


def _names_of_definition(schema: str) -> Iterator[str]:
    """Yield the keys and the fixed values of a definition, by its JSON Schema."""
    pending = [json.loads(schema)]
    for node in pending:
        if isinstance(node, dict):
            yield from node.get("properties", {})
            yield from (value for value in [*node.get("enum", []), node.get("const")] if isinstance(value, str))
            pending += node.values()
        elif isinstance(node, list):
            pending += node


def _split_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of constants whose text is split."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name), attr=attribute)) if (
                attribute in _SPLITTING
            ):
                yield name
            case _:
                pass
