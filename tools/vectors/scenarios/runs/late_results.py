"""Calls that go on elsewhere: results that come in the exchange, after its answer, after a failure, and never."""

from typing import Any

from tools.vectors.observations import FORTY_TWO, Scenario, call, final, results, said, user

_REPORT = {
    "name": "report",
    "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    "annotations": {"openWorldHint": True, "readOnlyHint": False},
}
AGENTS: dict[str, dict[str, Any] | None] = {
    "reporter": {"tools": [_REPORT]},
    "patient": {"tools": [{**_REPORT, "late": "wait"}]},
}
_ASK = call("report", '{"number":1}')
_ELSEWHERE: dict[str, Any] = {
    "type": "tool_pending",
    "call_id": "call_1",
    "handle": "job-1",
    "note": "in an hour",
    "at": 5,
}
_PAGES = results(("call_1", "42 pages"))
_SECOND = call("report", '{"number":2}')
_BOTH = results(("call_1", "42 pages"), ("call_2", "8 pages"))
_TWICE = results(("call_1", "42 pages"), ("call_1", "8 pages"))
_OF_ANOTHER_RUN = {
    "type": "tool_results",
    "results": [{"call_id": "call_2", "key": "0" * 32, "ok": True, "output": "of another run"}],
}
_BURNS = {"type": "tool_results", "results": [{"call_id": "call_1", "ok": False, "error": "it burns"}]}

STEPS: dict[str, Scenario] = {
    "late-in-the-exchange": (
        "reporter",
        [user("q"), said(_ASK), _ELSEWHERE, _PAGES, _PAGES, said("{"), said(final('"42"')), said(final('"43"'))],
    ),
    "late-after-the-answer": (
        "reporter",
        [user("q"), said(_ASK), _ELSEWHERE, said(final('"Soon."')), FORTY_TWO, _PAGES, said(final('"42"'))],
    ),
    "late-and-together-after-the-answer": (
        "reporter",
        [
            *[user("q"), said(_ASK), _ELSEWHERE, said(_SECOND), {**_ELSEWHERE, "call_id": "call_2", "handle": "job-2"}],
            *[said(final('"Soon."')), _TWICE, _OF_ANOTHER_RUN, _BOTH, said(final('"50"'))],
        ],
    ),
    "late-after-a-failure": (
        "reporter",
        [user("q"), said(_ASK), _ELSEWHERE, {"type": "cancel"}, _BURNS, user("And?"), said(final('"No."'))],
    ),
    "late-and-waited-for": (
        "patient",
        [user("q"), said(_ASK), _ELSEWHERE, _ELSEWHERE, {"type": "resumed"}, _PAGES, said(final('"42"'))],
    ),
}
