"""Names that requests are about; most are drawn from syllables, so that a model learns to copy and not to recall."""

from random import Random
from typing import Final

from tools.tuning.generators.drawing import happens


def _words(text: str, sign: str = " ") -> tuple[str, ...]:
    return tuple(text.split(sign))


FIRST_NAMES: Final = _words(
    "Mara Tomas Lena Ivo Nadia Jörg Chloé Sven Aisha Pedro Yuki Oskar Fatima Liam Greta Hugo Inés "
    "Karim Zoë Boris Anya Mateo Elif Noor Dario Ruth Viktor Amélie Wanda Theo Bianca Ravi Siobhan "
    "Kofi Priya Bjarne Esra Lucía"
)
LAST_NAMES: Final = _words(
    "Keller Osei Novak Brandt Lindqvist Moreau Rossi Okafor Haddad Silva Park Weber Dubois Marin "
    "Kowalski Bauer Ferri Jansen Iversen Costa Núñez O'Brien Müller-Roth D'Angelo"
)
CITIES: Final = _words(
    "Porto,Graz,Oslo,Bergen,Leeds,Turin,Ghent,Basel,Krakow,Dublin,Nantes,Seville,Tallinn,Boston,"
    "Denver,Osaka,Lima,Cairo,Perth,Malmö,Lille,Bologna,Aarhus,Split,Riga,New York,San Diego,"
    "Cape Town,Novi Sad,Den Haag,München,Köln,A Coruña,Liège,São Paulo,Saint-Malo",
    ",",
)
TITLE_WORDS: Final = _words(
    "north river copper maple delta orbit falcon amber harbor pixel summit breeze cobalt lantern "
    "willow quartz meadow ember tundra saffron granite spring audit roof garden budget safety winter "
    "launch archive stage cellar"
)
_BEGINS: Final = _words("b br ch d dr f g gl h j k kr l m n p pl qu r s sk st t tr v w x z zw")
_VOWELS: Final = _words("a e i o u ai ea io ou")
_ENDS: Final = ("", "n", "r", "l", "m", "sk", "nd", "x", "t")


def invented(chance: Random) -> str:
    """Return a word of two or three syllables that is nobody's."""
    syllables = (chance.choice(_BEGINS) + chance.choice(_VOWELS) for _ in range(chance.choice((2, 2, 3))))
    return "".join(syllables) + chance.choice(_ENDS)


def person(chance: Random) -> str:
    """Return a name: a first name, or both."""
    first = chance.choice(FIRST_NAMES) if happens(chance, 0.7) else invented(chance).title()
    last = chance.choice(LAST_NAMES) if happens(chance, 0.7) else invented(chance).title()
    return chance.choice((first, first, f"{first} {last}"))


def city(chance: Random) -> str:
    """Return the name of a place."""
    return chance.choice(CITIES) if happens(chance, 0.75) else invented(chance).title()


def title(chance: Random) -> str:
    """Return a title of one to three words."""
    words = [
        chance.choice(TITLE_WORDS) if happens(chance, 0.7) else invented(chance)
        for _ in range(chance.choice((1, 2, 2, 3)))
    ]
    text = " ".join(words)
    return chance.choice((text, text.title(), text.capitalize(), f"{text.title()} {chance.randrange(2, 31)}"))


def code(chance: Random) -> str:
    """Return an identifier, in one of the styles that systems use."""
    letters = "".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(chance.choice((1, 2, 3))))
    number = chance.randrange(2, 10 ** chance.choice((1, 2, 3, 4, 5)))
    styles = (f"{letters}-{number}", f"{letters}{number}", f"#{number}", str(number), f"{letters.lower()}_{number}")
    return chance.choice((*styles, f"{invented(chance)}-{number}", f"{letters}/{number}"))


def email(chance: Random) -> str:
    """Return an address of mail."""
    name = chance.choice((invented(chance), f"{invented(chance)}.{invented(chance)}", chance.choice(TITLE_WORDS)))
    return f"{name}@{invented(chance)}.{chance.choice(('com', 'org', 'net', 'de', 'fr', 'example'))}"


def path(chance: Random) -> str:
    """Return the path of a file."""
    name = f"{invented(chance)}.{chance.choice(('md', 'txt', 'csv', 'json', 'pdf', 'py'))}"
    return chance.choice(
        (name, f"{chance.choice(TITLE_WORDS)}/{name}", f"/{invented(chance)}/{invented(chance)}/{name}")
    )
