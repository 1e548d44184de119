"""The JSON functions: text in, text out, for any host that can pass a string. They never raise.

Errors of the host come back as `{"error": {"code", "message", "path"}}`; the catalogue is in `errors/catalogue.py`.
"""

from collections.abc import Iterable
from typing import Any, Final, overload

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from .. import steps
from ..agent import (
    BARE_AGENT,
    Agent,
    agent_by_digest,
    agent_from_source,
    asking_before_acting,
    compile_agent,
    held_to_rules,
)
from ..bounds import SCHEMA_VERSION
from ..checks import ANSWER_CHECKS, OUTPUT_CHECKS
from ..dialects import dialect_names
from ..entry import check_standalone, read_standalone, skill_from_json, stream_standalone, text_to_seal
from ..entry import whole_state as whole
from ..errors import PurestepError
from ..json_text import check_bounds, check_stack, decode_json, encode, to_bytes
from ..lazy import lazy_decoder
from ..log import Change, change_under, diff, explain_from_json, part_from_json, policy_diff, redrive, replay, verify
from ..steps import (
    OWN_STATES,
    Step,
    begun_run_id,
    check_state,
    open_decisions,
    read_input,
    read_messages,
    read_state,
    start_after,
    step_from,
    unsupported_version,
)
from ..values import (
    Decision,
    Message,
    ModelOutput,
    Observation,
    RunState,
    ToolChoice,
    completed_definition,
    converted,
    host_parts,
    new_state,
)
from .error_data import error_text, guarded
from .redactions import redacted_json, revealed_json
from .version import VERSION


class WrittenStep(Struct, frozen=True, kw_only=True, gc=False):
    """A step's output with its state written."""

    state: Raw
    messages: tuple[Message, ...]
    log: str
    decision: Decision
    also: tuple[Decision, ...] | UnsetType = UNSET
    children: dict[str, list[Message]] | UnsetType = UNSET


class StepInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What `run_agent_step` takes beside a state: the delta form, or the whole-state form with `state_json`."""

    observation: Observation | UnsetType = UNSET
    agent: Raw | UnsetType = UNSET
    run_id: str | UnsetType = UNSET
    history: Raw | UnsetType = UNSET
    state_json: str | UnsetType = UNSET
    model_output: str | UnsetType = UNSET


class ReadInput(StepInput, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An input with its state."""

    state: RunState | UnsetType = UNSET


