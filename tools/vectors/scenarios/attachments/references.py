"""Results that refer to outputs whose bytes stay with the host, and references that are none."""

from typing import Any

from tools.vectors.observations import ADD_CALL, Scenario, final, said, user

_DIGEST = "0123456789abcdef" * 4
_PICTURE = {"digest": _DIGEST, "media_type": "image/png", "bytes": 20_480}


def referring(reference: Any, **members: Any) -> dict[str, Any]:
    """Return a result with a reference."""
    entry = {"call_id": "call_1", "ok": True, "reference": reference, **members}
    return {"type": "tool_results", "results": [entry]}


STEPS: dict[str, Scenario] = {
    "referred": ("adder", [user("q"), said(ADD_CALL), referring(_PICTURE), said(final('"It is a picture."'))]),
    "referred-wrongly": (
        "adder",
        [
            user("q"),
            said(ADD_CALL),
            referring({**_PICTURE, "digest": _DIGEST.upper()}),
            referring({**_PICTURE, "media_type": "image/png; a=b"}),
            referring({**_PICTURE, "media_type": "x/" + "y" * 126}),
            referring({**_PICTURE, "bytes": -1}),
            referring({**_PICTURE, "name": "a.png"}),
            referring(_PICTURE, output="x"),
            referring(_PICTURE, ok=False),
            referring({**_PICTURE, "bytes": 1}),
        ],
    ),
}
"""Runs of the delta form."""
