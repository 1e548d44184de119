"""Calls in the markers of any family: one reader that looks at what stands in a block, not at whose markers are around.

A model mixes what it has seen, so each block may hold JSON, tags around raw text whose type the tool's schema tells, a
tool's name and then its arguments in one of these ways, or calls as Python writes them. Sources: the chat templates of
Qwen3-Coder and those after it (`<function=f><parameter=k>v</parameter></function>`), MiniMax (`<invoke name="f">
<parameter name="k">v</parameter></invoke>`), GLM (`f<arg_key>k</arg_key><arg_value>v</arg_value>`); prompts that teach
`<tool_use><name>f</name><arguments>..`; Claude's first function calls (`<invoke><tool_name>`).
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from purestep.bounds import MAX_TOOL_NAME_CHARS, MAX_VALUE_DEPTH
from purestep.dialects import ARGUMENTS, parameter_schemas, plain_name
from purestep.json_text import BLANK, NOT_BLANK, UNREADABLE, read_json
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, LETTER, NAME, name_up_to
from purestep.scanner import AMBIGUOUS, CUT, Block, BlockResult, BlockStart, Table, read_segments
from purestep.schema import allowed_values
from purestep.values import Problem, ReadCall, Tools, ignored_text, parse_error, repaired

from .json_calls import NAMELESS, UNFIT, begins_object, has_all, named_call, no_object, read_block
from .python_calls import read_python
from .swallowed import holds_another, is_damaged_opening, is_nearly_closed, opening_of
from .tag_values import Argument, Knows, TagCall, TagReading, split_reading, tag_reading
from .tags import ANGLED, ELEMENTS, Tag, TagSyntax
from .typed_text import typed_value

_B: Final = r"[ \t\r\n]*+"
_ELEMENT_NAME: Final = lazy_pattern(
    rf"(?:<invoke>)?{_B}<(name|tool_name|function_name|tool|function)>{_B}"
    rf"({name_up_to(MAX_TOOL_NAME_CHARS, DOTTED)}+){_B}</\1>{_B}",
    re.ASCII,
)
_NAME_FIRST: Final = lazy_pattern(
    rf"(?:function[ \t\r\n]++)?({name_up_to(MAX_TOOL_NAME_CHARS, NAME)}+){_B}(?:(?:>|<tool_sep>){_B})?(?=[<({{`]|\Z)",
    re.ASCII,
)
_LEAD: Final = lazy_pattern(r"[^<>{}\[\]\"'`(]++(?=[<{])", re.ASCII)
"""Words before a tag or an object, of which a tool's name may be one."""

_LISTED: Final = lazy_pattern(rf"\[{_B}{LETTER}{DOTTED}*+\(", re.ASCII)
"""A list of calls as Python writes them."""

_ARGUMENTS: Final = lazy_pattern(
    r"<(arguments|args|parameters|params|input|tool_input)>(.*)</\1>[ \t\r\n]*", re.DOTALL | re.ASCII
)

_NAMED_ARGUMENTS: Final = lazy_pattern(rf"[\"'](?:{'|'.join(ARGUMENTS)})[\"']?{_B}:", re.ASCII)


def read_any_form(block: Block, tools: Tools | None, syntax: TagSyntax = ANGLED) -> BlockResult:
    """Read what is in the markers of calls, in whichever form; syntax: how its tags are spelled."""
    inner = block.inner.lstrip(BLANK)
    if syntax.begins_call(block.marker + inner) or syntax.begins_call(inner):
        return read_tags(block, tools, syntax)
    if inner.startswith("<tool_call>"):
        return _read_nested(block, tools)
    if (named := _ELEMENT_NAME.match(inner)) is not None:
        return _elements_after(named, block._replace(inner=inner.rstrip(BLANK).removesuffix("</invoke>")), tools)
    if inner[:1] in ("{", "["):
        return read_python(block, tools) if _LISTED.match(inner) else read_block(block, tools)
    lead = _LEAD.match(inner)
    if lead is not None and syntax.begins_call(inner[lead.end() :]):
        return read_tags(block, tools, syntax)
    if (
        lead is not None
        and tools is not None
        and inner.startswith("{", lead.end())
        and plain_name(lead[0], tools) not in tools
    ):
        listed = read_block(block._replace(inner=inner), tools)
        if listed.calls and all(call.tool in tools for call in listed.calls):
            return listed  # a call as JSON says it, after words
    named = _NAME_FIRST.match(inner)
    result = _after_name(named, block._replace(inner=inner), tools, syntax) if named is not None else None
    if result is not None:
        return result
    if inner[:1] == syntax.first and syntax.tags.search(inner.partition("{")[0]):
        return read_tags(block, tools, syntax)
    before, bracket, after = inner.partition("{")
    if not bracket or ("<" in before and not _NAMED_ARGUMENTS.search(after)):
        # After markup of another family an object without named arguments may be the arguments of a call itself.
        return BlockResult(problems=(UNFIT if block.closed else CUT,))
    return read_block(block, tools)


