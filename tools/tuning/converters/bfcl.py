"""BFCL: requests to functions, with the arguments that are accepted, and requests that none of the functions is for.

Source: Patil et al., Berkeley Function-Calling Leaderboard, github.com/ShishirPatil/gorilla, `bfcl_eval/data`: files
`BFCL_vN_CATEGORY.json` with a JSON value a line, and their keys in `possible_answer`. Licence: Apache-2.0.

Every fifth function, by a digest of its name, is held out: `held_out` yields what needs one of those, for measuring.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import purestep
from tools.tuning import form
from tools.tuning.converters.source_folder import files_of, lines_of
from tools.tuning.trees import Tree, Turn

_WITH_CALLS: Final = ("simple_python", "multiple", "live_simple", "live_multiple")
_WITHOUT: Final = ("irrelevance", "live_irrelevance")
_HELD_OUT_OF: Final = 5
_LONGEST: Final = 400
"""Characters of a request: longer ones are documents."""

_TYPES: Final = {
    "dict": "object",
    "float": "number",
    "double": "number",
    "long": "integer",
    "int": "integer",
    "tuple": "array",
    "list": "array",
    "bool": "boolean",
    "str": "string",
    "any": "string",
}
"""Types as the files name them, after Python and Java."""


def bfcl_trees(folder: Path, seed: int) -> Iterator[Tree]:
    """Yield the trees of functions that are not held out; raises SourceFolderError."""
    for tree, is_held_out in _all(folder):
        if not is_held_out:
            yield tree


def held_out_trees(folder: Path, seed: int) -> Iterator[Tree]:
    """Yield the trees of functions that are held out; raises SourceFolderError."""
    for tree, is_held_out in _all(folder):
        if is_held_out:
            yield tree


def _all(folder: Path) -> Iterator[tuple[Tree, bool]]:
    for category in (*_WITH_CALLS, *_WITHOUT):
        path = next(path for path in files_of(folder, f"BFCL_v*_{category}.json", "BFCL") if path.parent.name != _KEYS)
        keys = {}
        if category in _WITH_CALLS:
            keys = {line["id"]: line["ground_truth"] for line in lines_of(path.parent / _KEYS / path.name)}
        for line in lines_of(path):
            tree = _tree(line, keys.get(line["id"], []), needs_call=category in _WITH_CALLS)
            if tree is not None:
                yield tree, any(_is_held_out(function["name"]) for function in line["function"])


_KEYS: Final = "possible_answer"


def _is_held_out(name: str) -> bool:
    digest = hashlib.sha256(name.rpartition(".")[2].lower().encode()).digest()
    return int.from_bytes(digest[:8], "big") % _HELD_OUT_OF == 0


def _tree(line: dict[str, Any], key: list[dict[str, Any]], *, needs_call: bool) -> Tree | None:
    messages = line["question"][0]
    text = "\n".join(message["content"] for message in messages)
    if len(text) > _LONGEST or any(message["role"] != "user" for message in messages):
        return None
    specs = [
        {"name": each["name"], "description": each["description"], "parameters": with_json_types(each["parameters"])}
        for each in line["function"]
    ]
    if not needs_call:
        return _as_tree(specs, Turn(text=text, output=form.answer(""), learnt="branch"))
    if len(key) != 1:
        return None
    ((name, accepted),) = key[0].items()
    spec = next((each for each in specs if each["name"] == name), None)
    arguments = None if spec is None else _arguments(accepted, text)
    if spec is None or arguments is None:
        return None
    return _as_tree(specs, Turn(text=text, output=form.call(spec, arguments)))


def _as_tree(specs: list[dict[str, Any]], turn: Turn) -> Tree | None:
    try:
        return Tree(system=form.system_text(specs), branches=((turn,),), tools=tuple(specs))
    except purestep.PurestepError:
        return None  # a name or a schema that the core does not take, or too many tools


def _arguments(accepted: dict[str, list[Any]], text: str) -> dict[str, Any] | None:
    """Return of each accepted list the value that stands in the text, else the first; None where there is none.

    An optional argument, whose list has "", is left out unless its value was said.
    """
    found = {}
    for name, values in accepted.items():
        given = [value for value in values if value not in ("", None)]
        said = [value for value in given if str(value).lower() in text.lower() and not isinstance(value, bool)]
        if len(given) < len(values):
            if said:
                found[name] = said[0]
        elif not given:
            return None
        else:
            found[name] = (said or given)[0]
    return found if all(_is_plain(value) for value in found.values()) else None


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(each, dict) for each in value)
    )


def with_json_types(schema: Any) -> Any:
    """Return a schema with the types of JSON Schema."""
    if isinstance(schema, list):
        return [with_json_types(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    converted = {key: with_json_types(value) if key != "enum" else value for key, value in schema.items()}
    if isinstance(converted.get("type"), str):
        kind = converted["type"].lower()
        converted["type"] = _TYPES.get(kind, kind if kind in _JSON else "string")
    return {
        key: value
        for key, value in converted.items()
        if key not in ("default", "optional", "required") or _keeps(key, value)
    }


def _keeps(key: str, value: Any) -> bool:
    return key == "required" and isinstance(value, list)


_JSON: Final = frozenset(("object", "array", "string", "number", "integer", "boolean", "null"))
