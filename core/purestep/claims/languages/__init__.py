"""The languages in which orders and claims are read: data only, one file for each.

All are looked for at once, since answers and requests mix them; an answer in a language without a file is judged by the
orders alone.
"""

from .english import ENGLISH
from .french import FRENCH
from .german import GERMAN
from .language import Act, ClaimWords
from .spanish import SPANISH

CLAIM_LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH)

__all__ = ["CLAIM_LANGUAGES", "ENGLISH", "Act", "ClaimWords"]
