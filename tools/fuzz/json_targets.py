"""Targets that take JSON: runs over hostile outputs, hostile steps, damaged logs, schemas with values."""

import json
from functools import lru_cache
from typing import Any, Final

import purestep
from purestep.errors import PurestepError
from purestep.schema import SchemaError, coerce, compile_schema
from tools.vectors.scenarios.streams.replies import FAULTS, REPLIES

from .expected import answered, asked, expect
from .seeds import DIALECTS, SCHEMAS, TOOLS, VALUES, as_bytes
from .text_targets import HEADER, decoded, encoded

_MAX_TURNS: Final = 4


def loaded(data: bytes) -> Any:
    """Return the value of JSON bytes, or None."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _definition(dialect: str) -> dict[str, Any]:
    tools = [{**TOOLS[0], "approval": "ask"}, *TOOLS[1:]]
    return {"name": "n", "dialect": dialect, "tools": tools, "limits": {"max_turns": _MAX_TURNS}}


# --- a run over hostile outputs ---------------------------------------------------------------------------


def run(data: bytes) -> None:
    """A run over any outputs has a decision at each step and ends; its log leads to the same state and verifies."""
    header, text = data[:HEADER].ljust(HEADER, b"\0"), decoded(data[HEADER:])
    definition = _definition(DIALECTS[header[0] % len(DIALECTS)])
    given: dict[str, Any] = {"agent": definition, "run_id": "r", "observation": _user(text if header[1] % 2 else "q")}
    log, output = "", dict[str, Any]()
    for _ in range(3 * _MAX_TURNS):
        output = answered(purestep.run_agent_step(asked(**given)))
        expect("error" not in output, "no output of a model is refused", output)
        log += output["log"]
        observation = _next(output["decision"], text, header[2])
        if observation is None:
            break
        given = {"agent": definition, "state": output["state"], "observation": observation}
    _expect_log_leads_to(log, output)


def _user(text: str) -> dict[str, Any]:
    return {"type": "user_message", "content": text}


def _next(decision: dict[str, Any], text: str, choice: int) -> dict[str, Any] | None:
    calls = decision.get("calls", [])
    match decision["type"]:
        case "call_model":
            return {"type": "model_output", "content": text, "finish_reason": "length" if choice % 5 == 0 else "stop"}
        case "invoke_tool":
            results = [{"call_id": call["call_id"], "ok": True, "output": text} for call in calls]
            return {"type": "tool_results", "results": results}
        case "request_approval":
            answers = [
                {"call_id": call["call_id"], "key": call["key"], "approved": choice % 2 == 0, "reason": text[:50]}
                for call in calls
            ]
            return {"type": "approvals", "approvals": answers}
        case _:
            return None


def _expect_log_leads_to(log: str, output: dict[str, Any]) -> None:
    replayed = answered(purestep.replay_log(log))
    expect("error" not in replayed, "a log is replayed", log, replayed)
    expect(replayed["state"] == output["state"], "replay gives the state", replayed["state"], output["state"])
    expect(replayed["decision"] == output["decision"], "replay gives the decision", replayed["decision"], output)
    verified = answered(purestep.verify_log(log, output["state"]["head"]))
    expect(verified["ok"], "a log verifies", log, verified)


# --- replies of servers -----------------------------------------------------------------------------------


def reply_seeds() -> list[bytes]:
    """Return what servers send, a list of chunks each, and inputs of the function that takes them."""
    chunks = [feeding for _, feedings, _ in REPLIES.values() for feeding in feedings]
    reply = {"stream": {"dialect": "envelope"}, "completion": {"text": {"half": "d83c"}, "calls": [{"index": 0}]}}
    inputs = ({"reply": reply, "chunks": chunks[0]}, {"reply": {}, "text": "", "end": FAULTS["key"]}, {"model": "m"})
    return [as_bytes(given) for given in (*chunks, *inputs)]


def reply(data: bytes) -> None:
    """Any reply of a server gives one observation that the run accepts, however it is split."""
    given = loaded(data)
    if isinstance(given, dict):
        answered(purestep.receive_model_reply(decoded(data)))
    if not isinstance(given, list):
        return
    chunks = [chunk if isinstance(chunk, str) else json.dumps(chunk) for chunk in given]
    one_by_one, together = ([[chunk] for chunk in chunks], [chunks])
    found = _received(one_by_one)
    expect(found == _received(together), "a reply handed over at once comes to the same", chunks, found)
    state = json.loads(purestep.run_agent_step(asked(run_id="r", observation=_user("q"))))["state"]
    step = answered(purestep.run_agent_step(asked(state=state, observation=found["observation"])))
    expect("error" not in step, "a run takes what a reply comes to", chunks, step)


def _received(feedings: list[list[str]]) -> Any:
    output, text = answered(purestep.receive_model_reply("{}")), ""
    for chunks in feedings:
        output = answered(purestep.receive_model_reply(asked(reply=output["reply"], chunks=chunks)))
        text += output.get("text", "")
    return answered(purestep.receive_model_reply(asked(reply=output["reply"], text=text)))


# --- steps and logs that somebody damaged -----------------------------------------------------------------

_OUTPUTS: Final = (
    '{"kind":"tool_call","tool_name":"get_time","arguments":{}}',
    '{"kind":"tool_call","tool_name":"get_weather","arguments":{"city":"Rome"}}',
    '{"kind":"final","content":"x"}',
    "prose",
)


@lru_cache(maxsize=1)
def _runs() -> tuple[list[dict[str, Any]], list[str]]:
    """Return the inputs of several runs' steps, and the runs' logs."""
    inputs: list[dict[str, Any]] = []
    logs: list[str] = []
    for definition in (_definition("envelope"), _definition("auto"), None):
        for text in _OUTPUTS:
            about = {} if definition is None else {"agent": definition}
            given: dict[str, Any] = {**about, "run_id": "r", "observation": {**_user("q"), "at": 5}}
            log = ""
            while given:
                inputs.append(given)
                output = json.loads(purestep.run_agent_step(json.dumps(given)))
                log += output["log"]
                following = _next(output["decision"], text, 0)
                given = {**about, "state": output["state"], "observation": following} if following else {}
            logs.append(log)
    return inputs, logs


def step_seeds() -> list[bytes]:
    """Return inputs of steps of both forms."""
    whole = purestep.create_agent_state("q", json.dumps(_definition("envelope")))
    forms = ({"state_json": whole, "model_output": _OUTPUTS[1]}, {"state_json": whole})
    return [as_bytes(given) for given in (*forms, *_runs()[0])]


def step(data: bytes) -> None:
    """A step answers any input, and the next step accepts each state that it returns."""
    text = decoded(data)
    output = answered(purestep.run_agent_step(text))
    expect(output == answered(purestep.run_agent_step(text)), "a step twice gives the same", text)
    given = loaded(data)
    if "error" in output or not isinstance(given, dict):
        return
    about = {"agent": given["agent"]} if "agent" in given else {}
    state = {"state_json": output["state_json"]} if "state_json" in output else {"state": output["state"], **about}
    asked_again = answered(purestep.run_agent_step(asked(**state)))
    expect("error" not in asked_again, "a state that a step gives is one that it takes", text, asked_again)
    expect(asked_again["decision"] == output["decision"], "asked again the decision is the same", text, asked_again)


def log_seeds() -> list[bytes]:
    """Return logs of whole runs."""
    return [encoded(log) for log in _runs()[1]]


def log(data: bytes) -> None:
    """A damaged log is answered; replay and check agree on whether it holds."""
    text = decoded(data)
    replayed, verified = answered(purestep.replay_log(text)), answered(purestep.verify_log(text))
    expect(replayed == answered(purestep.replay_log(text)), "replaying twice gives the same", text)
    explained = answered(purestep.explain_log(text))
    expect(not verified["ok"] or "error" not in explained, "what verifies can be explained", text, explained)
    redriven = answered(purestep.redrive_log(text))
    expect(not verified["ok"] or redriven.get("same"), "what verifies is the same again", text, redriven)
    compared = answered(purestep.diff_logs(text, text))
    expect(not verified["ok"] or compared.get("same"), "a log parts from itself nowhere", text, compared)
    if verified["ok"] and verified["lines"] > 1:  # a run that only began holds, and cannot be continued
        expect("error" not in replayed, "what verifies can be replayed", text, replayed)
    if verified["lines"] <= 1:
        return
    if "error" in replayed or replayed["lost"] or replayed["torn_bytes"]:
        expect(not verified["ok"], "what cannot be replayed does not verify", text, replayed)
    else:
        expect(verified["ok"], "what is replayed whole verifies", text, verified)
        expect(verified["head"] == replayed["state"]["head"], "both give the same head", text)


# --- schemas ----------------------------------------------------------------------------------------------


def schema_seeds() -> list[bytes]:
    """Return schemas with values."""
    return [as_bytes({"schema": schema, "value": value}) for schema in SCHEMAS for value in VALUES[::3]]


def _schema_and_value(data: bytes) -> tuple[Any, Any] | None:
    given = loaded(data)
    if not isinstance(given, dict) or "schema" not in given or "value" not in given:
        return None
    return given["schema"], given["value"]


def schema(data: bytes) -> None:
    """Any schema and value are answered, and a verdict is that of an independent validator."""
    text = decoded(data)
    found = answered(purestep.check_value(text))
    expect(found == answered(purestep.check_value(text)), "checking twice gives the same", text)
    parts = _schema_and_value(data)
    if parts is None or any(word in data for word in _BEYOND_COMPARING):
        return
    if isinstance(parts[0], str):
        return  # the other validator takes text for JSON
    code, other = found.get("error", {}).get("code"), _other_verdict(*parts)
    if code == "invalid_schema" and b"$id" not in data:  # an address twice is refused here only
        expect(other is None, "what is no schema is none for the other validator", text, found)
    if code is None:
        expect(other in (None, found["ok"]), "the verdict is the other validator's", text, other, found)


_BEYOND_COMPARING: Final = (b"\\ud", b"$dynamic", b"$schema")
"""What the two validators differ in by decision: a lone surrogate becomes U+FFFD here, dynamic references are read by
the letter, and other drafts are refused."""


def _other_verdict(schema: Any, value: Any) -> bool | None:
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator(schema).is_valid(value)
    except (ValueError, RecursionError, OverflowError):
        return None  # it does not take the schema


def coercion(data: bytes) -> None:
    """What is read differently is valid afterwards and settled, what is not stays as it came, all in a new value."""
    parts = _schema_and_value(data)
    if parts is None:
        return
    try:
        compiled = compile_schema(parts[0], unknown="ignore")
    except (SchemaError, PurestepError):
        return
    value = parts[1]
    before = repr(value)
    taken, changes = coerce(compiled, value)
    expect(repr(value) == before, "coercion leaves its input as it is", before)
    if not changes:
        expect(taken is value, "without changes the value comes back", before)
        return
    expect(not compiled.check(taken), "a changed value is valid", before, taken)
    expect(bool(compiled.check(value)), "nothing valid is changed", before, taken)
    expect(repr(coerce(compiled, taken)) == repr((taken, ())), "coercion twice changes nothing more", before, taken)
