"""A skill as a nested model call: a small state, an observation in, the next state and decision out.

    begin_skill ──> call_model ──model_output──> done
         │            │    ^ └──────────────────> failed
         │            └────┘ one correction, and retries after errors of the model
         ├──> done    decided without the model
         └──> failed  the input was refused

The state is a value and holds all there is; the decision is read off it.
"""

from typing import Annotated, Any, Final, Literal, assert_never

from msgspec import UNSET, Meta, Raw, Struct
from msgspec.structs import replace

from ..bounds import (
    MAX_FAULT_CHARS,
    MAX_MODEL_RETRIES,
    MAX_REFUSED_CHARS,
    MAX_REFUSED_MEMBERS,
    MAX_RETRY_AFTER_MS,
    MAX_SKILL_OUTPUT_TOKENS,
    SCHEMA_VERSION,
)
from ..constraints import constraint_of_schema
from ..errors import PurestepError, closest
from ..json_text import digest, encode, encode_sorted, excerpt_of
from ..schema import compile_schema, render
from ..values import (
    NEEDED,
    NO_PROFILE,
    CallModel,
    Cancel,
    Done,
    Failed,
    Message,
    ModelError,
    ModelOutput,
    ModelSpec,
    RefusedMembers,
    SkillFault,
    as_taken,
    most_retries,
    profile_in,
    retry_wait_ms,
    with_profile,
)
from .extract import EXTRACT
from .output import fault_of_schema, object_in
from .skill import CAUSES, Skill

SKILLS: Final[dict[str, Skill]] = {EXTRACT.name: EXTRACT}
"""The built-in skills by name."""

SkillObservation = ModelOutput | ModelError | Cancel
SkillDecision = CallModel | Done | Failed


class SkillState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the execution of a skill stands.

    `outputs`: model outputs that were read; 0 at the end: the core decided alone. `errors`: model errors in a row.
    `fault`: what is corrected, or why it failed. `refused`: the output that is corrected. `left_out`: members of
    requests that the model's server has refused. `data`: the output.
    """

    schema_version: int
    skill: str
    params: dict[str, Any]
    phase: Literal["model", "done", "failed"]
    model: ModelSpec | None = None
    outputs: Annotated[int, Meta(ge=0, le=2)] = 0
    errors: Annotated[int, Meta(ge=0, le=MAX_MODEL_RETRIES)] = 0
    wait_ms: Annotated[int, Meta(ge=0, le=MAX_RETRY_AFTER_MS)] = 0
    fault: SkillFault | None = None
    refused: str = ""
    left_out: RefusedMembers = ()
    data: dict[str, Any] | None = None


class SkillStep(Struct, frozen=True, kw_only=True):
    """The state after a step, and the single next act that is asked of the host."""

    state: SkillState
    decision: SkillDecision


def begin_skill(name: str, params: dict[str, Any], model: ModelSpec | None = None) -> SkillStep:
    """Begin to execute a skill; pure, it executes nothing.

    name: a built-in skill. params: its arguments, JSON values. model: as an entry of a definition's `models`: its name,
    what its server takes, and whether its chat template opens the reasoning.
    Faults are the decision `failed`. Error codes: `invalid_input` for an argument that there is not, `invalid_agent`
    for a profile that there is not.
    """
    model = None if model is None else with_profile(model)
    current = SkillState(schema_version=SCHEMA_VERSION, skill=name, params=params, phase="model", model=model)
    skill = SKILLS.get(name)
    if skill is None:
        return _failed(current, unknown_skill(name, tuple(SKILLS)))
    fault = skill.check_input(params)
    if fault is not None:
        return _failed(current, fault)
    _check_params(skill, params)
    decided = skill.decide(params)
    return _stepped(current if decided is None else replace(current, phase="done", data=decided))


def _check_params(skill: Skill, params: dict[str, Any]) -> None:
    """Refuse what no fault of the skill names, such as an argument that there is not: the host's mistake."""
    issues = compile_schema(skill.parameters, native=False).check(params)
    if issues:
        raise PurestepError("invalid_input", render(issues[0], "argument"), f"/params{issues[0].path}")


def unknown_skill(name: str, known: tuple[str, ...]) -> SkillFault:
    """Return the fault of a name that none of the known skills has."""
    near = closest(name, known)
    hint = f'; did you mean "{near}"?' if near else f"; there is {', '.join(known)}"
    return SkillFault("UnknownSkill", f"no skill is named {excerpt_of(name)}{hint}")


def step_skill(state: SkillState, observation: SkillObservation | None = None) -> SkillStep:
    """Return the next state and decision; without an observation, the current decision again.

    Error codes: `wrong_phase` after the end, `invalid_state` for a state that contradicts itself.
    """
    if not is_consistent(state):
        raise PurestepError("invalid_state", "the skill's state contradicts itself; pass the one that came", "/state")
    if observation is None:
        return _stepped(state)
    if state.phase != "model":
        raise PurestepError("wrong_phase", f"the skill has ended with {state.phase}; begin another", "/observation")
    match observation:
        case ModelOutput():
            return _read(state, observation)
        case ModelError():
            return _after_error(state, observation)
        case Cancel():
            reason = f": {observation.reason[:MAX_FAULT_CHARS]}" if observation.reason else ""
            return _failed(state, SkillFault("cancelled", f"cancelled by the host{reason}"))
        case _:
            assert_never(observation)


