"""What the model is not shown: parts of long outputs read on, and states changed while a summary is asked for."""

import json
import random
from functools import lru_cache
from typing import Any, Final

import purestep

from ...window.texts import text_of
from ..attack import Attack
from ..mutation import changed, happens

Json = dict[str, Any]

READ: Final = {"name": "read", "parameters": {"type": "object", "properties": {"at": {"type": "integer"}}}}
MAX_CHARS: Final = 300
DEFINITION: Final[Json] = {
    "tools": [{**READ, "max_output_chars": MAX_CHARS}],
    "models": [{"name": "m", "window_tokens": 1600}],
    "policies": [{"use": "read_output"}, {"use": "summary"}],
    "limits": {"max_turns": 60, "max_corrections": 50},
}


class _Run:
    def __init__(self) -> None:
        self.log = ""
        self.state: Json | None = None
        self.decision: Json = {}
        self.messages: list[Json] = []
        self.states: list[Json] = []
        self.send({"type": "user_message", "content": "Read all of it, and sum it up."})

    def send(self, observation: Json) -> None:
        given: Json = {"agent": DEFINITION, "observation": observation}
        given |= {"run_id": "r"} if self.state is None else {"state": self.state}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        self.state, self.decision = output["state"], output["decision"]
        self.log += output["log"]
        self.messages += output["messages"]
        self.states.append(output["state"])

    def call(self, tool: str, arguments: Json) -> None:
        said = json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})
        self.send({"type": "model_output", "content": said})


def parts_are_the_output(chance: random.Random) -> str | None:
    """Read on at random places of outputs of all kinds: each part is what stands there, and no longer than allowed."""
    run = _Run()
    output: Any = text_of(chance, chance.randint(200, 1500)) + "\N{GRINNING FACE}\u2028" * chance.randint(0, 9)
    output = output if happens(chance, 70) else {"text": output, "n": chance.random()}
    run.call("read", {"at": 1})
    run.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": output}]})
    whole = output if isinstance(output, str) else _canonical(output)
    for _ in range(6):
        if run.decision["type"] != "call_model":
            return None
        if run.decision["reason"] == "summary":
            run.send({"type": "model_output", "content": "Some of it was read, and it was long."})
            continue
        begin = chance.choice([0, MAX_CHARS, chance.randrange(len(whole) + 50), len(whole), 10**30])
        run.call("read_output", {"call_id": chance.choice(["call_1"] * 5 + ["call_2", "x"]), "from": begin})
        if run.decision["type"] == "invoke_tool":
            wrong = _wrong_part(run, whole, begin)
            if wrong:
                return wrong
    verified = json.loads(purestep.verify_log(run.log, (run.state or {}).get("head")))
    return None if verified["ok"] else f"the log does not hold: {verified}"


def _wrong_part(run: _Run, whole: str, begin: int) -> str | None:
    (call,) = run.decision["calls"]
    result = json.loads(purestep.read_output_part(json.dumps({"log": run.log, "part": call["part"]})))
    if result != {"ok": True, "output": whole[begin : begin + MAX_CHARS]}:
        return f"the part from {begin} on is {result}"
    run.send({"type": "tool_results", "results": [{"call_id": call["call_id"], **result}]})
    shown = str(run.messages[-1]["content"]).removeprefix("Result of read_output: ")
    text, _, notice = shown.partition("\n[characters ")  # the first: a note on a repeated call shows the part again
    if notice and text != whole[begin : begin + len(text)]:
        return f"the part shown from {begin} on is not what stands there: {shown[:200]}"
    return None


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@lru_cache(maxsize=1)
def _states() -> tuple[Json, ...]:
    """Return the states of a run that reads on, is asked for summaries and goes on."""
    run = _Run()
    for number in range(1, 30):
        if run.decision["type"] == "call_model" and run.decision["reason"] == "summary":
            run.send({"type": "model_output", "content": "Some of it was read, and it was long."})
            continue
        if number % 3:
            run.call("read", {"at": number})
        else:
            run.call("read_output", {"call_id": (run.state or {})["exchange"]["cut"][-1][0], "from": number})
        entry = run.decision["calls"][0]
        output = text_of(random.Random(number), 300)
        run.send({"type": "tool_results", "results": [{"call_id": entry["call_id"], "ok": True, "output": output}]})
    return tuple(run.states)


def changed_states_are_refused_or_taken(chance: random.Random) -> str | None:
    """Change what a state says of cut outputs, of a summary and of sizes: it is refused or taken, never a fault."""
    made = chance.choice(_states())
    waiting = [call["call_id"] for call in made.get("pending", ())] or ["call_3"]
    if happens(chance, 20):
        made = {**made, "cut": []}
    for member in ("cut", "summing", "sent"):
        if member in made and happens(chance, 60):
            made = {**made, member: changed({"value": made[member]}, chance).get("value")}
    for _ in range(chance.randrange(3)):
        made = changed(made, chance)
    given: Json = {"agent": DEFINITION, "state": made}
    if happens(chance, 60):
        given["observation"] = chance.choice(
            [
                {"type": "model_output", "content": "Some words that sum it up."},
                {"type": "tool_results", "results": [{"call_id": waiting[0], "ok": True, "output": "x" * 2000}]},
                {"type": "model_error", "code": "overflow"},
                {"type": "user_message", "content": "Go on"},
                {"type": "cancel"},
            ]
        )
    output = json.loads(purestep.run_agent_step(json.dumps(given)))
    code = output.get("error", {}).get("code")
    return f"{code} for {json.dumps(given)}" if code == "internal_error" else None


ATTACKS: Final = (
    Attack(
        name="read-on",
        promise="A part of an output is what stands there, no longer than allowed, and the same on every host.",
        trial=parts_are_the_output,
        least=5,
    ),
    Attack(
        name="left-out-states",
        promise="A changed state is refused or taken, whatever it says of outputs, summaries and sizes.",
        trial=changed_states_are_refused_or_taken,
        least=50,
    ),
)
