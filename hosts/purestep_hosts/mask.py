"""Replaces known secrets in what enters a log or is shown: a tool may print the key that the host works with.

A secret is found as it is, in any text, also within other text and where codes for a terminal part it. One that a tool
has encoded or cut is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import purestep

HIDDEN: Final = "[hidden]"

_NAMES: Final = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)$")
"""Variables whose value is a secret by their name."""

_MIN_CHARS: Final = 12
"""A shorter value may be a word of the language, which would be hidden everywhere."""


_WORD: Final = re.compile(r"[A-Za-z]?[a-z]{0,18}|[A-Z]{2,19}")
"""Letters in one case, the first of which may be a capital: longer ones are drawn, and are no word."""


class Mask:
    """Hides these secrets."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        # The longest first: one may hold another.
        found = sorted({secret for secret in secrets if secret}, key=lambda secret: (-len(secret), secret))
        self._pattern = re.compile("|".join(map(re.escape, found))) if found else None

    @property
    def is_empty(self) -> bool:
        """Whether there is no secret to hide."""
        return self._pattern is None

    def text(self, text: str) -> str:
        """Return a text without the secrets; one where codes for a terminal part some is without the codes as well."""
        if self._pattern is None:
            return text
        whole = self._pattern.sub(HIDDEN, text)  # first, because a code may hold one: the address of a link
        plain = purestep.without_terminal_codes(whole)
        return whole if self._pattern.search(plain) is None else self._pattern.sub(HIDDEN, plain)

    def value(self, value: Any) -> Any:
        """Return a JSON value without the secrets, in its keys as well."""
        if self._pattern is None:
            return value
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(name)): self.value(item) for name, item in value.items()}
            case list() | tuple():
                return [self.value(item) for item in value]
            case _:
                return value


def secrets_of(variables: Mapping[str, str], keys: Iterable[str] = ()) -> set[str]:
    """Return the values that are secret by their variable's name, or are those of the variables `keys`."""
    named = {variables[name].strip() for name in keys if name in variables}
    named |= {value.strip() for name, value in variables.items() if _NAMES.search(name.upper())}
    return {value for value in named if is_secret(value)}


def is_secret(value: str) -> bool:
    """Whether a value is hidden: long enough, and neither a path nor a word, as people give local servers for a key."""
    # A path, as in SSH_AUTH_KEY=/home/..., is where a secret lies and not one itself.
    fits = len(value) >= _MIN_CHARS and value.isprintable() and not value.startswith("/")
    return fits and _WORD.fullmatch(value) is None
