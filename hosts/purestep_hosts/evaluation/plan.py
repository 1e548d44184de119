"""The runs of an evaluation: each case with each variant, under a key made of all that the run depends on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET

import purestep
from purestep_hosts.agent_file import AgentFileError, read_agent_file, with_profiles
from purestep_hosts.evaluation.case_state import MAX_STATE_BYTES, CaseState, StateTooLargeError, fault_of_state
from purestep_hosts.evaluation.case_tools import CaseTool, ToolDataError, case_tools
from purestep_hosts.evaluation.cases import EvalCase, GoalUser
from purestep_hosts.evaluation.json_patch import PatchError
from purestep_hosts.evaluation.simulated_user import user_definition
from purestep_hosts.evaluation.suite import SuiteError, SuiteLine, decoded_line, placed
from purestep_hosts.models.model import Model
from purestep_hosts.regular_files import open_regular
from purestep_hosts.tools.tool import ToolFailure

SCRIPT: Final = "script"
"""The model whose outputs are those of the case."""
_MAX_TOKENS: Final = 512
"""As for models of the command: a longer output of a small model is a loop."""
_KEPT_AGENTS: Final = 16
"""Definitions made ready that are kept: a suite often has one for all cases, and each takes up to a megabyte."""
DEFAULT_AGENT: Final[dict[str, Any]] = {
    "policies": [{"use": "read_output"}],
    "sampling": {"temperature": 0, "max_tokens": _MAX_TOKENS},
}
"""The definition of cases that name none, and where there is no `--agent`."""


class EvalModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that is evaluated. `identity` tells its weights or its server apart; `entry` is its entry of `models`.

    `dialect` is the one that it was taught, where it knows no other: definitions are run in that one.
    `load` returns it, ready to be asked; None for the model named `script`. `runs_here`: in this process, where one run
    at a time is made, and one model at a time is loaded.
    """

    name: str
    identity: str
    entry: dict[str, Any]
    dialect: str | None = None
    load: Callable[[], Model] | None = None
    runs_here: bool = False


SCRIPTED: Final = EvalModel(name=SCRIPT, identity=SCRIPT, entry={"name": SCRIPT, "supports": ["json_schema"]})


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which the cases are run; without a dialect in that of the definition, without carry at its level."""

    model: str
    dialect: str | None = None
    carry: str | None = None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.model, self.dialect, self.carry and f"carry {self.carry}")))


class UserPart(msgspec.Struct, frozen=True, kw_only=True):
    """What plays the user of a case: a model, and the definition that tells it the goal."""

    model: EvalModel
    agent: purestep.Agent


class PlannedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One run that is due, or made already under this key."""

    line: int
    case: EvalCase
    variant: Variant
    repeat: int
    agent: purestep.Agent
    tools: dict[str, CaseTool]
    state: Any
    """What its tools begin with."""
    end_state: Any
    """What has to have come of it, UNSET where any will do."""
    user: UserPart | None
    """Where a model plays the user."""
    key: str


class EvalPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is evaluated. `cases` yields the suite from its beginning, each time that it is called."""

    folder: Path
    """Of the suite: agent files that cases name lie below it."""
    cases: Callable[[], Iterator[SuiteLine]]
    where: Callable[[SuiteLine], str]
    """The file and the line of a case, for errors."""
    models: dict[str, EvalModel]
    variants: Sequence[Variant]
    agent: dict[str, Any]
    """The definition of cases that name none, and what those leave out."""
    repeats: int = 1
    judge: EvalModel | None = None
    users: Mapping[str | None, EvalModel] = {}
    """Those that may play users, by the names that cases give them; None: of cases that name none.

    A suite alone has no model asked: what it says would go where its author wants.
    """

    def runs(self, model: str | None = None) -> Iterator[PlannedRun]:
        """Yield all runs, or those of one model: case by case, so that what was made until a stop compares.

        Raises SuiteError for a case that cannot be run.
        """
        files: dict[str, dict[str, Any]] = {}
        states: dict[str, tuple[dict[str, Any], str]] = {}
        agents: dict[bytes, purestep.Agent] = {}
        for line in self.cases():
            digest = hashlib.sha256(_canonical(msgspec.json.decode(line.source))).hexdigest()
            definition, tools = self._definition(line, files)
            user = self._user(line, agents)
            state, state_digest = self._state(line, states)
            end_state = self._end_state(line, state)
            digest += state_digest
            for variant in self.variants:
                if model is None or variant.model == model:
                    agent = self._agent(line, definition, variant, agents)
                    for repeat in range(1, self.repeats + 1):
                        key = self._key(line.case, digest, agent, variant, repeat, user)
                        yield PlannedRun(
                            line=line.number,
                            case=line.case,
                            variant=variant,
                            repeat=repeat,
                            agent=agent,
                            tools=tools,
                            state=state,
                            end_state=end_state,
                            user=user,
                            key=key,
                        )

    def _user(self, line: SuiteLine, agents: dict[bytes, purestep.Agent]) -> UserPart | None:
        user = line.case.user
        if not isinstance(user, GoalUser):
            return None
        model = SCRIPTED if user.model == SCRIPT else self.users.get(user.model)
        if model is None:
            where = placed(line.source, self.where(line), "/user" if user.model is None else "/user/model")
            if user.model is None:
                raise SuiteError(f"{where}: a model plays the user; name it with --user MODEL")
            raise SuiteError(f"{where}: {user.model!r:.80} plays the user; allow that it is asked with --user")
        try:
            definition = user_definition(user.goal, model.entry, model.dialect)
            return UserPart(model=model, agent=_made_ready(msgspec.json.encode(definition), agents))
        except purestep.PurestepError as error:
            where = placed(line.source, self.where(line), "/user/goal")
            raise SuiteError(f"{where}: {error.message} (at {error.path} of the user's definition)") from None

    def _key(
        self, case: EvalCase, digest: str, agent: purestep.Agent, variant: Variant, repeat: int, user: UserPart | None
    ) -> str:
        judge = self.judge.identity if case.judge is not None and self.judge is not None else None
        parts = {
            "case": digest,
            "definition": hashlib.sha256(_without_prices(agent.source)).hexdigest(),
            "model": self.models[variant.model].identity,
            "variant": variant,
            "repeat": repeat,
            "core": purestep.__version__,
            "judge": judge,
            **({} if user is None else {"user": user.model.identity}),
        }
        return hashlib.sha256(_canonical(parts)).hexdigest()

    def _definition(
        self, line: SuiteLine, files: dict[str, dict[str, Any]]
    ) -> tuple[dict[str, Any], dict[str, CaseTool]]:
        case = line.case
        own = case.agent if isinstance(case.agent, dict) else {}
        if isinstance(case.agent, str):
            if case.agent not in files:
                files[case.agent] = self._agent_file(line, case.agent)
            own = files[case.agent]
        definition = {**self.agent, **own}
        entries = case.tools if case.tools is not None else definition.get("tools", [])
        try:
            tools = case_tools(entries, has_state=case.state is not None)
        except ToolDataError as error:
            raise SuiteError(f"{placed(line.source, self.where(line), error.pointer)}: {error.message}") from None
        for index, wanted in enumerate(case.calls or []):
            if wanted.tool not in tools:
                where = placed(line.source, self.where(line), f"/calls/{index}/tool")
                raise SuiteError(f"{where}: a call of {wanted.tool!r:.80} is expected, and the case has no such tool")
        return {**definition, "tools": [tool.spec for tool in tools.values()]}, tools

    def _agent_file(self, line: SuiteLine, name: str) -> dict[str, Any]:
        """Return the definition of a file below the suite's folder: a suite of another's reads nothing else."""
        where = placed(line.source, self.where(line), "/agent")
        try:
            return with_profiles(read_agent_file(self._below(name, where, "an agent file")))
        except AgentFileError as error:
            raise SuiteError(f"{where}: {error.message}") from None

    def _below(self, name: str, where: str, what: str) -> Path:
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            raise SuiteError(f"{where}: expected {what} below the suite's folder, got {name!r:.200}")
        return path

    def _state(self, line: SuiteLine, files: dict[str, tuple[dict[str, Any], str]]) -> tuple[dict[str, Any], str]:
        """Return the state that a case begins with, and the digest of the file that it is from."""
        name = line.case.state
        if not isinstance(name, str):
            if said := fault_of_state(name or {}):
                raise SuiteError(f"{placed(line.source, self.where(line), '/state')}: {said}")
            return name or {}, ""
        if name not in files:
            where = placed(line.source, self.where(line), "/state")
            path = self._below(name, where, "a file with a state")
            try:
                with open_regular(path) as file:
                    source = file.read(MAX_STATE_BYTES + 1)
            except OSError as error:
                raise SuiteError(f"{where}: {path} cannot be read ({error.strerror})") from None
            if len(source) > MAX_STATE_BYTES:
                raise SuiteError(f"{path}: expected at most {MAX_STATE_BYTES:,} bytes")
            state: Any = decoded_line(source, f"{path}")
            if said := fault_of_state(state):
                raise SuiteError(f"{path}: {said}")
            files[name] = state, hashlib.sha256(source).hexdigest()
        return files[name]

    def _end_state(self, line: SuiteLine, state: dict[str, Any]) -> Any:
        """Return the state that is expected in the end: as it is given, or as a patch of the one in the beginning."""
        match line.case.end_state:
            case None:
                return UNSET
            case list(patch):
                try:
                    return CaseState(state).after(patch, {})[0]
                except (PatchError, StateTooLargeError, ToolFailure) as error:
                    where = placed(line.source, self.where(line), "/end_state")
                    raise SuiteError(f"{where}: the patch cannot be made of the state: {error}") from None
            case wanted:
                return wanted

    def _agent(
        self, line: SuiteLine, definition: dict[str, Any], variant: Variant, agents: dict[bytes, purestep.Agent]
    ) -> purestep.Agent:
        made = {**definition, "models": [self._entry(definition, variant)]}
        dialect = variant.dialect or self.models[variant.model].dialect
        if dialect is not None:
            made["dialect"] = dialect
        source = msgspec.json.encode(made)
        try:
            return _made_ready(source, agents)
        except purestep.PurestepError as error:
            pointer = "" if line.case.agent is None and line.case.tools is None else (error.path or "")
            where = placed(
                line.source, self.where(line), pointer if pointer.startswith("/tools") else f"/agent{pointer}"
            )
            at = f" (at {error.path} of its definition)" if error.path else ""
            raise SuiteError(f"{where}: {error.message}{at}") from None

    def _entry(self, definition: dict[str, Any], variant: Variant) -> dict[str, Any]:
        """Return the entry of `models`: what is known of the model, and what the definition says of one of its name."""
        models = definition.get("models")
        named = [
            each
            for each in (models if isinstance(models, list) else [])
            if isinstance(each, dict) and each.get("name") == variant.model
        ]
        entry = {**self.models[variant.model].entry, **(named[0] if named else {})}
        return entry if variant.carry is None else {**entry, "carry": variant.carry}


def _made_ready(source: bytes, agents: dict[bytes, purestep.Agent]) -> purestep.Agent:
    """Return a definition made ready, kept in `agents`; raises PurestepError."""
    if source not in agents:
        made = purestep.Agent.load(source)
        if len(agents) >= _KEPT_AGENTS:
            agents.clear()
        agents[source] = made
    return agents[source]


def _without_prices(source: bytes) -> bytes:
    """Return a definition without the prices of its models: a run is not made again since they have changed."""
    definition = msgspec.json.decode(source)
    models = [{name: part for name, part in model.items() if name != "price"} for model in definition["models"]]
    return _canonical({**definition, "models": models})


def _canonical(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")
