"""What a property says when it does not hold, and the contract's shapes that several properties ask for."""

import json
from typing import Any

import msgspec

from purestep import CATALOGUE


class Broken(AssertionError):
    """A property does not hold; its first words, up to the colon, name the property."""


def expect(holds: bool, what: str, *shown: Any) -> None:
    """Raise Broken with what is shown unless something holds."""
    if not holds:
        raise Broken(": ".join([what, *map(repr, shown)])[:2000])


def answered(text: str) -> Any:
    """Return the value of an answer's JSON text: UTF-8, one value, the same when written again, no defect of ours."""
    data = text.encode("utf-8", "strict")
    value = msgspec.json.decode(data)
    expect(isinstance(value, dict), "an answer is an object", text[:200])
    expect(msgspec.json.encode(value) == data, "an answer stays the same when written again", text[:400])
    code = value["error"]["code"] if "error" in value else None
    expect(code is None or code in CATALOGUE, "an error has a code of the catalogue", code)
    expect(code != "internal_error", "no defect of the core", value)
    return value


def asked(**members: Any) -> str:
    """Return the JSON text of an input, lone surrogates escaped."""
    return json.dumps(members)
