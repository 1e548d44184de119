"""Writes the conformance vectors: `python -m tools.make_vectors` (with --check it only compares).

A vector is a call of one JSON function and the exact text that comes out. Scenarios are played against the core of
this checkout; what they record is read by a person when it changes, since every host is held to it byte for byte.
"""

import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import purestep
from purestep.dialects import Sample
from purestep.dialects.families import FAMILY_DIALECTS
from purestep.values.reading import ReadCall
from tools import vector_flows, vector_forms, vector_redactions
from tools.vector_checks import CHECK_AGENTS, CHECK_DELTA
from tools.vector_definitions import COMPLETED
from tools.vector_inputs import ACCEPTED, CHECKS, ERRORS, READINGS, STREAMS
from tools.vector_refusals import REFUSALS
from tools.vector_replies import BAD_CALLS, FAULTS, REPLIES, TIMED_REPLIES
from tools.vector_scenarios import ADD, AGENTS, DELTA, FORMS, HISTORIES, PROJECTED, STREAMED, WHOLE, WRONG
from tools.vector_seals import inputs, sealed_by_key
from tools.vector_skills import SKILL_AGENTS, SKILL_RUNS, SKILL_WHOLE, SKILLS

ALL_AGENTS = {**AGENTS, **CHECK_AGENTS, **SKILL_AGENTS, **vector_flows.AGENTS, **vector_redactions.AGENTS}
FOLDER = Path(__file__).resolve().parent.parent / "tests" / "vectors"


class Vector(NamedTuple):
    """One call and its result."""

    name: str
    function: str
    args: list[str]
    output: str

    def line(self) -> str:
        """Give the vector as a line of its file."""
        return json.dumps(self._asdict(), ensure_ascii=True, separators=(",", ":")) + "\n"


def called(name: str, function: str, *args: str) -> Vector:
    """Call a function of the core and record it."""
    return Vector(name, function, list(args), getattr(purestep, function)(*args))


