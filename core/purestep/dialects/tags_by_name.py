"""Calls in tags named after the arguments, each after a token of its own: MiniMax M3.

Tags nest as the values do; the schema tells a list from text, and says where tags are text. Source: the chat template.
"""

import re
from typing import Any, Final, NamedTuple

from ..bounds import MAX_ATTRIBUTE_CHARS, MAX_TOOL_NAME_CHARS, MAX_VALUE_DEPTH
from ..json_text import BLANK
from ..scanner import AMBIGUOUS, Block, BlockResult, BlockStart, RawValues
from ..values import Problem, ReadCall, Tools, parse_error
from .call_keys import plain_name
from .json_calls import CUT, NAMELESS, UNFIT, has_all
from .shapes import allowed_values
from .typed_text import parameter_schema, typed_value

_TOKEN: Final = r"\]<\]minimax\[>\[<"
_WORD: Final = rf"[A-Za-z_][A-Za-z0-9_.-]{{0,{MAX_TOOL_NAME_CHARS - 1}}}"
_TAG: Final = re.compile(rf"{_TOKEN}(/?)({_WORD})((?:[ \t][^<>\n]{{0,{2 * MAX_ATTRIBUTE_CHARS + 32}}})?)>", re.ASCII)
_NAME: Final = re.compile(r"""name[ \t]*=[ \t]*["']([^"'<>]*)["']""")

_SHORT: Final = r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"
_ARGUMENT: Final = rf"{_TOKEN}(?!invoke|tool_call)(?P<open>{_SHORT})>"
BY_NAME: Final = RawValues(
    _ARGUMENT,
    rf"{_ARGUMENT}|{_TOKEN}/(?P<close>{_SHORT})>",
    rf"{_TOKEN}(?:(?P<end>/invoke>)|(?P<call>invoke[ \t])|{_SHORT}>)",
    r"\][]<>\[minax]{0,12}(?:</?[A-Za-z0-9_. -]{0,66})?",
    first="]",
)
"""An argument's tag and its end, whatever its name."""

STRAY: Final = BlockStart(
    pattern=rf"{_TOKEN}/(?!invoke>|tool_call>){_SHORT}>(?P<inner>)",
    partial=r"\][]<>\[minax]{0,12}(?:</?[A-Za-z0-9_.-]{0,64})?",
    first_chars="]",
    scan="stray",
)
"""The end of an argument outside of all blocks."""


class Node(NamedTuple):
    """A tag: its name and attributes, where it and its text begin, the tags in it.

    end: where its text and its end tag end; empty while it is open.
    """

    name: str
    attributes: str
    start: int
    begin: int
    children: list["Node"]
    end: list[int]


def read_tags_by_name(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of `invoke` tags with one tag per argument."""
    return _NamedTags(block, tools).read()


class _NamedTags:
    """A block of calls in tags named after the arguments."""

    def __init__(self, block: Block, tools: Tools | None) -> None:
        self.block, self.inner, self.tools = block, block.inner, tools
        self.is_unclear = False
        self.loose: list[int] = []

    def read(self) -> BlockResult:
        """Read the calls."""
        root, depth = self._tree()
        calls: list[ReadCall] = []
        problems: list[Problem] = []
        invoked = [node for node in root.children if node.name == "invoke"]
        for number, node in enumerate(invoked):
            is_last = number + 1 == len(invoked)
            call, problem = self._call(node, is_whole=self.block.closed or not is_last or not depth)
            is_open = is_last and depth > 1
            if is_open or problem is not None or call is None:
                problems.append((AMBIGUOUS if self.block.closed else CUT) if is_open or problem is None else problem)
            else:
                calls.append(call)
        if self.is_unclear or self.loose:
            return BlockResult(problems=(AMBIGUOUS if self.block.closed else CUT,))
        if not invoked:
            problems = [UNFIT if self.block.closed else CUT]
        return BlockResult(calls=tuple(calls), problems=tuple(problems))

    def _call(self, node: Node, *, is_whole: bool) -> tuple[ReadCall | None, Problem | None]:
        named = _NAME.search(node.attributes)
        name = plain_name(named[1], self.tools) if named else ""
        if not name:
            return None, NAMELESS
        params: dict[str, Any] = {}
        for key, children in _by_name(node.children).items():
            schema, root = parameter_schema(self.tools, name, key)
            if len(children) > 1 and "array" not in allowed_values(schema, root)[0]:
                return None, parse_error(f'the argument "{key}" is given twice')
            params[key] = self._value(children, schema, root)
        if self._has_text(node):
            self.is_unclear = True
        if not is_whole and not has_all(name, params, self.tools):
            return None, CUT
        return ReadCall(tool=name, params=params), None

    def _tree(self) -> tuple[Node, int]:
        """Give the tags as a tree, and how many of them have no end."""
        root = Node("", "", 0, 0, [], [len(self.inner)])
        stack = [root]
        for tag in _TAG.finditer(self.inner):
            if not tag[1] and len(stack) < MAX_VALUE_DEPTH:
                node = Node(tag[2], tag[3], tag.start(), tag.end(), [], [])
                stack[-1].children.append(node)
                stack.append(node)
            elif tag[1] and len(stack) > 1 and stack[-1].name == tag[2]:
                stack.pop().end.extend((tag.start(), tag.end()))
            else:
                self.loose.append(tag.start())
        return root, len(stack) - 1

    def _value(self, nodes: list[Node], schema: Any, root: Any) -> Any:
        """Give the value of an argument; several tags of one name are the items of a list."""
        inner = schema if isinstance(schema, dict) else {}
        if len(nodes) > 1:
            return [self._value([node], inner.get("items"), root) for node in nodes]
        node = nodes[0]
        text = self.inner[node.begin : node.end[0] if node.end else len(self.inner)]
        types, _ = allowed_values(schema, root)
        if list(types) == ["string"]:
            # In text, tags are text, also those that nothing else opened or closes.
            self.loose = [at for at in self.loose if not node.begin <= at < node.begin + len(text)]
        elif node.children:
            return self._nested(node, inner, root)
        return typed_value(text, schema, root)

    def _nested(self, node: Node, inner: dict[str, Any], root: Any) -> Any:
        """Give the list or the object that the tags in a tag are."""
        if self._has_text(node):
            self.is_unclear = True
        if all(child.name == "item" for child in node.children):
            return [self._value([child], inner.get("items"), root) for child in node.children]
        properties = inner.get("properties")
        known = properties if isinstance(properties, dict) else {}
        members = _by_name(node.children)
        for key, children in members.items():
            if len(children) > 1 and "array" not in allowed_values(known.get(key), root)[0]:
                self.is_unclear = True
        return {key: self._value(children, known.get(key), root) for key, children in members.items()}

    def _has_text(self, node: Node) -> bool:
        """Tell whether there is text between the tags in a tag: it belongs to a value that was cut."""
        at = node.begin
        for child in node.children:
            if self.inner[at : child.start].strip(BLANK):
                return True
            at = child.end[1] if child.end else len(self.inner)
        return bool(self.inner[at : node.end[0] if node.end else len(self.inner)].strip(BLANK))


def _by_name(nodes: list[Node]) -> dict[str, list[Node]]:
    found: dict[str, list[Node]] = {}
    for node in nodes:
        found.setdefault(node.name, []).append(node)
    return found
