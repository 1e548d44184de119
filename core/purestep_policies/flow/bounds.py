"""The bounds of the policy: what it keeps, and what it looks at."""

from typing import Final

MAX_RULES: Final = 64
"""Rules of one definition: each is looked at for every argument of a call."""

MAX_SAID_CHARS: Final = 4_000
"""Characters of the user's words that arguments are compared with: a page, which every step carries; a value that stood
further back is asked about."""

MAX_RESULT_CHARS: Final = 4_000
"""Characters of one result in which a value is found to tell where it came from: what a tool gives by default."""

MAX_RESULTS_CHARS: Final = 8_000
"""Characters of all such results: every step carries them."""

MAX_RESULTS: Final = 32
"""Such results: as many short ones as an exchange of the default length has."""

MAX_PARTS: Final = 256
"""Texts and numbers in a call's arguments that are compared one by one; a call with more is judged as a whole."""

MAX_SHOWN_ORIGINS: Final = 16
"""Arguments of one call whose origin is shown: a person reads a screen, those that carry labels first."""

MAX_STANDING_SCANS: Final = 16
"""Times a text's length that a value is compared inside of it: places that do not overlap take one; only a value that
repeats a short piece takes more."""

MAX_SCHEMA_LOOKS: Final = 10_000
"""Places of one schema in which names of members are looked for: as many as a schema may have."""
