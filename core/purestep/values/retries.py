"""How often a model is asked again after an error, and how long that waits: the same in runs and in skills."""

from ..bounds import FIRST_RETRY_WAIT_MS, MAX_MODEL_RETRIES, MAX_RETRY_AFTER_MS, MAX_RETRY_WAIT_MS, MAX_TIMEOUT_RETRIES
from .wire import ModelError


def most_retries(error: ModelError) -> int:
    """Return how many errors in a row are retried."""
    return MAX_TIMEOUT_RETRIES if error.code == "timeout" else MAX_MODEL_RETRIES


def retry_wait_ms(attempt: int, retry_after_ms: int | None, seed: str) -> int:
    """Return how long to wait: what the server asked for, or a back-off that doubles.

    seed: hex digits, such as the log's head. By them the back-off is up to a quarter shorter: runs that lost one server
    do not come back at once, and the same log leads to the same wait.
    """
    if retry_after_ms:
        return min(retry_after_ms, MAX_RETRY_AFTER_MS)
    longest = min(FIRST_RETRY_WAIT_MS << (attempt - 1), MAX_RETRY_WAIT_MS)
    return longest - longest * int(seed[:4], 16) // (4 * 0x10000)
