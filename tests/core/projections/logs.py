"""The logs that projections are tested with: those of every run in the conformance vectors."""

import json
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def logs() -> dict[str, str]:
    """Give the whole logs of the vectors by the name of their run."""
    found: dict[str, str] = {}
    for line in (VECTORS / "delta.jsonl").read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        if vector["function"] == "replay_log" and "error" not in json.loads(vector["output"]):
            found[vector["name"].removesuffix("/replay")] = vector["args"][0]
    return found


LOGS = logs()
FORMS = ("ag-ui", "ai-sdk", "ai-sdk-messages", "otel", "openai")
