"""JavaScript sends of each transcript what Python sends."""

import json
import subprocess
from pathlib import Path

from tests.sent_messages import CASES

HERE = Path(__file__).parent


def test_messages_are_sent_as_in_python(node: str, package: Path) -> None:
    """Those of the corpus, and a text without parts that Python has as text."""
    given = "".join(json.dumps(case) + "\n" for case in CASES)
    run = subprocess.run([node, HERE / "sent_messages.mjs"], input=given, capture_output=True, text=True, check=True)
    assert [case["sent"] for case in CASES] == [json.loads(line) for line in run.stdout.splitlines()]
