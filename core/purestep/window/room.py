"""The room of a prompt: the model's window without what is left to the answer."""

from ..bounds import MAX_RESERVE_TOKENS, RESERVE_SHARE


def prompt_room(window_tokens: int | None, max_tokens: int | None, learned: int = 0) -> int | None:
    """Return how many tokens a prompt may have; None where nothing is known of the window.

    max_tokens: of the definition's sampling; at most half of the window is left to the answer. learned: the room that a
    server's refusal left, 0 for none.
    """
    if window_tokens is None:
        return learned or None
    reserve = min(MAX_RESERVE_TOKENS, window_tokens // RESERVE_SHARE)
    if max_tokens is not None:
        reserve = min(max_tokens, window_tokens // 2)
    room = window_tokens - reserve
    return min(room, learned) if learned else room
