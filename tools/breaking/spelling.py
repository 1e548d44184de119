"""Whether a damaged text says a value: judged from the value on, apart from the reader that is tested.

A text says a value when every part of it stands there, in order, in another way of writing: nothing but brackets too
many is left over, each string begins and ends with quotes, and each bracket but the last ones is there.
"""

import html
import json
import re
from typing import Any, Final

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/|#[^\n]*)*", re.DOTALL)
_FENCE: Final = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.DOTALL)
_SCALAR: Final = re.compile(r"[^\s,\[\]{}()\"']+")
_WORDS: Final = {"true": True, "false": False, "null": None, "none": None}
_ENDS: Final = {'"': '"', "'": "'", "`": "`", "“": "”"}
_QUOTED_WORDS: Final = re.compile(
    r'(?<!\w)"[^"\s,:](?:[^"]*[^"\s,:])?"(?!\w)|(?<=\w)\'(?=\w)|(?<!\w)\'[^\'\s,:](?:[^\']*[^\'\s,:])?\'(?!\w)'
)


def says(text: str, value: Any, *, is_cut: bool) -> bool:
    """Whether a text says a value; is_cut: closing brackets at its end may be missing."""
    fenced = _FENCE.fullmatch(text.strip())
    text = fenced[1] if fenced else text
    forms = [text]
    if '\\"' in text[:40]:
        forms += _json_text(text)
    if "&quot;" in text:
        forms.append(html.unescape(text))
    return any(_says(form, value, is_cut) for form in forms)


def _json_text(text: str) -> list[str]:
    try:
        return [json.loads(f'"{text}"', strict=False)]
    except ValueError:
        return []


def _says(text: str, value: Any, is_cut: bool) -> bool:
    try:
        end = _Spelling(text, is_cut).value(0, value)
    except (_Differs, RecursionError):
        return False
    return not text[end:].strip(" \t\r\n;:,}])")


class _Differs(Exception):
    """The text says something else."""


class _Spelling:
    def __init__(self, text: str, is_cut: bool) -> None:
        self.text, self.is_cut = text, is_cut

    def skip(self, at: int, more: str = "") -> int:
        while True:
            found = _BLANK.match(self.text, at)
            at = found.end() if found else at
            if not more or self.text[at : at + 1] not in tuple(more):
                return at
            at += 1

    def value(self, at: int, value: Any) -> int:
        at = self.skip(at)
        match value:
            case dict():
                return self.object(at, value)
            case list():
                return self.array(at, value)
            case str():
                return self.string(at, value)
            case _:
                return self.scalar(at, value)

    def object(self, at: int, value: dict[str, Any]) -> int:
        at = self.expect(at, "{")
        for key, item in value.items():
            at = self.skip(at, ",")
            at = self.string(at, key)
            at = self.skip(at)
            for sign in ("=>", ":", "="):
                if self.text.startswith(sign, at):
                    at += len(sign)
                    break
            at = self.value(at, item)
        return self.close(at, "}")

    def array(self, at: int, value: list[Any]) -> int:
        at = self.expect(at, "[{(")
        for item in value:
            at = self.value(self.skip(at, ","), item)
        return self.close(at, "]})")

    def expect(self, at: int, characters: str) -> int:
        if self.text[at : at + 1] not in tuple(characters):
            raise _Differs
        return at + 1

    def close(self, at: int, closers: str) -> int:
        at = self.skip(at, ",")
        if self.is_cut and at >= len(self.text):
            return at
        return self.expect(at, closers)

    def scalar(self, at: int, value: Any) -> int:
        found = _SCALAR.match(self.text, at)
        if found is None:
            raise _Differs
        word = found[0]
        if word.lower() in _WORDS:
            given: Any = _WORDS[word.lower()]
        else:
            given = _number(word)
        if given != value or isinstance(given, bool) != isinstance(value, bool):
            raise _Differs
        return found.end()

    def string(self, at: int, value: str) -> int:
        quote = self.text[at : at + 1]
        if quote not in _ENDS:
            if not self.text.startswith(value, at) or not value:
                raise _Differs
            return at + len(value)
        if self.text.startswith(tripled := f"{quote * 3}{value}{quote * 3}", at):
            return at + len(tripled)  # as Python writes it
        begin = at = at + 1
        for char in value:
            at = self.character(at, char, quote)
        while empty := re.compile(rf"{quote}\s*\+\s*{quote}").match(self.text, at):
            at = empty.end()  # an empty string was joined to it
        if self.text[at : at + 1] not in tuple(_ENDS[quote] + ('"' if quote == "“" else "")):
            raise _Differs
        written = re.sub(rf"{quote}\s*\+\s*{quote}", "", self.text[begin:at])
        inside = re.sub(r"\\.", "", written, flags=re.DOTALL)
        if quote in inside and quote in _QUOTED_WORDS.sub("", written.replace("\\" + quote, quote)):
            raise _Differs
        return at + 1

    def character(self, at: int, char: str, quote: str) -> int:
        joined = re.compile(rf"{quote}\s*\+\s*{quote}").match(self.text, at)
        at = joined.end() if joined else at
        if self.text.startswith("\\", at):
            for size in (12, 6, 2):
                if _decoded(self.text[at : at + size]) == char:
                    return at + size
            if char in "'`" and self.text.startswith(char, at + 1):
                return at + 2
        if not self.text.startswith(char, at):
            raise _Differs
        return at + 1


def _decoded(escape: str) -> str | None:
    try:
        value = json.loads(f'"{escape}"')
    except ValueError:
        return None
    return value if len(escape) > 1 else None


def _number(word: str) -> Any:
    plain = word.replace("_", "").lstrip("+")
    for read in (int, float, lambda text: int(text, 16)):
        try:
            return read(plain)
        except ValueError:
            continue
    return None
