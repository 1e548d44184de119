"""Every preset ends as it is meant to with its own script, in the terminal's loop."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.scripted import ScriptedModel
from purestep_tools import calculate
from tools.pages.recorded_runs import FOLDER, files, presets, recorded

ENDS = {
    "Adder": "final_answer",
    "Page reader": "final_answer",
    "Approval": "final_answer",
    "Sources": "final_answer",
    "Honest failure": "guardrail",
    "Injection": "final_answer",
    "Twice": "final_answer",
    "Loop": "final_answer",
    "Crash": "final_answer",
}


@pytest.mark.usefixtures("node", "package")
def test_every_preset_ends_as_meant(tmp_path: Path) -> None:
    """With what its script says, and what the page's tools give."""
    offered = presets(tmp_path)
    assert list(ENDS) == [preset["title"] for preset in offered]
    for preset in offered:
        kept, said = _Kept(), [purestep.ModelOutput(content=text) for text in preset["script"]]
        ports = Ports(
            model=ScriptedModel(said), tools=_PageTools(preset.get("results", {})), approve=_approved,
            log=kept, watch=kept, clock=itertools.count().__next__, sleep=lambda seconds: None,
        )  # fmt: skip
        Run(purestep.Agent.load(preset["definition"]), ports, "preset").ask(preset["question"])
        assert json.loads(purestep.verify_log(kept.log))["ok"]
        last = json.loads(kept.log.splitlines()[-1])
        assert ENDS[preset["title"]] == last.get("code", last["kind"]), preset["title"]


@pytest.mark.usefixtures("node", "package")
def test_the_core_gives_the_recorded_runs_again() -> None:
    """Every file that the page plays before its core is there, byte for byte; `python -m tools.pages.recorded_runs`."""
    made = files()
    assert made == {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    for name in [name for name in made if name.endswith(".jsonl")]:
        assert json.loads(purestep.verify_log(made[name]))["ok"], name


@pytest.mark.usefixtures("node", "package")
def test_a_changed_story_is_another_recording(tmp_path: Path) -> None:
    """The check of the recorded runs can fail: one word of the page that is read changes its log."""
    told = next(preset for preset in presets(tmp_path) if preset["id"] == "injection")
    page = told["results"]["read_page"][0]
    changed = {**told, "results": {**told["results"], "read_page": [page.replace("eve@", "mallory@")]}}
    assert recorded(told)[0] == (FOLDER / "injection.jsonl").read_text(encoding="utf-8") != recorded(changed)[0]


class _PageTools:
    """What the page's tools give, and what is written for those of a preset: the last one is given again."""

    def __init__(self, written: dict[str, list[Any]]) -> None:
        self._written = {name: list(outputs) for name, outputs in written.items()}

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call."""
        match tool:
            case "calculator":
                return {"ok": True, "output": calculate(params["expression"])}
            case "add_numbers":
                return {"ok": True, "output": params["a"] + params["b"]}
            case "read_dom":
                return {"ok": True, "output": "purestep"}
            case "send_reminder":
                return {"ok": True, "output": f"sent to {params['to']}: {params['text']}"}
        outputs = self._written[tool]
        return {"ok": True, "output": outputs.pop(0) if len(outputs) > 1 else outputs[0]}

    def stop(self) -> None:
        """Nothing takes long."""


class _Kept:
    """A log that is kept, and a watcher that shows nothing."""

    def __init__(self) -> None:
        self.log = ""

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.log += log

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""


def _approved(calls: Any) -> list[purestep.Approval]:
    return [purestep.Approval(call_id=call.call_id, key=call.key, approved=True) for call in calls]
