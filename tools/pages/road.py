"""Writes docs/step-by-function.md from a trace of README's run: `python -m tools.pages.road`.

A function stands where it was first called, with the first clause of its docstring. Of the rooms below `steps`, the
function that another room calls is shown and what it calls in its own room is not. What calls nothing that is shown is
left out if it is private or a single statement, and so is what an earlier step has shown already. The run is made twice
and the second one is traced: what a program computes once is not on the road of a step.
"""

import ast
import inspect
import io
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "step-by-function.md"
BEGIN: Final = "<!-- road -->\n"
END: Final = "<!-- /road -->"
WHOLE_ROOMS: Final = ("api", "draft", "steps")
"""Rooms that are shown from the inside: what a step is made of."""
DEEPEST: Final = 6
"""Levels of the list: what is deeper is a detail of the function that calls it."""
STEPS: Final = {
    "start": "The question",
    "step 1": "The model's call",
    "step 2": "The tool's result",
    "step 3": "The model's answer",
}


@dataclass
class Call:
    """A function of the core, and what it was the first to call."""

    module: str
    name: str
    sentence: str
    is_short: bool
    calls: list["Call"] = field(default_factory=list)

    @property
    def room(self) -> str:
        """Return the package in `purestep` that has it."""
        return self.module.split(".")[1]

    @property
    def is_private(self) -> bool:
        """Whether its name says that only its module calls it."""
        return self.name.rpartition(".")[2].startswith("_")


class Road:
    """Keeps which function called which one first, for each step that a program makes."""

    def __init__(self) -> None:
        self.steps: list[Call] = []
        self._stack: list[Call | None] = []
        self._seen: set[tuple[str, str]] = set()

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Take part as the interpreter's profile function."""
        if event == "return" and self._stack:
            self._stack.pop()
        if event == "call":
            self._stack.append(self._called(frame))

    def _called(self, frame: FrameType) -> Call | None:
        """Return the call that a frame is of, or the one that it belongs to."""
        caller = next((call for call in reversed(self._stack) if call), None)
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_qualname
        if not module.startswith("purestep.") or "<" in name:
            return caller
        call = Call(module, name, *told(module, name))
        if caller is None:
            if name not in ("start", "step"):
                return None
            self.steps.append(call)
            self._seen = set()
        elif (module, name) not in self._seen:
            caller.calls.append(call)
        self._seen.add((module, name))
        return call


@cache
def told(module: str, name: str) -> tuple[str, bool]:
    """Return the first sentence of a function's docstring, without its period, and whether it is a single statement."""
    found: Any = sys.modules[module]
    for part in name.split("."):
        found = vars(found).get(part) if isinstance(found, type) else getattr(found, part, None)
    function = inspect.unwrap(getattr(found, "fget", None) or getattr(found, "__func__", None) or found)
    text = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(function))) if inspect.isfunction(function) else None
    sentence = re.split(r"\.(?: |$)|; |: (?=[a-z])", text, maxsplit=1)[0]
    return sentence, tree is None or len(tree.body[0].body) <= len(("docstring", "statement"))


def traced() -> list[Call]:
    """Return the steps of README's run in Python, in their order."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert found is not None
    program, road, before = compile(found[1], "README.md", "exec"), Road(), sys.getprofile()
    with redirect_stdout(io.StringIO()):
        exec(program, {})
        sys.setprofile(road)
        try:
            exec(program, {})
        finally:
            sys.setprofile(before)
    return road.steps


def chosen(call: Call, caller: Call | None, shown: set[tuple[str, str]]) -> Iterator[Call]:
    """Return what the page shows of a call: itself with what it calls, or only what it calls, or nothing."""
    inside = [each for called in call.calls for each in chosen(called, call, shown)]
    is_inner = caller is not None and call.room == caller.room and call.room not in WHOLE_ROOMS
    is_new = (call.module, call.name) not in shown
    if is_inner or not call.sentence or ((call.is_private or call.is_short) and not inside):
        yield from inside
    elif inside or is_new:
        yield Call(call.module, call.name, call.sentence if is_new else "", call.is_short, inside)
    shown.add((call.module, call.name))


def lines(call: Call, depth: int = 0) -> Iterator[str]:
    """Return a call and what it calls as an indented list."""
    sentence = f": {call.sentence}" if call.sentence else ""
    yield f"{'  ' * depth}- `{call.room}.{call.name}`{sentence}"
    for called in call.calls if depth < DEEPEST else ():
        yield from lines(called, depth + 1)


def road() -> str:
    """Return the part of the page that is written here."""
    shown: set[tuple[str, str]] = set()
    parts = []
    for title, call in zip(STEPS.values(), traced(), strict=True):
        parts += [f"## {title}", "", *(line for each in chosen(call, None, shown) for line in lines(each)), ""]
    return "\n".join(parts)


def main() -> None:
    """Put the road in its place."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{road()}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
