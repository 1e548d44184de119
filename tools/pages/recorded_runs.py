"""Records the runs that the playground plays before its core is loaded: `python -m tools.pages.recorded_runs`.

The core decides every line. Only what is around it is written down: the question, the model's outputs and the results
of each preset of web/playground/src/presets/stories.ts, a person who refuses whatever is asked, and one crash.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

import purestep

_WEB: Final = Path(__file__).resolve().parents[2] / "web"
FOLDER: Final = _WEB / "playground" / "src" / "recorded"
_CRASHING: Final = frozenset({"crash"})
"""The presets whose host stops while the first call runs."""
_STEP_MS: Final = 1000
"""By the recorded clock, what each observation comes after the one before it."""


def presets(folder: Path, names: str = "PRESETS") -> list[dict[str, Any]]:
    """Return the presets that the page offers, compiled from its source into the folder."""
    compiler = [str(_WEB / "node_modules" / ".bin" / "tsc"), "playground/src/presets.ts"]
    options = ("--ignoreConfig", "--module", "esnext", "--target", "es2022", "--outDir", str(folder))
    subprocess.run([*compiler, *options], cwd=_WEB, check=True)
    (folder / "package.json").write_text('{"type":"module"}', encoding="utf-8")
    script = f"import {{ {names} }} from './presets.js'; console.log(JSON.stringify({names}));"
    command = ["node", "--input-type=module", "-e", script]
    shown = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(shown.stdout)
    return found


def recorded(preset: dict[str, Any]) -> tuple[str, str]:
    """Return the log of a preset's run, and what the core explains of it, as JSON."""
    agent = purestep.Agent.load(preset["definition"])
    said = list(preset["script"])
    given = {tool: list(outputs) for tool, outputs in preset.get("results", {}).items()}
    now, crashes = 0, preset["id"] in _CRASHING
    step = purestep.start(agent, purestep.UserMessage(content=preset["question"], at=now), run_id=preset["id"])
    log = step.log
    while True:
        now += _STEP_MS
        observation: purestep.Observation
        match step.decision:
            case purestep.CallModel():
                observation = purestep.ModelOutput(content=said.pop(0), at=now)
            case purestep.InvokeTool() if crashes:
                observation, crashes = purestep.Resumed(at=now), False
            case purestep.InvokeTool(calls=calls):
                results = tuple(_result(call, given[call.tool]) for call in calls)
                observation = purestep.ToolResults(results=results, at=now)
            case purestep.RequestApproval(calls=calls):
                refused = tuple(purestep.Approval(call_id=call.call_id, key=call.key, approved=False) for call in calls)
                observation = purestep.Approvals(approvals=refused, at=now)
            case _:
                return log, purestep.explain_log(log)
        step = purestep.step(step.state, observation)
        log += step.log


def _result(call: purestep.ToolCall, outputs: list[Any]) -> purestep.ToolResult:
    output = outputs.pop(0) if len(outputs) > 1 else outputs[0]
    return purestep.ToolResult(call_id=call.call_id, ok=True, output=output)


def files() -> dict[str, str]:
    """Return the files of the recorded runs by their names: a log for each, and the explanations of all."""
    with tempfile.TemporaryDirectory() as folder:
        stories = presets(Path(folder), "STORIES")
    made = {preset["id"]: recorded(preset) for preset in stories}
    explained = {name: json.loads(told) for name, (_, told) in made.items()}
    logs = {f"{name}.jsonl": log for name, (log, _) in made.items()}
    return {**logs, "explained.json": json.dumps(explained, ensure_ascii=False, indent=1) + "\n"}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
