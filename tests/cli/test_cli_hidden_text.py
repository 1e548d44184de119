"""Control, bidirectional and invisible characters are shown as escapes by every command."""

import io
import json
import random
import unicodedata
from pathlib import Path

import pytest

from purestep_hosts.show.answer_writer import AnswerWriter
from purestep_hosts.show.sanitize import sanitize, sanitized_json
from tools.breaking.attacks.escapes import ATTACKS, HOSTILE, printed, shown_raw

KEPT = (
    "tab\tand\nnewline", "é ñ 文件 ☃",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2764\ufe0f\u200d\U0001f525",
    "1\ufe0f\u20e3", "\u00a9\ufe0f", "\u1820\u180b", "\u2813\u2800\u2813",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0915\u094d\u200d\u0937",
)  # fmt: skip
"""What people write: emoji with joiners and styles, Persian and Devanagari with joiners, Mongolian and Braille."""
IGNORABLE = (
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010)),
    *(*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0),
    *(*range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
)
"""Default_Ignorable_Code_Point of Unicode 16: what a font need not draw."""
BLANK = (0x2800, 0x16FE4, 0x1D159)
"""What a font draws as nothing all the same."""


@pytest.mark.parametrize("seed", range(25))
def test_every_command_shows_hostile_text_as_escapes(seed: int) -> None:
    """Hostile text in logs, definitions, answers, sessions and arguments, on a terminal and in a pipe."""
    assert ATTACKS[0].trial(random.Random(seed)) is None


@pytest.mark.parametrize("is_terminal", [True, False])
def test_codes_and_causes_in_a_log_are_shown_as_escapes(tmp_path: Path, is_terminal: bool) -> None:
    """The words that a log calls codes, causes and reasons are text from outside like any other."""
    bad = "\x1b[77mx\u202e\r"
    events = [
        {"kind": "correction", "cause": bad, "attempt": 1, "content": "c"},
        {"kind": "decided", "reason": bad, "wait_ms": 1, "attempt": 1},
        {"kind": "switched", "what": "model", "cause": bad, "to": bad},
        {"kind": "final_answer", "content": "c", "problems": [{"code": bad, "message": "m"}]},
        {"kind": "run_failed", "code": bad, "message": "m"},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    for command in ("replay", "summary"):
        text = printed([command, str(log)], tmp_path, is_terminal=is_terminal)
        assert (None, True) == (shown_raw(text), "\\x1b[77mx\\u202e" in text)


@pytest.mark.parametrize("text", KEPT)
def test_writing_and_emoji_stay_as_they_are(text: str) -> None:
    """Joiners and variation selectors stay where scripts and emoji need them."""
    assert (text, json.dumps(text, ensure_ascii=False)) == (sanitize(text), sanitized_json(text))


@pytest.mark.parametrize("text", HOSTILE)
def test_hidden_characters_become_escapes(text: str) -> None:
    """No control, format or separator is left, and JSON still decodes to the same value."""
    kinds = {unicodedata.category(character) for character in sanitize(text) + sanitized_json(text)}
    assert (set(), text) == (kinds & {"Cc", "Cf", "Cs", "Zl", "Zp"}, json.loads(sanitized_json(text)))


@pytest.mark.parametrize("before", ["a", "1", "文"])
def test_what_is_not_drawn_becomes_an_escape(before: str) -> None:
    """So no name looks like another one that has such a character in it, or after it."""
    for number in (*IGNORABLE, *BLANK):
        text = f"{before}{chr(number)}b"
        assert text not in (sanitize(text), sanitized_json(text).strip('"')), f"{number:#x}"


def test_pieces_are_sanitized_like_the_whole() -> None:
    """A joiner at the start of a piece belongs to the character before it."""
    for text in (*KEPT, "a\u200db"):
        assert sanitize(text[1:], text[0]) == sanitize(text)[len(sanitize(text[0])) :]


@pytest.mark.parametrize("text", ["1\ufe0f\u20e3 first", "It works \u2714\ufe0f", "One\r\nTwo"])
def test_an_answer_that_was_streamed_is_shown_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it was cut, also where what comes next would have decided how its last character is shown."""
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    answer = AnswerWriter(screen, live=True)
    for piece in text:
        answer.add(piece)
    answer.settle(text)
    assert sanitize(text) + "\n" == screen.getvalue()


class Terminal(io.StringIO):
    """A terminal in memory."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_a_lone_carriage_return_is_shown() -> None:
    """It would overwrite the line; the line ends of Windows are line ends."""
    assert ("a\\x0db", "a\nb") == (sanitize("a\rb"), sanitize("a\r\nb"))
