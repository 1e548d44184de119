"""Texts: counting and changing."""

from bench.carry.simulated.failure import Failure, World


def length(world: World, text: str) -> int:
    """Count characters."""
    return len(text)


def words(world: World, text: str) -> int:
    """Count words."""
    return len(text.split())


def upper(world: World, text: str) -> str:
    """Write in capital letters."""
    return text.upper()


def backwards(world: World, text: str) -> str:
    """Write from back to front."""
    return text[::-1]


def letter(world: World, text: str, letter: str) -> int:
    """Count a letter, in either case."""
    if len(letter) != 1:
        raise Failure("one letter, please")
    return text.lower().count(letter.lower())


def replace(world: World, text: str, old: str, new: str) -> str:
    """Replace a word."""
    if not old or old not in text:
        raise Failure(f"the text does not hold {old!r}")
    return text.replace(old, new)


def arrange(world: World, text: str) -> str:
    """Sort the words by the alphabet."""
    return " ".join(sorted(text.replace(",", " ").split(), key=str.lower))


def echo(world: World, text: str) -> str:
    """Repeat a text."""
    return text
