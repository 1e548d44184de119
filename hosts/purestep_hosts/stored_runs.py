"""What the hosts that keep runs for an agent share, DBOS and Temporal: their methods, states and errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal, Protocol, Self, TypeVar

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.exchange import exchange_effects
from purestep_hosts.agents.late import LateResult, observed
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.run_arguments import ExchangeInput
from purestep_hosts.agents.run_log import RunLog
from purestep_hosts.agents_below import has_work, is_below
from purestep_hosts.effects import Effects, Record, RunEffects
from purestep_hosts.hidden_texts import HiddenTexts
from purestep_hosts.mask import Mask

Data = TypeVar("Data")

StepStatus = Literal["running", "waiting", "done", "failed"]
"""What the decision of a step leaves a run as."""

DurableStatus = Literal["running", "waiting", "done", "failed", "broken"]
"""`broken`: the host could not go on, as where a model cannot be loaded; `wait` says why."""

_RUN_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


class DurableError(Exception):
    """A durable run, or what keeps the runs, cannot be used; `code` is stable, `message` says what to do.

    Codes: `bad_address`, `database_full`, `database_unusable`, `executor_in_use`, `already_open`, `closed`,
    `bad_run_id`, `run_not_found`, `run_active`, `not_waiting`, `run_broken`, `other_version`; with Temporal also
    `server_unusable`, `too_large`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class StoredRuns(Protocol[Data]):
    """The runs of one agent in a store that outlives the process: `DurableRuns`, `TemporalRuns`."""

    def start(self, query: str | None, *, run_id: str | None = None) -> str:
        """Begin a run or the next exchange of one that has ended; returns its id once it is stored."""
        ...

    def approve(self, run_id: str, approvals: Iterable[purestep.Approval]) -> None:
        """Answer calls that wait; returns once the run has taken it."""
        ...

    def give_results(self, run_id: str, results: Iterable[LateResult]) -> None:
        """Give results of calls that went on elsewhere; returns once the run has taken them."""
        ...

    def status(self, run_id: str) -> DurableStatus:
        """Return where a run stands."""
        ...

    def wait(self, run_id: str, timeout_s: float | None = None) -> RunResult[Data]:
        """Wait until a run has ended, or waits for a person or for what goes on elsewhere."""
        ...

    def log(self, run_id: str) -> str:
        """Return the log of a run."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: Any) -> None: ...


def status_of(decision: purestep.Decision, also: Sequence[purestep.Decision] = ()) -> StepStatus:
    """Return what the decisions of a step leave a run as: it waits for people, or for what goes on elsewhere."""
    match decision:
        case purestep.Done():
            return "done"
        case purestep.Failed():
            return "failed"
    return "running" if any(map(has_work, (decision, *also))) else "waiting"


def checked_id(run_id: str) -> str:
    """Return the id of a run; raises DurableError `bad_run_id`."""
    if not _RUN_ID.fullmatch(run_id):
        raise DurableError("bad_run_id", "expected 1 to 64 letters, digits, dots, hyphens or underscores as run_id")
    return run_id


def as_stored(agent: Agent[Any], run_id: str, observation: purestep.Observation) -> Any:
    """Return what a person said without secrets: the store keeps it."""
    return HiddenTexts(agent.definition, agent.mask, run_id).observed(observation, None)


def results_as_stored(
    definition: purestep.Agent, mask: Mask, run_id: str, log: str, results: Iterable[LateResult]
) -> tuple[LateResult, ...]:
    """Return results that come later without secrets, as `as_stored`; log: that of their run."""
    given = tuple(results)
    if not given:
        return ()
    hidden, state = HiddenTexts(definition, mask, run_id), purestep.replay(log).state

    def shown(each: LateResult) -> LateResult:
        (found,) = observed([each])
        found = hidden.masked(found) if is_below(state, found) else hidden.observed(found, state)
        return LateResult(result=found.results[0], run_id=each.run_id)

    return tuple(map(shown, given))


def try_exchange(agent: Agent[Any], run_id: str, log: str, given: ExchangeInput) -> None:
    """Make the first steps of an exchange and drop them: what does not fit is refused before it is stored.

    log: that of the run so far. Raises PurestepError; DurableError `run_not_found`, where there is nothing to go on.
    """
    known = RunLog(run_id, log, None)
    if known.is_new and given.query is None:
        raise DurableError("run_not_found", f"There is no log of run {run_id!r:.80}; give a query.")
    run = RunEffects(agent.definition, run_id, agent.clock, agent.mask, run_id)
    try_effects(exchange_effects(run, known, given))


def try_effects(effects: Effects) -> None:
    """Make the steps up to the first thing that the outside has to do, and drop them; raises PurestepError."""
    with suppress(StopIteration):
        effect = next(effects)
        while isinstance(effect, Record):
            effect = effects.send(None)
    effects.close()
