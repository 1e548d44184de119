"""The model that the options name: its settings, which a person confirms where a folder names them, and its loading."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from purestep import Agent
from purestep_hosts.cli.confirming import confirm_server
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import model_for, settings_for
from purestep_hosts.extras import LOCAL
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.named import local_file
from purestep_hosts.settings import Settings

if TYPE_CHECKING:
    from purestep_hosts.models.model import Model


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
    outputs_before: int = 0,
) -> Model:
    """Return the model, ready to be asked; the default one is downloaded if it is missing. Ctrl-C ends the wait.

    agent: whose definition says with which adapter. outputs_before: how many outputs of a script an earlier process has
    used.
    """
    if choice.script is None and settings.runs_here:
        LOCAL.require()  # before 98 MB are fetched for nothing
        # Fetching the default model runs another program, which ends with this block.
        with interrupts.raising():
            settings = replace(settings, model_path=local_file(settings))
    # In a thread: loading blocks for seconds, and Ctrl-C has to reach the main one.
    return interrupts.run(lambda: model_for(choice, settings, agent, outputs_before))
