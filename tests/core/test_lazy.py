"""Patterns and decoders that are made when they are first used."""

import re

import msgspec
import pytest

from purestep.lazy import lazy_decoder, lazy_pattern


def test_pattern_is_compiled_when_it_is_used() -> None:
    """A source that is no pattern raises at the first use and not before."""
    pattern = lazy_pattern("(")

    with pytest.raises(re.error):
        pattern.match("a")


@pytest.mark.parametrize("name", ["match", "fullmatch", "search"])
def test_pattern_finds_what_a_compiled_one_finds(name: str) -> None:
    """The first use and the next ones give the compiled pattern's own matches, from a place in the text on too."""
    lazy, compiled = lazy_pattern(r"[a-c]+", re.ASCII), re.compile(r"[a-c]+", re.ASCII)
    given = [("abcd",), ("xabc",), ("xabc", 1), ("", 0), ("x",)]

    expected, actual = ([getattr(each, name)(*args) for args in given] for each in (compiled, lazy))

    assert [found and found.span() for found in expected] == [found and found.span() for found in actual]


def test_pattern_has_the_members_of_a_compiled_one() -> None:
    """What reads a pattern's source and flags, or replaces by it, cannot tell the two apart; bytes stay bytes."""
    lazy, compiled = lazy_pattern(rb"(?P<a>x)", re.DOTALL), re.compile(rb"(?P<a>x)", re.DOTALL)

    assert (compiled.pattern, compiled.flags, dict(compiled.groupindex)) == (lazy.pattern, lazy.flags, lazy.groupindex)
    assert compiled.sub(b"y", b"axb") == lazy.sub(b"y", b"axb")


def test_decoder_is_made_when_it_decodes() -> None:
    """A shape that nothing can decode raises at the first text and not before."""
    decoder = lazy_decoder(int | list[int] | set[int])

    with pytest.raises(TypeError):
        decoder.decode(b"1")


def test_decoder_decodes_its_shape() -> None:
    """What comes out has the type of the shape, and other JSON raises as ever."""
    decoder = lazy_decoder(dict[str, int])

    assert {"a": 1} == decoder.decode(b'{"a":1}')
    assert [{"a": 1}, {}] == decoder.decode_lines(b'{"a":1}\n{}')
    with pytest.raises(msgspec.ValidationError):
        decoder.decode(b"[]")
