"""Images and files that a tool gave are told in each form of a log by their references, never by bytes."""

from typing import Any

import pytest

import purestep
from purestep_formats import project
from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.show.rows import EventRows
from tests.hosts.test_attachments import png

WAVE = b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28)
PDF = b"%PDF-1.4 a paper"


@tool(read_only=True)
def look(at: str) -> Any:
    """Look."""
    return {"image": png(), "file": PDF, "sound": WAVE, "both": ["seen", png(), PDF]}[at]


def run(at: str) -> Any:
    """Return the result of a run whose tool gives this."""
    agent = Agent(ScriptedModel([calls("look", at=at), says("Seen.")]), tools=[look])
    return agent.run_sync("Look.")


def expected(result: Any) -> list[tuple[str, str]]:
    """Return the media types and digests of the parts in the log."""
    events = [event for _, event in purestep.read_events(result.log)]
    (found,) = [event.parts for event in events if isinstance(event, purestep.events.ToolResultEvent)]
    return [(part.media_type, f"nih:sha-256;{part.digest}") for part in found]


@pytest.mark.parametrize(
    ("at", "kinds"),
    [
        ("image", ["image"]),
        ("file", ["document"]),
        ("sound", ["document"]),
        ("both", ["image", "document"]),
    ],
)
def test_each_form_tells_of_the_parts(at: str, kinds: list[str]) -> None:
    """With their types; and people read them with their size."""
    result = run(at)
    parts = expected(result)
    assert len(kinds) == len(parts)
    (shown,) = [each for each in project(result.log, "ag-ui") if each["type"] == "TOOL_CALL_RESULT"]
    sources = [part["source"] for part in shown["metadata"]["purestep"]["parts"]]
    assert kinds == [part["type"] for part in shown["metadata"]["purestep"]["parts"]]
    assert parts == [(each["mimeType"], each["value"]) for each in sources]
    for form in ("ai-sdk", "ai-sdk-messages"):
        told = [
            *project(result.log, form),
            *[part for each in project(result.log, form) for part in each.get("parts", ())],
        ]
        assert parts == [(each["mediaType"], each["url"]) for each in told if each.get("type") == "file"]
    spans = [span["attributes"] for span in project(result.log, "otel")]
    assert [f"{kind} {uri}" for kind, uri in parts] in [each.get("purestep.parts") for each in spans]
    for text in (str(result), result._repr_html_()):
        assert all(f"{kind}, " in text for kind, _ in parts)


def test_rows_of_a_log_tell_of_the_parts() -> None:
    """As the command prints them."""
    rows = EventRows()
    shown = [row.text for _, event in purestep.read_events(run("both").log) for row in rows.rows(event)]
    assert any("[image/png, " in text and "[application/pdf, 16 bytes]" in text for text in shown)
