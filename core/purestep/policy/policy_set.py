"""The policies of one definition, ready to be asked: their hooks called, their answers checked and combined."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from ..bounds import KEPT_POLICY_STATES, MAX_POLICY_STATE_BYTES, MAX_POLICY_TEXT_CHARS
from ..errors import PurestepError
from ..json_text import decode_json, encode, encode_sorted
from ..lazy import decode_as, decoder_of
from ..values import ArgumentOrigin, ToolSpec, shape_error
from .options import OPTION_POLICIES, DefinitionOptions, options_among
from .protocol import (
    Allow,
    AnswerProposed,
    Ask,
    CallProposed,
    Correct,
    ExchangeBegun,
    Fix,
    PolicyFact,
    Refuse,
    ToolsOffered,
    TranscriptChanged,
)
from .registry import NamedPolicy, policy_of

KeptStates = dict[str, Struct]
"""What policies keep, by name."""

_T = TypeVar("_T")
_HOOKS: Final = ("begin", "observed", "call", "answer", "ask")


class CallJudgement(Struct, frozen=True):
    """What the policies say of a call together; `by`: the policy that asks a person or refuses, and its `text`.

    `note`: the question that it has for the person, in words.
    `fixes`: the policies that have changed the arguments, each with what it says about that.
    """

    then: str = "allow"
    by: str = ""
    text: str = ""
    note: str = ""
    params: dict[str, Any] | None = None
    fixes: tuple[tuple[str, str], ...] = ()
    origins: tuple[ArgumentOrigin, ...] = ()


class AnswerRejection(Struct, frozen=True):
    """What the policy `by` says of an answer; `is_final`: the run ends without it, else the model is asked again."""

    by: str
    text: str
    is_final: bool


class _ReadyPolicy:
    """One policy of a definition: the object with its hooks, and how what it keeps is read and written."""

    __slots__ = ("_made", "_read", "first", "hooks", "name", "version", "wants_confidence")

    def __init__(self, named: NamedPolicy, options: Any, tools: Mapping[str, ToolSpec]) -> None:
        self.name, self.version = named.name, named.version
        self._made = self._guarded("a definition", named.make, options, tools)
        self.hooks: dict[str, Callable[..., Any]] = {
            hook: found for hook in _HOOKS if callable(found := getattr(self._made, hook, None))
        }
        self.wants_confidence = getattr(self._made, "wants_confidence", False) is True
        self.first: Struct | None = None if named.state is None else self._guarded("a state", named.state)
        if self.first is None and ("begin" in self.hooks or "observed" in self.hooks):
            raise self._failed("has begin or observed and no State, so that it could keep nothing of what it is told")
        self._read = None if named.state is None else _reader(named.state)

    def _guarded(self, what: str, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except PurestepError:
            raise
        except Exception as error:
            # The text of an error may hold anything, so only its kind is told; the cause is there for a debugger.
            raise self._failed(f"raised {type(error).__name__} for {what}") from error

    def _failed(self, what: str) -> PurestepError:
        return PurestepError(
            "policy_failed",
            f"the policy {self.name} (version {self.version}) {what}; the step was not made: mend the policy, and send "
            "the observation again",
            "",
            {"name": self.name, "version": self.version},
        )

    def run(self, hook: str, kept: Struct | None, given: Any, gives: tuple[type, ...]) -> Any:
        """Return what a hook gives, which must be of one of these types."""
        result = self._guarded(f"its hook {hook}", self.hooks[hook], kept, given)
        if not isinstance(result, gives):
            names = " or ".join("None" if each is type(None) else each.__name__ for each in gives)
            raise self._failed(f"gave {type(result).__name__} from its hook {hook}, where {names} is expected")
        return result

    def keep(self, hook: str, kept: Struct | None, given: Any) -> Struct:
        """Return what the policy keeps after a hook that tells it something."""
        result: Struct = self.run(hook, kept, given, (type(self.first),))
        return result

    def text(self, text: str, what: str) -> str:
        """Return a text of the policy's, which people or the model read."""
        given: Any = text  # a struct does not check what it is made of
        if not isinstance(given, str) or not 0 < len(given) <= MAX_POLICY_TEXT_CHARS:
            raise self._failed(f"gave no {what} of 1 to {MAX_POLICY_TEXT_CHARS} characters")
        return text

    def read(self, text: str) -> Struct:
        """Return what a state holds as text; raises `invalid_state`."""
        if self._read is None:
            raise PurestepError("invalid_state", "expected nothing: this policy keeps no state", "")
        return self._read(text)

    def written(self, kept: Struct) -> str:
        """Return what the policy keeps as canonical JSON, within its bound."""
        data: bytes = self._guarded("what it keeps", encode_sorted, kept)
        if len(data) > MAX_POLICY_STATE_BYTES:
            raise self._failed(f"keeps {len(data)} bytes, of at most {MAX_POLICY_STATE_BYTES}")
        return data.decode()


