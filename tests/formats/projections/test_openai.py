"""OpenAI chat messages: each is one for the published types, and every call has its result."""

import json
from typing import Any

from pydantic import TypeAdapter

from purestep_formats import project
from tests.formats.projections.logs import LOGS


def test_messages_are_those_of_the_published_types() -> None:
    """Each message validates."""
    # Here, since every process that shares the tests imports this file: the published types take it a second.
    from openai.types.chat import ChatCompletionMessageParam

    published = TypeAdapter[Any](ChatCompletionMessageParam)
    for name, log in LOGS.items():
        for message in project(log, "openai"):
            found = published.validate_python(message)
            assert message.keys() == found.keys(), name


def test_each_call_has_one_result_before_anything_else_is_said() -> None:
    """A server answers 400 where a call has none."""
    for name, log in LOGS.items():
        waiting: list[str] = []
        for message in project(log, "openai"):
            if message["role"] == "tool":
                waiting.remove(message["tool_call_id"])
                continue
            assert waiting == [], name
            waiting = [call["id"] for call in message.get("tool_calls", ())]
            for call in message.get("tool_calls", ()):
                assert isinstance(json.loads(call["function"]["arguments"]), dict), name
