"""A tool that asks a person in the middle of its call: the form, the answer to it, and the call that goes on.

The call waits as one does that needs approval, once the others of its turn have run, and goes on with the answer under
the same key. A refusal is an answer: the tool says what comes of it.
"""

from msgspec.structs import replace

from ..agent import corrections
from ..bounds import MAX_ASKED_FORMS, MAX_CHECK_STEPS, MAX_FORM_BYTES
from ..draft import Draft
from ..errors import PurestepError
from ..json_text import encode, plain_numbers, without_terminal_codes
from ..schema import SchemaError, compile_schema, render
from ..values import Approval, ApprovalRequestEvent, AskedForm, FormAnswer, Pending, ToolResult

FORM_ASKED = "form"
"""Why a person is asked: the tool wants to know something."""


def check_asks(call: Pending, result: ToolResult, path: str) -> None:
    """Raise PurestepError for a question that cannot be asked, before anything is logged."""
    asks = result.asks
    if asks is None:
        return
    if call.checks:
        raise PurestepError("invalid_input", "expected the result of a check; a check asks nobody", f"{path}/asks")
    if result.ok or result.error is not None or result.output is not None or result.reference is not None:
        raise PurestepError("invalid_input", "expected `asks` alone, without an output or an error", f"{path}/asks")
    if len(encode(asks.form)) > MAX_FORM_BYTES:
        raise PurestepError("invalid_input", f"expected at most {MAX_FORM_BYTES} bytes", f"{path}/asks/form")
    try:
        compile_schema(asks.form)
    except SchemaError as error:
        raise PurestepError("invalid_input", f"expected a schema: {error}", f"{path}/asks/form") from None


def asking(draft: Draft, call: Pending, asks: AskedForm) -> Pending:
    """Return the call as it waits for a person's answer, and log that it does."""
    asks = replace(asks, message=without_terminal_codes(asks.message))
    draft.derived(
        ApprovalRequestEvent(
            call_id=call.call_id, tool_name=call.tool, key=call.key, reason=FORM_ASKED, note=asks.message
        )
    )
    return replace(call, status="asks", asks=asks, answer=None, asked=call.asked + 1)


def without_question(result: ToolResult) -> ToolResult:
    """Return a result as it is read: one that asks once too often is a failure."""
    if result.asks is None:
        return result
    return replace(result, asks=None, error=corrections.asked_too_often(MAX_ASKED_FORMS), error_kind="execution")


def check_answer_to(asks: AskedForm, approval: Approval, path: str) -> None:
    """Raise PurestepError for an answer that does not fit the form."""
    if not approval.approved:
        return
    issues = compile_schema(asks.form).check(plain_numbers(approval.params or {}), MAX_CHECK_STEPS)
    if issues:
        raise PurestepError("invalid_arguments", render(issues[0], "answer"), f"{path}/params{issues[0].path}")


def answered(call: Pending, asks: AskedForm, approval: Approval) -> Pending:
    """Return the call as it goes on with a person's answer."""
    content = plain_numbers(approval.params or {}) if approval.approved else {}
    answer = FormAnswer(accepted=approval.approved, content=content, state=asks.state)
    return replace(call, status="run", asks=None, answer=answer)


def asked_fits(call: Pending) -> bool:
    """Whether what a call has asked, and was told, fits its status."""
    if not call.asked:
        return call.asks is None and call.answer is None and call.status != "asks"
    if call.asked > MAX_ASKED_FORMS or call.checks:
        return False
    return (call.asks is not None) == (call.status == "asks") and (call.asks is None or call.answer is None)
