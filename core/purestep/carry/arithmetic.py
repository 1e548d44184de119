"""Arithmetic as people write it, to an expression: "17 plus 25", "the sum of 3 and 4", "15 % of 80".

Numbers and signs are taken as they stand; what is not read as a whole gives no expression.
"""

import re
from itertools import pairwise
from typing import Final

from ..json_text import BLANK
from .clauses import Clause, once_per_clause
from .languages import PERCENT_WORDS, SIGN_WORDS, Language
from .spans import Span
from .words import fold, is_word_character

_SIGNS: Final = r"\*\*|[-+*/^()\u00d7\u00f7\u2212\u00b7:%]"
_SIGN_TEXT: Final = {"\u00d7": "*", "\u00f7": "/", "\u2212": "-", "\u00b7": "*", ":": "/", "^": "**"}
_MAX_TOKENS: Final = 60


def expressions_of(text: str, spans: tuple[Span, ...], language: Language) -> tuple[str, ...]:
    """Give the arithmetic of a text as expressions with signs, the longest first."""
    numbers = tuple([span for span in spans if span.kind == "number"])
    if not numbers or len(numbers) > _MAX_TOKENS:
        return ()
    found = [*_named(text, numbers, language), *_signed(text, numbers)]
    return tuple(dict.fromkeys(sorted(found, key=len, reverse=True)))


def continued(text: str, spans: tuple[Span, ...], language: Language, result: str) -> str | None:
    """Give what goes on with a result: "then add 5", "times 3"; None where the words say anything else."""
    numbers = [span for span in spans if span.kind == "number"]
    if len(numbers) != 1 or re.fullmatch(_NUMBER, result, re.ASCII) is None:
        return None
    (number,) = numbers
    lead, rest = fold(text[: number.start]).strip(BLANK), text[number.end :].strip(f"{BLANK}.!?")
    leads = {**language.folded, **{verb: sign for verb, (_, sign) in language.reversed.items()}, **SIGN_WORDS}
    forms = {form: sign for verb, sign in leads.items() for form in (verb, f"{verb} by")}
    found = max((form for form in forms if _ends_with(lead, form)), key=len, default="")
    before = lead.removesuffix(found).strip(f"{BLANK},")
    begins = not before or before in language.clause_words or before in language.order_openings
    return f"{result} {forms[found]} {number.value}" if found and begins and not rest else None


_NUMBER: Final = r"-?[0-9]+(?:\.[0-9]+)?"


@once_per_clause
def expressions_in(clause: Clause) -> tuple[str, ...]:
    """Give the arithmetic of a clause, the longest first."""
    return expressions_of(clause.text, clause.spans, clause.language)


def operations_in(clause: Clause) -> tuple[str, ...]:
    """Give the verbs for the signs in a text's arithmetic: "multiply" for "125 x 48"."""
    signs = {sign for expression in expressions_in(clause)[:1] for sign in expression.split(" ")}
    verbs = {sign: verb for verb, sign in reversed(clause.language.folded.items()) if " " not in verb}
    return tuple([verb for sign, verb in verbs.items() if sign in signs])


def _named(text: str, numbers: tuple[Span, ...], language: Language) -> list[str]:
    """Read "the sum of 3 and 4", "subtract 3 from 10", "15 percent of 80"."""
    folded, found = fold(text), []
    for first, second in pairwise(numbers):
        before, between = folded[: first.start].rstrip(BLANK), folded[first.end : second.start].strip(BLANK)
        if between in PERCENT_WORDS:
            found.append(f"{second.value} * {first.value} / 100")
        sign = next((sign for lead, sign in language.folded.items() if _ends_with(before, lead)), None)
        if sign is not None and _joins(between, language):
            found.append(_folded(sign, first, numbers, folded, language))
        turned = next((turn for lead, turn in language.reversed.items() if _ends_with(before, lead)), None)
        if turned is not None and between == turned[0]:
            found.append(f"{second.value} {turned[1]} {first.value}")
    return found


