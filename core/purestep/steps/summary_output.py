"""A summary that came: it becomes a turn of the model's after the task; one that cannot be used is left out."""

from msgspec.structs import replace

from ..agent import corrections
from ..bounds import SUMMARY_EXCESS
from ..checks import is_placeholder
from ..dialects import Sample
from ..draft import SUMMARY, Draft, repeats_question, same_words, says_something
from ..values import ModelOutput, Reading, SentPart, Summing, Switched
from ..window import apart, estimated_tokens, message_tokens, with_summary
from .aside_output import words_aside
from .limits import ask


def take_summary(draft: Draft, output: ModelOutput, reading: Reading, summing: Summing) -> None:
    """Put a summary into later prompts, or do without; then ask what was to be asked. It counts as a turn."""
    text, problem = words_aside(draft, output, reading)
    wrong = problem or _wrong_words(draft, text, summing)
    if wrong:
        go_without_summary(draft, wrong)
        return
    begin = draft.next_index
    draft.say("assistant", draft.agent.dialect.write(Sample(answer=corrections.summary(text))))
    draft.say("user", corrections.go_on())
    tokens = sum([message_tokens(message, draft.agent.counter) for message in draft.messages[-2:]])
    _put(draft, SentPart(begin=begin, end=begin + 2, tokens=tokens))
    draft.derived(Switched(what=SUMMARY, cause="written", tokens=tokens))
    _go_on(draft, summing)


def go_without_summary(draft: Draft, why: str) -> None:
    """Go on without a summary, as if none had been asked for; the log says why."""
    summing = draft.exchange.summing
    assert summing is not None  # the caller has looked
    draft.derived(Switched(what="no_summary", cause=why))
    _go_on(draft, summing)


def _go_on(draft: Draft, summing: Summing) -> None:
    draft.exchange = replace(draft.exchange, summing=None)
    ask(draft, summing.reason, summing.cause, summed_up=True)


def _put(draft: Draft, part: SentPart) -> None:
    """Put the summary in the place of an earlier one, which it sums up too."""
    state = draft.state
    assert state.window.sent is not None  # a summary is asked for where sizes are kept
    others, _ = apart(state.window.sent)
    sent = replace(state.window.sent, parts=others, known=draft.next_index, counted=0, since=0)
    draft.window = replace(state.window, sent=with_summary(sent, part, state.window.user_at))


def _wrong_words(draft: Draft, text: str, summing: Summing) -> str:
    if not text or is_placeholder(text):
        return "it is empty"
    if not says_something(text):
        return "it says too little"
    if repeats_question(draft, text) or same_words(text, corrections.ask_summary(summing.max_tokens)):
        return "it repeats the request"
    return "it is too long" if estimated_tokens(text) > SUMMARY_EXCESS * summing.max_tokens else ""
