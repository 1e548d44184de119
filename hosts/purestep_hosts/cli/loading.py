"""Loads the model that the options name, in a thread of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import model_file, model_for
from purestep_hosts.extras import LOCAL
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.settings import Settings

if TYPE_CHECKING:
    from purestep_hosts.models.model import Model


def loaded_model(choice: AgentChoice, settings: Settings, interrupts: Interrupts) -> Model:
    """Return the model, ready to be asked; the default one is downloaded if it is missing. Ctrl-C ends the wait."""
    if choice.script is None and settings.url is None:
        LOCAL.require()
        with interrupts.raising():
            settings = replace(settings, model_path=model_file(settings))
    return interrupts.run(lambda: model_for(choice, settings))