class UnreadInput(StepInput, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """An input with its state as it was written: most come back as they were given out."""

    state: Raw | UnsetType = UNSET


_INPUT_DECODER: Final = lazy_decoder(ReadInput)
_UNREAD_DECODER: Final = lazy_decoder(UnreadInput)
_STATE_DECODER: Final = lazy_decoder(RunState)


def create_agent_state(
    query: str, agent_json: str | None = None, run_id: str | None = None, tool_choice: str | None = None
) -> str:
    """Return the whole state of a new run, as JSON text for `run_agent_step`.

    query: the user's words, any text. agent_json: the definition, or None for the bare form. run_id: the host's
    id of the run; without one, the first step makes it of the definition, the messages and the observation with its
    `at`. tool_choice: that of the first exchange: `auto`, `required`, `none` or the JSON text `{"tool": name}`. Gives
    the error as data for a definition or a choice that cannot be used, never for the query.
    Source: the function of the same name in agent.rs.
    """
    return guarded(_create, query, agent_json, run_id, tool_choice)


def _create(query: str, agent_json: str | None, run_id: str | None, tool_choice: str | None) -> bytes:
    agent = None if agent_json is None else compile_agent(to_bytes(agent_json))
    return whole.create(_text(query), agent, run_id, None if tool_choice is None else _choice(tool_choice))


def _choice(given: str) -> ToolChoice:
    """Read a tool choice: JSON text, or one of its words without quotes."""
    value = decode_json(to_bytes(given)) if given[:1] in ("{", '"') else given
    choice: ToolChoice = converted(ToolChoice, value, "invalid_input", "/tool_choice")
    return choice


def _text(given: str | bytes) -> str:
    try:
        return to_bytes(given).decode()
    except UnicodeDecodeError as error:
        raise PurestepError("invalid_utf8", f"expected UTF-8; byte {error.start} does not fit", "/query") from None


def run_agent_step(input_json: str | bytes) -> str:
    """Return the next decision and the new state; pure, it executes nothing.

    input_json: the delta form `{"state", "observation"}` (to start: `{"agent", "run_id", "history", "observation"}`,
    where `history` are messages that were said before, which end with the assistant's answer) or
    the whole-state form `{"state_json", "model_output" | "observation"}`; without an observation it gives the
    current decision again. Gives `{"state", "messages", "log", "decision"}` or `{"state_json", "decision",
    "log"}`, or the error as data. Source: agent.rs (whole-state form).
    """
    try:
        given, state, is_own = _read_input(input_json)
        if given.state_json is UNSET and given.model_output is UNSET:
            return encode(_written(_delta_step(given, state, is_own))).decode()
        return encode(_whole_step(given)).decode()
    except Exception as error:
        return error_text(error)


def run_agent_step_lines(input_json: str | bytes) -> str:
    """Return what `run_agent_step` gives for the delta form, one member to a line: state, messages, log, decision.

    For hosts whose own JSON reader loses digits (JavaScript past 2^53): they hand the state back as the text it came
    as. An error is one line, `{"error"}`.
    """
    return guarded(_step_lines, input_json)


def _step_lines(input_json: str | bytes) -> bytes:
    given, state, is_own = _read_input(input_json)
    for name in ("state_json", "model_output"):
        if getattr(given, name) is not UNSET:
            raise PurestepError("invalid_input", f"expected the delta form; {name} belongs to the other", f"/{name}")
    step = _written(_delta_step(given, state, is_own))
    lines = [bytes(step.state), encode(step.messages), encode(step.log), encode(step.decision)]
    if step.also is not UNSET or step.children is not UNSET:
        lines.append(encode({"also": step.also or (), "children": step.children or {}}))
    return b"\n".join(lines)


def _read_input(input_json: str | bytes) -> tuple[StepInput, RunState | None, bool]:
    """Return the input, the state in it, and whether that one is known as it was written."""
    data = to_bytes(input_json)
    brackets = check_stack(data)  # the stack of a host can end before Python's own bound on recursion does
    given: UnreadInput | ReadInput
    state: RunState | None = None
    is_own = False
    try:
        given = _UNREAD_DECODER.decode(data)
        if given.state is not UNSET:
            written = bytes(given.state)
            known = OWN_STATES.read(written)
            is_own = known is not UNSET
            state = known or _STATE_DECODER.decode(written)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        given = read_input(ReadInput, _INPUT_DECODER.decode, data)
        state = None if given.state is UNSET else given.state
    if given.state_json is UNSET and given.model_output is UNSET:
        check_bounds(data, brackets)
    elif given.observation is not UNSET:
        # All but the observation is text here, and the text of the state is checked where it is read.
        check_bounds(encode(given.observation))
    return given, state, is_own


def _whole_step(given: StepInput) -> whole.WholeOutput:
    if given.state_json is UNSET:
        raise PurestepError("invalid_input", "expected state_json beside model_output", "/state_json")
    for name in ("state", "agent", "run_id", "history"):
        if getattr(given, name) is not UNSET:
            raise PurestepError("invalid_input", f"{name} belongs to the delta form; leave it out", f"/{name}")
    return whole.run(given.state_json, _whole_observation(given))


def _whole_observation(given: StepInput) -> Observation | None:
    if given.model_output is UNSET:
        return None if given.observation is UNSET else given.observation
    if given.observation is not UNSET:
        raise PurestepError("invalid_input", "expected model_output or observation, not both", "/observation")
    return ModelOutput(content=given.model_output)


def _delta_step(given: StepInput, state: RunState | None, is_own: bool) -> Step:
    if state is None:
        return _delta_start(given)
    agent = agent_by_digest(state.agent) if given.agent is UNSET else _delta_agent(given.agent, state)
    if given.run_id is not UNSET and given.run_id != state.run_id:
        raise PurestepError("invalid_input", "run_id is set when a run begins; leave it out", "/run_id")
    if given.history is not UNSET:
        raise PurestepError("invalid_input", "history is given when a run begins; leave it out", "/history")
    if not is_own and not OWN_STATES.has(encode(state)):
        check_state(agent, state)
    if given.observation is UNSET:
        decision, *also = open_decisions(agent, state)
        return Step(state=state, messages=(), log="", decision=decision, also=tuple(also))
    return step_from(agent, state, given.observation)


def _written(step: Step) -> WrittenStep:
    """Write the state of a step, and keep it as one that need not be checked when it comes back."""
    state = encode(step.state)
    OWN_STATES.note(step.state, state)
    return WrittenStep(
        state=Raw(state),
        messages=step.messages,
        log=step.log,
        decision=step.decision,
        also=step.also or UNSET,
        children=step.children or UNSET,
    )


def _delta_start(given: StepInput) -> Step:
    if given.observation is UNSET:
        raise PurestepError("invalid_input", "expected an observation to begin a run with", "/observation")
    agent = BARE_AGENT if given.agent is UNSET else agent_from_source(bytes(given.agent))
    run_id = begun_run_id(agent, None if given.run_id is UNSET else given.run_id)
    history = [] if given.history is UNSET else read_messages(bytes(given.history), "/history")
    if history:
        return start_after(agent, run_id, history, given.observation)
    return step_from(agent, new_state(agent.digest, run_id), given.observation)


def _delta_agent(source: Raw, state: RunState) -> Agent:
    agent = agent_from_source(bytes(source)).among(state.agent)
    if agent is None:
        raise PurestepError(
            "agent_mismatch",
            "the definition is not the one that the run has; to go on under another, send agent_changed",
            "/agent",
        )
    return agent


def load_agent(agent_json: str | bytes) -> str:
    """Compile a definition and keep it for steps that name it; gives its digest, or the error as data."""
    return guarded(_load, agent_json)


def _load(agent_json: str | bytes) -> bytes:
    return (compile_agent(to_bytes(agent_json)).digest or "").encode()


def complete_agent(agent_json: str | bytes, host_json: str | bytes) -> str:
    """Return a definition as JSON text with what its host knows, each part where the definition says nothing of it.

    host_json: `{"tools", "profile", "rules_of", "asks_before_acting"}`, all optional: specs in any shape, and the
    profile of the host's model, `{"name", "dialect", "supports", "carry", "window_tokens", "figures"}`, as a probe
    writes it. `rules_of` is the host's own definition: no call needs less approval than under it. With
    `asks_before_acting` a person is asked about each call of a tool that does not say that it only reads. What is wrong
    with the definition itself is told by `load_agent`, and with one of these two here too. Gives the error as data for
    text that is no JSON, and for such parts.
    """

    def completed() -> bytes:
        parts = host_parts(decode_json(to_bytes(host_json)))
        definition = completed_definition(decode_json(to_bytes(agent_json)), parts)
        if parts.rules_of is not None:
            definition = held_to_rules(definition, parts.rules_of, parts.tools or ())
        if parts.asks_before_acting:
            definition = asking_before_acting(definition)
        return encode(definition)

    return guarded(completed)


def replay_log(text: str | bytes) -> str:
    """Replay a log: `{"state", "decision", "messages", "lost", "torn_bytes"}`, or the error as data."""
    return guarded(lambda: encode(replay(text)))


def replay_log_lines(text: str | bytes) -> str:
    """Return what `replay_log` gives, one member to a line: state, messages, lost, decision, torn_bytes.

    For the hosts that `run_agent_step_lines` is for. An error is one line, `{"error"}`.
    """

    def lines() -> bytes:
        found = replay(text)
        parts: list[Any] = [found.state, found.messages, found.lost, found.decision, found.torn_bytes]
        if found.also is not UNSET or found.children is not UNSET:
            parts.append({"also": found.also or (), "children": found.children or {}})
        return b"\n".join(map(encode, parts))

    return guarded(lines)


def verify_log(text: str | bytes, head: str | None = None) -> str:
    """Check a log: `{"ok", "lines", "head", "code", "message", "line", "expected", "got"}`."""
    return guarded(lambda: encode(verify(text, head)))


def redrive_log(text: str | bytes, agent_json: str | bytes | None = None, run_id: str | None = None) -> str:
    """Drive a recorded run again: `{"same", "steps", "line", "recorded", "redriven", "message", "state", "log"}`.

    agent_json: the definition to drive it under, with the log's `models` if it names none; null for that of the log.
    run_id: the id of the run driven again, whose keys are then others; null for the recorded one. `line` is the first
    fact that leads to something else than it did, `recorded` and `redriven` the lines derived then and now.
    """
    return guarded(lambda: encode(redrive(text, agent_json, run_id)))


def policy_diff_log(text: str | bytes, agent_json: str | bytes) -> str:
    """Compare what a recorded run did at each point with what another definition does there.

    agent_json: the definition, with the log's `models` if it names none. Gives `{"points", "left_out", "changes"}`,
    each of `changes` as `{"line", "was", "becomes"}`, or the error as data. Error codes: `invalid_log`, which names
    the line, `unsupported_version`, and the definition's own.
    """
    return guarded(lambda: encode(policy_diff(text, agent_json)))


def diff_logs(one: str | bytes, other: str | bytes) -> str:
    """Compare two logs up to where the runs part: `{"same", "events", "lines", "one", "other"}`.

    Run ids, times, hashes, keys and token counts are no difference. `events` is how many say the same; `lines` are the
    numbers of the lines in which they part, null where a log has ended; `one` and `other` the events from there.
    """
    return guarded(lambda: encode(diff(one, other)))


def explain_log(log: str | bytes | Iterable[bytes], state_json: str | bytes | None = None) -> str:
    """Tell of a log what its lines do not say: `{"calls", "answers", "failures", "corrections"}`, or the error as data.

    A call has `call_id`, `tool`, the `labels` of its result, the `origins` of its arguments where a person was asked,
    and the names of the `checks` of its output. An answer has the `seq` of its line, the `checks` that it passed, and
    `sentences`: `at`, code points from and to, and the `calls` that it cites. A failure has `seq`, and in `advice` what
    a person can do. A correction of an answer has `seq`, and in `said` what the answer was, where the model's output
    holds it in a form of its own. `window` says how full the model's window is, where the definition declares one: its
    tokens, the `room` of a prompt, and how many a prompt has at most, by parts. `left_out` are the messages that rules
    of history leave out by then, each with `begin`, `end` and `why`. What is empty is left out. state_json: a small
    state of the run; the log is then the lines of the steps after it, and a call is told of again by each step
    that it waits after, where its new `labels` hold, and its `origins` if there are any.
    """
    return guarded(lambda: encode(explain_from_json(log, state_json)))


def sealed_text(input_json: str | bytes) -> str:
    """Return the text that a seal is computed over: `{"state", "messages", "user", "expires_at", "key_id"}`.

    state: of a run, delta form; messages: its whole transcript, and `children` those of the agents that go on, by the
    ids of their runs. user: whom the run belongs to, "" for nobody. expires_at: milliseconds since 1970. key_id: the
    name of the key that seals. Equal JSON gives equal text, however it is written; the text is canonical JSON. Gives
    the error as data for other input.
    """
    return guarded(lambda: text_to_seal(to_bytes(input_json)))


def read_output_part(input_json: str | bytes) -> str:
    """Answer a call that has a `part` from the log: `{"log", "part"}` to `{"ok", "output"}`.

    log: the run's log, or lines of it. Where it lacks the line the result says so: `{"ok", "error", "error_kind"}`.
    """
    return guarded(lambda: encode(part_from_json(to_bytes(input_json))))


def read_model_output(input_json: str | bytes) -> str:
    """Read a model's text alone: `{"text", "tools", "dialect"}` to `{"content", "reasoning", "calls", "problems"}`.

    tools: in OpenAI's, MCP's or our shape, or null for any name. dialect: a name, default `auto`.
    """
    return guarded(lambda: encode(read_standalone(_object(input_json))))


def stream_model_output(input_json: str | bytes) -> str:
    """Filter a model's text while it comes: gives `{"stream", "events"}`, the events `{"type": "text", "text"}`.

    input_json: `{"state"}` (of a run, delta form) or `{"dialect"}` opens a filter, `{"stream", "chunk"}` feeds it, and
    `{"stream"}` alone closes it. The filter is a value: hand back the one that came last.
    """
    return guarded(lambda: encode(stream_standalone(to_bytes(input_json))))


def redact_observation(input_json: str | bytes) -> str:
    """Hide what a definition hides before a step: gives `{"observation", "hidden"}`, or the error as data.

    input_json: `{"state", "observation"}`, or `{"agent", "observation"}` before the first step; with `salt`, a random
    text that the host keeps to itself, and `hidden`, the texts that were hidden before by what stands for them: a
    secret, which belongs in no state and no log. A step hides by itself where a host does not call this.
    """
    return guarded(redacted_json, input_json)


def reveal_params(input_json: str | bytes) -> str:
    """Return the arguments of a call as its tool is given them: `{"params"}`, or the error as data.

    input_json: `{"state", "tool", "params", "hidden"}`. Hidden texts stand in the arguments of the tools that the
    definition's `redaction.reveal` names. Where the host has lost one, `result` is there too: `{"ok", "error",
    "error_kind"}`, the result of the call, which is not run.
    """
    return guarded(revealed_json, input_json)


def check_value(input_json: str | bytes) -> str:
    """Check a value: `{"schema", "value"}` to `{"ok", "errors": [{"path", "code", "message"}]}`.

    The input may also hold `unknown` (`refuse` or `ignore` keywords that are not known), `formats` (`annotate` or
    `assert`) and `documents` (further schemas by their addresses, for references to name).
    """
    return guarded(lambda: encode(check_standalone(_object(input_json))))


def run_skill(input_json: str | bytes) -> str:
    """Execute a skill as a nested model call: gives `{"state", "decision"}`; pure, it executes nothing.

    input_json: `{"skill", "params", "model"}` begins it, `model` being an entry of a definition's `models` or left out;
    `{"state", "observation"}` goes on with a `model_output`, `model_error` or `cancel`, and `{"state"}` gives the
    current decision again. The decision is `call_model`, `done` with `data`, or `failed` with the kind of the fault as
    its code.
    """
    return guarded(lambda: encode(skill_from_json(to_bytes(input_json))))


def _object(input_json: str | bytes) -> dict[str, Any]:
    value = decode_json(to_bytes(input_json))
    if not isinstance(value, dict):
        raise PurestepError("invalid_input", "expected a JSON object")
    return value


@overload
def accepted_observations(state: RunState) -> tuple[str, ...]: ...
@overload
def accepted_observations(state: str | bytes) -> str: ...
def accepted_observations(state: RunState | str | bytes) -> tuple[str, ...] | str:
    """Name the observation types that a run takes in this state; `wrong_phase` refuses all others.

    state: a `RunState`, which gives a tuple of names, or the JSON text of the small state (delta form), which gives a
    JSON array, e.g. `["model_output","model_error","cancel"]`, or the error as data.
    """
    if isinstance(state, RunState):
        return steps.accepted_observations(state)
    return guarded(_accepted_json, state)


def _accepted_json(state_json: str | bytes) -> bytes:
    return encode(steps.accepted_observations(_small_state(state_json)))


def _small_state(state_json: str | bytes) -> RunState:
    data = to_bytes(state_json)
    brackets = check_stack(data)
    try:
        state = _STATE_DECODER.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        state = read_state(data)
    check_bounds(data, brackets)
    if state.schema_version != SCHEMA_VERSION:
        raise unsupported_version(state.schema_version, "/schema_version")
    return state


@overload
def check_change(state: RunState, old: Agent | None, new: Agent) -> Change: ...
@overload
def check_change(state: str | bytes, old: str | bytes, new: str | bytes) -> str: ...
def check_change(
    state: RunState | str | bytes, old: Agent | str | bytes | None, new: Agent | str | bytes
) -> Change | str:
    """Tell what becomes of a run under another definition, as `agent_changed` would do it; the run stays as it is.

    state: of the run, as a value or as the JSON text of the small state. old: the definition that it has, or the one
    that it began with, None for the bare form; new: the other one. All three are values, or all are JSON texts. Gives a
    `Change`, or as JSON `{"verdict", "calls", "code", "message"}`, or the error as data. `verdict`: `goes_on`,
    `asked_again`, `answered`, `ends` or `refused`. Error codes: those of a state and of definitions, and
    `agent_mismatch` for another `old`.
    """
    if isinstance(state, RunState):
        if not isinstance(old, Agent | None) or not isinstance(new, Agent):
            raise TypeError("expected definitions as `Agent.load` gives them beside a state that is a value")
        return change_under(state, old or BARE_AGENT, new)
    return guarded(_change_json, state, old, new)


def _change_json(state_json: str | bytes, old_json: str | bytes, new_json: str | bytes) -> bytes:
    old, new = agent_from_source(to_bytes(old_json)), compile_agent(to_bytes(new_json))
    return encode(change_under(_small_state(state_json), old, new))


def core_info() -> str:
    """Return what this core is: `{"version", "schema_version", "dialects", "checks"}`."""
    return encode(
        {
            "version": VERSION,
            "schema_version": SCHEMA_VERSION,
            "dialects": dialect_names(),
            "checks": (*OUTPUT_CHECKS, *ANSWER_CHECKS),
        }
    ).decode()
