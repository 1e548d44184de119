"""The tools of one host by name; runs a call and always returns a result."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from purestep import FormAnswer
from purestep_hosts.inner_runs import RunStopped
from purestep_hosts.tools import arithmetic, dates, fetch, file_texts, files, notes, shell, skill_reader
from purestep_hosts.tools.call_note import CallNote
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.lent_model import lent_model
from purestep_hosts.tools.outcome import check_arguments, outcome_of
from purestep_hosts.tools.output_parts import Keep
from purestep_hosts.tools.results import failed, interrupted, overdue
from purestep_hosts.tools.tool import RunningCall, Tool

# A tool observes its own time limit; so many seconds later the toolbox stops waiting for it.
_GRACE_S = 2.0


class Toolbox:
    """The built-in tools that `config` allows, and those that the host registers."""

    def __init__(self, config: ToolConfig, keep: Keep | None = None) -> None:
        """Register the built-in tools named in `config.names`; raises ValueError for an unknown name.

        keep: takes the images and files that tools give; None where they are left out.
        """
        self._keep = keep
        self.on_note: Callable[[str, CallNote], None] | None = None
        """Is told what calls tell while they run, with the name of the tool; in any thread."""
        self._tools: dict[str, Tool] = {}
        self._running: set[RunningCall] = set()
        builtin = {tool.name: tool for tool in _builtin(config)}
        for name in builtin if config.names is None else config.names:
            if name not in builtin:
                raise ValueError(f"no built-in tool is named {name!r}; there are {', '.join(sorted(builtin))}")
            self.register(builtin[name])

    def register(self, tool: Tool) -> None:
        """Add a tool; raises ValueError when its name is taken."""
        if tool.name in self._tools:
            raise ValueError(f"a tool named {tool.name!r} is registered already; use another name")
        self._tools[tool.name] = tool

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools by name."""
        return dict(self._tools)

    def specs(self) -> list[dict[str, Any]]:
        """Return the tools' entries for an agent definition, sorted by name."""
        return [self._tools[name].spec() for name in sorted(self._tools)]

    def run(self, tool: str, params: dict[str, Any], key: str, answer: FormAnswer | None = None) -> dict[str, Any]:
        """Run a tool and return `{"ok": True, "output"}` or `{"ok": False, "error", "error_kind"}`.

        A tool that asks a person gives `{"ok": False, "asks"}`, and is run again with the `answer`.

        `key` is the call's idempotency key. Never raises for what a tool did. A call that `stop` met gives what the
        tool had come to by then, else `error_kind` "interrupted".
        """
        found = self._tools.get(tool)
        if found is None:
            return failed(f"there is no tool {tool!r}", "invalid_arguments")
        note = None if self.on_note is None else partial(self.on_note, tool)
        call = RunningCall(key, found.time_limit_s, answer, note, lent_model())
        self._running.add(call)
        try:
            return _run_bounded(found, params, call, self._keep)
        finally:
            self._running.discard(call)

    def stop(self) -> None:
        """End all calls that run in other threads; each comes back soon: with its result, or as interrupted."""
        for call in tuple(self._running):
            call.interrupt()


def _builtin(config: ToolConfig) -> Iterator[Tool]:
    yield from arithmetic.tools()
    yield from dates.tools()
    yield from notes.tools(config)
    yield from files.tools(config)
    yield from file_texts.tools(config)
    yield from skill_reader.tools(config)
    yield shell.tool(config)
    yield fetch.tool(config)


def _run_bounded(tool: Tool, params: dict[str, Any], call: RunningCall, keep: Keep | None) -> dict[str, Any]:
    results: list[dict[str, Any]] = []
    stops: list[RunStopped] = []
    ended = threading.Event()

    def work() -> None:
        try:
            result = outcome_of(tool.name, lambda: _checked_run(tool, params, call), keep)
            # The failure of a tool that was stopped does not say whether it had its effect.
            results.append(interrupted() if call.is_interrupted and not result["ok"] else result)
        except RunStopped as stopped:
            stops.append(stopped)
        ended.set()
        call.finish()

    # Python cannot end a function that hangs, so it gets a thread that does not keep the process alive.
    threading.Thread(target=work, daemon=True).start()
    try:
        call.wait()
    finally:
        call.stop()
        ended.wait(_GRACE_S)
    if stops:
        raise stops[0]
    if results:
        return results[0]
    if call.is_interrupted:
        return interrupted()
    return overdue(tool.name, tool.time_limit_s)


def _checked_run(tool: Tool, params: dict[str, Any], call: RunningCall) -> Any:
    check_arguments(tool, params)
    return tool.run(params, call)
