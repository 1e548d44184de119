"""The tags of calls with raw values, in every spelling: what the scanner and the reader look for.

A tag is one of six kinds, told by the named groups of `TagSyntax.tags`: `call` begins a call and `called`, `bare_call`
hold its tool's name; `end` ends one, `outer` what is around it; `key` is a name apart from its value (`key_name`);
`open` or `value` begins a value, with the name in `quoted` or `bare` where it is not apart, and `word` where the tag is
called like the argument; `close` ends one and repeats the tag's name.
Sources: the chat templates of the families named.
"""

import re
from typing import Final, Literal, NamedTuple

from purestep.bounds import MAX_ATTRIBUTE_CHARS, MAX_KEY_CHARS, MAX_TOOL_NAME_CHARS
from purestep.json_text import BLANK
from purestep.lazy import lazy_pattern
from purestep.names import KEY, LETTER
from purestep.scanner import BlockStart, RawValues

TagKind = Literal["call", "end", "outer", "key", "open", "close"]


class Tag(NamedTuple):
    """A tag: its kind, where it is, the tag's name that its end repeats, the name in it, and its other attributes.

    is_bare: the name stands after `=` alone, as in a template that writes line breaks around values.
    """

    kind: TagKind
    start: int
    end: int
    tag: str = ""
    name: str | None = None
    rest: str = ""
    is_bare: bool = False


_TRUE: Final = r'string[ \t]*=[ \t]*["\']true["\']'
_FALSE: Final = r'string[ \t]*=[ \t]*["\']false["\']'


class TagSyntax:
    """One spelling of the tags, as patterns that are compiled on first use.

    tags: any of them. values: what the scanner needs of them; None where it looks for none. plain, typed: found in the
    attributes of an argument that is text as it stands, and of one that is JSON. has_escapes: names are written as in
    XML. nests: tags in a value that is no text are its members or items. is_inline: the template writes no line breaks
    around the value of a name after `=`. end: the end of a value, with {} for the name of the tag that it repeats.
    """

    def __init__(
        self,
        tags: str,
        values: RawValues | None = None,
        plain: str = _TRUE,
        typed: str = _FALSE,
        *,
        has_escapes: bool = False,
        nests: bool = False,
        is_inline: bool = False,
        end: str = "</{}>",
    ) -> None:
        self.values, self.has_escapes, self.nests, self.is_inline = values, has_escapes, nests, is_inline
        self.end = end
        self.first = values.first if values is not None else "<"
        self.tags, self.plain, self.typed = (lazy_pattern(source, re.ASCII) for source in (tags, plain, typed))

    def tags_in(self, text: str, at: int = 0) -> list[Tag]:
        """Return the tags of a text in order."""
        return [_tag(found) for found in self.tags.finditer(text, at)]

    def begins_call(self, text: str) -> bool:
        """Whether a text begins with the tag of a call."""
        found = self.tags.match(text)
        return found is not None and _tag(found).kind == "call"


def _tag(found: re.Match[str]) -> Tag:
    """Return the tag that was found; the last of its groups tells the kind."""
    start, end = found.span()
    match found.lastgroup:
        case "close":
            return Tag("close", start, end, found["close"])
        case "end":
            return Tag("end", start, end)
        case "outer":
            return Tag("outer", start, end)
        case "key_name":
            return Tag("key", start, end, name=found["key_name"])
        case "call":
            return Tag("call", start, end, name="")
        case "called" | "bare_call" | "called_plain" as group:
            return Tag("call", start, end, name=_unquoted(found[group]))
        case "word" | "line_word" as group:
            return Tag("open", start, end, found[group], found[group], is_bare=group == "line_word")
        case "value":
            return Tag("open", start, end, found["value"])
        case "bare":
            return Tag("open", start, end, found["open"], _unquoted(found["bare"]), is_bare=True)
    name = found["quoted"] if found["quoted"] is not None else found.groupdict().get("quoted_plain")
    return Tag("open", start, end, found["open"], name, found["rest"])


def _unquoted(name: str) -> str:
    """Return a name without the quotes around it."""
    plain = name.strip(BLANK)
    is_quoted = plain[:1] in ('"', "'") and plain[1:-1] and plain[-1] == plain[0]
    return plain[1:-1] if is_quoted else name


# --- tags in angle brackets --------------------------
# Qwen, Seed-OSS, MiniMax M2, DeepSeek (DSML), GigaChat, MiniCPM, Step, GLM, LongCat.

