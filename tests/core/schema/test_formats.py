import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.schema import FORMATS, compile_schema
from tests.core.schema.native_side import native_accepts
from tests.examples import examples
from tools.growth import is_linear

NEAR = {
    "date": ["2024-02-29", "2000-02-30", "1900-02-29"],
    "time": ["23:59:60Z", "08:30:00.123+01:00", "00:59:60+01:00"],
    "date-time": ["2026-01-31T08:30:00Z", "1990-12-31T15:59:60-08:00"],
    "duration": ["P1Y2M3DT4H5M6S", "P4W", "PT36H", "P1DT1S"],
    "email": ["ada@example.org", '"a b"@x.y', "a@[127.0.0.1]", "a@[IPv6:::1]", "a.b+c@d-e.f"],
    "hostname": ["a.b-c.d", "x1", "1.2", "a" * 63 + ".b"],
    "ipv4": ["192.0.2.1", "0.0.0.0", "255.255.255.255"],
    "ipv6": ["::", "::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::8", "1:2:3:4:5:6:1.2.3.4"],
    "uri": ["https://u:p@h.x:80/a;b?c=d&e#f", "urn:x:y", "http://[::1]/", "http://[v1.a]/", "file:///a/b", "a:"],
    "uri-reference": ["../a", "//h/p", "#f", "?q", "a:b", "", "/a//b"],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000"],
    "json-pointer": ["/a/~0~1", "", "/"],
    "relative-json-pointer": ["0", "1/a", "2#"],
}
"""Texts that have each format or almost; `regex` has tests of its own."""

CHARACTERS = "aZz09:./-+~%#?@[]!()'\"\\ TZWPYMDHS,;=_é{}<>^`|\n"


def excused(name: str, text: str, holds: bool) -> bool:
    """Whether the other implementation is known to judge otherwise, against the RFC that the format names."""
    if name in ("date", "time", "date-time"):
        return not holds  # it takes some signs for digits, as in 190,-01-31
    if name in ("hostname", "email"):
        # It keeps labels such as ab--c for IDNA, which RFC 1123 does not, and some of RFC 5321's quoted texts out.
        return holds and ("--" in text or '"' in text)
    return False


def edited(text: str) -> st.SearchStrategy[str]:
    """The text with up to two characters put in, taken out or replaced."""
    edit = st.tuples(st.integers(0, len(text)), st.sampled_from(CHARACTERS), st.sampled_from(["in", "out", "other"]))

    def apply(edits: list[tuple[int, str, str]]) -> str:
        result = text
        for place, char, kind in edits:
            result = result[:place] + char * (kind != "out") + result[place + (kind != "in") :]
        return result

    return st.lists(edit, max_size=2).map(apply)


@pytest.mark.parametrize("name", NEAR)
def test_format_agrees_with_an_independent_validator(name: str) -> None:
    """On texts that have a format or miss it by a character, another implementation gives the same verdict."""
    oracle = jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)

    @examples(200)
    @given(text=st.sampled_from(NEAR[name]).flatmap(edited) | st.text(CHARACTERS, max_size=8))
    def agrees(text: str) -> None:
        holds = FORMATS[name].holds(text)
        assert holds == oracle.is_valid(text) or excused(name, text, holds)

    agrees()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "text", ["a", "1", "[", "(", ":", "/", "::", ".", "%41", "a.", "a@", "\\", '"', "P1Y", "T1", "é"]
)
def test_format_is_judged_in_linear_time(name: str, text: str) -> None:
    """A text four times as long takes about four times as long to judge, whatever it repeats."""
    holds = FORMATS[name].holds

    def judge(long: str) -> None:
        for each in (long, f"a@{long}", f"http://{long}!", f'"{long}'):
            assert holds(each) in (True, False)

    assert is_linear(judge, text)


def test_format_judges_only_where_asked() -> None:
    """A format describes, unless the caller asks for it to judge; an unknown one always describes."""
    schema = {"items": {"format": "date"}, "format": "colour"}
    assert () == compile_schema(schema).check(["tomorrow"])
    assert ["format"] == [issue.code for issue in compile_schema(schema, formats="assert").check(["tomorrow"])]
    assert () == compile_schema({"format": "colour"}, formats="assert").check("x")
    assert () == compile_schema({"format": "date"}, formats="assert").check(7)


def test_format_is_judged_natively_too() -> None:
    """A schema whose formats judge keeps its native form."""
    compiled = compile_schema(
        {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}, formats="assert"
    )
    assert True is native_accepts(compiled, {"day": "2026-01-31"})
    assert False is native_accepts(compiled, {"day": "2026-02-31"})
    assert ["format"] == [issue.code for issue in compiled.check({"day": "2026-02-31"})]
