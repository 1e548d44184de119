"""Profiles of servers and models: a definition's models with what the table says where the definition says nothing.

The table is in `purestep_formats`, and imported once a definition names a row of it.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from msgspec.structs import replace

from ..errors import PurestepError, closest
from ..json_text import decode_json
from .definition import AgentDefinition, ModelSpec, Profile, decoded_definition

TEXT_DIALECT: Final = "tool_tags"
"""How a model is asked whose server takes no tools: calls stand between tags, and all other text is the answer."""

SCHEMAS: Final = "tool_schemas"
"""Stands, among members of requests that are refused, for keywords of tools' schemas that not every server takes."""

SYSTEM: Final = "system_role"
"""Stands, among members of requests that are refused, for the role of the system text."""

ROLES: Final = "message_roles"
"""Stands, among members of requests that are refused, for two messages of the user with no answer between them."""

CALL_IDS: Final = "call_ids"
"""Stands, among members of requests that are refused, for ids of calls that are not as Mistral's are."""

FITTED_ID_CHARS: Final = 9
"""Of an id that such a server takes. Source: mistral-common, validator.py; templates of Mistral's models."""

NO_PROFILE: Final = Profile()
"""Of a model of which nothing is said."""


@cache  # pure: a module is the same at every import
def _table() -> Any:
    return import_module("purestep_formats.server_profiles")


def profile_names() -> tuple[str, ...]:
    """Return the names that a definition may give as a profile."""
    names: tuple[str, ...] = tuple(_table().ROWS)
    return names


@cache  # pure, as above
def known_tokenizers() -> Mapping[str, Any]:
    """Return the weights of the known tokenizers, by the names that a profile may give."""
    weights: Mapping[str, Any] = import_module("purestep_formats.token_weights").TOKENIZERS
    return weights


def profile_of(name: str | None, model: str) -> Profile:
    """Return what the table says of a kind of server, by its name, and of a model, by the beginning of its name.

    The kind is None where it is not known. The first that says something of a member is the model's row; what both
    refuse is left out. Raises KeyError for a name that is none.
    """
    rows = [Profile(**members) for members in _table().members_of(name, model)]
    refused = dict.fromkeys([member for row in rows for member in row.refuses or ()])
    return replace(_merged(*rows), refuses=tuple(refused) or None)


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
    """Return the members of the first profile that says something of each."""
    said: dict[str, Any] = {}
    for profile in profiles:
        for name in profile.__struct_fields__:
            value = getattr(profile, name)
            if value is not None and said.get(name) is None:
                said[name] = value
    return Profile(**said)


def read_definition(source: str | bytes | dict[str, Any]) -> tuple[AgentDefinition, bytes]:
    """Return the definition, its models as their profiles have them, and its canonical JSON bytes as it is written.

    Error codes: those of `decoded_definition`, and `invalid_agent` with the path of a profile that there is not.
    """
    definition, canonical = decoded_definition(source)
    return _with_profiles(definition, canonical), canonical


def profile_in(model: ModelSpec) -> Profile:
    """Return the profile of a model of a definition that `read_definition` has given."""
    return model.profile if isinstance(model.profile, Profile) else NO_PROFILE


def _with_profiles(definition: AgentDefinition, canonical: bytes) -> AgentDefinition:
    if not any(model.profile is not None for model in definition.models):
        return definition
    models = tuple([_with_profile_at(model, index) for index, model in enumerate(definition.models)])
    named = decode_json(canonical).get("dialect")
    return replace(definition, models=models, dialect=dialect_of(named, models[0]) or definition.dialect)


def dialect_of(named: str | None, first: ModelSpec | None) -> str | None:
    """Return the dialect of a definition: the one that it names, else the one of its first model's profile.

    first: as `with_profile` gives it.
    """
    profile = NO_PROFILE if first is None else profile_in(first)
    asked = profile.dialect if named is None else named
    return TEXT_DIALECT if asked == "native" and "tools" in (profile.refuses or ()) else asked


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
        reasoning=model.reasoning or profile.reasoning,
        price=profile.price if model.price is None else model.price,
    )
