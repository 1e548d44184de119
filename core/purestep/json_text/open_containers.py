"""The arrays and objects that are open while a damaged text is read, to tell where brackets may have been instead.

A closing bracket that is missing may be missing before the end: then members read as an inner object's belong to the
outer one. One too many may stand too early: then members read as the outer object's belong to the inner one. Only the
names that each object is expected to have can rule that out.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from .loose_text import Shape

UNSURE_OBJECT: Final = "a bracket is missing or too many, and members may belong to another object"


class Container(Struct):
    """An open array or object: its shape, how much it holds, whether a comma was missing in it, its last value."""

    shape: Shape | None
    is_object: bool
    number: int = 0
    lacks_comma: bool = False
    last: "Container | None" = None
    made: Mapping[str, Any] | None = None


class Containers:
    """What is open, outermost first, and what may belong elsewhere if a bracket is missing, or one is too many."""

    __slots__ = ("closed", "has_extra", "has_missing", "has_stray", "is_odd", "may_be_inner", "may_be_outer", "stack")

    def __init__(self) -> None:
        self.stack: list[Container] = []
        self.closed: Container | None = None
        self.has_extra = self.has_missing = self.has_stray = False
        self.is_odd = self.may_be_inner = self.may_be_outer = False

    def guess(self) -> str | None:
        """Return what is not certain about the brackets, if anything."""
        unsure = (self.has_missing and self.may_be_outer) or (self.has_extra and self.may_be_inner)
        is_odd = (self.is_odd and (self.has_missing or self.has_extra)) or (self.has_missing and self.has_extra)
        return UNSURE_OBJECT if unsure or is_odd or self.has_stray else None

    def enter(self, shape: Shape | None, *, is_object: bool) -> None:
        """Begin an array or object."""
        self.stack.append(Container(shape, is_object))

    def leave(self) -> None:
        """End the innermost one."""
        self.closed = self.stack.pop()

    def missing(self) -> None:
        """Record that the closing bracket of the innermost one is missing: its opening one may be too many instead."""
        self.has_missing = True
        own = self.stack[-1]
        if not own.number or own.lacks_comma:
            self.has_stray = True
        elif not own.is_object:
            is_sure = _must_be_array(own) if own.number == 1 else _holds_arrays(own)
            self.has_stray = self.has_stray or not is_sure

    def after(self, value: Any) -> None:
        """Record that a value was read in the innermost one."""
        inner = self.stack[-1]
        inner.number += 1
        inner.last = self.closed if isinstance(value, (dict, list)) else None

    def member(self, key: str, made: Mapping[str, Any]) -> None:
        """Judge where else a member could belong that is about to be read."""
        own = self.stack[-1]
        own.made = made
        if own.shape is not None and own.shape.has(key) is False:
            self.is_odd = True
        if own.last is not None and own.last.is_object and _rather(own.last.shape, own.shape, key):
            self.may_be_inner = True
        for outer in reversed(self.stack[:-1] if own.number else ()):
            if not outer.is_object:
                break
            if key not in (outer.made or {}) and _rather(outer.shape, own.shape, key):
                self.may_be_outer = True

    def item(self, shape: Shape | None, made: list[Any]) -> None:
        """Judge where else an item could belong that is about to be read."""
        own = self.stack[-1]
        types = shape.types() if shape is not None else {}
        if own.last is not None and not own.last.is_object:
            inner = own.last.shape.item() if own.last.shape is not None else None
            self.may_be_inner = self.may_be_inner or inner is None or not types or bool(inner.types() & types.keys())
        outer = self.stack[-2] if len(self.stack) > 1 else None
        if outer is None or outer.is_object or not own.number:
            return
        beside = outer.shape.item() if outer.shape is not None else None
        self.may_be_outer = self.may_be_outer or beside is None or not types or bool(beside.types() & types.keys())


def _must_be_array(own: Container) -> bool:
    """Whether the opening bracket of an array with one item belongs there, or makes no difference."""
    shape = own.shape
    if shape is None or shape.is_same_listed():
        return shape is not None
    if list(shape.types()) != ["array"]:
        return False
    item = shape.item()
    is_nested = own.last is not None and not own.last.is_object
    return not is_nested or (item is not None and list(item.types()) == ["array"])


def _holds_arrays(own: Container) -> bool:
    """Whether the opening bracket of an array's last item belongs there, if that is an array."""
    if own.last is None or own.last.is_object:
        return True
    item = own.shape.item() if own.shape is not None else None
    return item is not None and list(item.types()) == ["array"]


def _rather(other: Shape | None, own: Shape | None, key: str) -> bool:
    """Whether a member may as well belong to the other object."""
    elsewhere = other.has(key) if other is not None else None
    here = own.has(key) if own is not None else None
    return elsewhere is True or (elsewhere is None and here is not True)
