"""The parts of a value, each with the subschema that judges it."""

from collections.abc import Iterator

import msgspec

from .nodes import ArrayRules, ObjectRules, SchemaRules


class Part(msgspec.Struct, frozen=True):
    """A part of a value, with the index of the subschema that judges it.

    `role` is `item`, `property`, `other` (neither named nor matched by the schema), `rest` (looked at by nothing
    else, see `unevaluated`) or `name` (the value is the name).
    """

    index: int
    value: object
    token: str | int
    role: str


def parts(rules: SchemaRules, value: object) -> Iterator[Part]:
    """The parts of the value that the rules have a subschema for.

    Named properties come in the order of the schema, everything else in the order of the value.
    """
    if isinstance(value, list) and rules.array is not None:
        yield from _items(rules.array, value)
    elif isinstance(value, dict) and rules.object is not None:
        yield from _properties(rules.object, value)
        yield from _other_properties(rules.object, value)


def _items(rules: ArrayRules, value: list[object]) -> Iterator[Part]:
    for place, (index, item) in enumerate(zip(rules.prefix, value, strict=False)):
        yield Part(index, item, place, "item")
    if rules.items is not None:
        for place in range(len(rules.prefix), len(value)):
            yield Part(rules.items, value[place], place, "item")


def _properties(rules: ObjectRules, value: dict[str, object]) -> Iterator[Part]:
    for name, index in rules.properties.items():
        if name in value:
            yield Part(index, value[name], name, "property")


def _other_properties(rules: ObjectRules, value: dict[str, object]) -> Iterator[Part]:
    if rules.names is None and rules.additional is None and not rules.patterns:
        return
    for name, part in value.items():
        if rules.names is not None:
            yield Part(rules.names, name, name, "name")
        matching = [index for pattern, index in rules.patterns if pattern.search(name)]
        for index in matching:
            yield Part(index, part, name, "property")
        if rules.additional is not None and not matching and name not in rules.properties:
            yield Part(rules.additional, part, name, "other")