def _read(current: SkillState, output: ModelOutput) -> SkillStep:
    skill, params = SKILLS[current.skill], current.params
    current = replace(current, outputs=current.outputs + 1, errors=0, wait_ms=0)
    value = object_in(output, opened=current.model is not None and current.model.reasoning == "opened")
    if isinstance(value, SkillFault):
        return _refuse(current, value, output)
    fault = fault_of_schema(value, skill.output_schema(params))
    judged = fault or skill.judge(params, value)
    if isinstance(judged, SkillFault):
        return _refuse(current, judged, output)
    return _stepped(replace(current, phase="done", data=judged, fault=None, refused=""))


def _refuse(current: SkillState, fault: SkillFault, output: ModelOutput) -> SkillStep:
    """Send the first output back; the second one ends it, never with a plausible answer."""
    if current.outputs > 1:
        return _failed(current, fault)
    return _stepped(replace(current, fault=fault, refused=(output.content or "")[:MAX_REFUSED_CHARS]))


def _after_error(current: SkillState, error: ModelError) -> SkillStep:
    refused, known = error.refused, _left_out(current)
    if refused is not None and refused not in (*NEEDED, *known) and len(current.left_out) < MAX_REFUSED_MEMBERS:
        return _stepped(replace(current, left_out=(*current.left_out, refused)))
    attempt = current.errors + 1
    if not error.retryable or attempt > most_retries(error):
        said = f": {error.message[:MAX_FAULT_CHARS]}" if error.message else ""
        message = f"the model gave no answer ({error.code[:MAX_FAULT_CHARS]}){said}"
        return _failed(current, SkillFault("model_error", message))
    seed = digest((current.skill, current.params, current.outputs))
    return _stepped(replace(current, errors=attempt, wait_ms=retry_wait_ms(attempt, error.retry_after_ms, seed)))


def _failed(current: SkillState, fault: SkillFault) -> SkillStep:
    return _stepped(replace(current, phase="failed", fault=fault, refused="", wait_ms=0))


def _stepped(current: SkillState) -> SkillStep:
    return SkillStep(state=current, decision=_decision(current))


def _decision(current: SkillState) -> SkillDecision:
    """Read the decision off a consistent state."""
    if current.phase == "done":
        assert current.data is not None
        return Done(answer=encode_sorted(current.data).decode(), data=current.data)
    if current.phase == "failed":
        assert current.fault is not None
        return Failed(code=current.fault.kind, message=current.fault.message)
    return _call(current)


def _call(current: SkillState) -> CallModel:
    skill, spec = SKILLS[current.skill], current.model
    question = skill.ask(current.params)
    constraint = constraint_of_schema(skill.name, question.constraint, None if spec is None else spec.supports)
    call = CallModel(
        prompt=(),
        reason="skill",
        skill=current.skill,
        cause=CAUSES[current.fault.kind] if current.fault else UNSET,
        messages=(*question.messages, *_feedback(skill, current)),
        model=UNSET if spec is None else spec.name,
        response_format=UNSET if constraint.response_format is None else Raw(encode(constraint.response_format)),
        grammar=UNSET if constraint.grammar is None else constraint.grammar,
        sampling=Raw(encode({"max_tokens": MAX_SKILL_OUTPUT_TOKENS, "temperature": 0})),
        wait_ms=current.wait_ms or UNSET,
    )
    return as_taken(call, _left_out(current), NO_PROFILE.system if spec is None else profile_in(spec).system)


def _left_out(current: SkillState) -> tuple[str, ...]:
    """Return what the model's server does not take of a request, by its profile or its refusals."""
    known = (profile_in(current.model).refuses or ()) if current.model is not None else ()
    return (*known, *[member for member in current.left_out if member not in known])


def _feedback(skill: Skill, current: SkillState) -> tuple[Message, ...]:
    if current.fault is None:
        return ()
    said = f"{current.fault.message}. {skill.remind(current.params)}"
    return Message(role="assistant", content=current.refused), Message(role="user", content=said)


# --- states that a host hands back --------------------------------------------------------------------------


def is_consistent(current: SkillState) -> bool:
    """Whether a step may have made a state: a host may have changed it, or got it from a client."""
    if (current.data is not None) != (current.phase == "done"):
        return False
    if current.phase == "failed":
        return current.fault is not None
    skill = SKILLS.get(current.skill)
    if skill is None or skill.check_input(current.params) is not None:
        return False
    if current.data is not None:
        return _is_output(skill, current, current.data)
    corrects = current.fault is not None and current.fault.kind in CAUSES
    return corrects if current.outputs else current.fault is None


def _is_output(skill: Skill, current: SkillState, data: dict[str, Any]) -> bool:
    params = current.params
    if not current.outputs:
        return data == skill.decide(params)
    return fault_of_schema(data, skill.output_schema(params)) is None and skill.judge(params, data) == data
