"""The page on receipts: its JavaScript checks a receipt that Python has made."""

import re
import subprocess
from pathlib import Path

from tests.docs.test_docs import ROOT, blocks
from tests.web.signed_logs import paid, public, receipt_of, stated


def test_the_javascript_prints_what_it_says(node: str, package: Path, tmp_path: Path) -> None:
    """Without a core nothing is derived, and with one every decision."""
    (code,) = blocks(ROOT / "docs" / "receipts.md", "javascript")
    (tmp_path / "example.mjs").write_text(code, "utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "purestep").symlink_to(package.parent)
    (tmp_path / "run.jsonl").write_bytes(paid())
    (tmp_path / "october.receipt").write_bytes(receipt_of(stated("other"), stated(), issued_at=1))
    (tmp_path / "receipt.key.pub").write_text(public("ed25519", "ssh"), "utf-8")
    command = [node, "--no-warnings", "example.mjs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    expected = re.findall(r"console\.log\(.*\); // (.*)$", code, re.MULTILINE)
    assert ["false", "true"] == expected == done.stdout.splitlines(), done.stderr