def _reader(state: type[Struct]) -> Callable[[str], Struct]:
    decode = decoder_of(state).decode

    @lru_cache(maxsize=KEPT_POLICY_STATES)  # pure: a text has one value
    def read(text: str) -> Struct:
        try:
            kept = decode(text)
        except msgspec.MsgspecError:
            raise PurestepError("invalid_state", "expected what the policy keeps, as it was written", "") from None
        written = encode_sorted(kept)
        if written.decode() != text or len(written) > MAX_POLICY_STATE_BYTES:
            raise PurestepError("invalid_state", "expected canonical JSON within its bound", "")
        return kept

    return read


class PolicySet:
    """All policies of a definition, in its order."""

    __slots__ = ("_by_hook", "_by_name", "has_hooks", "wants_confidence")

    def __init__(self, asked: Sequence[_ReadyPolicy]) -> None:
        self._by_name = {each.name: each for each in asked}
        self._by_hook = {hook: tuple([each for each in asked if hook in each.hooks]) for hook in _HOOKS}
        self.has_hooks = any(self._by_hook.values())
        """Whether there is anything to ask or to tell."""
        self.wants_confidence = any(each.wants_confidence for each in asked)
        """Whether the model is to be asked how sure it is."""

    def read(self, written: Mapping[str, str]) -> KeptStates:
        """Return what the policies keep, read from a state; raises `invalid_state` with the path in it."""
        if list(written) != sorted(written):
            raise PurestepError("invalid_state", "expected the policies sorted by name", "/state/policies")
        kept: KeptStates = {}
        for name, text in written.items():
            try:
                if (asked := self._by_name.get(name)) is None:
                    raise PurestepError("invalid_state", "the definition has no policy of that name", "")
                kept[name] = asked.read(text)
            except PurestepError as error:
                raise PurestepError(error.code, error.message, f"/state/policies/{name}") from None
        return kept

    def written(self, kept: KeptStates) -> dict[str, str]:
        """Return what the policies keep as the state holds it: canonical JSON by name, sorted."""
        return {name: self._by_name[name].written(value) for name, value in sorted(kept.items())}

    def after(self, before: "PolicySet", written: Mapping[str, str]) -> KeptStates:
        """Return what these policies keep once they take the place of a definition's before them.

        Those that both have, in one version, go on; the others learn that messages were there that nobody told them.
        """
        kept = self.read(self._shared(before, written))
        changed = TranscriptChanged(by="definition")
        for each in self._by_hook["observed"]:
            if each.name not in kept:
                kept[each.name] = each.keep("observed", each.first, changed)
        return kept

    def _shared(self, before: "PolicySet", written: Mapping[str, str]) -> dict[str, str]:
        mine, theirs = self._by_name, before._by_name
        return {
            name: text for name, text in written.items() if name in mine and mine[name].version == theirs[name].version
        }

    def told(self, kept: KeptStates, fact: ExchangeBegun | PolicyFact) -> KeptStates:
        """Return what the policies keep once they were told of a fact, or that an exchange has begun."""
        return self.begun(kept, fact) if isinstance(fact, ExchangeBegun) else self.observed(kept, fact)

    def begun(self, kept: KeptStates, exchange: ExchangeBegun) -> KeptStates:
        """Return what the policies keep once a user message has begun an exchange."""
        told = {each.name: each.keep("begin", self._kept(each, kept), exchange) for each in self._by_hook["begin"]}
        return {**kept, **told}

    def observed(self, kept: KeptStates, fact: PolicyFact) -> KeptStates:
        """Return what the policies keep once they were told of a fact."""
        told = {each.name: each.keep("observed", self._kept(each, kept), fact) for each in self._by_hook["observed"]}
        return {**kept, **told}

    def judged(self, kept: KeptStates, call: CallProposed) -> CallJudgement:
        """Return what becomes of a call: the first refusal, else the first that asks, with all changes made."""
        asks: tuple[str, str, str] | None = None
        fixes: list[tuple[str, str]] = []
        origins: tuple[ArgumentOrigin, ...] = ()
        for each in self._by_hook["call"]:
            verdict = each.run("call", self._kept(each, kept), call, (Allow, Ask, Refuse, Fix, type(None)))
            match verdict:
                case Refuse():
                    text = each.text(verdict.text, "text")
                    return CallJudgement("refuse", each.name, text, params=call.params, fixes=tuple(fixes))
                case Ask() | Allow():
                    if isinstance(verdict, Ask) and asks is None:
                        note = each.text(verdict.note, "note") if verdict.note else ""
                        asks = each.name, each.text(verdict.reason, "reason"), note
                    origins = origins or verdict.origins
                case Fix():
                    call = msgspec.structs.replace(call, params=_json_object(each, verdict.params))
                    fixes.append((each.name, each.text(verdict.note, "note")))
        by, text, note = asks or ("", "", "")
        return CallJudgement("ask" if asks else "allow", by, text, note, call.params, tuple(fixes), origins)

    def rejected(self, kept: KeptStates, answer: AnswerProposed) -> AnswerRejection | None:
        """Return what the first policy says that sends an answer back or refuses it."""
        for each in self._by_hook["answer"]:
            verdict = each.run("answer", self._kept(each, kept), answer, (Correct, Refuse, type(None)))
            if verdict is not None:
                return AnswerRejection(each.name, each.text(verdict.text, "text"), isinstance(verdict, Refuse))
        return None

    def left(self, kept: KeptStates, tools: tuple[str, ...]) -> tuple[str, ...]:
        """Return the tools that the model is offered, of those that it may be."""
        for each in self._by_hook["ask"]:
            chosen = each.run("ask", self._kept(each, kept), ToolsOffered(tools=tools), (tuple, type(None)))
            if chosen is not None:
                tools = tuple([name for name in tools if name in chosen])
        return tools

    def narrows(self) -> bool:
        """Whether a policy may leave tools out."""
        return bool(self._by_hook["ask"])

    @staticmethod
    def _kept(asked: _ReadyPolicy, kept: KeptStates) -> Struct | None:
        return kept.get(asked.name, asked.first)


