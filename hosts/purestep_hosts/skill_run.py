"""Executes a skill with a model: carries out the core's decisions until it is done or has failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import purestep
from purestep import CallModel, Done, Failed, ModelSpec
from purestep_formats import open_reply
from purestep_hosts.effects import model_request
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.model import Model
from purestep_hosts.output_gate import OutputGate


def run_skill(
    name: str, params: dict[str, Any], spec: ModelSpec, load: Callable[[], Model], interrupts: Interrupts
) -> Done | Failed:
    """Return how the skill ended; raises KeyboardInterrupt, and PurestepError for arguments that there are not.

    spec: what the core is told of the model. load: gives the model; called only if the core asks for one.
    """
    step, model = purestep.begin_skill(name, params, spec), None
    while isinstance(step.decision, CallModel):
        model = model or load()
        if step.decision.wait_ms:
            interrupts.sleep(step.decision.wait_ms / 1000)
        step = purestep.step_skill(step.state, _observation(step.decision, model, interrupts))
    return step.decision


def _observation(
    decision: CallModel, model: Model, interrupts: Interrupts
) -> purestep.ModelOutput | purestep.ModelError:
    gate, request = OutputGate(open_reply(None, model.name)), model_request(decision, [])
    try:
        end = interrupts.run(lambda: model.complete(request, gate))
    except KeyboardInterrupt:
        gate.stop()
        model.stop()
        raise
    return gate.close(end)
