"""A skill as a JSON function: the skill and its arguments begin it, a state and an observation go on."""

from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from ..bounds import SCHEMA_VERSION
from ..errors import PurestepError
from ..lazy import lazy_decoder
from ..skills import SkillObservation, SkillState, SkillStep, begin_skill, step_skill
from ..steps import read_input, unsupported_version
from ..values import ModelSpec


class SkillInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`skill`, `params` and `model` begin one; `state` and `observation` go on, `state` alone asks again."""

    skill: str | UnsetType = UNSET
    params: dict[str, Any] | UnsetType = UNSET
    model: ModelSpec | UnsetType | None = UNSET
    state: SkillState | UnsetType = UNSET
    observation: SkillObservation | UnsetType = UNSET


_DECODER: Final = lazy_decoder(SkillInput)
_BEGIN: Final = ("skill", "params", "model")
_GO_ON: Final = ("state", "observation")


def skill_from_json(data: bytes) -> SkillStep:
    """Begin a skill or go on with one. Error codes: `invalid_input`, `invalid_state`, `wrong_phase`."""
    given = read_input(SkillInput, _DECODER.decode, data)
    begins = given.state is UNSET
    for name in _GO_ON if begins else _BEGIN:
        if getattr(given, name) is not UNSET:
            expected = "skill and params to begin with" if begins else "a state alone, or with an observation"
            raise PurestepError("invalid_input", f"expected {expected}; got {name}", f"/{name}")
    if given.state is UNSET:
        return _begun(given)
    if given.state.schema_version != SCHEMA_VERSION:
        raise unsupported_version(given.state.schema_version, "/state/schema_version")
    return step_skill(given.state, None if given.observation is UNSET else given.observation)


def _begun(given: SkillInput) -> SkillStep:
    for name in ("skill", "params"):
        if getattr(given, name) is UNSET:
            raise PurestepError("invalid_input", f"expected {name}", f"/{name}")
    assert given.skill is not UNSET
    assert given.params is not UNSET
    return begin_skill(given.skill, given.params, None if given.model is UNSET else given.model)
