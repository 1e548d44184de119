"""The tokenizer of a definition's models, where their profiles name one that is known."""

from collections.abc import Sequence

from ..errors import PurestepError, closest
from ..values import ModelSpec, known_tokenizers, profile_in
from ..window import ANY_TOKENIZER, TokenCounter, counter_by


def counter_of(models: Sequence[ModelSpec]) -> TokenCounter:
    """Return what counts the tokens of prompts: as the models' tokenizer does, or more than any where they differ.

    A run may move from one model to the next, so sizes are kept that hold for all. Error codes: `invalid_agent`.
    """
    names = {profile_in(model).tokenizer for model in models}
    for index, model in enumerate(models):
        _check(profile_in(model).tokenizer, f"/models/{index}/profile/tokenizer")
    [name] = names if len(names) == 1 else [None]
    return ANY_TOKENIZER if name is None else counter_by(known_tokenizers()[name])


def _check(name: str | None, path: str) -> None:
    if name is None or name in known_tokenizers():
        return
    near = closest(name, tuple(known_tokenizers()))
    hint = f'did you mean "{near}"?' if near else f"the tokenizers are: {', '.join(known_tokenizers())}"
    raise PurestepError("invalid_agent", f'no tokenizer is named "{name[:64]}"; {hint}', path)
