"""Asks models through LiteLLM for another process: its packages do not fit beside those that the tests use.

They stand on PYTHONPATH. Of each line `{"model", "options", "limits", "request"}` the chunks are written, one
`{"chunk"}` a line, each answered with whether to stop; then `{"end"}`.
"""

import json
import sys
from typing import Any

import msgspec

from purestep_hosts.models.litellm import LiteLLMModel
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpLimits


class Sink:
    """Passes chunks on."""

    def chunk(self, chunk: str | bytes) -> bool:
        """Pass a chunk on and return the answer."""
        say({"chunk": chunk})
        return bool(json.loads(sys.stdin.readline()))

    def text(self, piece: str) -> bool:
        """LiteLLM gives chunks only."""
        raise NotImplementedError(piece)


def say(value: dict[str, Any]) -> None:
    """Write one line."""
    print(msgspec.json.encode(value).decode(), flush=True)


def main() -> None:
    """Answer each line."""
    for line in sys.stdin:
        asked = json.loads(line)
        limits = msgspec.convert(asked["limits"], HttpLimits)
        model = LiteLLMModel(asked["model"], limits=limits, options=asked["options"])
        end = model.complete(msgspec.convert(asked["request"], ModelRequest), Sink())
        say({"end": end})


if __name__ == "__main__":
    main()
