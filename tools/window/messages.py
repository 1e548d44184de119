"""What is said in random long runs: requests with orders, links and addresses, outputs, and what a model writes."""

import json
import random
from typing import Any, Final

from .texts import text_of

Json = dict[str, Any]
Call = tuple[str, Json]


class Sayings:
    """The texts of one run; `links` are the links and addresses that have been said in it."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._said: list[str] = []

    def request(self, words: int) -> str:
        """Return a request: a text of that many words at most, after orders for the tools in every second one."""
        text = text_of(self._chance, self._chance.randint(1, words))
        if self._chance.random() < _HALF:
            return text
        number = self._chance.randint(1, 99)
        orders = [f"Read {number}", f"fetch {self._link()}", f"find the person of {self._address()}"]
        return f"{', then '.join(self._chance.sample(orders, self._chance.randint(1, 3)))}. {text}"

    def output(self, size: int) -> str:
        """Return a tool's output of that many words at most, with links and addresses in every second one."""
        text = f"Text: {text_of(self._chance, self._chance.randint(1, size))}"
        number = self._chance.choice([0, 0, 1, 4, 20])
        new = [self._chance.choice([self._link, self._address])() for _ in range(number)]
        return f"{' '.join(new)} {text}" if new else text

    def call(self, shown: str, number: int) -> Call:
        """Return a call: with a number, or with a link or an address of what the model is shown."""
        calls: list[Call] = [("read", {"at": number})]
        for each in self._said[-_LATEST:]:
            if each in shown:
                calls.append(("find_person", {"email": each}) if "@" in each else ("fetch", {"url": each}))
        return self._chance.choice(calls)

    def _link(self) -> str:
        path = "/".join([self._chance.choice(_PATHS) for _ in range(self._chance.randint(1, 4))])
        return self._new(f"https://{self._chance.choice(_HOSTS)}/{path}?id={self._chance.randint(1, 10**6)}")

    def _address(self) -> str:
        name = f"{self._chance.choice(_PATHS)}.{self._chance.randint(1, 999)}"
        return self._new(f"{name}@{self._chance.choice(_HOSTS)}")

    def _new(self, said: str) -> str:
        self._said.append(said)
        return said


_HALF: Final = 0.5
_LATEST: Final = 8
_HOSTS: Final = ("a.example", "docs.example.org", "shop.example.com", "xn--mnchen-3ya.example")
_PATHS: Final = ("invoices", "2031", "Q3-summary", "team", "a", "really-long-name-of-a-page-about-buses")


def called(dialect: str, calls: list[Call]) -> Json:
    """Return the output that makes calls; the first one where the dialect has one in a turn."""
    tool, arguments = calls[0]
    match dialect:
        case "native":
            entries = [{"id": "x", "function": {"name": name, "arguments": json.dumps(each)}} for name, each in calls]
            return {"content": None, "tool_calls": entries}
        case "envelope":
            return {"content": json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})}
        case "bare":
            return {"content": json.dumps({"tool": tool, **arguments})}
        case "hermes_json":
            return {"content": f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"}
        case _:
            return {"content": f"[TOOL_CALL]{json.dumps({'name': tool, 'args': arguments})}[/TOOL_CALL]"}


def answered(dialect: str) -> Json:
    """Return the output that answers."""
    return {"content": '{"kind":"final","content":"Done."}' if dialect == "envelope" else "Done."}
