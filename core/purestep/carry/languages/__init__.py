"""The languages whose words carry small models: data only, one file for each.

A request in a language without a file is read by its typed values and by the words that it shares with the tools. Of
French and Spanish only the words of arithmetic are known, orders to leave something undone, and words that tie an order
to a condition, put it off or take it back.
"""

from .denials import Denials
from .english import ENGLISH
from .english_reservations import ENGLISH_RESERVATIONS
from .french import FRENCH_DENIALS, FRENCH_PERCENT, FRENCH_RESERVATIONS, FRENCH_SIGNS
from .german import GERMAN
from .german_reservations import GERMAN_RESERVATIONS
from .language import Language, words
from .reservations import Reservations
from .spanish import SPANISH_DENIALS, SPANISH_PERCENT, SPANISH_RESERVATIONS, SPANISH_SIGNS

LANGUAGES = (ENGLISH, GERMAN)
"""The first is taken where the words tell none."""
DENIALS = (ENGLISH.denials, GERMAN.denials, FRENCH_DENIALS, SPANISH_DENIALS)
"""All are looked at, whatever the language of a text: what is denied must not be done."""
RESERVATIONS = (ENGLISH_RESERVATIONS, GERMAN_RESERVATIONS, FRENCH_RESERVATIONS, SPANISH_RESERVATIONS)
"""All are looked at as well."""
SIGN_WORDS = {**ENGLISH.operators, **GERMAN.operators, **FRENCH_SIGNS, **SPANISH_SIGNS}
"""A word between two numbers, and the sign it stands for; "17 mal 3" has no other word that tells its language."""
PERCENT_WORDS = (*ENGLISH.percent, *GERMAN.percent, *FRENCH_PERCENT, *SPANISH_PERCENT)
"""What stands between a share and the number that it is of."""

__all__ = [
    "DENIALS",
    "LANGUAGES",
    "PERCENT_WORDS",
    "RESERVATIONS",
    "SIGN_WORDS",
    "Denials",
    "Language",
    "Reservations",
    "words",
]
