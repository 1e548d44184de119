"""Logs that are no whole run: each line that is not the next one is named."""

from collections.abc import Callable

import pytest

from purestep import PurestepError
from purestep_formats import feed_projection, open_projection, project
from tests.formats.projections.logs import FORMS
from tests.formats.projections.runs import asked_log


def found(log: str, form: str = "openai") -> tuple[str, str, str]:
    """Return the error's code, path and message."""
    with pytest.raises(PurestepError) as raised:
        project(log, form)
    return raised.value.code, raised.value.path, raised.value.message


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_fact_is_found_at_the_next_derived_line(form: str) -> None:
    """The chain does not fit any more."""
    log = asked_log().replace('"content":"Go"', '"content":"Stop"')
    message = "line 4: a line before it was changed: the hash chain is broken"
    assert ("log_mismatch", "/4", message) == found(log, form)


def test_missing_and_doubled_lines_are_named() -> None:
    """Each line is the next one."""
    lines = asked_log().splitlines(keepends=True)
    for others, message in (
        (lines[:2] + lines[3:], "expected the line 2 of the run; got 3"),
        (lines[:2] + lines[1:], "expected the line 2 of the run; got 1"),
    ):
        assert ("log_mismatch", "/3", f"line 3: {message}") == found("".join(others))
    beginning = ("invalid_log", "/1", "line 1: a log begins with run_started, and has no other")
    assert beginning == found(lines[1].replace('"seq":1', '"seq":0'))


def test_a_line_that_cannot_be_read_is_named() -> None:
    """As replay and verify say it."""
    lines = asked_log().splitlines(keepends=True)
    code, path, message = found("".join([*lines[:2], '{"kind":"nonsense"}\n', *lines[2:]]))
    assert ("invalid_log", "/3") == (code, path)
    assert "expected an event; got kind 'nonsense'" in message


@pytest.mark.parametrize(
    "damaged",
    [
        lambda line: line.replace(",", ",\n", 1),  # two lines that are one value together
        lambda line: line.replace("{", '{"more":' + "[" * 80 + "]" * 80 + ",", 1),
        lambda line: line.replace("{", '{"more":' + "1" * 5000 + ",", 1),
    ],
)
def test_a_line_that_passes_only_beside_others_is_named(damaged: Callable[[str], str]) -> None:
    """Lines are read many at a time, and each is held to the bounds of one."""
    lines = asked_log().splitlines(keepends=True)
    code, path, _ = found("".join([*lines[:2], damaged(lines[2]), *lines[3:]]))
    assert ("invalid_log", "/3") == (code, path)


def test_the_first_of_two_damages_is_named() -> None:
    """Also where the second one keeps the lines from being read together."""
    lines = asked_log().splitlines(keepends=True)
    log = "".join([*lines[:2], lines[2].replace('"seq":2', '"seq":7'), "{not json}\n", *lines[3:]])
    assert ("log_mismatch", "/3", "line 3: expected the line 2 of the run; got 7") == found(log)


def test_a_result_for_no_call_is_refused() -> None:
    """A log that somebody made does not pass for a run."""
    lines = asked_log().splitlines(keepends=True)[:2]
    forged = '{"seq":2,"kind":"tool_result","tool_name":"rm","call_id":"call_1","ok":true,"output":1}\n'
    assert ("invalid_log", "/3", 'line 3: expected a call that is open; got "call_1"') == found("".join(lines) + forged)


def test_a_torn_last_line_is_left_out_of_a_whole_log_and_refused_in_a_part() -> None:
    """A crash leaves one; a part of a log that is fed has none."""
    log = asked_log()
    assert project(log[:-20], "otel") == project("".join(log.splitlines(keepends=True)[:-1]), "otel")
    with pytest.raises(PurestepError) as raised:
        feed_projection(open_projection("otel"), log[:-20])
    assert "invalid_log" == raised.value.code
    assert raised.value.message.startswith("expected whole lines")


def test_an_unknown_form_is_refused() -> None:
    """The message lists the forms, and the one that needs the whole log."""
    expected = f"expected one of {', '.join(FORMS)}; or with a whole log, cache"
    assert ("invalid_input", "/form", expected) == found("", "a2a")
