"""What an operator is told: a disk that is full, a service that is ready or not, a mounted one, a defect, a retry."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from purestep_hosts import Agent, ScriptedModel, says, tool
from purestep_hosts.serve import Admission, ServiceLimits, create_app
from purestep_hosts.serve.runs import Runs
from purestep_hosts.sessions import SessionStore
from tests.cli.conftest import base_environment
from tests.durable.full_disks import LimitedFiles
from tests.serve.conftest import SOON_S, TOKEN, Start, calls, in_background, wait_until

HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


def app_of(folder: Path, model: ScriptedModel, **options: Any) -> Starlette:
    """Return the service of an agent."""
    return create_app(Agent(model), folder, Admission({"": TOKEN}), **options)


def begin(client: TestClient, query: str, key: str, place: str = "/runs") -> Any:
    """Begin a run under a key."""
    return client.post(place, json={"query": query}, headers={**HEADERS, "Idempotency-Key": key})


def test_a_retry_gives_the_same_run(tmp_path: Path) -> None:
    """The model is asked once, whatever the white space of the body and however often the client asks again."""
    model = ScriptedModel([says("Hello."), says("And again.")])
    with TestClient(app_of(tmp_path, model)) as client:
        first = begin(client, "Hi", "key-1")
        again = client.post("/runs", content=b'{ "query" : "Hi" }', headers={**HEADERS, "Idempotency-Key": "key-1"})
        streamed = begin(client, "Hi", "key-1", "/runs?form=ag-ui")
        other = begin(client, "Hi", "key-2")
    assert (first.json(), first.headers["run"]) == (again.json(), again.headers["run"])
    assert first.headers["run"] == streamed.headers["run"]
    assert "Hello." in streamed.text
    assert ("And again.", 2) == (other.json()["answer"], len(model.requests))


def test_a_key_with_another_body(tmp_path: Path) -> None:
    """The client is told; the run of the first body stays."""
    with TestClient(app_of(tmp_path, ScriptedModel([says("Hello.")]))) as client:
        begin(client, "Hi", "key-1")
        refused = begin(client, "Bye", "key-1")
    assert (422, "key_reused") == (refused.status_code, refused.json()["error"])


@pytest.mark.parametrize("key", ["", "x" * 256, "a\u00e4b".encode("latin-1")])
def test_what_is_no_key(tmp_path: Path, key: str | bytes) -> None:
    """Nothing begins."""
    with TestClient(app_of(tmp_path, ScriptedModel([]))) as client:
        refused = client.post("/runs", json={"query": "Hi"}, headers={**HEADERS, "Idempotency-Key": key})
        assert (400, "invalid_input") == (refused.status_code, refused.json()["error"])
        assert [] == client.get("/runs", headers=HEADERS).json()["runs"]


def test_a_key_is_its_users_own(tmp_path: Path) -> None:
    """Two users may have the same key; neither reads the other's run."""
    tokens = {"ann": "a" * 20, "ben": "b" * 20}
    app = create_app(Agent(ScriptedModel([says("One."), says("Two.")])), tmp_path, Admission(tokens))
    with TestClient(app) as client:
        answers = [
            client.post(
                "/runs", json={"query": "Hi"}, headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "same"}
            ).json()["answer"]
            for token in tokens.values()
        ]
    assert ["One.", "Two."] == answers


def test_a_refused_run_leaves_its_key(tmp_path: Path) -> None:
    """What was refused did not begin, so the key may be sent with what is right."""
    with TestClient(app_of(tmp_path, ScriptedModel([says("Hello.")]))) as client:
        refused = client.post(
            "/runs",
            json={"query": "Hi", "tool_choice": {"tool": "none_such"}},
            headers={**HEADERS, "Idempotency-Key": "k"},
        )
        assert 400 == refused.status_code, refused.text
        assert "done" == begin(client, "Hi", "k").json()["status"]


def test_retries_at_once_and_after_a_kill(start: Start, tmp_path: Path) -> None:
    """Eight posts at the same moment are one run; so is one to the service that was killed and started again."""
    serving = start(script=[calls("wait_for", file="go")] + [says("It was there.")] * 9)
    body = {"query": "Wait."}
    asked = [in_background(lambda: serving.post("/runs", body, Idempotency_Key="key-1")) for _ in range(8)]
    wait_until((tmp_path / "waiting").exists)
    (tmp_path / "go").touch()
    for thread, _ in asked:
        thread.join()
    runs = {came[0].json["run"] for _, came in asked}
    assert [1, 1] == [len(runs), len(serving.get("/runs").json["runs"])]
    serving.kill()
    again = start(script=[says("Another one.")]).post("/runs", body, Idempotency_Key="key-1")
    assert runs == {again.json["run"]}
    assert "It was there." == again.json["answer"]


