"""Lists of calls that were cut in a later one: the correction shows the first, whole one again."""

from tools.vectors.observations import Scenario, call, said, user

_BOTH = '{"a":17,"b":25}'
_TAGS = '[TOOL_CALL][{"name":"add_numbers","args":{"a":17,"b":25}},{"name":"add_numbers","args":{"a":3'

STEPS: dict[str, Scenario] = {
    "cut-list-tags": (
        "tags",
        [
            user("Add 17 and 25, and 3 and 4"),
            said(_TAGS, finish_reason="length"),
            said('[TOOL_CALL]{"name":"add_numbers","args":{"a":17,"b":25}}[/TOOL_CALL]'),
        ],
    ),
    "cut-list-envelope": (
        "adder",
        [
            user("Add 17 and 25, and 3 and 4"),
            said(f'[{call("add_numbers", _BOTH)},{{"kind":"tool_call","tool_na', finish_reason="length"),
        ],
    ),
}
