"""The parameters of a request, as the log keeps them: read off the body that a host sends, flat and bounded."""

import math
from collections.abc import Sequence
from typing import Any, Final

from purestep.bounds import MAX_REQUEST_PARAMETERS
from purestep.json_text import clean_text
from purestep.values import Parameter, RequestParameters

from ..bounds import MAX_PARAMETER_CHARS

_NOT_KEPT: Final = frozenset({"messages", "tools", "stream", "stream_options", "response_format", "grammar"})
"""What the log has already, what is no setting, and what `constraint` stands for."""
_LISTS: Final = (list, tuple)


def request_parameters(body: dict[str, Any]) -> RequestParameters:
    """Return the parameters of a request: numbers, texts, truth values and lists of these; what is larger is left out.

    `constraint` is the type of its `response_format`, or `grammar`.
    """
    kept: RequestParameters = {}
    for name, value in body.items():
        if name not in _NOT_KEPT:
            _keep(kept, name, value)
    constraint = _constraint(body)
    if constraint is not None:
        _keep(kept, "constraint", constraint)
    return kept


def _keep(kept: RequestParameters, name: str, value: object) -> None:
    if len(name) <= MAX_PARAMETER_CHARS and len(kept) < MAX_REQUEST_PARAMETERS:
        found = _list(value) if isinstance(value, _LISTS) else _item(value)
        if found is not None:
            kept[clean_text(name)] = found


def _constraint(body: dict[str, Any]) -> str | None:
    form = body.get("response_format")
    if isinstance(form, dict) and isinstance(form.get("type"), str):
        kind: str = form["type"]
        return None if kind == "text" else kind
    return "grammar" if body.get("grammar") else None


def _list(value: Sequence[object]) -> Parameter | None:
    items = [_item(each) for each in value[:MAX_REQUEST_PARAMETERS]]
    flat = tuple([each for each in items if each is not None])
    return flat if len(flat) == len(value) and flat else None


def _item(value: object) -> str | int | float | bool | None:
    if isinstance(value, str):
        return clean_text(value) if len(value) <= MAX_PARAMETER_CHARS else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, int) else None  # a truth value too
