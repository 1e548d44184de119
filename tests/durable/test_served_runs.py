"""The durable service answers as the one with sessions does: the same tests, over a database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.conftest import web
from tests.serve.conftest import Serving, Start, calls, in_background, says, started, wait_until
from tests.serve.test_agents_below import (
    team,
    test_a_call_from_below_waits_with_its_path,
    test_both_protocols_take_the_answer_by_the_calls_of_the_stream,
    test_the_answer_finds_its_call_after_a_restart,
)
from tests.serve.test_cut_connections import (
    test_cut_before_the_answer,
    test_cut_in_the_answer,
    test_cut_in_the_request,
)
from tests.serve.test_deploy_check import (
    checked,
    labels,
    starting,
    test_a_call_that_the_other_definition_answers,
    test_runs_go_on_under_the_other_definition,
    waiting_run,
    with_runs,
)
from tests.serve.test_found_results import (
    tasks,
    test_a_task_is_asked_for_before_the_next_message,
    test_a_time_that_comes_while_the_service_is_dead,
    test_each_user_gets_the_results_of_their_own_tasks,
)
from tests.serve.test_hostile_clients import (
    test_two_answers_at_once,
    test_two_first_messages_of_a_chat,
    test_unknown_run,
    test_users_see_their_own_runs,
    test_wrong_tokens,
)
from tests.serve.test_late_results import (
    test_a_result_begins_an_exchange_after_a_kill,
    test_what_an_agent_below_waits_for_is_no_interruption,
)
from tests.serve.test_operators import test_retries_at_once_and_after_a_kill
from tests.serve.test_runs import (
    test_approval_is_given_after_kill_9,
    test_cancel_ends_a_run,
    test_detached_run_goes_on_without_readers,
    test_forged_approval_is_refused,
    test_killed_in_a_call_that_may_have_run,
    test_last_reader_that_leaves_cancels,
    test_late_reader_reads_the_same_events,
    test_list_comes_in_parts,
    test_readers_that_leave_at_once_cancel,
    test_refusal_and_other_arguments,
    test_run_is_answered_as_json,
    test_stream_holds_what_the_log_says,
    test_time_limit_cancels,
)
from tests.serve.test_sent_files import test_a_thread_of_ag_ui_sends_an_image
from tests.serve.test_streamed_text import test_text_comes_while_the_model_writes
from tests.serve.test_watched import samples

__all__ = [
    "tasks",
    "team",
    "test_a_call_from_below_waits_with_its_path",
    "test_a_call_that_the_other_definition_answers",
    "test_a_result_begins_an_exchange_after_a_kill",
    "test_a_task_is_asked_for_before_the_next_message",
    "test_a_thread_of_ag_ui_sends_an_image",
    "test_a_time_that_comes_while_the_service_is_dead",
    "test_approval_is_given_after_kill_9",
    "test_both_protocols_take_the_answer_by_the_calls_of_the_stream",
    "test_cancel_ends_a_run",
    "test_cut_before_the_answer",
    "test_cut_in_the_answer",
    "test_cut_in_the_request",
    "test_detached_run_goes_on_without_readers",
    "test_each_user_gets_the_results_of_their_own_tasks",
    "test_forged_approval_is_refused",
    "test_killed_in_a_call_that_may_have_run",
    "test_last_reader_that_leaves_cancels",
    "test_late_reader_reads_the_same_events",
    "test_list_comes_in_parts",
    "test_readers_that_leave_at_once_cancel",
    "test_refusal_and_other_arguments",
    "test_retries_at_once_and_after_a_kill",
    "test_run_is_answered_as_json",
    "test_runs_go_on_under_the_other_definition",
    "test_stream_holds_what_the_log_says",
    "test_text_comes_while_the_model_writes",
    "test_the_answer_finds_its_call_after_a_restart",
    "test_time_limit_cancels",
    "test_two_answers_at_once",
    "test_two_first_messages_of_a_chat",
    "test_unknown_run",
    "test_users_see_their_own_runs",
    "test_what_an_agent_below_waits_for_is_no_interruption",
    "test_wrong_tokens",
    "web",
]

DURABLE = ("--durable", "--create", "--database", "runs.sqlite")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start durable services in the test's folder; all end with the test."""
    open_ones: list[Any] = []

    def start_one(*options: str, script: list[str] | None = None, **variables: str) -> Serving:
        block = started(tmp_path, "--functions", "tools.py", *options, script=script, kept=DURABLE, **variables)
        open_ones.append(block)
        return block.__enter__()

    yield start_one
    for block in open_ones:
        block.__exit__(None, None, None)


@pytest.fixture
def service(start: Start) -> Serving:
    """A service whose model answers once."""
    return start(script=[says("Hello.")])


@pytest.fixture
def service_with_runs(start: Start, tmp_path: Path) -> Serving:
    """A service with a run that waits for a person, and one that has ended."""
    return with_runs(start, tmp_path)


def test_deploy_check_reads_a_database(service_with_runs: Serving, start: Start, tmp_path: Path) -> None:
    """What becomes of runs is told beside the service that carries them out, and where another one would leave them."""
    run, place = waiting_run(service_with_runs)["run"], ("--database", "runs.sqlite")
    code, told, _ = checked(tmp_path, "words.json", kept=place)
    assert (0, ["goes on", "runs"], True) == (code, labels(told), run in told)
    assert 1 == checked(tmp_path, "wide.json", kept=place)[0]
    service_with_runs.kill()  # its lease has not ended, but who takes its name knows that it is dead
    done = starting(tmp_path, *DURABLE, "--agent", "words.json")
    assert (2, True) == (done.returncode, run in done.stderr), done.stderr
    assert "1 run under way was begun" in done.stderr, done.stderr


