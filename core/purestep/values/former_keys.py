"""Keys that definitions had before: an error says what to write instead."""

from collections.abc import Mapping
from typing import Any, Final

from ..errors import PurestepError

_FORMER: Final[Mapping[str, str]] = {
    "/flow": 'write {"policies": [{"use": "flow", "rules": [...]}]} with the same rules',
}
"""Place of the key to what is written now; `*` stands for any index."""


def check_former_keys(definition: Mapping[str, Any]) -> None:
    """Raise `invalid_agent` for a key that is written in another way now."""
    for place, instead in _FORMER.items():
        path = _found(definition, place.split("/")[1:])
        if path is not None:
            raise PurestepError("invalid_agent", f"this key is gone; {instead}", path)


def _found(value: Any, tokens: list[str]) -> str | None:
    first, *rest = tokens
    if first == "*":
        items = enumerate(value) if isinstance(value, list) else ()
        return next((f"/{index}{path}" for index, item in items if (path := _found(item, rest)) is not None), None)
    if not isinstance(value, dict) or first not in value:
        return None
    if not rest:
        return f"/{first}"
    path = _found(value[first], rest)
    return None if path is None else f"/{first}{path}"
