"""A service as it is watched: what /metrics says, and what the log in JSON has of it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.serve import Admission, create_app
from purestep_hosts.watching import Watching
from purestep_hosts.watching.metrics import MAX_VALUES, OTHER, LabelValues, RunMetrics
from tests.serve.conftest import TOKEN, Start, wait_until
from tests.serve.conftest import calls as said_call
from tests.serve.conftest import says as said

SCRAPER = "a-token-of-the-scraper-0123456789"
OWN = {"Authorization": f"Bearer {TOKEN}"}


def samples(text: str) -> dict[str, float]:
    """Return the samples of an exposition by name and labels, without buckets."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join([f"{name}={value}" for name, value in sorted(sample.labels.items())])
            if not sample.name.endswith(("_bucket", "_created")):
                found[f"{sample.name}{{{labels}}}"] = sample.value
    return found


@tool(approval="ask", destructive=True)
def refund(number: int) -> str:
    """Refund an order."""
    return f"Order {number} is refunded."


@pytest.fixture
def watching() -> Iterator[Watching]:
    """What a service of this process is watched by."""
    made = Watching([RunMetrics()])
    yield made
    made.close()


def test_what_is_counted_of_a_run_that_waits(tmp_path: Path, watching: Watching) -> None:
    """An open approval is a gauge with its age until somebody answers; then it is a time, and its refusal counts."""
    model = ScriptedModel([calls("refund", number=7), calls("unknown_tool_name"), says("It was not refunded.")])
    app = create_app(Agent(model, tools=[refund]), tmp_path, Admission({"": TOKEN}), watching=watching)
    with TestClient(app) as client:
        begun = client.post("/runs", json={"query": "Refund 7"}, headers=OWN).json()
        waits = samples(client.get("/metrics", headers=OWN).text)
        answer = {"call_id": begun["approvals"][0]["call_id"], "key": begun["approvals"][0]["key"], "approved": False}
        client.post(f"/runs/{begun['run']}", json={"approvals": [answer]}, headers=OWN)
        ended = samples(client.get("/metrics", headers=OWN).text)
    assert 1 == waits["purestep_approvals_open{}"] == waits["purestep_runs{status=waiting}"]
    assert 0 <= waits["purestep_approvals_oldest_seconds{}"] < 600
    assert 0 == ended["purestep_approvals_open{}"] == ended["purestep_runs{status=running}"]
    assert 1 == ended["purestep_exchanges_total{code=,status=done}"]
    assert 1 == ended["purestep_approval_wait_seconds_count{}"]
    assert 1 == ended["purestep_refusals_total{by=,kind=person}"]
    assert 1 == ended["purestep_corrections_total{cause=unknown_tool}"]
    assert 3 == ended["purestep_model_seconds_count{error=,model=script}"]


def test_waits_are_known_after_a_restart(tmp_path: Path) -> None:
    """A service that is started reads which runs wait, however long that was before."""
    model = ScriptedModel([calls("refund", number=7), says("Done.")])
    agent = Agent(model, tools=[refund])
    with TestClient(create_app(agent, tmp_path, Admission({"": TOKEN}))) as client:
        client.post("/runs", json={"query": "Refund 7"}, headers=OWN)
    app = create_app(agent, tmp_path, Admission({"": TOKEN}), watching=Watching([RunMetrics()]))
    with TestClient(app) as client:
        wait_until(lambda: samples(client.get("/metrics", headers=OWN).text)["purestep_approvals_open{}"] == 1)


def test_who_may_read_the_metrics(tmp_path: Path) -> None:
    """The token of the only user; with one for the scraper that alone, which reads nothing else; of many users none."""

    def statuses(admission: Admission, path: str = "/metrics") -> list[int]:
        watching = Watching([RunMetrics()])
        with TestClient(create_app(Agent(ScriptedModel([])), tmp_path, admission, watching=watching)) as client:
            tokens = ("", TOKEN, SCRAPER)
            return [client.get(path, headers={"Authorization": f"Bearer {token}"}).status_code for token in tokens]

    users = {"ann": TOKEN, "bob": f"{TOKEN}-2"}
    assert [401, 200, 401] == statuses(Admission({"": TOKEN}))
    assert [401, 401, 200] == statuses(Admission({"": TOKEN}, metrics_token=SCRAPER))
    assert [401, 200, 401] == statuses(Admission({"": TOKEN}, metrics_token=SCRAPER), "/runs")
    assert [401, 401, 401] == statuses(Admission(users))
    assert [200, 200, 200] == statuses(Admission(users, has_open_metrics=True))


