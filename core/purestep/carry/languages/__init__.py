"""The languages whose words carry small models: data only, one file for each.

A request in a language without a file is read by its typed values and by the words that it shares with the tools. Of
French and Spanish only orders to leave something undone are known.
"""

from .denials import Denials
from .english import ENGLISH
from .french import FRENCH_DENIALS
from .german import GERMAN
from .language import Language, words
from .spanish import SPANISH_DENIALS

LANGUAGES = (ENGLISH, GERMAN)
"""The first is taken where the words tell none."""
DENIALS = (ENGLISH.denials, GERMAN.denials, FRENCH_DENIALS, SPANISH_DENIALS)
"""All are looked at, whatever the language of a text: what is denied must not be done."""

__all__ = ["DENIALS", "LANGUAGES", "Denials", "Language", "words"]
