"""Profiles of servers and models: a definition's models with what the table says where the definition says nothing.

The table is in `purestep_formats`, and imported once a definition names a row of it.
"""

from functools import cache
from importlib import import_module
from typing import Any, Final

from msgspec.structs import replace

from ..errors import PurestepError, closest
from ..json_text import decode_json
from .definition import AgentDefinition, ModelSpec, Profile

TEXT_DIALECT: Final = "tool_tags"
"""How a model is asked whose server takes no tools: calls stand between tags, and all other text is the answer."""

SCHEMAS: Final = "tool_schemas"
"""Stands, among members of requests that are refused, for keywords of tools' schemas that not every server takes."""

SYSTEM: Final = "system_role"
"""Stands, among members of requests that are refused, for the role of the system text."""

NO_PROFILE: Final = Profile()
"""Of a model of which nothing is said."""


@cache  # pure: a module is the same at every import
def _table() -> Any:
    return import_module("purestep_formats.server_profiles")


def profile_names() -> tuple[str, ...]:
    """Return the names that a definition may give as a profile."""
    names: tuple[str, ...] = tuple(_table().ROWS)
    return names


def profile_of(name: str | None, model: str) -> Profile:
    """Return what the table says of a kind of server, by its name, and of a model, by the beginning of its name.

    The kind is None where it is not known. The first that says something of a member is the model's row. Raises
    KeyError for a name that is none.
    """
    rows = [Profile(**members) for members in _table().members_of(name, model)]
    return _merged(*rows)


def resolved(profile: Profile | str, model: str) -> Profile:
    """Return a profile with what the table says of all that it leaves out; error codes: `invalid_agent`."""
    own = Profile(name=profile) if isinstance(profile, str) else profile
    try:
        known = profile_of(own.name, model)
    except KeyError:
        name = own.name or ""
        near = closest(name, profile_names())
        hint = f'did you mean "{near}"?' if near else f"the profiles are: {', '.join(profile_names())}"
        raise PurestepError("invalid_agent", f'no profile is named "{name[:64]}"; {hint}') from None
    return _merged(own, known)


def _merged(*profiles: Profile) -> Profile:
    """Return the members of the first profile that says something of each; what is refused is all of it."""
    said: dict[str, Any] = {}
    for profile in profiles:
        for name in profile.__struct_fields__:
            value = getattr(profile, name)
            if value is not None and said.get(name) is None:
                said[name] = value
    return Profile(**said)


def profile_in(model: ModelSpec) -> Profile:
    """Return the profile of a model of a definition that `with_profiles` has given."""
    return model.profile if isinstance(model.profile, Profile) else NO_PROFILE


def with_profiles(definition: AgentDefinition, canonical: bytes) -> AgentDefinition:
    """Return a definition whose models have what their profiles say where it says nothing itself.

    canonical: its JSON bytes. Error codes: `invalid_agent`, with the path of the profile.
    """
    if not any(model.profile is not None for model in definition.models):
        return definition
    models = tuple([_with_profile_at(model, index) for index, model in enumerate(definition.models)])
    named = decode_json(canonical).get("dialect")
    return replace(definition, models=models, dialect=_dialect(named, profile_in(models[0])) or definition.dialect)


def _dialect(named: str | None, first: Profile) -> str | None:
    asked = first.dialect if named is None else named
    return TEXT_DIALECT if asked == "native" and "tools" in (first.refuses or ()) else asked


def dialect_of(named: str | None, first: ModelSpec | None) -> str | None:
    """Return the dialect of a definition: the one that it names, else the one of its first model's profile."""
    known = None if first is None or first.profile is None else resolved(first.profile, first.name)
    return _dialect(named, known or NO_PROFILE)


def opens_reasoning(model: ModelSpec) -> bool:
    """Whether a model's chat template opens the reasoning, by what is said of it or by its profile."""
    said = model.reasoning
    if said is None and model.profile is not None:
        return resolved(model.profile, model.name).reasoning == "opened"
    return said == "opened"


def _with_profile_at(model: ModelSpec, index: int) -> ModelSpec:
    try:
        return with_profile(model)
    except PurestepError as error:
        raise PurestepError(error.code, error.message, f"/models/{index}/profile") from None


def with_profile(model: ModelSpec) -> ModelSpec:
    """Return a model with what its profile says where it says nothing itself; error codes: `invalid_agent`."""
    if model.profile is None:
        return model
    profile = resolved(model.profile, model.name)
    return replace(
        model,
        profile=profile,
        supports=profile.supports if model.supports is None else model.supports,
        reasoning=profile.reasoning if model.reasoning is None and profile.reasoning == "opened" else model.reasoning,
        price=profile.price if model.price is None else model.price,
    )
