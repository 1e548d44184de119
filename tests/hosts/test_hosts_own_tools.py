"""Six questions of a new user's own two tools, with the small model in this process: an order look-up and a payment."""

from bench.carry.models import KeptReplies
from bench.carry.runs import run_task
from bench.carry.sets import task_set

from purestep_hosts.models.llamacpp import LlamaCppModel


def test_questions_of_two_own_tools_end_right(local_model: LlamaCppModel) -> None:
    """Every look-up gives its status, and every payment is approved before it is made and has the right arguments."""
    own = task_set("own")
    outcomes = [run_task(task, "route", KeptReplies(local_model, "", None)) for task in (*own.tune, *own.final)]
    assert [] == [(each.task.id, each.wrong, each.ended) for each in outcomes if each.wrong]
    paid = [sum(call.tool == "make_payment" for call in each.ran) for each in outcomes]
    assert paid == [each.approved for each in outcomes]
    assert 3 == sum(paid)
