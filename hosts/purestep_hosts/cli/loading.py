"""The model that the options name: its settings, which a person confirms where a folder names them, and its loading."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from purestep import Agent
from purestep_hosts.agents_below import paths_below
from purestep_hosts.cli.confirming import confirm_server
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import model_for, settings_for
from purestep_hosts.extras import LOCAL
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.named import local_file
from purestep_hosts.settings import Settings

if TYPE_CHECKING:
    from purestep_hosts.models.model import Model


_NONE: Final[Mapping[tuple[str, ...], int]] = {}


def confirmed_settings(choice: AgentChoice, interrupts: Interrupts) -> Settings:
    """Return which model is used, after a person has confirmed a server that the folder names."""
    if choice.script is not None:
        return Settings(kind="built_in")
    settings = settings_for(choice)
    confirm_server(settings, Path.cwd(), interrupts)
    return settings


def loaded_model(
    choice: AgentChoice,
    settings: Settings,
    interrupts: Interrupts,
    agent: Agent | None = None,
    outputs_before: Mapping[tuple[str, ...], int] = _NONE,
) -> Model:
    """Return the model, ready to be asked; the default one is downloaded if it is missing. Ctrl-C ends the wait.

    agent: whose definition says with which adapter. outputs_before: how many outputs of a script an earlier process has
    used, by the path of the agent.
    """
    if choice.script is None and settings.runs_here:
        LOCAL.require()  # before 98 MB are fetched for nothing
        # Fetching the default model runs another program, which ends with this block.
        with interrupts.raising():
            settings = replace(settings, model_path=local_file(settings))
    # In a thread: loading blocks for seconds, and Ctrl-C has to reach the main one.
    used = outputs_before.get((), 0) if models_below(choice, agent) else sum(outputs_before.values())
    return interrupts.run(lambda: model_for(choice, settings, agent, used))


def models_below(
    choice: AgentChoice, agent: Agent | None, outputs_before: Mapping[tuple[str, ...], int] = _NONE
) -> Mapping[tuple[str, ...], Model]:
    """Return the models of the agents below one that have one of their own, by their paths: of a script for each."""
    if choice.script is None or agent is None:
        return {}
    from purestep_hosts.models.scripted import scripts_below

    return scripts_below(choice.script, paths_below(agent), outputs_before)
