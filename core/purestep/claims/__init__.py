"""Claims: whether an answer says that something was done that no call has done.

Theory of operation. What the user's words order is read when they come (`orders_of`): a verb that begins a part of
the message, and the tools with effects that do such an act. What calls have done is noted with their results
(`items_said`, `kinds_told`). An answer is then judged (`false_claim`): words that claim an act of which no tool
succeeded; no open word ("could not", a question, a condition) where an order was not met, whatever else is said;
items that no call had. Nothing here knows of a run: all of it is text, tools and what was noted in, a verdict out,
the same on every host.

All languages with a file are read at once. What is in doubt is accepted.
"""

from .done import FalseClaim
from .effects import Effects, effects_of, may_act
from .items import ItemsByPart, addresses_in, has_digit, items_said
from .judge import false_claim
from .known import value_nowhere
from .names import names_others, names_said
from .orders import Orders, orders_of
from .promises import promise_is_backed
from .readings import reading_of
from .told import kinds_told, tells_beginning, tells_failure, trouble_words

__all__ = [
    "Effects",
    "FalseClaim",
    "ItemsByPart",
    "Orders",
    "addresses_in",
    "effects_of",
    "false_claim",
    "has_digit",
    "items_said",
    "kinds_told",
    "may_act",
    "names_others",
    "names_said",
    "orders_of",
    "promise_is_backed",
    "reading_of",
    "tells_beginning",
    "tells_failure",
    "trouble_words",
    "value_nowhere",
]