_B: Final = r"[ \t]{0,2}"
_PREFIX: Final = r"(?:[a-zA-Z]{1,16}:|[｜|](?:DSML|GCML)[｜|][ ]?)?"
_APART: Final = r"(?:ifm\||[a-z]{1,16}_)?(?:arg|param)"
_PARAMETER: Final = f"{_PREFIX}(?:parameter|param|argument|arg)"
_CALL: Final = f"{_PREFIX}(?:function|invoke|tool_call|tool)"
_IS_NAMED: Final = rf"(?={_B}=|[ \t]{{0,4}}(?:name|key)[ \t]{{0,4}}=)"


def _bare(group: str) -> str:
    return rf"{_B}=[ \t]*(?P<{group}>[^<>\n]{{1,{MAX_TOOL_NAME_CHARS}}})"


def _attribute(names: str, group: str, at_least: int) -> str:
    """Return the pattern of a name in an attribute, which a model may have left without quotes."""
    quoted = rf"[\"'](?P<{group}>[^\"'<>\n]{{{at_least},{MAX_TOOL_NAME_CHARS}}})[\"']"
    plain = rf"(?P<{group}_plain>[^\"'<>=/ \t\r\n]{{1,{MAX_TOOL_NAME_CHARS}}})(?=[ \t>])"
    return rf"[ \t]*+(?:{names})[ \t]*+=[ \t]*+(?:{quoted}|{plain})"


_REST: Final = rf"[^<>\n]{{0,{MAX_ATTRIBUTE_CHARS}}}"
_OPEN: Final = f"(?P<open>{_PARAMETER}{_IS_NAMED}|{_APART}_value(?=>))"
_CLOSE: Final = rf"/{_B}(?P<close>{_PARAMETER}|{_APART}_value){_B}>"
_END: Final = rf"(?P<end>/{_B}{_PREFIX}(?:function|invoke|tool){_B}>)"
_OUTER: Final = (
    rf"(?P<outer>/{_B}{_PREFIX}(?:tool_call|function_calls|tool_calls|calls){_B}>|"
    r"[｜|]tool_calls?_end[｜|]>|[｜|]tool_call_begin[｜|]>(?:function)?<[｜|]tool_sep[｜|]>|\|eom\|>)"
)
"""The end of what is around calls: Step and Muse have it inside of the block."""


_ANGLED: Final = (
    rf"<{_B}(?:"
    rf"(?P<open>{_PARAMETER})"
    rf"(?:{_bare('bare')}|{_attribute('name|key', 'quoted', 1)}(?P<rest>(?:[ \t/]{_REST})?))(?:>|(?=\n))|"
    rf"(?P<value>{_APART}_value)>|"
    rf"(?P<key>{_APART}_key)>(?P<key_name>[^<>]{{0,{MAX_KEY_CHARS}}})</(?P=key)>|"
    rf"{_CLOSE}|{_END}|{_OUTER}|"
    rf"(?P<call>{_CALL})(?:{_bare('bare_call')}|{_attribute('name|function', 'called', 0)}{_REST})>?)",
    RawValues(
        rf"<{_B}{_OPEN}",
        rf"<{_B}(?:{_OPEN}|{_CLOSE})",
        rf"<{_B}(?:{_OPEN}|{_APART}_key>|{_END}|"
        rf"(?P<call>{_CALL}(?:{_B}=|[ \t]{{0,4}}(?:name|function)[ \t]{{0,4}}=)|[｜|]tool_call_(?:end|begin)[｜|]>))",
        rf"<{_B}/?{_B}[a-zA-Z:_｜|]{{0,40}}[ ]?[a-zA-Z_]{{0,16}}[ \t]{{0,4}}[a-z]{{0,8}}[ \t]{{0,4}}",
        last=("arg_value", "param_value"),
    ),
)
ANGLED: Final = TagSyntax(*_ANGLED)
"""`<function=f><parameter=k>v</parameter></function>`, `<arg_key>k</arg_key><arg_value>v</arg_value>`, their like."""

INLINE: Final = TagSyntax(*_ANGLED, is_inline=True)
"""The same of Seed-OSS, which writes a value right after its tag."""


# --- tags between special tokens --------------------------

