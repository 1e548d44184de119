"""Notes that last as long as the session: append one, find those with a word."""

from __future__ import annotations

from typing import Any

from purestep import Example
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.idempotent_log import IdempotentLog
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.limits import MAX_NOTE_CHARS, MAX_NOTE_QUERY_CHARS, MAX_NOTES_FOUND
from purestep_hosts.tools.tool import OPEN, READ_ONLY, RunningCall, Tool, ToolFailure, hints, parameters, text


def tools(config: ToolConfig) -> tuple[Tool, ...]:
    """Return the note tools over one file in the session's folder."""
    log = IdempotentLog(config.session_dir / "notes.jsonl")
    return (_append_tool(log), _search_tool(log, config.max_output_chars))


def _append_tool(log: IdempotentLog) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        note = bounded_text(params, "note", max_chars=MAX_NOTE_CHARS).strip()
        if not note:
            raise ToolFailure("the note is empty", "invalid_arguments")
        log.append(call.key, note)
        return f"noted: {note}"

    return Tool(
        name="session_note_append",
        description="Write down a note to remember it.",
        parameters=parameters(note=text("the note")),
        run=run,
        annotations=hints(idempotent=True),
        examples=(
            Example(
                query="Write down a note: the keys are in the drawer",
                arguments={"note": "the keys are in the drawer"},
                result="noted: the keys are in the drawer",
                answer="I noted: the keys are in the drawer",
            ),
        ),
    )


def _search_tool(log: IdempotentLog, max_output_chars: int) -> Tool:
    def run(params: dict[str, Any], call: RunningCall) -> str:
        query = bounded_text(params, "query", max_chars=MAX_NOTE_QUERY_CHARS)
        words = query.lower().split()
        found = [note for note in map(str, log.values()) if all(word in note.lower() for word in words)]
        return "\n".join(found[-MAX_NOTES_FOUND:]) or f"no note contains: {query}"

    return Tool(
        name="session_note_search",
        description="Find the notes that contain some words.",
        parameters=parameters(query=text("the words to look for")),
        run=run,
        annotations=READ_ONLY,
        labels=OPEN,  # a model may have written down what it had read
        max_output_chars=max_output_chars,
        examples=(
            Example(
                query="Search my notes for keys",
                arguments={"query": "keys"},
                result="the keys are in the drawer",
                answer="Your note says: the keys are in the drawer",
            ),
        ),
    )
