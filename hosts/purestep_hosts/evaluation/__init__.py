"""Evaluation: the cases of a suite, run with several models, dialects and carry levels, judged, counted and compared.

    suite      reads the cases, strictly; `bfcl` those of the Berkeley Function-Calling Leaderboard, `openai_evals`
               those of OpenAI's registry
    plan       every case with every variant, each run under a key made of all that it depends on
    running    makes the runs that are not in the folder yet, some at once
    case_tools the tools as data, and with `case_state` what they read and change (`json_patch`)
    simulated_user  who replies to the agent: a script, or a model with a goal
    judging    what was wrong with a run, read off its log and what became of the state
    store      the folder: results as they come, a log for each run; what a kill tears is cut off
    figures    shares with their intervals, counts, and the comparison of two evaluations
    report     one HTML page of all that

Running needs no package besides the core's; the report needs the extra `eval`.
"""

from purestep_hosts.evaluation.cases import EvalCase
from purestep_hosts.evaluation.judging import Judgement, judged
from purestep_hosts.evaluation.plan import EvalModel, EvalPlan, Variant
from purestep_hosts.evaluation.running import Runner
from purestep_hosts.evaluation.store import EvalError, EvalStore, RunRecord
from purestep_hosts.evaluation.suite import SuiteError, read_suite

__all__ = [
    "EvalCase",
    "EvalError",
    "EvalModel",
    "EvalPlan",
    "EvalStore",
    "Judgement",
    "RunRecord",
    "Runner",
    "SuiteError",
    "Variant",
    "judged",
    "read_suite",
]
