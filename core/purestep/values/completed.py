"""A definition completed with what its host knows, each part where the definition says nothing of it.

The host's tools, and the profile of its model: how much is decided for it, how calls are written for it and what holds
its output, which go together, its window, its weights, and whether it gives scores.
"""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct, to_builtins

from ..bounds import MAX_POLICIES, MAX_TOOLS
from ..errors import PurestepError
from .definition import Adapter, CarryLevel, Digest, Feature, Name, Positive, Profile
from .price import Prices
from .shapes import converted


class ModelProfile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a model is best asked, as a probe finds it; `figures` is what was measured and is read by nobody here.

    `scores` says that the host gives log-probabilities of it, which are asked for where its level is `ground`.
    `policies` are those under which it is asked in that dialect, beside the definition's own; one that says that there
    are none has none. `sha256` and `adapter` name its weights, `price` says what they cost, however it is asked.
    `profile` is that of its server, for each of the definition's models.
    """

    name: Name
    dialect: str | None = None
    supports: tuple[Feature, ...] | None = None
    carry: CarryLevel | None = None
    window_tokens: Positive | None = None
    scores: bool = False
    policies: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MAX_POLICIES)] = ()
    sha256: Digest | None = None
    adapter: Adapter | None = None
    price: Prices | None = None
    profile: Name | Profile | None = None
    figures: Any = None


class HostParts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a host adds to a definition: the specs of its tools in any shape, and the profile of its model.

    `rules_of` is a definition whose approval rules hold at least: the host's own, for a definition of somebody else.
    `asks_before_acting`: a person is asked about each call of a tool that does not say that it only reads.
    """

    tools: tuple[Any, ...] | None = None
    profile: ModelProfile | None = None
    rules_of: Any = None
    asks_before_acting: bool = False


def host_parts(value: Any) -> HostParts:
    """Read the host's parts. Error codes: `invalid_input`, with the path of what is wrong."""
    parts: HostParts = converted(HostParts, value, "invalid_input")
    if len(parts.tools or ()) > MAX_TOOLS:
        raise PurestepError("invalid_input", f"expected at most {MAX_TOOLS} tools", "/tools")
    return parts


PRESUMED: Final[tuple[Feature, ...]] = ("tools", "json_schema")
"""What a model is asked with where nothing is known of what it takes."""


def completed_definition(definition: Any, parts: HostParts) -> Any:
    """Return the definition with the parts; what is no definition is given back, for the reader to refuse.

    Only the first of its models is completed, and one that is not the profile's gets the level alone.
    """
    if not isinstance(definition, dict):
        return definition
    completed = dict(definition)
    if parts.tools is not None:
        completed.setdefault("tools", parts.tools)
    return completed if parts.profile is None else _with_profile(completed, parts.profile)


def _with_profile(definition: dict[str, Any], profile: ModelProfile) -> dict[str, Any]:
    models = definition.get("models", [])
    if not isinstance(models, list) or not all(isinstance(model, dict) for model in models):
        return definition
    if profile.profile is not None:
        given = to_builtins(profile.profile)
        models = [_with_server(model, given) for model in models or [{"name": profile.name}]]
        definition = {**definition, "models": models}
    first, *others = models or [{"name": profile.name}]
    is_same = first.get("name") == profile.name
    added: dict[str, Any] = {}
    if profile.carry not in (None, "off") and not _names(models, "carry"):
        added["carry"] = profile.carry
    if is_same and profile.window_tokens is not None and not _names(models, "window_tokens"):
        added["window_tokens"] = profile.window_tokens
    if is_same and profile.dialect is not None and "dialect" not in definition and not _names(models, "supports"):
        definition = {**definition, "dialect": profile.dialect}
        if profile.supports is not None:
            added["supports"] = profile.supports
        definition = with_policies(definition, profile.policies)
    if is_same and profile.sha256 is not None and not (_names(models, "sha256") or _names(models, "adapter")):
        added["sha256"] = profile.sha256
        if profile.adapter is not None:
            added["adapter"] = to_builtins(profile.adapter)
    if is_same and profile.price is not None and first.get("price") is None:
        added["price"] = to_builtins(profile.price)
    entry = {**first, **added}
    if is_same and profile.scores and entry.get("carry") == "ground" and not _names(models, "supports"):
        known = added.get("supports", PRESUMED)
        added["supports"] = known if "scores" in known else (*known, "scores")
    return {**definition, "models": [{**first, **added}, *others]} if added else definition


def _with_server(model: dict[str, Any], given: Any) -> dict[str, Any]:
    """Return a model of a definition with the profile of its server; what its own profile says stands."""
    own = model.get("profile")
    if own is None:
        return {**model, "profile": given}
    if not isinstance(own, dict) or own.get("name") is not None:
        return model
    return {**model, "profile": {**({"name": given} if isinstance(given, str) else given), **own}}


def with_policies(definition: dict[str, Any], added: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Return a definition with further policies after its own; one that it names stands, and so does that it has none.

    What is no list of policies is left for the reader to refuse.
    """
    given = definition.get("policies")
    if not added or (given is not None and not (isinstance(given, list) and given)):
        return definition
    named = [use.get("use") for use in given or () if isinstance(use, dict)]
    further = [use for use in added if use.get("use") not in named]
    return {**definition, "policies": [*(given or ()), *further]} if further else definition


def _names(models: list[dict[str, Any]], member: str) -> bool:
    return any(model.get(member) is not None for model in models)
