"""An answer in two sections, which a definition may demand after tool use: what the tools said, then the answer.

Source: agent.rs, whose command asks for these sections in its prompt.
"""

import re
from typing import Final

from ..json_text import BLANK
from ..lazy import lazy_pattern

_HEADING: Final = lazy_pattern(
    r"^[ \t>#*_]{0,16}(observations?|final[ \t]answer)[ \t*_]{0,8}(:[ \t*_]{0,8}|(?=\r?$))",
    re.ASCII | re.IGNORECASE | re.MULTILINE,
)


def observed_answer(result: str, answer: str) -> str:
    """Write an answer in its two sections."""
    return f"OBSERVATIONS\n{result}\n\nFINAL ANSWER\n{answer}"


def lacks_observations(answer: str) -> str | None:
    """Return what an answer lacks of its two sections, in order and none of them empty; None where it has them.

    A section begins with its name: alone in a line, or before a colon.
    """
    headings = [(_section(found[1]), found.start(), found.end()) for found in _HEADING.finditer(answer)]
    observed = next((each for each in headings if each[0] == "OBSERVATIONS"), None)
    if observed is None:
        return "it has no OBSERVATIONS section"
    final = next((each for each in headings if each[0] == "FINAL ANSWER" and each[1] >= observed[2]), None)
    if final is None:
        return "it has no FINAL ANSWER section after its OBSERVATIONS"
    if not answer[observed[2] : final[1]].strip(BLANK):
        return "its OBSERVATIONS section is empty"
    return None if answer[final[2] :].strip(BLANK) else "its FINAL ANSWER section is empty"


def _section(heading: str) -> str:
    return "OBSERVATIONS" if heading[0] in "oO" else "FINAL ANSWER"
