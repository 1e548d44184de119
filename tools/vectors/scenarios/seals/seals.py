"""The inputs of the vectors of seals, as data: the small state and the messages of runs, and for whom they are sealed.

`seals.jsonl` has the texts that the core gives for them; `seals.json` the seals that a key makes of those texts, which
every host is held to. The HMAC is made here, by no code that the hosts use.
"""

import base64
import hashlib
import hmac
import json
from typing import Any, Final

import purestep
from tools.vectors.record import compact
from tools.vectors.specs import ADD

_KEY: Final = {"id": "2026-11", "secret": "a-secret-of-the-vectors-which-anybody-may-read"}
_AGENT: Final = {"tools": [{**ADD, "approval": "ask"}]}
_CALL: Final = '{"kind":"tool_call","tool_name":"add_numbers","arguments":{"a":9007199254740993,"b":2.50}}'


def _begun(agent: dict[str, Any] | None) -> tuple[dict[str, Any], list[Any]]:
    message = {"type": "user_message", "content": "Add, für Käthe \U0001f600 \u2028", "at": 1_700_000_000_000}
    given = {"run_id": "vector", "observation": message, **({} if agent is None else {"agent": agent})}
    step = json.loads(purestep.run_agent_step(json.dumps(given)))
    return step["state"], step["messages"]


def _asked() -> tuple[dict[str, Any], list[Any]]:
    state, messages = _begun(_AGENT)
    observation = {"type": "model_output", "content": _CALL}
    step = json.loads(purestep.run_agent_step(json.dumps({"state": state, "observation": observation})))
    return step["state"], messages + step["messages"]


def _of_agents() -> dict[str, Any]:
    """Return a run that waits for an agent, with the transcript of that."""
    agent = {"agents": {"desk": {"agent": _AGENT}}}
    message = {"type": "user_message", "content": "Add", "at": 1_700_000_000_000}
    begun = json.loads(purestep.run_agent_step(json.dumps({"agent": agent, "run_id": "lead", "observation": message})))
    asks = {"kind": "tool_call", "tool_name": "desk", "arguments": {"question": "Add, für Käthe"}}
    said = {"type": "model_output", "content": json.dumps(asks)}
    step = json.loads(purestep.run_agent_step(json.dumps({"state": begun["state"], "observation": said})))
    return {"state": step["state"], "messages": begun["messages"] + step["messages"], "children": step["children"]}


def inputs() -> dict[str, dict[str, Any]]:
    """Return the inputs by their names: runs that begin, that wait for a person, and what is no run."""
    (begun, said), (asked, all_said), (bare, bare_said) = _begun(_AGENT), _asked(), _begun(None)
    whom = {"user": "ann@example", "expires_at": 1_700_000_086_400, "key_id": _KEY["id"]}
    of_agents = _of_agents()
    edited = {
        run_id: [*said[:-1], {**said[-1], "content": "Add more"}] for run_id, said in of_agents["children"].items()
    }
    honest = {"state": asked, "messages": all_said, **whom}
    return {
        "begun": {"state": begun, "messages": said, **whom},
        "asked": honest,
        "of-nobody": {**honest, "user": ""},
        "odd-user": {**honest, "user": 'a".\n\u2028\U0001f600'},
        "bare": {"state": bare, "messages": bare_said, **whom},
        "longest-life": {**honest, "expires_at": 2**53 - 1},
        "agents": {**of_agents, **whom},
        "agents-edited": {**of_agents, **whom, "children": edited},
        "agents-left-out": {**of_agents, **whom, "children": {}},
        "no-children": {**honest, "children": []},
        "edited-phase": {**honest, "state": {**asked, "phase": "tools"}},
        "whole-numbers": {**honest, "messages": [{"role": "user", "content": "", "extra": [1.0, -0.0, 1e21, 0.1]}]},
        "no-state": {**honest, "state": {}},
        "no-messages": {**honest, "messages": {}},
        "unknown-member": {**honest, "more": 1},
        "no-key": {**honest, "key_id": ""},
        "no-user": {**honest, "user": None},
        "ended-before-time": {**honest, "expires_at": -1},
    }


def files() -> dict[str, str]:
    """Return the file of seals: each input with its text and the seal that the key makes of it."""
    vectors = [
        {"name": name, **given, "text": text, "seal": _seal(given, text)}
        for name, given in inputs().items()
        if not (text := purestep.sealed_text(json.dumps(given))).startswith('{"error":')
    ]
    return {"seals.json": json.dumps({"key": _KEY, "vectors": vectors}, indent=1) + "\n"}


def _seal(given: dict[str, Any], text: str) -> str:
    mac = hmac.new(_KEY["secret"].encode(), text.encode(), hashlib.sha256).digest()
    return f"v1.{_KEY['id']}.{given['expires_at']}.{base64.urlsafe_b64encode(mac).decode().rstrip('=')}"


CALLS = {f"seal-{name}": ("sealed_text", compact(given)) for name, given in inputs().items()}
