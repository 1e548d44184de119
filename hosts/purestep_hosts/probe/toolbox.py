"""The tools of the suite: each answers from a fixed table, so that the same calls give the same results."""

from __future__ import annotations

from typing import Any, NamedTuple

import purestep
from purestep_hosts.probe.suite import Suite
from purestep_hosts.tools.results import failed
from purestep_tools import CalculatorError, calculate


class Ran(NamedTuple):
    """A call that was carried out, and what came of it."""

    tool: str
    params: dict[str, Any]
    ok: bool
    output: Any


class ProbeToolbox:
    """Runs the calls of one task and remembers them."""

    def __init__(self, suite: Suite) -> None:
        self.ran: list[Ran] = []
        self._suite = suite

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Run one call; the core has validated its arguments."""
        try:
            output = self._output(tool, params)
        except CalculatorError as error:
            self.ran.append(Ran(tool, params, False, str(error)))
            return failed(str(error), "invalid_arguments")
        except LookupError:
            message = f"{tool} knows nothing of {', '.join(map(str, params.values()))}"
            self.ran.append(Ran(tool, params, False, message))
            return failed(message, "execution")
        self.ran.append(Ran(tool, params, True, output))
        return {"ok": True, "output": output}

    def stop(self) -> None:
        """Nothing takes long."""

    def _output(self, tool: str, params: dict[str, Any]) -> Any:
        match tool:
            case "calculator":
                return calculate(params["expression"])
            case "save_note":
                return "saved"
            case "lookup_order":
                return self._suite.orders[params["number"].strip().removeprefix("#")]
            case "fetch_page":
                return self._suite.pages[params["url"].rstrip("/")]
        raise LookupError(tool)


def approve_all(calls: tuple[purestep.ApprovalCall, ...]) -> list[purestep.Approval]:
    """Approve every call: nothing here has an effect."""
    return [purestep.Approval(call_id=call.call_id, key=call.key, approved=True, by="probe") for call in calls]
