"""A Temporal server: its address, the client of it, and its errors as ours."""

from __future__ import annotations

import re
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

from purestep_hosts.agents.agent import Agent
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.stored_runs import DurableError

with TEMPORAL:
    from temporalio.api.errordetails.v1 import NamespaceNotFoundFailure
    from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
    from temporalio.client import Client
    from temporalio.service import RPCError, RPCStatusCode

Value = TypeVar("Value")

_ADDRESS: Final = re.compile(r"[A-Za-z0-9._\[\]:-]+:[0-9]{1,5}", re.ASCII)
_DIGITS: Final = 16
"""Of a definition's digest, in the name of a task queue."""


async def connected(server: Client | str, namespace: str) -> Client:
    """Return a client; raises DurableError: `bad_address`, `server_unusable`."""
    if isinstance(server, Client):
        return server
    if not _ADDRESS.fullmatch(server):
        raise DurableError("bad_address", "expected HOST:PORT of a Temporal server, or a Client of temporalio")
    try:
        client = await Client.connect(server, namespace=namespace)
    except RuntimeError as error:  # what the SDK raises where nobody answers
        raise _unusable(error) from None
    await answered(client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=namespace)))
    return client


async def answered(call: Awaitable[Value]) -> Value:
    """Return what the server answers; raises DurableError for an answer that has nothing to do with a run."""
    try:
        return await call
    except RPCError as error:
        if is_without_namespace(error):
            text = f"{error.message} Name one that is there, or make it: temporal operator namespace create"
            raise DurableError("bad_address", text) from None
        if error.status in (RPCStatusCode.NOT_FOUND, RPCStatusCode.ALREADY_EXISTS, RPCStatusCode.UNIMPLEMENTED):
            raise
        raise _unusable(error) from None


def is_without_namespace(error: RPCError) -> bool:
    """Return whether the server has no namespace of this name."""
    return any(each.Is(NamespaceNotFoundFailure.DESCRIPTOR) for each in error.grpc_status.details)


def task_queue(prefix: str, agent: Agent[Any]) -> str:
    """Return the task queue of an agent: workers of another definition do not take its runs."""
    digest = agent.definition.digest
    assert digest is not None
    return f"{prefix}-{digest[:_DIGITS]}"


def _unusable(error: Exception) -> DurableError:
    text = str(error).partition("\n")[0][:300]
    return DurableError("server_unusable", f"The Temporal server cannot be used ({text}). Check its address.")
