"""Answers calls in this interpreter: each line from standard input is a list of them, each line written its outputs.

Needs nothing but the core, so that it runs under any interpreter that has the core's dependencies.
"""

import json
import sys

import purestep


def main() -> None:
    """Answer until the input ends."""
    for line in sys.stdin:
        outputs = [getattr(purestep, name)(*arguments) for name, *arguments in json.loads(line)]
        print(json.dumps(outputs), flush=True)


if __name__ == "__main__":
    main()
