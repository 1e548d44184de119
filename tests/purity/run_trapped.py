"""Run conformance vectors with every way out of the process trapped: run_trapped.py VECTORS.jsonl...

Two kinds of trap. Functions that read a clock, randomness or the environment raise from before the core is
imported. Whatever the interpreter audits (files, sockets, processes, imports, text run as code) raises once the core
is imported, one definition is loaded, whose compilation loads the validator and the tables of profiles and tokenizers,
one log projected, which loads the formats, and one model asked under a grammar: nothing called then imports anything.
Prints {"passed", "failed", "events"}.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

# Audited, but nothing leaves the process by it; that no number of it reaches a result is a rule of the sources.
ALLOWED_EVENTS = frozenset({"builtins.id"})

# No value is checked while this one is loaded: what a check needs has to be there by its compilation alone.
DEFINITION = {
    "answer_schema": {"type": "object"},
    "policies": [{"use": "flow"}, {"use": "confidence"}],
    "models": [{"name": "m", "profile": {"name": "server", "tokenizer": "o200k"}}],
}


class Trapped(BaseException):
    """Something impure was done; not an Exception, so that no `except Exception` of the core can hide it."""


class TrappedEnvironment:
    """Stands where os.environ was and refuses every use."""

    def __getattribute__(self, name: str) -> NoReturn:
        raise Trapped(f"os.environ.{name}")

    def __getitem__(self, name: str) -> NoReturn:
        raise Trapped(f"os.environ[{name!r}]")

    def __contains__(self, name: object) -> NoReturn:
        raise Trapped(f"{name!r} in os.environ")

    def __iter__(self) -> NoReturn:
        raise Trapped("iter(os.environ)")


def trap(name: str) -> Callable[..., NoReturn]:
    """Return a function that refuses to be called, in the place of the one named."""

    def trapped(*_: object, **__: object) -> NoReturn:
        raise Trapped(f"{name}()")

    return trapped


def trap_functions() -> None:
    """Replace what reads a clock, randomness or the environment."""
    for module in (time, random):
        for name, value in list(vars(module).items()):
            if not name.startswith("_") and callable(value) and not isinstance(value, type):
                setattr(module, name, trap(f"{module.__name__}.{name}"))
    for name in ("urandom", "getenv", "getrandom", "getpid", "times"):
        setattr(os, name, trap(f"os.{name}"))
    vars(os)["environ"] = TrappedEnvironment()


def read_vectors(files: list[str]) -> list[dict[str, Any]]:
    """Return the vectors of all files."""
    texts = [Path(file).read_text(encoding="utf-8") for file in files]
    return [json.loads(line) for text in texts for line in text.split("\n") if line]


ASKED = {"type": "user_message", "content": "Hello"}


def main(files: list[str]) -> None:
    """Print the report on the vectors of all files."""
    vectors = read_vectors(files)
    trap_functions()
    import purestep

    purestep.load_agent(json.dumps(DEFINITION))
    purestep.project_log("{}")
    purestep.fold_rates("{}")
    purestep.core_info()
    held = {"models": [{"name": "m", "supports": ["grammar"]}], "answer_schema": {"type": "object"}}
    for agent in (held, {"agents": {"desk": {"agent": {}}}}):
        purestep.run_agent_step(json.dumps({"agent": agent, "run_id": "r", "observation": ASKED}))
    events: list[str] = []
    armed = True

    def audit(event: str, arguments: tuple[object, ...]) -> None:
        if armed and event not in ALLOWED_EVENTS:
            events.append(event)
            raise Trapped(f"{event} {arguments[:1]!r}")

    sys.addaudithook(audit)
    passed, failed = 0, []
    for vector in vectors:
        try:
            correct = getattr(purestep, vector["function"])(*vector["args"]) == vector["output"]
        except Trapped as error:
            failed.append(f"{vector['name']}: {error}")
        else:
            passed += correct
            failed += [] if correct else [f"{vector['name']}: another output than the vector's"]
    armed = False  # printing and ending the process are audited too
    print(json.dumps({"passed": passed, "failed": failed, "events": events}))


if __name__ == "__main__":
    main(sys.argv[1:])
