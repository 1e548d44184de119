"""The loop that what reads logs is measured by: each event decoded, its line hashed into the chain.

Rates of another machine say little; a share of this loop's rate is the same on a fast one and on a slow one.
"""

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Sequence

from bench.figures import least_cpu_us
from bench.ratios import PACE
from purestep.values import decode_event


def bare_loop(lines: Sequence[bytes]) -> Callable[[], None]:
    """Return the loop over these lines."""

    def bare() -> None:
        head = ""
        for line in lines:
            decode_event(line)
            head = hashlib.sha256(head.encode() + line).hexdigest()

    return bare


def least_share(of_quiet_machine: float, line_us: float) -> float:
    """Return the share of the loop's rate to ask for, where a line costs the loop so much.

    Neighbours slow Python code, and not what is written in C: see PACE of `bench.ratios`.
    """
    tree = ast.parse(inspect.getsource(textwrap.dedent))
    (python,) = least_cpu_us([lambda: ast.unparse(tree)], 200, 3)
    return round(of_quiet_machine / max(1.0, python / line_us / PACE), 4)