def compact(value: Any) -> str:
    """Give JSON as a host would write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def delta_vectors() -> Iterator[Vector]:
    """Play each scenario in the delta form, ask for each decision again, then replay and verify its log."""
    for name, (agent, observations) in {
        **DELTA,
        **CHECK_DELTA,
        **SKILL_RUNS,
        **vector_flows.DELTA,
        **vector_redactions.DELTA,
    }.items():
        definition, state, log, last = ALL_AGENTS[agent], None, "", ("", "")
        for number, observation in enumerate(observations, 1):
            given: dict[str, Any] = {"agent": definition, "observation": with_keys(observation, state)}
            if state is None:
                given |= {"run_id": name, **({"history": HISTORIES[name]} if name in HISTORIES else {})}
            else:
                given["state"] = state
            vector = called(f"{name}/{number}", "run_agent_step", compact(given))
            yield vector
            output = json.loads(vector.output)
            if "error" not in output:
                last = (output["log"], compact(state))
                state, log = output["state"], log + output["log"]
                if observation["type"] == "agent_changed":
                    definition = observation["agent"]
        yield called(f"{name}/again", "run_agent_step", compact({"agent": definition, "state": state}))
        yield called(f"{name}/again-lines", "run_agent_step_lines", compact({"agent": definition, "state": state}))
        yield called(f"{name}/replay", "replay_log", log)
        yield called(f"{name}/replay-lines", "replay_log_lines", log)
        yield called(f"{name}/verify", "verify_log", log, (state or {}).get("head", ""))
        if (
            name in vector_flows.DELTA
            or name in vector_redactions.DELTA
            or name in CHECK_DELTA
            or name.startswith("reasoning")
        ):
            yield called(f"{name}/redrive", "redrive_log", log)
            yield called(f"{name}/redrive-bare", "redrive_log", log, "{}")
            yield called(f"{name}/explain", "explain_log", log)
            yield called(f"{name}/explain-last", "explain_log", *last)
        yield called(f"{name}/changed", "verify_log", log.replace("Add", "add", 1).replace("17", "18", 1))


def with_keys(observation: dict[str, Any], state: dict[str, Any] | None) -> dict[str, Any]:
    """Fill in the keys of pending calls, which a scenario names as $call_N."""
    text = json.dumps(observation)
    for pending in (state or {}).get("pending", ()):
        text = text.replace(f'"${pending["call_id"]}"', f'"{pending["key"]}"')
    filled: dict[str, Any] = json.loads(text)
    return filled


def whole_vectors() -> Iterator[Vector]:
    """Play each scenario in the whole-state form."""
    for name, (query, agent, steps) in chain(WHOLE.items(), SKILL_WHOLE.items(), vector_flows.WHOLE.items()):
        definition = ALL_AGENTS[agent]
        created = called(
            f"{name}/create", "create_agent_state", *([query] if definition is None else [query, compact(definition)])
        )
        yield created
        state_json = created.output
        for number, step in enumerate(steps, 1):
            run = json.loads(state_json).get("run") if "observation" in step else None
            filled = {**step, "observation": with_keys(step["observation"], run)} if run else step
            vector = called(f"{name}/{number}", "run_agent_step", compact({"state_json": state_json, **filled}))
            yield vector
            state_json = json.loads(vector.output).get("state_json", state_json)
        yield called(f"{name}/again", "run_agent_step", compact({"state_json": state_json}))


def stream_vectors() -> Iterator[Vector]:
    """Open each filter, feed it its chunks and close it."""
    for name, (dialect, chunks) in STREAMS.items():
        opened = dialect if isinstance(dialect, dict) else {"dialect": dialect}
        vector = called(f"{name}/open", "stream_model_output", compact(opened))
        yield vector
        for number, chunk in enumerate([*chunks, None], 1):
            given = {"stream": json.loads(vector.output).get("stream")} | ({} if chunk is None else {"chunk": chunk})
            if given["stream"] is None:
                break
            vector = called(f"{name}/{number}", "stream_model_output", compact(given))
            yield vector


def reply_vectors() -> Iterator[Vector]:
    """Open each reply, feed it its chunks and close it; then read each fault."""
    message = {"type": "user_message", "content": "q"}
    waiting = json.loads(purestep.run_agent_step(compact({"run_id": "reply", "observation": message})))["state"]
    run = {"state": waiting, "model": "asked"}
    for name, (has_run, feedings, end) in REPLIES.items():
        yield from _reply(name, run if has_run else {}, [{"chunks": chunks} for chunks in feedings], end)
    for name, (opening, timed, end) in TIMED_REPLIES.items():
        yield from _reply(name, {**run, **opening}, [{"chunks": chunks, "at": at} for at, chunks in timed], end)
    for name, fault in FAULTS.items():
        yield called(f"fault/{name}", "read_model_fault", compact(fault))
    for name, args in BAD_CALLS:
        yield called(f"reply/{name}", "receive_model_reply", *args)


def _reply(
    name: str, opening: dict[str, Any], feedings: list[dict[str, Any]], end: dict[str, Any] | None
) -> Iterator[Vector]:
    vector, text = called(f"reply/{name}/open", "receive_model_reply", compact(opening)), ""
    yield vector
    for number, fed in enumerate(feedings, 1):
        given = {"reply": json.loads(vector.output)["reply"], **fed}
        vector = called(f"reply/{name}/{number}", "receive_model_reply", compact(given))
        text += json.loads(vector.output).get("text", "")
        yield vector
    given = {"reply": json.loads(vector.output)["reply"], "text": text} | ({} if end is None else {"end": end})
    yield called(f"reply/{name}/close", "receive_model_reply", compact(given))


def family_vectors() -> Iterator[Vector]:
    """Write two calls in the form of each family, read them, and stream them in small chunks."""
    calls = tuple(ReadCall(tool=ADD["name"], params=params) for params in ({"a": 1, "b": 2}, {"a": 0.5, "b": -3}))
    for dialect in FAMILY_DIALECTS:
        name, text = dialect.name, "So: " + dialect.write(Sample(calls=calls))
        if name in ("llama3_json", "generic_json", "xlam"):
            text = text.removeprefix("So: ")
        yield called(f"{name}/read", "read_model_output", compact({"text": text, "tools": [ADD], "dialect": name}))
        cut = text[: len(text) // 2]
        yield called(f"{name}/cut", "read_model_output", compact({"text": cut, "tools": [ADD], "dialect": name}))
        vector = called(f"{name}/open", "stream_model_output", compact({"dialect": name, "tools": [ADD]}))
        yield vector
        for at in (*range(0, len(text), 40), None):
            given = {"stream": json.loads(vector.output)["stream"]}
            vector = called(
                f"{name}/{'close' if at is None else at}",
                "stream_model_output",
                compact(given if at is None else {**given, "chunk": text[at : at + 40]}),
            )
            yield vector


def skill_vectors() -> Iterator[Vector]:
    """Execute each skill, and ask for its last decision again."""
    for name, (given, observations) in SKILLS.items():
        vector = called(f"{name}/begin", "run_skill", compact(given))
        yield vector
        for number, observation in enumerate(observations, 1):
            state = json.loads(vector.output)["state"]
            vector = called(f"{name}/{number}", "run_skill", compact({"state": state, "observation": observation}))
            yield vector
        if "state" in (output := json.loads(vector.output)):
            yield called(f"{name}/again", "run_skill", compact({"state": output["state"]}))


def projection_vectors(delta: list[Vector]) -> Iterator[Vector]:
    """Project logs of the scenarios, whole and in parts, with text that is shown before the log has it."""
    logs = {vector.name.removesuffix("/replay"): vector.args[0] for vector in delta if vector.function == "replay_log"}
    for name in PROJECTED:
        for form in FORMS:
            yield called(f"{name}/{form}", "project_log", compact({"form": form, "log": logs[name]}))
    for name, (run, texts) in STREAMED.items():
        lines = logs[run].splitlines(keepends=True)
        for form in FORMS[:2]:
            vector = called(f"{name}/{form}/open", "project_log", compact({"form": form}))
            yield vector
            parts: tuple[dict[str, Any], ...] = (
                {"log": "".join(lines[:2])},
                {"stream": texts},
                {"log": "".join(lines[2:])},
                {},
            )
            for number, part in enumerate(parts, 1):
                given = {"projection": json.loads(vector.output)["projection"], **part}
                vector = called(f"{name}/{form}/{number}", "project_log", compact(given))
                yield vector
    torn, changed = logs["answered"][:-20], logs["answered"].replace('"content":"', '"content":"x', 1)
    wrong = {**WRONG, "changed-line": {"form": "otel", "log": changed}, "torn-line": {"form": "otel", "log": torn}}
    for name, given in wrong.items():
        yield called(name, "project_log", compact(given))


def form_vectors() -> Iterator[Vector]:
    """Read the forms of families without a dialect of their own, values that hold markers, and lists of no calls."""
    for kind, texts in (("form", vector_forms.FORMS), ("marked", vector_forms.MARKED), ("empty", vector_forms.EMPTY)):
        for name, text in texts.items():
            given = {"text": text, "tools": [vector_forms.ADD], "dialect": "auto"}
            yield called(f"{kind}/{name}", "read_model_output", compact(given))


def single_vectors() -> dict[str, Iterator[Vector]]:
    """Give the files of standalone calls."""
    return {
        "accepted": (called(name, "accepted_observations", text) for name, text in ACCEPTED.items()),
        "definitions": (called(name, "complete_agent", *args) for name, args in COMPLETED.items()),
        "errors": chain(
            (called(name, function, *args) for name, function, args in (*ERRORS, *REFUSALS)),
            (called(name, "load_agent", compact(given)) for name, given in vector_flows.WRONG.items()),
            (called(name, "load_agent", compact(given)) for name, given in vector_redactions.WRONG.items()),
        ),
        "readings": (called(name, "read_model_output", compact(given)) for name, given in READINGS.items()),
        "redactions": (
            called(name, function, compact(given)) for name, (function, given) in vector_redactions.calls().items()
        ),
        "seals": (called(f"seal-{name}", "sealed_text", compact(given)) for name, given in inputs().items()),
        "values": (called(name, "check_value", text) for name, text in CHECKS.items()),
    }


def files() -> dict[str, str]:
    """Give the text of every file by its name."""
    delta = list(delta_vectors())
    made = {
        "delta": iter(delta),
        "projections": projection_vectors(delta),
        "whole": whole_vectors(),
        "streams": stream_vectors(),
        "replies": reply_vectors(),
        "skills": skill_vectors(),
        "families": chain(family_vectors(), form_vectors()),
        **single_vectors(),
    }
    lines = {f"{name}.jsonl": "".join(vector.line() for vector in vectors) for name, vectors in made.items()}
    return {**lines, "seals.json": sealed_by_key()}


def main(arguments: list[str]) -> int:
    """Write the files, or say which differ."""
    stale = []
    for name, text in files().items():
        path = FOLDER / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    if stale:
        print(f"vectors {'differ' if '--check' in arguments else 'written'}: {', '.join(stale)}", file=sys.stderr)
    return bool(stale) and "--check" in arguments


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
