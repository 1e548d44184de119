"""Text is shown in JavaScript by the table and the rule of native hosts."""

import json
import random
import subprocess
from pathlib import Path

from purestep_hosts.show.sanitize import sanitize, sanitized_json
from tests.cli.test_cli_hidden_text import KEPT
from tools.breaking.attacks.escapes import HOSTILE, hostile_text

PROGRAM = Path(__file__).with_name("sanitize.mjs")


def test_text_is_shown_as_on_native_hosts(node: str, package: Path) -> None:
    """Texts that people write, each hostile piece, mixtures of them, and every character of the lower plane."""
    rng = random.Random(1)
    plane = "".join(f"{chr(number)}-" for number in range(0x10000) if not 0xD800 <= number < 0xE000)
    mixed = [hostile_text(rng).replace("\ud800", "") for _ in range(500)]  # JSON writers differ on lone surrogates
    texts = [*KEPT, *HOSTILE, *mixed, plane, "\U000e0001\U0001d173\U0001bca0"]
    command = [node, PROGRAM, package / "sanitize.js"]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, encoding="utf-8", check=True)
    assert [[sanitize(text), sanitized_json(text)] for text in texts] == json.loads(done.stdout)
