"""The languages whose words carry small models: data only, one file for each.

A request in a language without a file is read by its typed values and by the words that it shares with the tools.
"""

from .english import ENGLISH
from .german import GERMAN
from .language import Language, words

LANGUAGES = (ENGLISH, GERMAN)
"""The first is taken where the words tell none."""

__all__ = ["LANGUAGES", "Language", "words"]
