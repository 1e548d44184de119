"""Pure functions of the built-in tools and of the probe: the same code and the same results on every host.

Nothing here performs I/O or imports another package, and no result depends on Python's Unicode tables or the C
library, so results are the same natively and in the web bundle, which contains this package next to the core.
"""

from purestep_tools.arithmetic import CalculatorError, Number, add_numbers
from purestep_tools.calculator import MAX_EXPRESSION_CHARS, calculate
from purestep_tools.html_pages import BLOCKS, UNSEEN, html_text

__all__ = [
    "BLOCKS",
    "MAX_EXPRESSION_CHARS",
    "UNSEEN",
    "CalculatorError",
    "Number",
    "add_numbers",
    "calculate",
    "html_text",
]