def test_a_service_that_counts_nothing(tmp_path: Path) -> None:
    """Whoever asks for metrics is told how there would be some."""
    with TestClient(create_app(Agent(ScriptedModel([])), tmp_path, Admission({"": TOKEN}))) as client:
        found = client.get("/metrics", headers=OWN)
    assert (404, "not_found") == (found.status_code, found.json()["error"])
    assert "--metrics" in found.json()["message"]


HOSTILE = 'a"}\n# TYPE x counter\nx{b="\\'


def test_names_cannot_break_the_form_or_make_series_without_end(tmp_path: Path, watching: Watching) -> None:
    """A model that is named anew by its server each time, with quotes and line ends, is one value of a bounded many."""
    metrics = next(watch for watch in watching.watches if isinstance(watch, RunMetrics))
    span: dict[str, Any] = {"name": "chat", "start_time_ms": 0, "end_time_ms": 5}
    exchange = watching.exchange("r", "")
    watching.flush(60)
    run = exchange._run
    for number in range(10 * MAX_VALUES):
        attributes = {"gen_ai.operation.name": "chat", "gen_ai.response.model": f"{HOSTILE}{number}"}
        metrics.told(run, [], [{**span, "attributes": attributes}])
    found = samples(metrics.text()[0].decode())
    models = [name for name in found if name.startswith("purestep_model_seconds_count")]
    assert MAX_VALUES + 1 == len(models)
    assert 9 * MAX_VALUES == found[f"purestep_model_seconds_count{{error=,model={OTHER}}}"]
    assert not [name for name in found if name.startswith("x{")]


def test_a_value_that_is_too_long() -> None:
    """It is counted with the others."""
    assert ["a", OTHER, "a"] == [*map(LabelValues().of, ("a", "b" * 101)), "a"]


class Broken:
    """A watch with a defect, and one that takes its time."""

    def __init__(self, pause_s: float = 0) -> None:
        self.pause_s = pause_s

    def began(self, run: Any) -> None:
        """Take the time."""
        time.sleep(self.pause_s)

    def told(self, run: Any, lines: Any, spans: Any) -> None:
        """Fail."""
        raise ZeroDivisionError

    def ended(self, run: Any) -> None:
        """Take it."""

    def close(self) -> None:
        """Take it."""


def test_a_watch_with_a_defect_or_too_slow_disturbs_no_run(tmp_path: Path) -> None:
    """Runs are answered; what is not counted of them is counted as such."""
    metrics = RunMetrics()
    watching = Watching([metrics, Broken()])
    slow = Watching([Broken(pause_s=30)], max_queued=2)
    for each in (watching, slow):
        app = create_app(Agent(ScriptedModel([says("Hello.")] * 3)), tmp_path, Admission({"": TOKEN}), watching=each)
        with TestClient(app) as client:
            answers = [client.post("/runs", json={"query": "Hi"}, headers=OWN).json()["answer"] for _ in range(3)]
        assert ["Hello."] * 3 == answers
    watching.flush(60)
    metrics.usage = watching.usage
    assert 3 == samples(metrics.text()[0].decode())["purestep_unwatched_total{reason=unreadable}"]
    assert slow.usage.overflowed >= 1


def test_the_log_in_json(start: Start, tmp_path: Path) -> None:
    """Each line is an object; those of runs name the run and the line of its log, and nobody's words or tokens."""
    script = [said_call("find_order", number=4711), said("The order is lost, says nobody.")]
    serving = start("--log-format", "json", "--metrics", "token", script=script, PURESTEP_METRICS_TOKEN=SCRAPER)
    begun = serving.post("/runs", {"query": "Where is it, my-secret-words?"})
    serving.get("/runs", token=f"{TOKEN}-wrong")
    metrics = samples(serving.get("/metrics", token=SCRAPER).text)
    text = (tmp_path / "errors").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    of_run = [line for line in lines if line.get("run") == begun.json["run"]]
    log = [json.loads(line) for line in serving.get(f"/runs/{begun.json['run']}/log").text.splitlines()]
    assert [(line["kind"], line["seq"]) for line in log] == [(line["event"], line["seq"]) for line in of_run]
    assert ["find_order"] == [line["tool_name"] for line in of_run if line["event"] == "tool_call"]
    assert not [word for word in ("4711", "secret", "lost", TOKEN, SCRAPER) if word in text]
    assert (1, 1) == (
        metrics["purestep_tool_seconds_count{error=,tool=find_order}"],
        metrics["purestep_refused_requests_total{code=unauthorized}"],
    )
