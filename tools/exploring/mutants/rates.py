"""Faults in rates and costs: another model than they speak for is asked first, or more is spent than may be."""

from typing import Final

from .mutant import Mutant

_CHOOSER: Final = "agent/model_rates.py"
_BUDGETS: Final = "draft/budgets.py"
_PRICE: Final = "values/price.py"

RATES: Final = (
    Mutant(
        "what-can-be-is-sure",
        "rates",
        _CHOOSER,
        "_first([rate.low >= least for rate in rates],",
        "_first([rate.high >= least for rate in rates],",
    ),
    Mutant("few-runs-are-enough", "rates", _CHOOSER, "if runs >= LEAST_RATE_RUNS:", "if runs:"),
    Mutant("kinds-are-one", "rates", _CHOOSER, "if all(getattr(row.kind, name)", "if any(getattr(row.kind, name)"),
    Mutant("dialects-are-one", "rates", _CHOOSER, " and row.dialect == definition.dialect", ""),
    Mutant(
        "chosen-model-is-not-asked",
        "rates",
        "draft/first_model.py",
        "draft.window = with_model(draft.window, chosen)",
        "draft.window = with_model(draft.window, 0)",
    ),
    Mutant(
        "costs-do-not-add-up",
        "rates",
        _BUDGETS,
        "cost=_sum(state.exchange.used.cost, call_cost(draft, usage))",
        "cost=call_cost(draft, usage) or 0",
    ),
    Mutant(
        "all-models-cost-the-same",
        "rates",
        _BUDGETS,
        "else cost_of(price, usage)",
        "else cost_of(models[0].price or price, usage)",
    ),
    Mutant(
        "costs-have-no-limit",
        "rates",
        _BUDGETS,
        'yield "max_cost", state.exchange.used.cost, limits.max_cost',
        'yield "max_cost", 0, limits.max_cost',
    ),
    Mutant("outputs-are-free", "rates", _PRICE, "(usage.completion_tokens or 0) * price.output", "0"),
    Mutant("costs-are-rounded-down", "rates", _PRICE, "-(-cost // _MILLION)", "cost // _MILLION"),
)
