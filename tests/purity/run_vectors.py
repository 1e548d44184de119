"""Run conformance vectors in this interpreter: run_vectors.py VECTORS.jsonl...

Prints {"python", "passed", "failed": [{"name", "expected", "got"}]} as one line of ASCII in any locale.
Needs nothing but the core, so that it runs under any interpreter that has the core's dependencies.
"""

import json
import platform
import sys
from pathlib import Path

import purestep


def main(files: list[str]) -> None:
    """Print the report on the vectors of all files."""
    passed, failed = 0, []
    for file in files:
        for line in Path(file).read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            vector = json.loads(line)
            got = getattr(purestep, vector["function"])(*vector["args"])
            if got == vector["output"]:
                passed += 1
            else:
                failed.append({"name": vector["name"], "expected": vector["output"], "got": got})
    print(json.dumps({"python": platform.python_version(), "passed": passed, "failed": failed}))


if __name__ == "__main__":
    main(sys.argv[1:])
