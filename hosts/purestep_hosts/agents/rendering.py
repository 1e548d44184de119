"""A run to look at: as text for `print`, and as HTML for notebooks, in which everything that came in is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, Final

import msgspec

from purestep import events
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents_below import TreeReader
from purestep_hosts.attachments import shown_content, shown_parts
from purestep_hosts.show.rows import act_rows
from purestep_hosts.show.sanitize import one_line, sanitize, sanitized_json

_MAX_CHARS: Final = 2000
"""Of one row: a page of text. The log has it whole."""

_LABEL_CHARS: Final = 11

_STYLE: Final = (
    "border-collapse:collapse;font-family:system-ui,sans-serif;font-size:0.9em",
    "text-align:left;vertical-align:top;padding:0.2em 1em 0.2em 0;font-weight:600;white-space:nowrap",
    "text-align:left;padding:0.2em 0;white-space:pre-wrap;overflow-wrap:anywhere",
)


def as_text(result: RunResult[Any]) -> str:
    """Return the run's rows for a terminal."""
    indent = "\n" + " " * _LABEL_CHARS
    return "\n".join(
        f"{label:<{_LABEL_CHARS}}{text.replace(chr(10), indent)}".rstrip() for label, text in _rows(result)
    )


def as_html(result: RunResult[Any]) -> str:
    """Return the run's rows as a table; every text is escaped, and no attribute holds one."""
    table, head, cell = _STYLE
    rows = "".join(
        f'<tr><th style="{head}">{escape(label)}</th><td style="{cell}">{escape(text)}</td></tr>'
        for label, text in _rows(result)
    )
    return f'<table style="{table}"><tbody>{rows}</tbody></table>'


def _rows(result: RunResult[Any]) -> Iterator[tuple[str, str]]:
    tree = TreeReader()
    for line in result.log.splitlines():
        told = tree.told(events.decode_event(line.encode()))
        row = _row(told.event)
        if row is not None and not (told.path and isinstance(told.event, events.UserMessageEvent)):
            yield row[0], _named(told.path) + _cut(row[1])  # what an agent is asked stands in its call
        if isinstance(told.event, events.FinalAnswer | events.RunFailed) and not told.path:
            yield from ((act.label, act.text) for act in act_rows(told.event))
    for call in result.approvals:
        yield "waits", f"{_named(call.path or ())}{one_line(call.tool)} {_cut(sanitized_json(call.params))}"
    if result.status == "failed" and result.failure is not None:
        yield "failed", f"{result.failure.code}: {_cut(sanitize(result.failure.message))}"
    used = result.usage
    tokens = used.prompt_tokens + used.completion_tokens
    yield "used", f"turns {used.turns}, calls {used.tool_calls}, tokens {tokens}"


def _named(path: tuple[str, ...]) -> str:
    """Return the names of the agents down to the one whose row it is."""
    return "".join([f"{one_line(name)} > " for name in path])


def _row(event: Any) -> tuple[str, str] | None:
    match event:
        case events.UserMessageEvent(content=content):
            return "user", sanitize(shown_content(content))
        case events.ToolCallEvent(tool_name=name, arguments=arguments):
            return "call", f"{one_line(name)} {sanitized_json(arguments)}"
        case events.ToolResultEvent(asks=asks) if asks is not None:
            return "asks", sanitize(asks.message)
        case events.ToolResultEvent(ok=False, error=error):
            return "error", sanitize(error or "")
        case events.ToolResultEvent(output=output, parts=parts):
            given = f"\n{sanitize(shown_parts(parts))}" if parts else ""
            return "result", _shown(output) + given
        case events.ApprovalEvent(approved=is_approved, reason=reason):
            return "approval", "yes" if is_approved else f"no{', ' + sanitize(reason) if reason else ''}"
        case events.CorrectionEvent(cause=cause):
            return "corrected", sanitize(cause)
        case events.FinalAnswer(content=content):
            return "answer", sanitize(content)
        case events.ChildEnded(ok=False, agent=name, error=error):
            return "error", f"{one_line(name)}: {sanitize(error or '')}"
        case _:
            return None


def _shown(output: Any) -> str:
    if output is msgspec.UNSET or output is None:
        return ""
    return sanitize(output) if isinstance(output, str) else sanitized_json(output)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]} ... ({len(text)} characters)"