def _json_object(asked: _ReadyPolicy, params: dict[str, Any]) -> dict[str, Any]:
    """Return arguments as JSON reads them; what is no JSON is the policy's fault."""
    try:
        value: dict[str, Any] = decode_json(encode(params))
    except Exception as error:
        raise asked._failed("gave arguments that are no JSON values") from error
    return value


NO_POLICIES: Final = PolicySet(())


def policies_in_force(uses: Sequence[Mapping[str, Any]], tools: Mapping[str, ToolSpec]) -> PolicySet:
    """Return a definition's policies, ready to be asked.

    uses: its entries, each with `use`, `version` and options. Error codes: `invalid_agent`, `unknown_policy`,
    `policy_failed`.
    """
    if not uses:
        return NO_POLICIES
    asked: list[_ReadyPolicy] = []
    for index, use in enumerate(uses):
        path = f"/policies/{index}"
        named = policy_of(use["use"], use.get("version"), path)
        if any(each.name == named.name for each in asked):
            raise PurestepError(
                "invalid_agent", f'the policy "{named.name}" is named twice; name it once', f"{path}/use"
            )
        asked.append(_placed(path, _ready, named, use, tools))
    return PolicySet(asked)


def options_of(uses: Sequence[Mapping[str, Any]]) -> DefinitionOptions:
    """Return what a definition asks for by policies without hooks; raises as `policies_in_force` does."""
    names = [each.name for each in OPTION_POLICIES]
    given: list[tuple[str, Any]] = []
    for index, use in enumerate(uses):
        if use["use"] in names:
            path = f"/policies/{index}"
            named = policy_of(use["use"], use.get("version"), path)
            given.append((named.name, _placed(path, _options, named, use)))
    return options_among(given)


def _placed(path: str, function: Callable[..., _T], *args: Any) -> _T:
    """Return what a function gives; what it refuses is told with its path in the definition."""
    try:
        return function(*args)
    except PurestepError as error:
        raise PurestepError(error.code, error.message, path + error.path, error.detail) from error.__cause__


def _ready(named: NamedPolicy, use: Mapping[str, Any], tools: Mapping[str, ToolSpec]) -> _ReadyPolicy:
    return _ReadyPolicy(named, _options(named, use), tools)


def _options(named: NamedPolicy, use: Mapping[str, Any]) -> Struct | None:
    given = {name: value for name, value in use.items() if name not in ("use", "version")}
    if named.options is None:
        if given:
            first = sorted(given)[0]
            raise PurestepError("invalid_agent", f'the policy "{named.name}" has no options; leave it out', f"/{first}")
        return None
    try:
        return decode_as(encode(given), named.options)
    except msgspec.ValidationError:
        raise shape_error(named.options, given, "invalid_agent") from None
