"""The draft of a step: what it changes, logs and says, and what each rule notes on it.

`steps` decides what happens; here is what a draft is and what is kept for it: the texts that checks look into, the
effects that a call may repeat, the budgets, the window of the prompt, the ways in which a model is asked. Nothing here
ends an exchange, asks the model or hands out a call.
"""

from .acts import BY_POLICY, COMES_LATER, NEVER_RUN, acts_at_end, note_acts, told_acts
from .attachments import (
    advice,
    attachments_fit,
    check_content,
    check_room,
    kinds_asked,
    next_model,
    reader_of,
    refused_kind,
    sent_parts,
    takes_all,
)
from .budgets import call_cost, count_above, count_usage, shown_amount, spent, warn
from .citations import citable_texts, citations_of, note_citable, result_chars
from .cut_outputs import bound_cuts, is_reading, known_cut, may_read_on, note_cut, part_of, reads_well, shown_part
from .data_texts import check_data, note_message
from .draft import Draft, ToldFact, answer_native, framed_reason, is_open, said_with_parts, say_results, source_tool
from .effects import (
    SAME_EFFECT,
    doubles_effect,
    effect_signature,
    effects_after,
    hand_up_effects,
    is_unsettled,
    note_unsettled,
    settle,
)
from .evidence import (
    adopted_evidence,
    begin_evidence,
    evidence_under,
    join_evidence,
    kept_text,
    note_accepted,
    note_text,
)
from .first_model import choose_first_model
from .found_tools import found_fits, found_under, is_searching, offer_chosen, offer_named, searched
from .grounding import begin_carrying, carried_fits, carried_under, grounded_offer, is_carried, note_values
from .history import (
    check_pinned,
    cuts_sent,
    first_history,
    history_fits,
    history_under,
    leave_out_history,
    note_exchange,
    note_reasoning,
    omissions,
    pin_latest,
)
from .negotiation import (
    add_words,
    due_change,
    make_change,
    negotiated_fits,
    negotiated_prompt,
    note_fault,
    note_success,
    sample_for,
    without_plan_requests,
)
from .origins import (
    adopted_samples,
    note_question,
    note_said,
    repeats_question,
    same_words,
    says_something,
    wrong_origin,
)
from .plans import (
    PLAN,
    begin_plan,
    plan_fits,
    plan_offer,
    requests_fit,
    say_step,
    step_asked,
    steps_in,
    steps_left,
    without_planning,
    wrong_steps,
)
from .policies import (
    adopted_policies,
    answer_rejection,
    edited_policies,
    fix_problems,
    judge_call,
    origins_of,
    policies_under,
    tell_approval,
    tell_output,
    tell_result,
    wants_facts,
    withheld_by_policies,
)
from .prompt_window import (
    ONLY_SYSTEM,
    LimitExceeded,
    count_prompt,
    fit,
    lead_of,
    output_chars,
    refuse_prompt,
    room_of,
    window_use,
    with_model,
)
from .redacted_texts import Redacted, Revealed, redact, redacted, redacted_messages, redacted_text, reveal
from .references import check_reference, reference_text, with_output
from .refusals import leave_out, refusals_fit, without_refused
from .repeats import forbid, is_barred, remember_refusal, remembered, was_refused, with_results
from .span_texts import adopted_span_texts, grammar_now, note_span_text
from .summaries import SUMMARY, begin_summary, summary_call
from .tool_choice import check_choice, choice_fits, choice_now, early_answer, refused_calls
from .unknown_outcomes import INTERRUPTED, OUTCOME_UNKNOWN, began, handed_out, may_repeat, unrepeatable, without_result
