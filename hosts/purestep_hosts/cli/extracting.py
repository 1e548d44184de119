"""The command `extract`: the values of one kind that stand in a text, as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from purestep import Failed, ModelSpec, convert_to
from purestep_hosts.cli import codes
from purestep_hosts.cli.confirming import confirm_server
from purestep_hosts.cli.loading import loaded_model
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.running import stdin_text
from purestep_hosts.cli.wiring import model_name, settings_for
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.model import LOCAL_SUPPORTS
from purestep_hosts.models.named import profile_name
from purestep_hosts.settings import Settings
from purestep_hosts.show.sanitize import sanitized_json
from purestep_hosts.skill_run import run_skill


class SkillError(Exception):
    """A skill failed; `code` is the kind of the fault, `message` says what was wrong."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def extract(text: str, target: str, choice: AgentChoice) -> int:
    """Print what was extracted; raises SkillError. A model is loaded only if the core asks for one."""
    given = stdin_text() if text == "-" else text
    with Interrupts() as interrupts:
        settings = Settings(kind="built_in") if choice.script is not None else settings_for(choice)
        confirm_server(settings, Path.cwd(), interrupts)
        ended = run_skill(
            "extract",
            {"text": given, "target": target},
            _spec(choice, settings),
            lambda: loaded_model(choice, settings, interrupts),
            interrupts,
        )
    if isinstance(ended, Failed):
        raise SkillError(ended.code, ended.message)
    print(sanitized_json(ended.data), flush=True)
    return codes.DONE


def _spec(choice: AgentChoice, settings: Settings) -> ModelSpec:
    """Return what the core is told of the model: one in this process takes a schema."""
    runs_here = choice.script is None and settings.runs_here
    spec: dict[str, Any] = {"name": model_name(choice)}
    if not runs_here and choice.script is None:
        spec["profile"] = profile_name(settings)
    return convert_to({**spec, "supports": LOCAL_SUPPORTS} if runs_here else spec, ModelSpec)