def _joins(between: str, language: Language) -> bool:
    """Tell whether what stands between two numbers only joins them: a comma, or a word such as "and"."""
    return between == "," or between.removeprefix(",").strip(BLANK) in language.number_joints


def _ends_with(text: str, lead: str) -> bool:
    return text.endswith(lead) and (len(text) == len(lead) or not is_word_character(text[-len(lead) - 1]))


def _folded(sign: str, first: Span, numbers: tuple[Span, ...], folded: str, language: Language) -> str:
    """Give all numbers from the first on that are only joined to each other, with the sign between."""
    joined, end = [first], first.end
    for span in numbers[numbers.index(first) + 1 :]:
        if not _joins(folded[end : span.start].strip(BLANK), language):
            break
        joined.append(span)
        end = span.end
    return f" {sign} ".join(str(span.value) for span in joined)


def expression_places(text: str, spans: tuple[Span, ...], language: Language) -> tuple[tuple[int, int], ...]:
    """Give where runs of numbers and signs stand in a text; none where words name what joins its numbers."""
    numbers = tuple([span for span in spans if span.kind == "number"])
    if len(numbers) > _MAX_TOKENS or _named(text, numbers, language):
        return ()
    return tuple([(first.start, last.end) for _, first, last in _runs(text, numbers)])


def _signed(text: str, numbers: tuple[Span, ...]) -> list[str]:
    """Read runs of numbers and signs, words for signs among them."""
    return [" ".join(parts).replace("( ", "(").replace(" )", ")") for parts, _, _ in _runs(text, numbers)]


def _runs(text: str, numbers: tuple[Span, ...]) -> list[tuple[list[str], Span, Span]]:
    """Give the parts of each run, and its first and last number."""
    folded, found, at = fold(text), list[tuple[list[str], Span, Span]](), 0
    while at < len(numbers):
        parts, last = _run(folded, numbers, at)
        if last > at:
            found.append((parts, numbers[at], numbers[last]))
        at = last + 1
    return found


def _run(folded: str, numbers: tuple[Span, ...], at: int) -> tuple[list[str], int]:
    lead = folded[: numbers[at].start]
    opened = len(lead) - len(lead.rstrip("( "))
    depth = lead[len(lead) - opened :].count("(")
    parts = ["("] * depth + [str(numbers[at].value)]
    while True:
        rest = folded[numbers[at].end : numbers[at + 1].start] if at + 1 < len(numbers) else folded[numbers[at].end :]
        signs = _signs(rest, last=at + 1 == len(numbers))
        if signs is None:
            return _closed(parts), at
        parts += signs
        if at + 1 == len(numbers) or not signs or signs[-1] == ")":
            return _closed(parts), at
        parts.append(str(numbers[at + 1].value))
        at += 1


def _signs(rest: str, *, last: bool) -> list[str] | None:
    """Give the signs between two numbers, or after the last: None where other words stand there."""
    if last:
        closing = rest.lstrip(BLANK)
        return [")"] * (len(closing) - len(closing.lstrip(")"))) or None
    stripped = rest.strip(BLANK)
    if stripped in SIGN_WORDS:
        return [SIGN_WORDS[stripped]]
    signs, at, form = [], 0, re.compile(_SIGNS, re.ASCII)
    while at < len(stripped):
        match = form.match(stripped, at)
        if match is not None:
            signs.append(_SIGN_TEXT.get(match[0], match[0]))
            at = match.end()
        elif stripped[at] in " \t":
            at += 1
        else:
            return None
    return signs if signs and signs != ["%"] else None


def _closed(parts: list[str]) -> list[str]:
    """Give the parts with each bracket closed, and without a sign at the end."""
    while parts and parts[-1] in ("+", "-", "*", "/", "**", "(", "%"):
        parts.pop()
    missing = parts.count("(") - parts.count(")")
    if missing < 0:
        for _ in range(-missing):
            parts.pop(len(parts) - 1 - parts[::-1].index(")"))
    return parts + [")"] * max(missing, 0)