def _after_name(named: re.Match[str], block: Block, tools: Tools | None, syntax: TagSyntax) -> BlockResult | None:
    """Read what follows a tool's name: tags, JSON, perhaps in a fence or parentheses, or what Python writes."""
    rest, name = block.inner[named.end() :], plain_name(named[1], tools)
    if rest[:1] in ("", syntax.first):
        tags = syntax.tags_in(block.inner, named.end())
        if not rest or (tags and (tags[0].kind == "key" or (tags[0].kind == "open" and tags[0].name))):
            return _TagReader(block, tools, syntax).read(tags, TagCall(named[1], named.end(), []))
        result = _elements(block._replace(inner=rest), name, tools) if block.closed else None
        known, root = parameter_schemas(tools, name)
        if result is not None and root is not None and _takes_all(result, known):
            return result
        return BlockResult(problems=(UNFIT if block.closed else CUT,))
    if ":" in named[1]:
        return None
    inside = rest.rstrip(BLANK).removeprefix("(").removesuffix(")").strip("`").removeprefix("json").strip(BLANK)
    return named_call(name, inside, tools, closed=block.closed) if inside[:1] == "{" else read_python(block, tools)


def _takes_all(result: BlockResult, known: Mapping[str, Any]) -> bool:
    params = result.calls[0].params
    return bool(params) and all(key in known for key in params)


def _elements_after(named: re.Match[str], block: Block, tools: Tools | None) -> BlockResult:
    """Read the arguments after an element that holds the tool's name: JSON, tags, or one element for each."""
    name, rest = plain_name(named[2], tools), block.inner[named.end() :]
    found = _ARGUMENTS.fullmatch(rest)
    body = (found[2] if found is not None else rest).strip(BLANK)
    if body[:1] == "{":
        return named_call(name, body, tools, closed=block.closed)
    if not block.closed:
        return BlockResult(problems=(CUT,))
    tags = ANGLED.tags_in(body)
    if tags and tags[0].kind == "open" and not tags[0].start:
        return _TagReader(block._replace(inner=body), tools, ANGLED).read(tags, TagCall(name, 0, []))
    return _elements(block._replace(inner=body), name, tools) or BlockResult(problems=(UNFIT,))


def _elements(block: Block, name: str, tools: Tools | None) -> BlockResult | None:
    """Read the arguments that are one element each; None where there is anything else."""
    tags = ELEMENTS.tags_in(block.inner)
    if block.inner[: tags[0].start if tags else None].strip(BLANK):
        return None
    result = _TagReader(block, tools, ELEMENTS).read(tags, TagCall(name, 0, []))
    return result if result.calls and all(problem.code == "repaired" for problem in result.problems) else None


def _read_nested(block: Block, tools: Tools | None) -> BlockResult:
    """Read a block of blocks, as Hunyuan writes them from version 3 on."""
    reading = read_segments(_NESTED, block.inner, tools)
    if reading.calls and reading.content is not None and "</" in reading.content:
        # The end of a call between calls: an earlier one stood in a value.
        return BlockResult(problems=(AMBIGUOUS,))
    problems = reading.problems if reading.calls or reading.problems else (UNFIT if block.closed else CUT,)
    return BlockResult(calls=reading.calls, problems=problems)


_NESTED: Final = Table(
    (
        BlockStart(
            mark="<tool_call>",
            closers=("</tool_call>",),
            before=("<tool_call>",),
            scan="tagged",
            values=ANGLED.values,
            read=read_any_form,
        ),
    )
)

# --- tags -------------------------------------------------------------------------------------------------

