"""Temporal's development server and its time-skipping test server, for the whole run of the tests."""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from temporalio.testing import WorkflowEnvironment

from purestep_hosts.agents.blocking import run_blocking

PROGRAMS = Path(sysconfig.get_path("scripts"))
START = timedelta(minutes=2)
"""A machine that is busy with other tests may need so long."""


def dev_server(*arguments: str) -> Iterator[str]:
    """Start a development server, give its address, and end it."""
    program = str(PROGRAMS / "temporal")
    environment = run_blocking(
        lambda: WorkflowEnvironment.start_local(
            dev_server_existing_path=program, dev_server_extra_args=arguments, dev_server_startup_timeout=START
        )
    )
    yield environment.client.service_client.config.target_host
    run_blocking(environment.shutdown)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a development server."""
    yield from dev_server()


@pytest.fixture
def short_histories() -> Iterator[str]:
    """The address of a development server that suggests a new history after a few events."""
    yield from dev_server("--dynamic-config-value", "limit.historyCount.suggestContinueAsNew=12")


@pytest.fixture(scope="session")
def skipping() -> Iterator[WorkflowEnvironment]:
    """A test server whose time is set forward."""
    program = str(PROGRAMS / "temporal-test-server")
    environment = run_blocking(
        lambda: WorkflowEnvironment.start_time_skipping(
            test_server_existing_path=program, test_server_startup_timeout=START
        )
    )
    yield environment
    run_blocking(environment.shutdown)


@pytest.fixture
def queue() -> str:
    """A task queue of its own: tests share a server."""
    return f"queue-{uuid4().hex}"