def test_a_disk_that_is_full(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is alive and not ready; clients are told when to come back, and the log says why; with room, runs begin."""
    (tmp_path / "runs").symlink_to("/dev/full")
    with TestClient(app_of(tmp_path / "runs", ScriptedModel([says("Hello.")]))) as client:
        with caplog.at_level(logging.ERROR, "purestep_hosts.serve"):
            refused = client.post("/runs", json={"query": "Hi"}, headers=HEADERS)
            ready = client.get("/ready")
        found = [(each.status_code, each.json()["error"], "retry-after" in each.headers) for each in (refused, ready)]
        assert [(503, "storage_failed", True)] * 2 == found
        assert "nothing was done" not in refused.text
        assert 2 == len([each for each in caplog.messages if "storage_failed" in each and str(tmp_path) in each])
        assert 200 == client.get("/health").status_code
        (tmp_path / "runs").unlink()
        wait_until(lambda: client.get("/ready").status_code == 200)
        assert "done" == client.post("/runs", json={"query": "Hi"}, headers=HEADERS).json()["status"]


def test_a_disk_that_fills_while_a_run_goes_on(start: Start, tmp_path: Path) -> None:
    """The waiting client reads how its run goes on with room again; the call that was made is not made again."""
    script = [calls("wait_for", file="go"), says("It was there.")]
    service, disk = start(script=script), LimitedFiles("")
    asking, came = in_background(lambda: service.post("/runs", {"query": f"Wait. {'x' * 9000}"}))
    wait_until((tmp_path / "waiting").exists)
    disk.fill(service.process.pid)
    assert (503, "storage_failed") == service.post("/runs", {"query": f"And I? {'x' * 9000}"}).fault
    assert (503, "storage_failed") == service.get("/ready", token=None).fault
    (tmp_path / "go").touch()
    asking.join()
    told = came[0]
    run = told.headers["Run"]
    assert (503, "storage_failed", run, "10") == (*told.fault, told.json["run"], told.headers["Retry-After"])
    assert f"POST /runs/{run} with {{}} goes on with it once there is room" in told.json["message"]
    disk.clear(service.process.pid)
    wait_until(lambda: service.get("/ready", token=None).status == 200)
    assert "interrupted" == service.status_of(run)
    assert "It was there." == service.post(f"/runs/{run}", {}).json["answer"]
    assert f"storage_failed (run {run})" in (tmp_path / "errors").read_text()


def test_a_full_service_is_alive_and_not_ready(tmp_path: Path) -> None:
    """No run can be taken while as many go on as may."""
    with TestClient(app_of(tmp_path, ScriptedModel([]), limits=ServiceLimits(max_live=0))) as client:
        ready = client.get("/ready")
        assert (503, "too_many_runs", "5") == (ready.status_code, ready.json()["error"], ready.headers["retry-after"])
        assert 200 == client.get("/health").status_code


FIRST_MESSAGES: Final = (
    ("/ai-sdk", {"id": "c", "messages": [{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}]}),
    ("/ag-ui", {"threadId": "c", "messages": [{"role": "user", "content": "Hi"}]}),
)


@pytest.mark.parametrize(("path", "body"), FIRST_MESSAGES)
def test_a_new_chat_takes_the_room_of_a_run(tmp_path: Path, path: str, body: Any) -> None:
    """It is refused as a run is, and leaves nothing."""
    with TestClient(app_of(tmp_path, ScriptedModel([says("Hi.")]), limits=ServiceLimits(max_live=0))) as client:
        refused = client.post(path, json=body, headers=HEADERS)
    assert (503, "too_many_runs") == (refused.status_code, refused.json()["error"])
    assert [] == list(tmp_path.iterdir())


def test_runs_that_begin_at_once_share_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that find room at the same moment, one begins where there is room for one."""
    both, may_answer, create = threading.Barrier(2), threading.Event(), SessionStore.create

    def created(self: SessionStore, **given: Any) -> Any:
        both.wait(SOON_S)
        return create(self, **given)

    @tool(read_only=True)
    async def wait() -> str:
        """Wait until both are answered or wait."""
        await asyncio.to_thread(may_answer.wait, SOON_S)
        return "It is there."

    monkeypatch.setattr(SessionStore, "create", created)
    agent = Agent(ScriptedModel([calls("wait"), says("Hi.")]), tools=[wait])
    app = create_app(agent, tmp_path, Admission({"": TOKEN}), limits=ServiceLimits(max_live=1))
    with TestClient(app) as client:
        posts = [in_background(lambda: client.post("/runs", json={"query": "Hi"}, headers=HEADERS)) for _ in range(2)]
        wait_until(lambda: any(came for _, came in posts))
        may_answer.set()
        for thread, _ in posts:
            thread.join(SOON_S)
    assert [200, 503] == sorted(came[0].status_code for _, came in posts)
    assert 1 == len(list(tmp_path.iterdir()))


@pytest.mark.parametrize(
    ("folder", "path", "body"), [(".keys", "/runs", {"query": "Hi"}), (".threads", *FIRST_MESSAGES[0])]
)
def test_what_stands_for_a_run_cannot_be_written(tmp_path: Path, folder: str, path: str, body: Any) -> None:
    """The client is told, no run begins, and no file stays open, however often somebody tries."""
    (tmp_path / folder).symlink_to("gone")
    with TestClient(app_of(tmp_path, ScriptedModel([says("Hi.")]))) as client:

        def post() -> tuple[int, str]:
            came = client.post(path, json=body, headers={**HEADERS, "Idempotency-Key": "k"})
            return came.status_code, came.json()["error"]

        assert (503, "storage_failed") == post()
        before = len(os.listdir("/dev/fd"))
        assert {(503, "storage_failed")} == {post() for _ in range(20)}
        assert before + 10 > len(os.listdir("/dev/fd"))
    assert [folder] == [each.name for each in tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("folder", "name", "path", "body"),
    [(".keys", "k", "/runs", {"query": "Hi"}), (".threads", "c", *FIRST_MESSAGES[0])],
)
def test_what_stands_for_a_run_is_a_pipe(tmp_path: Path, folder: str, name: str, path: str, body: Any) -> None:
    """Nobody waits for what it never gives, and the log says what is wrong."""
    place = tmp_path / folder / hashlib.sha256(name.encode()).hexdigest()
    place.parent.mkdir()
    os.mkfifo(place)
    with TestClient(app_of(tmp_path, ScriptedModel([]))) as client:
        refused = client.post(path, json=body, headers={**HEADERS, "Idempotency-Key": "k"})
    assert (503, "storage_failed") == (refused.status_code, refused.json()["error"])


def test_a_defect_has_its_traceback_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The client reads none of it, as JSON and as a stream."""

    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("the secret of the defect")

    monkeypatch.setattr(Runs, "_exchange", broken)
    with TestClient(app_of(tmp_path, ScriptedModel([]))) as client:
        answered = client.post("/runs", json={"query": "Hi"}, headers=HEADERS)
    assert (500, "internal_error") == (answered.status_code, answered.json()["error"])
    assert "secret" not in answered.text
    assert "ZeroDivisionError: the secret of the defect" in caplog.text
    assert "in broken" in caplog.text


@pytest.mark.parametrize("is_started", [True, False], ids=["with its lifespan", "without"])
def test_a_mounted_service(tmp_path: Path, is_started: bool, caplog: pytest.LogCaptureFixture) -> None:
    """It answers under its prefix, and says so in its OpenAPI document; without the lifespan its log has a warning."""
    app = app_of(tmp_path, ScriptedModel([says("Hello."), says("Bye.")]))
    lifespan = (lambda _: app.router.lifespan_context(app)) if is_started else None
    with TestClient(Starlette(routes=[Mount("/agent", app)], lifespan=lifespan)) as client:
        found = begin(client, "Hi", "k", "/agent/runs")
        events = client.get(f"/agent/runs/{found.headers['run']}/events", headers=HEADERS)
        document = client.get("/agent/openapi.json").json()
        ready = client.get("/agent/ready").status_code
    assert ("Hello.", 200) == (found.json()["answer"], ready)
    assert "Hello." in events.text
    assert [{"url": "/agent"}] == document["servers"]
    assert is_started == ("without its lifespan" not in caplog.text)


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    """A name with a typo makes no new database; `--create` does, and says so."""
    environment = {**base_environment(), "HOME": str(tmp_path), "PURESTEP_SERVE_TOKEN": TOKEN}
    (tmp_path / "script.jsonl").write_text('"x"\n')
    done = subprocess.run(
        [
            sys.executable, "-m", "purestep_hosts.cli", "worker",
            "--script", "script.jsonl", "--database", "rnus.sqlite",
        ],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert 0 != done.returncode
    assert "there is no database rnus.sqlite" in done.stderr
    assert "--create" in done.stderr
    assert not (tmp_path / "rnus.sqlite").exists()
