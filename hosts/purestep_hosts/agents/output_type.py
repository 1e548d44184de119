"""The type of an agent's answer: its schema and its check for the definition, and an answer's data as its value.

What fits the schema and is no value of the type is for the core to send back: a check tool of the host judges each
answer, in the exchange in which it was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar

import msgspec

import purestep
from purestep import Done, Failed
from purestep_hosts.agents.result import RunResult
from purestep_hosts.agents.type_shapes import NotOfType, TypeShape, shape_of
from purestep_hosts.tools.tool import READ_ONLY, RunningCall, Tool, parameters

Data = TypeVar("Data")

_MAX_RETRIES: Final = 10
"""A model that has not given a fit answer by then will not."""

_CHECK: Final = "fits_output_type"
_CHECKED: Final = {"tool": _CHECK, "params": {"answer": "/output"}}


class OutputType(Generic[Data]):
    """What answers are made of."""

    def __init__(self, output_type: Any = str, retries: int | None = None) -> None:
        """Read the type.

        retries: how often an answer that is none of the type is sent back; None leaves it to the definition's
        `limits.max_corrections`. Raises TypeError for a type without a schema, and for retries that are no number up
        to 10.
        """
        if retries is not None and (type(retries) is not int or not 0 <= retries <= _MAX_RETRIES):
            raise TypeError(f"output_retries is {retries!r}; expected a number from 0 to {_MAX_RETRIES}")
        self._retries = retries
        self._shape: TypeShape | None = None if output_type is str else shape_of(output_type, "output_type")

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The check tool by its name, where there is anything to check and a rejected answer is sent back."""
        if self._shape is None or self._retries == 0:
            return {}
        check = Tool(
            name=_CHECK,
            description="Tell whether an answer is of the output type.",
            parameters=parameters(answer={}),
            run=self._verdict,
            annotations=READ_ONLY,
        )
        return {_CHECK: check}

    def defined(self, definition: Mapping[str, Any]) -> dict[str, Any]:
        """Return a definition with what the type asks of answers; raises TypeError for two numbers of retries."""
        if self._shape is None:
            return dict(definition)
        defined = {"answer_schema": self._shape.schema, **definition}
        if not self.tools:
            return defined
        defined["tools"] = [*definition.get("tools", ()), *(tool.spec() for tool in self.tools.values())]
        defined["checks"] = [*definition.get("checks", ()), _CHECKED]
        limits = definition.get("limits", {})
        if self._retries is not None:
            if "max_corrections" in limits:
                raise TypeError("output_retries and limits.max_corrections say the same; leave one of them out")
            defined["limits"] = {**limits, "max_corrections": self._retries}
        return defined

    def _verdict(self, params: dict[str, Any], call: RunningCall) -> dict[str, Any]:
        assert self._shape is not None, "a check is only made for a type"
        try:
            self._shape.value_of(params["answer"])
        except NotOfType as fault:
            return {"accept": False, "reason": fault.message}
        return {"accept": True}

    def rejection(self, decision: purestep.Decision) -> str:
        """Return why an answer that fits the schema is not of the type; empty for one that is, and for no answer."""
        try:
            self._value(decision)
        except NotOfType as fault:
            return fault.message
        return ""

    def result(
        self,
        run_id: str,
        state: purestep.RunState,
        decision: purestep.Decision,
        messages: list[purestep.Message],
        log: str,
    ) -> RunResult[Data]:
        """Return how an exchange ended, with the answer as the type, or why it is none of that type."""
        data: Any = msgspec.UNSET
        failure: Failed | None = None
        try:
            data = self._value(decision)
        except NotOfType as fault:
            failure = Failed(code="output_type", message=f"the answer fits its schema, and yet: {fault.message}")
        return RunResult(
            run_id=run_id,
            state=state,
            decision=decision,
            messages=messages,
            log=log,
            data=data,
            failure=failure,
        )

    def _value(self, decision: purestep.Decision) -> Any:
        """Return an answer as the type, UNSET where there is no answer; raises NotOfType."""
        if not isinstance(decision, Done) or (decision.question and self._shape is not None):
            return msgspec.UNSET  # a question has no data
        return decision.answer if self._shape is None else self._shape.value_of(decision.data)