_CDATA: Final = lazy_pattern(r"[ \t\r\n]*<!\[CDATA\[(.*)\]\]>[ \t\r\n]*", re.DOTALL)
_STRAY_ENDS: Final = lazy_pattern(r"(?:[ \t\r\n]*+</[A-Za-z_:.-]{1,64}>)++[ \t\r\n]*+", re.ASCII)
_WRAPPERS: Final = lazy_pattern(r"<[A-Za-z_:|\uff5c]{1,64}>", re.ASCII)
"""Tags around calls that say nothing."""

_STRAY_END: Final = repaired("a closing tag without an opening one was left out")
_WORDS_BESIDE: Final = ignored_text("words beside the tool calls were left out")
_NO_CALL: Final = parse_error("a tag before the call begins none that can be read")
_MISSING_TAG: Final = repaired("a closing tag was missing")
WRAPPING: Final = ("arguments", "input", "properties", "parameters")
"""Parameters that models make up around all others."""


def read_tags(block: Block, tools: Tools | None, syntax: TagSyntax = ANGLED) -> BlockResult:
    """Read a block of calls in tags, the first of which may be its marker; JSON inside of a call's tag is arguments."""
    if syntax.begins_call(block.marker + block.inner):
        block = block._replace(inner=block.marker + block.inner)
    tags = syntax.tags_in(block.inner)
    if _holds_json(block.inner, tags):
        return _json_in_tags(block, tags, tools)
    return _TagReader(block, tools, syntax).read(tags, None)


