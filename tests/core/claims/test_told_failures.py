"""Results that tell of a failure, as tools of others write them: an answer may not claim the effect after one."""

from typing import Any

import pytest

from purestep.claims import tells_failure

SEND = ("send",)

FAILURES: list[Any] = [
    "Error: permission denied", "error: 550 mailbox unavailable", "ERROR", "failed", "Failed to send.",
    "The email was not sent.", "Permission denied (publickey).", "not found", "404 Not Found", "HTTP 500",
    "500 Internal Server Error", "Traceback (most recent call last):\n  ValueError: bad", "rejected", "declined",
    "timeout", "Timed out after 30 s", "no such user", "quota exceeded", "unauthorized", "You are not logged in.",
    "Access is denied.", "0 emails sent", "sent: 0", "nothing sent", "cannot connect", "connection refused", "false",
    "Fehler: Empf\u00e4nger unbekannt", "Konnte nicht gesendet werden", "\u00c9chec de l'envoi", "Error al enviar",
    "No se pudo enviar", "Could not send the email: nothing was sent", False, [{"status": "error"}],
    {"sent": 0}, {"sent": False}, {"code": 500}, {"status": 500}, {"status": "FAILED"}, {"result": "failure"},
    {"message": "permission denied"}, {"errors": [{"message": "x"}]}, {"errorCode": 7}, {"err": "x"},
    {"exit_code": 1}, {"statusCode": 403}, {"ok": 0}, {"ok": "false"}, {"success": "no"},
    {"data": {"status": "failed"}}, {"response": {"error": "x"}}, {"type": "error"}, {"exception": "Boom"},
    {"reason": "no such recipient"}, {"detail": "Not authenticated."}, '{"status": "failed"}', '[{"error": "x"}]',
]  # fmt: skip
SUCCESSES: list[Any] = [
    "sent", "Email sent to Anna.", "ok", "0 errors, sent", "Sent without an error.", "Error report sent to Anna.",
    "Invalid addresses were left out; sent to 3.", "Failed messages sent again.", "message 4711", "id 500", "404",
    "", None, 0, 7, True, [], [{"id": 1}], [{"id": 1}, {"error": "x"}], {"id": 1}, {"code": 4711}, {"code": 200},
    {"status": "sent"}, {"status": 202}, {"errors": []}, {"error": None}, {"error": ""}, {"failed": 0},
    {"rejected": []}, {"sent": True, "read": False}, {"sent": 3, "errorCode": 0}, {"message": "Sent."},
    {"type": "email"}, {"data": {"status": "queued"}}, {"done": False, "title": "milk"},
]  # fmt: skip


@pytest.mark.parametrize("output", FAILURES)
def test_a_result_that_tells_of_a_failure_is_one(output: Any) -> None:
    """By a member, a status, a code, or the first words of a text, in four languages."""
    assert tells_failure(output, SEND)


@pytest.mark.parametrize("output", SUCCESSES)
def test_a_result_with_words_of_failures_may_tell_of_a_success(output: Any) -> None:
    """What was done is said of the tool's own act."""
    assert not tells_failure(output, SEND)


@pytest.mark.parametrize(
    ("output", "kinds"),
    [("Error: 2 tests failed", ("run",)), ("Conflict resolved", ("resolve",)), ("rejected", ("reject",))],
)
def test_a_tools_own_words_are_no_failure(output: Any, kinds: tuple[str, ...]) -> None:
    """A shell may print anything, and what rejects says so."""
    assert not tells_failure(output, kinds)
