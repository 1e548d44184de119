"""Pure functions of the built-in tools: the same code, and the same results, on every host.

Nothing here performs I/O, imports another package, or asks Python's Unicode tables or the C library for a digit, so
a value is the same natively and in the web bundle, which carries this package beside the core.
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
