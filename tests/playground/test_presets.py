"""Every preset ends as it is meant to with its own script, in the terminal's loop."""

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

import purestep
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.scripted import ScriptedModel
from purestep_tools import calculate
from tests.playground.conftest import WEB

ENDS = {
    "Adder": "final_answer",
    "Page reader": "final_answer",
    "Approval": "final_answer",
    "Sources": "final_answer",
    "Honest failure": "guardrail",
    "Injection": "final_answer",
}


def test_every_preset_ends_as_meant(node: str, tmp_path: Path) -> None:
    """With what its script says, and what the page's tools give."""
    offered = _offered(node, tmp_path)
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


def _offered(node: str, folder: Path) -> list[dict[str, Any]]:
    """Return the presets, compiled from the page's source."""
    compiler = [str(WEB / "node_modules" / ".bin" / "tsc"), "playground/src/presets.ts"]
    options = ("--ignoreConfig", "--module", "esnext", "--target", "es2022", "--outDir", str(folder))
    subprocess.run([*compiler, *options], cwd=WEB, check=True)
    (folder / "package.json").write_text('{"type":"module"}', encoding="utf-8")
    script = "import { PRESETS } from './presets.js'; console.log(JSON.stringify(PRESETS));"
    shown = subprocess.run(
        [node, "--input-type=module", "-e", script], cwd=folder, capture_output=True, text=True, check=True
    )
    presets: list[dict[str, Any]] = json.loads(shown.stdout)
    return presets


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