class _TagReader:
    """A block of calls whose arguments are raw values in tags."""

    def __init__(self, block: Block, tools: Tools | None, syntax: TagSyntax) -> None:
        self.block, self.inner, self.tools, self.syntax = block, block.inner, tools, syntax
        self.tags: list[Tag] = []
        self.problem: Problem | None = None
        self.notes: list[str] = []

    def read(self, tags: list[Tag], first: TagCall | None) -> BlockResult:
        """Read the calls that tags make; first: one whose name stands before them."""
        left = self._left_out(tags) if first is None else []
        result = self._read_calls(self.syntax.tags_in(self.inner) if left else tags, first)
        return replace(result, problems=(*left, *result.problems)) if left and result.calls else result

    def _left_out(self, tags: list[Tag]) -> list[Problem]:
        """Return the problems with what stands beside the calls, and cut off the closing tags after the last one."""
        begun = next((tag.start for tag in tags if tag.kind == "call"), len(self.inner))
        before = [tag for tag in tags if tag.start < begun]
        places = zip([0, *(tag.end for tag in before)], [*(tag.start for tag in before), begun], strict=True)
        beside = [text for begin, end in places if (text := _WRAPPERS.sub("", self.inner[begin:end]).strip(BLANK))]
        ended = max((tag.end for tag in tags if tag.kind in ("end", "outer")), default=len(self.inner))
        # The end of a value there may be that of one which holds the call's end.
        is_last = begun < ended and all(tag.start < ended for tag in tags)
        stray = _STRAY_ENDS.fullmatch(self.inner, ended) if is_last else None
        if stray is not None:
            self.inner = self.inner[:ended]
        is_markup = any(tag.kind == "end" for tag in before) or any("<" in text for text in beside)
        problems = [_NO_CALL] if is_markup else [_WORDS_BESIDE] if beside else []
        return problems if stray is None else [*problems, _STRAY_END]

    def _read_calls(self, tags: list[Tag], first: TagCall | None) -> BlockResult:
        self.tags = tags
        reading = tag_reading(self.inner, tags, first, _knowing(self.tools))
        result = self._read(reading, first) if reading.state != "unclear" else self._unsure()
        if not result.calls and AMBIGUOUS in result.problems:
            split, tags_split = split_reading(self.inner, tags, first)
            if len(tags_split) > len(tags) and split.state == "whole" and all(map(self._has_needed, split.calls)):
                self.tags, self.problem = tags_split, None
                again = self._read(split, first)
                if again.calls and not again.problems:
                    return replace(again, problems=(_MISSING_TAG,))
        return result

    def _unsure(self) -> BlockResult:
        return BlockResult(problems=(AMBIGUOUS if self.block.closed else CUT,))

    def _has_needed(self, call: TagCall) -> bool:
        """Whether a call has each argument once, all of them known, and all that its tool requires."""
        name = plain_name(self._plain(call.name), self.tools)
        names = [argument.name.strip(BLANK) for argument in call.arguments]
        known, root = parameter_schemas(self.tools, name)
        if root is None or len(set(names)) < len(names) or any(each not in known for each in names):
            return False
        # What the other reading lacks has to be required: else it may be text.
        needed = set(root.get("required") or ())
        return all(each in needed for each in names) and has_all(name, dict.fromkeys(names), self.tools)

    def _read(self, reading: TagReading, first: TagCall | None) -> BlockResult:
        calls: list[ReadCall] = []
        problems: list[Problem] = []
        for number, call in enumerate(reading.calls, 1):
            is_last = number == len(reading.calls)
            value, notes = self._last_value(reading, first is not None) if is_last else (None, [])
            is_whole = call.ended or not is_last or self.block.closed
            found, notes = self._call(call, value, notes, is_whole=is_whole, is_keyed=first is not None)
            calls += found
            problems += notes
        if not calls and not problems:
            problems = [UNFIT if self.block.closed else CUT]
        return BlockResult(calls=tuple(calls), problems=tuple(problems))

    def _last_value(self, reading: TagReading, is_keyed: bool) -> tuple[Argument | None, list[Problem]]:
        """Return the value without an end, where the end of its block ends it: nothing else may be meant."""
        value = reading.value
        if value is None:
            return None, []
        if not self.block.closed:
            return None, [CUT]
        inside = self.tags[slice(*value.inside)]
        end = inside[0].start if inside else len(self.inner)
        rest = self.inner[end:]
        for tag in inside:
            is_end = tag.kind in ("end", "outer")
            rest = rest.removeprefix(self.inner[tag.start : tag.end]).lstrip(BLANK) if is_end else rest
        # The end of the block may be in the value; the end of the call before it hardly.
        is_ended = is_keyed or self.inner.startswith(self.block.marker) or any(tag.kind == "end" for tag in inside)
        own_end = re.compile(rf"</[ \t]?{re.escape(value.name.strip(BLANK))}[ \t]?>[ \t\r\n]*\Z")  # ascii: literals
        own_tag = self.tags[value.inside[0] - 1].tag
        # So near to where its end should be, a sign of a tag may be what is left of that.
        last = self.inner[value.begin : end].rstrip(BLANK)[-len(self.syntax.end) - len(own_tag) - 4 :]
        is_cut_end = "<" in last or ">" in last or (bool(own_tag) and f"/{own_tag}" in self.inner[value.begin : end])
        if rest or not is_ended or is_cut_end or self.syntax.nests or own_end.search(self.inner, value.begin, end):
            return None, [AMBIGUOUS]
        text = self.inner[value.begin : end]
        if trimmed(text) == text and text.endswith("\n"):
            # The line break is that of the tag that came instead.
            end -= 2 if text.endswith("\r\n") else 1
        return value._replace(end=end), [_MISSING_TAG]

    def _call(
        self, call: TagCall, value: Argument | None, notes: list[Problem], *, is_whole: bool, is_keyed: bool
    ) -> tuple[list[ReadCall], list[Problem]]:
        """Return one call, or the problem with it; value: its last argument's, which has no end tag."""
        name = plain_name(self._plain(call.name), self.tools)
        if not name:
            return [], [NAMELESS]
        if notes and value is None:
            return [], notes
        arguments = call.arguments if value is None else [*call.arguments, value]
        properties, root = parameter_schemas(self.tools, name)
        if any(self._holds_another(argument, properties, root) for argument in arguments):
            return [], list(self._unsure().problems)
        self.notes = []
        params = self._members(self.inner, arguments, properties, root, 0)
        notes = [*notes, *(repaired(note) for note in dict.fromkeys(self.notes))]
        if self.problem is not None:
            return [], [self.problem]
        if not self._is_all_read(call, params):
            return [], [no_object(name) if is_whole else CUT]
        params = params if root is None else _unwrapped(params, properties)
        if is_whole:
            return [ReadCall(tool=name, params=params)], notes
        # Nothing but the end of its block ends a call with keys: without it, more of them may have been meant.
        if is_keyed or not has_all(name, params, self.tools):
            return [], [CUT]
        return [ReadCall(tool=name, params=params)], notes if self.syntax.nests else [*notes, _MISSING_TAG]

    def _holds_another(self, argument: Argument, properties: Mapping[str, Any], root: Any) -> bool:
        """Whether a value may have swallowed another argument; where tags nest, one that is text."""
        name = self._plain(argument.name.strip(BLANK))
        if self.syntax.nests and list(allowed_values(properties.get(name), root)[0]) != ["string"]:
            return False
        inside = [tag for tag in self.tags[slice(*argument.inside)] if tag.start < argument.end]
        tag = self.inner[argument.opening : argument.begin]
        if is_damaged_opening(tag, name, argument.rest, tuple(properties), is_bare=argument.is_bare):
            return True
        opening = opening_of(tag, argument.name)
        own = self.tags[argument.inside[0] - 1]
        if self.inner[argument.begin : argument.end].lstrip(BLANK)[:1] in ("{", "[") and (
            read_json(self.inner[argument.begin : argument.end].strip(BLANK)) is not UNREADABLE
        ):
            return False  # JSON says where it ends
        # Where tags are called like arguments, all ends are alike.
        close = self.syntax.end.format(own.tag) if own.tag and not self.syntax.nests else ""
        is_ended = bool(close) and is_nearly_closed(self.inner, inside, own, argument.end, close)
        return is_ended or holds_another(self.inner, inside, own, argument.end, opening, tuple(properties))

    def _is_all_read(self, call: TagCall, params: dict[str, Any]) -> bool:
        """Whether nothing but tags stands where a call's first argument may begin."""
        if self.syntax.nests:
            limit = next((tag.start for tag in self.tags if tag.start >= call.begin), len(self.inner))
            return not self.inner[call.begin : limit].strip(BLANK)
        return bool(params) or self.inner[call.begin :].lstrip(BLANK)[:1] in ("", "<")

    def _members(
        self, text: str, arguments: list[Argument], properties: Mapping[str, Any], root: Any, depth: int
    ) -> dict[str, Any]:
        """Return the values of arguments by name; several of one name are a list where tags nest and it is one."""
        apart = not self.syntax.nests and on_lines(text[each.begin : each.end] for each in arguments)
        by_name: dict[str, list[Argument]] = {}
        for argument in arguments:
            by_name.setdefault(self._plain(argument.name.strip(BLANK)), []).append(argument)
        members: dict[str, Any] = {}
        for name, given in by_name.items():
            schema = properties.get(name)
            is_list = len(given) > 1 and self.syntax.nests and "array" in allowed_values(schema, root)[0]
            own = schema.get("items") if is_list and isinstance(schema, dict) else schema
            values = [self._value(text, argument, own, root, depth, apart) for argument in given]
            if not is_list and any(value != values[0] for value in values):
                self.problem = parse_error(f'the argument "{name}" is given twice')
            members[name] = values if is_list else values[0]
        return members

    def _value(self, whole: str, argument: Argument, schema: Any, root: Any, depth: int, apart: bool = False) -> Any:
        """Return one value; apart: it stands on lines of its own, whatever its family's template writes."""
        text = whole[argument.begin : argument.end]
        is_plain = self.syntax.plain.search(argument.rest) is not None
        if (apart and not is_plain) or (argument.is_bare and not self.syntax.is_inline):
            text = trimmed(text)
        if "<![CDATA[" in text and (cdata := _CDATA.fullmatch(text)):
            text = cdata[1]
        if is_plain:
            return text
        if self.syntax.typed.search(argument.rest):
            value = read_json(text.strip(BLANK))
            return value if value is not UNREADABLE else typed_value(text, schema, root, self.notes)
        if self.syntax.nests and depth < MAX_VALUE_DEPTH and list(allowed_values(schema, root)[0]) != ["string"]:
            tags = self.syntax.tags_in(text)
            return (
                self._nested(text, tags, schema, root, depth + 1)
                if tags
                else typed_value(text, schema, root, self.notes)
            )
        if depth and self.syntax.tags_in(text):  # a text among others that has swallowed one
            self.problem = AMBIGUOUS
        return typed_value(text, schema, root, self.notes)

    def _nested(self, text: str, tags: list[Tag], schema: Any, root: Any, depth: int) -> Any:
        """Return the list or the object that the tags in a value are."""
        reading = tag_reading(text, tags, TagCall("", 0, []), lambda _tool, _name: True)
        arguments, inner = reading.calls[0].arguments, schema if isinstance(schema, dict) else {}
        is_alone = len(reading.calls) == 1 and not reading.calls[0].ended and not text[: tags[0].start].strip(BLANK)
        if reading.state != "whole" or not is_alone or not arguments:
            self.problem = AMBIGUOUS if self.block.closed else CUT
            return text
        if _are_items(arguments, schema, root):
            return [self._value(text, argument, inner.get("items"), root, depth) for argument in arguments]
        properties = inner.get("properties")
        return self._members(text, arguments, properties if isinstance(properties, dict) else {}, root, depth)

    def _plain(self, name: str) -> str:
        return name.replace("&quot;", '"').replace("&amp;", "&") if self.syntax.has_escapes else name


