"""What a service runs: a definition, with the model and the tools that carry its decisions out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

import purestep
from purestep_hosts.agents.agent import Agent
from purestep_hosts.agents.calls import AnyTool
from purestep_hosts.agents.late import LateSource
from purestep_hosts.agents.output_type import OutputType
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import Model
from purestep_hosts.watching import Watching


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class ServedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of an agent; `tools` gives those of a run, whose session lies in a folder."""

    definition: purestep.Agent
    model: Model
    tools: Callable[[Path], Mapping[str, AnyTool]]
    mask: Mask
    deps: Any = None
    output: OutputType[Any] = msgspec.field(default_factory=OutputType)
    """What answers are made of."""
    clock: Callable[[], int] = _now_ms
    watching: Watching | None = None
    """What is told of each step of a run."""
    takes_over: bool = False
    """Whether runs that were begun with another definition go on under this one, instead of being refused."""
    late: LateSource | None = None
    """Where results of calls that went on elsewhere are asked for."""
    below: Mapping[str, ServedAgent] = {}
    """The agents that it calls, by name, whose models, tools and answers are theirs; one that is not here has its
    caller's."""


async def served(agent: Agent[Any], deps: Any = None) -> ServedAgent:
    """Return the parts of an agent, whose model is loaded now.

    deps: what tools get as `Invocation.deps`, the same for all runs. Its `approve` is not asked: the service's clients
    are. Raises DownloadError, ModelLoadError.
    """
    tools = agent.tools
    below = {name: await served(each, deps) for name, each in agent.agents.items()}
    return ServedAgent(
        definition=agent.definition,
        model=await agent.loaded_model(),
        tools=lambda _: tools,
        mask=agent.mask,
        deps=deps,
        output=agent.output,
        clock=agent.clock,
        below=below,
    )
