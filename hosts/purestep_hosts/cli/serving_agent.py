"""The agent that the options describe, made ready to be served: by `serve` over HTTP, by `mcp` over stdio."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from purestep_hosts.cli.confirming import confirm_agent
from purestep_hosts.cli.loading import confirmed_settings, loaded_model, models_below
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.own_tools import own_tools
from purestep_hosts.cli.skills import skills_of, warn
from purestep_hosts.cli.wiring import agent_for, known_specs, model_name, toolbox_for
from purestep_hosts.extras import CLI
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.mask import Mask
from purestep_hosts.settings import known_secrets
from purestep_hosts.show.printer import Printer
from purestep_hosts.show.screen import Screen

if TYPE_CHECKING:
    from purestep import Agent
    from purestep_hosts.cli.tool_owners import OwnTools
    from purestep_hosts.models.model import Model
    from purestep_hosts.serve import ServedAgent
    from purestep_hosts.skill_folders import FoundSkills


def _with_models(
    agent: ServedAgent, models: Mapping[tuple[str, ...], Model], path: tuple[str, ...] = ()
) -> ServedAgent:
    """Return an agent with those below it, each with its model; of none, they all have that of the first."""
    below = agent.definition.agents if models else {}
    agents = {
        name: _with_models(replace(agent, definition=each, model=models[*path, name]), models, (*path, name))
        for name, each in below.items()
    }
    return replace(agent, below=agents)


def data_folder(name: str) -> Path:
    """Return a folder of the user's data; apart from the command's own sessions, which are nobody else's to read."""
    with CLI:
        import platformdirs

    return Path(platformdirs.user_data_dir("purestep")) / name


def service_folder(sessions: Path | None) -> Path:
    """Return the folder in which `serve` keeps runs."""
    return sessions or data_folder("service")


class AgentParts:
    """Makes the parts of the agent that the options describe, as `purestep run` does."""

    def __init__(self, choice: AgentChoice, servers: CommandServers, interrupts: Interrupts, printer: Printer) -> None:
        self._choice = choice
        self._servers = servers
        self._interrupts = interrupts
        self._screen = Screen(printer, None, quiet=False)

    def served(self, secrets: Iterable[str] = ()) -> ServedAgent:
        """Return the agent with its model loaded; secrets: further ones that no log may have.

        Raises what `purestep run` ends with, `not_confirmed` among it.
        """
        from purestep_hosts.serve import ServedAgent

        choice, (definition, found, functions) = self._choice, self._described()
        warn(found)
        agent = ServedAgent(
            definition=definition,
            model=self._model(definition),
            tools=lambda folder: toolbox_for(definition, choice, folder, found, functions).tools,
            mask=Mask(known_secrets() | set(secrets)),
            late=self._servers.connected,
        )
        return _with_models(agent, models_below(choice, definition))

    def definition(self) -> Agent:
        """Return the definition alone, no model loaded; raises as `served`."""
        return self._described()[0]

    def _described(self) -> tuple[Agent, FoundSkills, OwnTools]:
        """Return the definition with the skills and tools that it has, once a person has confirmed them."""
        choice, interrupts = self._choice, self._interrupts
        found = skills_of(choice)
        functions = own_tools(choice, self._servers, interrupts, self._screen.waiting)
        definition = agent_for(choice, found, functions)
        toolbox_for(definition, choice, Path(os.devnull), found, functions)  # raises for tools that are not here
        if choice.agent is not None:
            specs = [*known_specs(), *functions.specs()]
            confirm_agent(definition, specs, str(choice.agent), interrupts)
        return definition, found, functions

    def _model(self, agent: Agent) -> Model:
        choice, interrupts = self._choice, self._interrupts
        settings = confirmed_settings(choice, interrupts)
        with self._screen.waiting(f"loading {model_name(choice)}"):
            return loaded_model(choice, settings, interrupts, agent)