def _are_items(arguments: list[Argument], schema: Any, root: Any) -> bool:
    """Whether tags in a value are a list's items: all of one name, where the schema wants a list or tells nothing."""
    types = allowed_values(schema, root)[0]
    if len({argument.name for argument in arguments}) > 1 or list(types) == ["object"]:
        return False
    is_list = "array" in types and (len(arguments) > 1 or "object" not in types)
    return is_list or arguments[0].name == "item"


def _knowing(tools: Tools | None) -> Knows:
    """Return the function that tells whether a tool may take an argument of a name."""

    def knows(tool: str, name: str) -> bool:
        if tools is None:
            return True
        spec = tools.get(plain_name(tool, tools))
        properties = spec.parameters.get("properties") if spec is not None else {}
        return not isinstance(properties, dict) or name.strip(BLANK) in properties

    return knows


def on_lines(raw_values: Iterable[str]) -> bool:
    """Whether the raw values of a call stand on lines of their own: each begins and ends with a line break.

    What is blank says nothing.
    """
    told = [raw for raw in raw_values if NOT_BLANK.search(raw)]
    return bool(told) and all(raw.startswith(("\n", "\r\n")) and raw.endswith("\n") for raw in told)


def trimmed(raw: str) -> str:
    """Return a raw value without the line break at each end that a template writes; without one before, none is."""
    for line_break in ("\r\n", "\n"):
        if raw.startswith(line_break):
            text = raw.removeprefix(line_break)
            return text.removesuffix("\r\n") if text.endswith("\r\n") else text.removesuffix("\n")
    return raw


