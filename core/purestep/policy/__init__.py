"""Policies: optional rules of a definition, as pure functions over values.

Theory of operation. A definition lists policies in the order in which they are asked, as
`{"policies": [{"use": "flow"}]}`. Each is found by name and version (`registry`), made ready once with its options and
the definition's tools, and asked through at most five hooks, none of them required:

    begin(kept, exchange) -> kept             a user message begins an exchange
    observed(kept, fact) -> kept              something came: a result, an output, an approval, other messages
    call(kept, call) -> None or a verdict     before a call is handed out: Ask, Refuse, Fix, or Allow with origins
    answer(kept, answer) -> None or a verdict before an answer ends the run: Correct, or Refuse
    ask(kept, offer) -> None or names         before the model is asked: which of the offered tools stay

A hook is given values and gives a value. It never sees the state or the log: the step writes every line, and combines
the verdicts: in the order of the definition, the first refusal wins, and asking a person beats allowing. What a policy
keeps between two hooks is a value of its type `State`; the run's state holds it as canonical JSON, bounded.

The name and the version stand in the definition's canonical form, so in its digest and in every log. A log of a policy
that is not there is refused with `unknown_policy`, and never verified by another.

Source: policy decision and enforcement points (XACML, RFC 2904).
"""

from .options import OPTION_POLICIES, DefinitionOptions
from .policy_set import AnswerRejection, CallJudgement, KeptStates, PolicySet, options_of, policies_in_force
from .protocol import (
    Allow,
    AnswerProposed,
    ApprovalSeen,
    Ask,
    CallProposed,
    Correct,
    ExchangeBegun,
    Fix,
    MessagesSeen,
    OutputSeen,
    Policy,
    PolicyFact,
    PolicyVerdict,
    Refuse,
    ResultSeen,
    ToolsOffered,
    TranscriptChanged,
)
from .registry import BUILT_IN, policy_of, register_policy