def test_a_service_whose_name_is_taken_says_so(service_with_runs: Serving, tmp_path: Path) -> None:
    """The runs of the one that has it are not left: it goes on with them."""
    assert service_with_runs.process.poll() is None
    done = starting(tmp_path, *DURABLE, "--agent", "words.json")
    assert (False, True) == (waiting_run(service_with_runs)["run"] in done.stderr, "another process" in done.stderr)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of databases in a folder, but for what SQLite's readers and writers share in memory."""
    return {each.name: each.read_bytes() for each in folder.glob("*sqlite*") if not each.name.endswith("-shm")}


def test_deploy_check_writes_nothing(service_with_runs: Serving, tmp_path: Path) -> None:
    """After a crash of the service, and where the place is none of runs: no file changes, and none comes."""
    (tmp_path / "empty.sqlite").touch()
    service_with_runs.kill()
    before = contents(tmp_path)
    assert "runs.sqlite-wal" in before
    assert 0 == checked(tmp_path, "words.json", kept=("--database", "runs.sqlite"))[0]
    for name, told in (("empty.sqlite", "no tables of runs"), ("none/runs.sqlite", "there is no database")):
        code, _, why = checked(tmp_path, "words.json", kept=("--database", name))
        assert (2, True, False) == (code, told in why, "--create" in why), why
    assert before == contents(tmp_path)


def test_a_killed_run_goes_on_by_itself(start: Start, tmp_path: Path) -> None:
    """Nobody has to ask: the next process takes the run up where the log ends."""
    service = start(script=[calls("wait_for", file="go"), says("It was there.")])
    asking, _ = in_background(lambda: service.post("/runs", {"query": "Wait for it."}))
    wait_until((tmp_path / "waiting").exists)
    service.kill()
    asking.join()
    (tmp_path / "go").touch()
    service = start(script=[says("It was there.")])
    run = service.get("/runs").json["runs"][0]["run"]
    service.becomes(run, "done")
    assert "It was there." == service.get(f"/runs/{run}").json["answer"]


def test_a_stopped_service_cuts_nothing_off(start: Start, tmp_path: Path) -> None:
    """SIGTERM ends streams and the process; what went on goes on when it is started again."""
    service = start(script=[calls("wait_for", file="go"), says("It was there.")])
    stream = service.open("POST", "/runs?form=ag-ui", {"query": "Wait for it."})
    run = stream.run
    wait_until((tmp_path / "waiting").exists)
    service.process.terminate()
    assert 0 == service.process.wait()
    (tmp_path / "go").touch()
    start(script=[says("It was there.")]).becomes(run, "done")


def test_more_runs_than_allowed_wait(start: Start, tmp_path: Path) -> None:
    """Runs past the limit wait in the queue; ten times as many are refused."""
    script = [calls("wait_for", file="go")] + [says("Hello.")] * 11
    service = start("--max-runs", "1", script=script)
    asked = [in_background(lambda: service.post("/runs", {"query": "Wait for it."})) for _ in range(10)]
    wait_until((tmp_path / "waiting").exists)
    wait_until(lambda: len(service.get("/runs").json["runs"]) == len(asked))
    assert (503, "too_many_runs") == service.post("/runs", {"query": "And I?"}).fault
    (tmp_path / "go").touch()
    for thread, _ in asked:
        thread.join()
    assert ["done"] * 10 == [came[0].json["status"] for _, came in asked]


@pytest.mark.needs("postgresql")
def test_text_that_a_server_cannot_store(server_database: str, tmp_path: Path) -> None:
    """PostgreSQL has no text with NUL: such a query is answered, and an id with it is one that nobody has."""
    kept = ("--durable",)
    with started(tmp_path, script=[says("Hello.")], kept=kept, PURESTEP_DATABASE=server_database) as service:
        unknown = [service.get("/runs/%00"), service.get("/runs/%00/log"), service.post("/runs/%00/cancel", None)]
        assert [(404, "run_not_found")] * 3 == [each.fault for each in unknown]
        assert [] == service.get("/runs?before=%00").json["runs"]
        run = service.post("/runs", {"query": "a\0b"}).json
        assert "Hello." == run["answer"]
        assert r"a\u0000b" in service.get(f"/runs/{run['run']}/log").text
        assert "a\ufffdb" == service.get("/runs").json["runs"][0]["query"]


def test_the_metrics_know_what_waits_in_the_database(start: Start) -> None:
    """Also after a kill, until somebody has answered; the age is that of the question."""
    script = [calls("refund_order", number=7), says("It is done.")]
    first = start("--metrics", "token", script=script)
    run = first.post("/runs", {"query": "Refund 7"}).json
    first.kill()
    second = start("--metrics", "token", script=script[1:])

    def waits() -> float:
        return samples(second.get("/metrics").text)["purestep_approvals_open{}"]

    assert 1 == waits()
    (call,) = run["approvals"]
    answer = {"call_id": call["call_id"], "key": call["key"], "approved": True}
    assert "done" == second.post(f"/runs/{run['run']}", {"approvals": [answer]}).json["status"]
    assert 0 == waits()
