"""Rates: how often models succeed, folded from logs.

`fold` reads one log line by line and notes what became of each exchange; `rates` adds its rows to a profile, and is
the JSON function. What a row says is counted, never judged: an exchange has succeeded when it ended in an answer that
passed all checks of its definition.
"""

from .fold import RateFold
from .rates import close_rates, feed_rates, fold_rates_from_json, open_rates, rates_of

__all__ = ["RateFold", "close_rates", "feed_rates", "fold_rates_from_json", "open_rates", "rates_of"]
