"""A team whose agents pay and send in a folder, for hosts that keep runs."""

from __future__ import annotations

from pathlib import Path

from purestep_hosts import Agent, Later, ScriptedModel, calls, says, tool
from purestep_hosts.models.model import ModelRequest


def team(folder: Path) -> Agent[str]:
    """Return an agent that hands over to a lead, which calls two others at once, each of which asks a person."""

    @tool(approval="ask")
    def pay(amount: int) -> str:
        """Pay, when a person agrees."""
        with (folder / "effects").open("a") as file:
            file.write(f"paid {amount}\n")
        return f"paid {amount}"

    def payer(name: str, amount: int) -> Agent[str]:
        return Agent(_asked_first(calls("pay", amount=amount), says(f"{amount} is paid.")), name=name, tools=[pay])

    both = f"[{calls('rent', question='Pay it')},{calls('food', question='Pay it')}]"
    lead = Agent(_asked_first(both, says("All is paid.")), name="lead", tools=[payer("rent", 5), payer("food", 7)])
    return Agent(ScriptedModel([calls("lead")]), name="front", tools=[lead.as_hand_off()])


def asking_and_reporting(folder: Path) -> Agent[str]:
    """Return an agent that has a report made elsewhere, and pays meanwhile when a person agrees."""

    @tool(read_only=True)
    def report() -> str | Later:
        """Have a report made elsewhere."""
        return Later("job-1")

    @tool(approval="ask")
    def pay(amount: int) -> str:
        """Pay, when a person agrees."""
        with (folder / "effects").open("a") as file:
            file.write(f"paid {amount}\n")
        return f"paid {amount}"

    def said(request: ModelRequest) -> str:
        heard = str(request.messages)
        if "42 pages" in heard and "paid 5" in heard:
            return says("It has 42 pages, and 5 are paid.")
        if "paid 5" in heard:
            return says("It is under way.")
        return calls("pay", amount=5) if "Have it made" not in str(request.messages[-1]) else calls("report")

    return Agent(ScriptedModel(said), tools=[report, pay])


def reporting(*, waits: bool) -> Agent[str]:
    """Return an agent that has a report made elsewhere; waits: an agent below it does, and waits for it."""

    @tool(read_only=True)
    def report() -> str | Later:
        """Have a report made elsewhere."""
        return Later("job-1")

    def said(request: ModelRequest) -> str:
        last = str(request.messages[-1]["content"])
        return says("It has 42 pages.") if "42 pages" in last else says("It is under way.")

    def first(call: str) -> ScriptedModel:
        return ScriptedModel(lambda request: call if "Have it made" in str(request.messages[-1]) else said(request))

    clerk = Agent(first(calls("report")), name="clerk", tools=[report])
    return Agent(first(calls("clerk", question="Have it made")), name="lead", tools=[clerk]) if waits else clerk


def _asked_first(call: str, answer: str) -> ScriptedModel:
    """Return a model that calls, and answers once it is told what came of that, in whatever process."""

    def said(request: ModelRequest) -> str:
        last = str(request.messages[-1]["content"])
        return call if "Pay it" in last or "handed over" in last else answer

    return ScriptedModel(said)
