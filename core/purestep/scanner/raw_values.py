"""Raw values: text between tags inside of a block, which may hold any marker, also those of its own family.

Only the tag that fits ends a value: one of the name that opened it, followed by what may follow an argument. So the end
of a block is looked for outside of values only. Inside of a value, tags of its own name are counted like brackets, for
an example of a call may be in it. Where that leads to no end, the text is searched once more without counting.
"""

import re
from functools import cached_property
from typing import Final

from ..bounds import MAX_TAG_CHARS
from ..json_text import NOT_BLANK
from .end_search import BlockTokens, End, EndSearch, Scanned


class RawValues:
    """The tags around the raw values of a block, as patterns that are compiled on first use.

    opening: what begins a value; its group `open` is the name that the end repeats. tags: the same, and ends with the
    group `close`. following: what may come after a value besides the marks of the block: its group `end` is the end of
    a call, after which only the group `call`, another call, may come. partial: what may become any of them, and first
    its first character. last: what the names end with after whose values the block may end without the end of a call.
    """

    def __init__(
        self, opening: str, tags: str, following: str, partial: str, first: str = "<", last: tuple[str, ...] = ()
    ) -> None:
        self.opening, self.first, self.last = opening, first, last
        self._sources = (tags, following, partial)

    @cached_property
    def tags(self) -> re.Pattern[str]:
        """What begins or ends a value."""
        return re.compile(self._sources[0], re.ASCII)

    @cached_property
    def following(self) -> re.Pattern[str]:
        """What may come after a value."""
        return re.compile(self._sources[1], re.ASCII)

    @cached_property
    def partial(self) -> re.Pattern[str]:
        """What may become any of them."""
        return re.compile(self._sources[2], re.ASCII)

    def undecided(self, text: str, at: int) -> int:
        """Return the first place at or after `at` from which the end of the text may become a tag, or its length."""
        place = text.find(self.first, max(at, len(text) - MAX_TAG_CHARS))
        while place >= 0:
            if self.partial.fullmatch(text, place):
                return place
            place = text.find(self.first, place + 1)
        return len(text)


OUTSIDE: Final = 3
IN_VALUE: Final = 4
_AFTER_VALUE: Final = 5
_AFTER_CALL: Final = 6
"""The stages of a search. Neither the end of a value nor of a call is certain before what follows is known."""


def end_outside_values(
    values: RawValues, tokens: BlockTokens, scanned: Scanned, text: str, at: int, *, final: bool, counting: bool
) -> EndSearch:
    """Look for a block's end outside of its values; counting: whether tags in a value are counted."""
    stage, depth, name = scanned
    while True:
        if stage == OUTSIDE:
            found = tokens.outside.search(text, at)
            if found is None:
                return _rest(tokens, values, Scanned(OUTSIDE), text, at, final)
            if not found["open"]:
                return EndSearch(Scanned(OUTSIDE), End(found[0], found.start(), found.end()))
            stage, depth, name, at = IN_VALUE, 1, found["open"], found.end()
        elif stage == IN_VALUE:
            found = values.tags.search(text, at)
            if found is None:
                return _rest(tokens, values, Scanned(IN_VALUE, depth, name), text, at, final)
            at = found.end()
            if found["close"] == name:
                depth -= 1
                stage = _AFTER_VALUE if not depth else IN_VALUE
            elif found["open"] == name and counting:
                depth += 1
        else:
            following = NOT_BLANK.search(text, at)
            if following is None:
                return EndSearch(Scanned(stage, 0, name), inside_to=len(text))
            at = following.start()
            reached = _after(tokens, values, Scanned(stage, 0, name), text, at, counting)
            if reached is None and not final and values.partial.fullmatch(text, at):
                return EndSearch(Scanned(stage, 0, name), inside_to=at)
            # What cannot follow a value is in it, and so is the tag before it.
            stage, at = reached or (IN_VALUE, at)
            depth = 1


def _after(
    tokens: BlockTokens, values: RawValues, scanned: Scanned, text: str, at: int, counting: bool
) -> tuple[int, int] | None:
    """Return the stage and place that what follows an end leads to; None where nothing there may follow it."""
    mark, found = tokens.marks.match(text, at), values.following.match(text, at)
    is_value = scanned.stage == _AFTER_VALUE
    if found is not None and found["end"]:
        return (OUTSIDE, at) if mark else (_AFTER_CALL, found.end())
    if found is not None and not found["call"]:
        return (OUTSIDE, at) if is_value else None
    # Without the end of the call, another call or the end of the block may as well be in the value.
    is_certain = not is_value or not counting or (mark is not None and scanned.quote.endswith(values.last))
    return (OUTSIDE, at) if (mark or found) and is_certain else None


def _rest(tokens: BlockTokens, values: RawValues, scanned: Scanned, text: str, at: int, final: bool) -> EndSearch:
    if final:
        return EndSearch(scanned, inside_to=len(text))
    return EndSearch(scanned, inside_to=min(tokens.undecided(text, at), values.undecided(text, at)))