def _unwrapped(params: dict[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments taken out of the one parameter that holds them all, which the tool does not have."""
    key, value = next(iter(params.items()), ("", None))
    if len(params) != 1 or key not in WRAPPING or key in known:
        return params
    inner = read_json(value) if isinstance(value, str) else value
    return inner if isinstance(inner, dict) and all(name in known for name in inner) else params


# --- JSON in a call's tag ---------------------------------------------------------------------------------


def _holds_json(inner: str, tags: list[Tag]) -> bool:
    """Whether the first call's tag holds an object: all that is in its strings is no tag."""
    begin = next((tag.end for tag in tags if tag.kind == "call"), -1)
    first = NOT_BLANK.search(inner, begin) if begin >= 0 else None
    if first is None or not begins_object(inner[first.start() :]):
        return False
    body = inner[first.start() : next((tag.start for tag in reversed(tags) if tag.kind == "end"), len(inner))]
    return not any(tag.kind == "open" for tag in tags) or isinstance(read_json(body.strip(BLANK)), dict)


def _json_in_tags(block: Block, tags: list[Tag], tools: Tools | None) -> BlockResult:
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    begun = [number for number, tag in enumerate(tags) if tag.kind == "call"]
    for number, following in zip(begun, [*begun[1:], len(tags)], strict=True):
        limit = tags[following].start if following < len(tags) else len(block.inner)
        end = next((each.start for each in reversed(tags[number:following]) if each.kind == "end"), None)
        name = plain_name(tags[number].name or "", tools)
        body = block.inner[tags[number].end : limit if end is None else end]
        is_whole = end is not None or following < len(tags) or block.closed
        result = named_call(name, body, tools, closed=is_whole) if name else BlockResult(problems=(NAMELESS,))
        calls += result.calls
        problems += result.problems
    return BlockResult(calls=tuple(calls), problems=tuple(problems))