_XTML_NAME: Final = rf"[^\"<>\n]{{0,{MAX_TOOL_NAME_CHARS}}}"
_XTML_OTHER: Final = (
    rf'(?:[ \t\r\n]+(?!key=|tool=)[a-z_]{{1,16}}="[^"<>\n]{{0,{MAX_TOOL_NAME_CHARS + MAX_ATTRIBUTE_CHARS}}}"){{0,4}}'
)
_XTML_OPEN: Final = r"<\|open\|>[ ]?(?P<open>argument)(?= )"
_XTML_CLOSE: Final = r"<\|close\|>[ ]?(?P<close>argument)[ ]?<\|sep\|>"
_XTML_END: Final = r"<\|close\|>[ ]?(?P<end>call)[ ]?<\|sep\|>"
XTML: Final = TagSyntax(
    rf'{_XTML_OPEN}(?P<rest>{_XTML_OTHER}[ \t\r\n]+key="(?P<quoted>{_XTML_NAME})"{_XTML_OTHER})[ ]?<\|sep\|>|'
    rf'<\|open\|>[ ]?(?P<call>call){_XTML_OTHER}[ \t\r\n]+tool="(?P<called>{_XTML_NAME})"{_REST}<\|sep\|>|'
    rf"{_XTML_CLOSE}|{_XTML_END}",
    RawValues(
        _XTML_OPEN,
        f"{_XTML_OPEN}|{_XTML_CLOSE}",
        rf"{_XTML_OPEN}|{_XTML_END}|<\|open\|>[ ]?(?P<call>call) ",
        r"<[|a-z]{0,7}>?[ ]?[a-z]{0,8}[ ]?[a-z=]{0,4}(?:<[|a-z]{0,5})?",
        last=("argument",),
    ),
    plain=r'\A(?![^<]*[ \t\r\n]type=)|type="string"',
    typed="type=",
    has_escapes=True,
    end="<|close|>{}<|sep|>",
)
"""Kimi K3: `<|open|>argument key="k" type="string"<|sep|>v<|close|>argument<|sep|>`."""

_SOLAR_OPEN: Final = r"<\|(?P<open>tool_arg):value\|>"
_SOLAR_CLOSE: Final = r"<\|(?P<close>tool_arg):end\|>"
SOLAR_TAGS: Final = TagSyntax(
    rf"<\|tool_arg:start\|>(?P<key_name>[^<>]{{0,{MAX_KEY_CHARS}}})|<\|(?P<value>tool_arg):value\|>|{_SOLAR_CLOSE}",
    RawValues(
        _SOLAR_OPEN,
        f"{_SOLAR_OPEN}|{_SOLAR_CLOSE}",
        r"<\|tool_arg:start\|>|(?P<end>(?!))(?P<call>(?!))",
        r"<[|a-z_:]{0,18}",
        last=("tool_arg",),
    ),
    end="<|{}:end|>",
)
"""Solar Open 2: `<|tool_arg:start|>k<|tool_arg:value|>v<|tool_arg:end|>`."""


# --- tags named after the arguments --------------------------

_WORD: Final = r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"
_TOKEN: Final = r"\]<\]minimax\[>\[<"
_NOT_OUTER: Final = "(?!invoke|tool_call)"
BY_NAME: Final = TagSyntax(
    rf"{_TOKEN}(?:(?P<call>invoke)(?:[ \t]{_REST}?name[ \t]*=[ \t]*"
    rf"""["'](?P<called>[^"'<>\n]{{0,{MAX_TOOL_NAME_CHARS}}})["'])?{_REST}>|(?P<end>/invoke)>|/{_NOT_OUTER}(?P<close>{_WORD})>|"""
    rf"{_NOT_OUTER}(?P<word>{_WORD})>)",
    RawValues(
        rf"{_TOKEN}{_NOT_OUTER}(?P<open>{_WORD})>",
        rf"{_TOKEN}{_NOT_OUTER}(?P<open>{_WORD})>|{_TOKEN}/(?P<close>{_WORD})>",
        rf"{_TOKEN}(?:(?P<end>/invoke>)|(?P<call>invoke[ \t])|{_WORD}>)",
        r"\][]<>\[minax]{0,12}(?:</?[A-Za-z0-9_. -]{0,66})?",
        first="]",
    ),
    nests=True,
    end="]<]minimax[>[</{}>",
)
"""MiniMax M3, each tag after a token: `<invoke name="f">`, `<k>v</k>`, `</invoke>`, and lists of `<item>`."""

STRAY_BY_NAME: Final = BlockStart(
    pattern=rf"{_TOKEN}/(?!invoke>|tool_call>){_WORD}>(?P<inner>)",
    partial=r"\][]<>\[minax]{0,12}(?:</?[A-Za-z0-9_.-]{0,64})?",
    first_chars="]",
    scan="stray",
)
"""The end of an argument of MiniMax M3 outside of all blocks."""

_ELEMENT: Final = f"{LETTER}{KEY}{{0,{MAX_KEY_CHARS - 1}}}"
ELEMENTS: Final = TagSyntax(rf"<(?P<line_word>{_ELEMENT})>|</(?P<close>{_ELEMENT})>")
"""`<k>v</k>`, as prompts teach it."""
