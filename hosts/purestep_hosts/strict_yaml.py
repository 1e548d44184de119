"""Strict YAML, with the values of JSON only: no aliases, no duplicate keys, no dates, string keys."""

from __future__ import annotations

from typing import Any

from purestep_hosts.extras import CLI

with CLI:
    import yaml  # type: ignore[import-untyped]
    from yaml import MarkedYAMLError, ScalarNode, YAMLError

__all__ = ["MarkedYAMLError", "ScalarNode", "YAMLError", "compose", "load", "load_texts", "unusual_parts"]

_DATE = "tag:yaml.org,2002:timestamp"


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Refuses aliases, which can grow without bound, and duplicate keys, of which the last would win."""

    yaml_implicit_resolvers = {  # noqa: RUF012 (PyYAML's own attribute)
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _DATE]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise _problem("aliases are not supported; write the value out", self.peek_event())
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise _problem(f"expected text as a key; got {key!r}, which quotes make text", key_node)
            if key in seen:
                raise _problem(f"duplicate key {key!r}", key_node)
            seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def load(text: str) -> Any:
    """Return the value of a YAML text; raises yaml.YAMLError with the line of the error."""
    return yaml.load(text, _Loader)


class _TextLoader(_Loader):
    """Reads every scalar as text, as `1.10` is meant where a version stands."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 (PyYAML's own attribute)


def load_texts(text: str) -> Any:
    """Return the value of a YAML text, its scalars as text; raises yaml.YAMLError with the line of the error."""
    return yaml.load(text, _TextLoader)


def unusual_parts(text: str) -> list[str]:
    """Return what of a YAML text stricter readers refuse: brackets, tags and anchors; raises yaml.YAMLError."""
    found = dict[str, None]()
    for event in yaml.parse(text, _TextLoader):
        if getattr(event, "flow_style", None):
            found["a value in brackets or braces"] = None
        if getattr(event, "anchor", None):
            found["an anchor"] = None
        if getattr(event, "tag", None) not in (None, "!"):
            found["a tag"] = None
    return list(found)


def compose(text: str) -> Any:
    """Return the tree of a YAML text with the place of each value, None for an empty text; raises yaml.YAMLError."""
    return yaml.compose(text, _Loader)


def _problem(what: str, where: Any) -> Exception:
    problem: Exception = MarkedYAMLError(problem=what, problem_mark=where.start_mark)
    return problem
