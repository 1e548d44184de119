"""A form at the terminal: what is shown, what is taken, and that nothing is sent unasked."""

import io
from typing import Any

import pytest
from rich.console import Console

import purestep
from purestep import Approval, ApprovalCall
from purestep_hosts.form_filling import FormFilling
from purestep_hosts.show.printer import Printer

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "description": "as on the ticket"},
        "seats": {"type": "integer"},
        "window": {"type": "boolean"},
        "class": {"type": "string", "enum": ["first", "second"]},
        "meals": {"type": "array", "items": {"type": "string", "enum": ["noon", "night"]}},
    },
    "required": ["name"],
}
CALL = ApprovalCall(call_id="call_1", tool="book", params={}, key="key", reason="form", note="Book?", form=FORM)


def filled(*lines: str | None) -> tuple[Approval, str, list[str]]:
    """The answer of a person who types these lines, what was shown, and the questions."""
    typed, asked, shown = iter(lines), [], io.StringIO()

    def read(prompt: str) -> str | None:
        asked.append(prompt)
        return next(typed)

    def check(answer: Approval) -> None:
        issues = purestep.check_json(FORM, answer.params).errors
        if issues:
            raise purestep.PurestepError("invalid_arguments", issues[0].message, "")

    printer = Printer(Console(file=shown, width=100))
    return FormFilling(printer, read, check, lambda: None).answer(CALL, FORM), shown.getvalue(), asked


def test_fields_are_filled_in_and_sent_after_a_yes() -> None:
    """Each is read as its kind; what is left empty is left out."""
    answer, shown, asked = filled("Ada", "2", "yes", "", "noon, night", "y")
    assert {"name": "Ada", "seats": 2, "window": True, "meals": ["noon", "night"]} == answer.params
    assert (True, "terminal") == (answer.approved, answer.by)
    assert "Your name - as on the ticket (text): " == asked[0]
    assert "class (one of first, second, may be left out): " == asked[3]
    assert "Book?" in shown


@pytest.mark.parametrize("lines", [("Ada", "", "", "", "", "n"), ("Ada", None), ("Ada", "", "", "", "", None)])
def test_a_no_and_the_end_of_input_send_nothing(lines: tuple[Any, ...]) -> None:
    """They are a refusal."""
    answer, _, _ = filled(*lines)
    assert (False, None) == (answer.approved, answer.params)


def test_what_does_not_fit_is_asked_again() -> None:
    """With what the core says of it."""
    answer, shown, _ = filled("", "two", "", "", "", "y", "Ada", "2", "", "", "", "yes")
    assert {"name": "Ada", "seats": 2} == answer.params
    assert "not taken" in shown


def test_quitting_ends_the_run() -> None:
    """As for an approval."""
    with pytest.raises(KeyboardInterrupt):
        filled("Ada", "", "", "", "", "q")
