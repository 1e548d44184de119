"""A tag that lost its end, or an end that lost a character, makes a value uncertain: no such call runs."""

import pytest

from purestep.dialects import dialect_named, read_output
from purestep.values import fatal_problem
from tools.breaking.attacks.markers import SPECS

D = "\uff5c"


def _dsml(rest: str) -> str:
    name = f'<{D}DSML{D}parameter name="name" string="true">a</{D}DSML{D}parameter>\n'
    text = f'<{D}DSML{D}parameter name="text"{rest}</{D}DSML{D}parameter>'
    inner = f'<{D}DSML{D}invoke name="save">\n{name}{text}\n</{D}DSML{D}invoke>'
    return f"<{D}DSML{D}function_calls>\n{inner}\n</{D}DSML{D}function_calls>"


def _minimax(rest: str) -> str:
    inner = f'<parameter name="name">a</parameter>\n<parameter name="text"{rest}</parameter>'
    return f'<minimax:tool_call>\n<invoke name="save">\n{inner}\n</invoke>\n</minimax:tool_call>'


def _step(rest: str) -> str:
    inner = f'<steptml:parameter name="text"{rest}</steptml:parameter></steptml:invoke>'
    call = f'<{D}tool_call_begin{D}>function<{D}tool_sep{D}><steptml:invoke name="save">{inner}<{D}tool_call_end{D}>'
    return f"<{D}tool_calls_begin{D}>{call}<{D}tool_calls_end{D}>"


def _qwen(arguments: str) -> str:
    return f"<tool_call>\n<function=save>\n{arguments}\n</function>\n</tool_call>"


DAMAGED = (
    *(
        form(rest)
        for form in (_dsml, _minimax, _step)
        for rest in (" two\nlines", " x > y", "x > y", "/x > y", " = x > y")
    ),
    *(
        form(rest)
        for form in (_dsml, _minimax, _step)
        for rest in (" a=b > c", "\nx > y", " \u6771\u4eac > b", "{'a': '>'}")
    ),
    *(_dsml(f' string="true{rest}') for rest in ('"f(a) > b', '"two\nlines', '" f(a) > b', '"/two\nlines', ">x > y")),
    _qwen("<parameter=text: x</parameter>"),
    _qwen("<parameter=text x > y</parameter>"),
    _qwen("<parameter=name>a</parameter><parameter=text>x</parameter"),
)
"""The end of an opening tag is missing or changed, so that it goes on into the value."""


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_tag_runs_nothing(text: str) -> None:
    """What stands between an argument's name and its value is attributes, or the call is sent back."""
    reading = read_output(dialect_named("auto"), text, SPECS)
    assert reading.calls == () or fatal_problem(reading) is not None


@pytest.mark.parametrize(
    "text",
    [
        _dsml(' string="true">x > y'),
        _minimax(">x > y"),
        _minimax(' lang="en">x > y'),
        _minimax(" type='string' >x > y"),
        _minimax(" type=string>x > y"),
        _step(">x > y"),
        _qwen("<parameter=text>\nx > y\n</parameter>"),
        _qwen("<parameter=text\nx > y\n</parameter>"),
    ],
)
def test_a_whole_tag_is_read(text: str) -> None:
    """Attributes of any name, and the line break that a template writes, leave a tag whole."""
    reading = read_output(dialect_named("auto"), text, SPECS)
    assert ["x > y"] == [call.params["text"] for call in reading.calls]


@pytest.mark.parametrize("begin", ["[TOOL_CALLS]save[ARGS]", ">>>save\n", "Action: save\nAction Input: "])
@pytest.mark.parametrize(
    "value",
    ['"}[log(x3', '"}n""{x', ',"}\\\\{', '{"}\\\\{', '"},[ and {', '"}){ and {', '"},{log("', '",}}{', "\"}\\n3'{"],
)
def test_what_closes_a_string_later_runs_nothing(begin: str, value: str) -> None:
    """Without an end marker, text after a call that closes a bracket amid a quote was part of the call."""
    text = f'{begin}{{"count":3,"name":"a","text":"{value}"}}'
    reading = read_output(dialect_named("auto"), text, SPECS)
    assert reading.calls == () or fatal_problem(reading) is not None


def test_prose_with_brackets_after_a_call_is_content() -> None:
    """Words, lists and objects that are whole follow a call as content."""
    for prose in ('It said "use {x}", so.', "See [1] and {2}.", 'As {"a": "b"} shows.'):
        reading = read_output(dialect_named("auto"), f'>>>save\n{{"text": "x"}}\n{prose}', SPECS)
        assert (["x"], prose) == ([call.params["text"] for call in reading.calls], reading.content)
        assert fatal_problem(reading) is None
