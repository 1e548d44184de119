"""The tools of one task: runs calls on its world and remembers them."""

from typing import Any, NamedTuple

from bench.carry.sets import Task, tools_of, world_of
from bench.carry.simulated import FUNCTIONS, Failure


class Ran(NamedTuple):
    """A call that was carried out, with its result."""

    tool: str
    params: dict[str, Any]
    ok: bool
    output: Any


class SimulatedToolbox:
    """Runs the calls of one task, in order."""

    def __init__(self, task: Task) -> None:
        self.tools = tools_of(task.box)
        self.ran: list[Ran] = []
        self._world = world_of(task)

    def specs(self) -> list[dict[str, Any]]:
        """Give what the definition says of the tools."""
        return [tool.spec for tool in self.tools.values()]

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call; the result has the form that the hosts give the core."""
        known = self.tools[tool]
        arguments = {known.takes.get(name, name): value for name, value in params.items()}
        canned = () if known.result is None else (known.result,)
        try:
            output = FUNCTIONS[known.does](self._world, *canned, **arguments)
        except Failure as failure:
            self.ran.append(Ran(tool, params, False, str(failure)))
            return {"ok": False, "error": str(failure), "error_kind": "failed"}
        self.ran.append(Ran(tool, params, True, output))
        return {"ok": True, "output": output}

    def stop(self) -> None:
        """Nothing takes long."""
