"""The step: state + observation -> decision + new state.

Two rules. Everything that changes a run's state is in this package. Nothing in this package knows the host:
no I/O, clock, randomness or platform; what came from outside is in the observation, time included.

Theory of operation. A run waits in one of five phases; the table in `transitions` says which observations each takes,
what consumes them, and the phases that may follow. A consumer works on a draft: it appends facts and derived lines to
the log, messages to the transcript, and changes the state to be. The decision is then read off the new state alone
(`decide`), so a host that lost it can ask again. An observation that does not fit is refused before anything is
drafted. A draft shares values with its state; the doors of the typed form copy what they hand out.

    user_message ─> model ─(calls)─> approval ─> tools ─(all results)─> model ─(answer)─> done
                      └─(wrong output: a correction)─┘                    └─(a limit)─> failed

Sources: sans-I/O protocol design (h11), reducers, write-ahead logging.
"""

from .begin import begin_unlogged, log_start
from .changed_agent import AGENT_CHANGED, agent_after
from .changed_state import KeptByPolicies, moved, taken_over
from .decide import decide, open_decisions, wants_confidence
from .imported_messages import (
    adopt,
    adopted_state,
    foreign_step,
    read_messages,
    restored_state,
    start_after,
    unreported,
    without_answer,
)
from .limits import limit_ahead
from .output import read_model
from .own_states import OWN_STATES
from .scores import choices_of
from .transitions import BEGINNING, TRANSITIONS, Step, Transition, accepted_observations, advance, step_from
from .validate import (
    begun_run_id,
    check_run_id,
    check_state,
    check_version,
    read_input,
    read_state,
    unsupported_version,
)
