"""Fixtures to test agents with; pytest finds them once purestep-hosts is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from purestep_hosts.models.scripted import Output, ScriptedModel


@pytest.fixture
def scripted_model() -> Callable[..., ScriptedModel]:
    """Make models out of outputs: `scripted_model(calls("look_up", order=7), says("It is on its way."))`."""
    from purestep_hosts.models.scripted import ScriptedModel

    def make(*outputs: Output) -> ScriptedModel:
        return ScriptedModel(outputs)

    return make
