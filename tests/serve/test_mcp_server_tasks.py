"""`purestep mcp` with clients that call `ask` as a task: of the TypeScript SDK, of this one, and hostile ones."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.event_loops import run_in_loop
from tests.serve.conftest import calls, says, wait_until
from tests.serve.test_mcp_server import (
    COMMAND,
    HELLO,
    POLICY,
    READY,
    client,
    logs,
    prepared,
    received,
    request,
    send,
    started,
)

SCRIPT = Path(__file__).with_name("mcp_task_client.mjs")
WEB = Path(__file__).parents[2] / "web"


def said_to_node(node: str, folder: Path, script: list[str], query: str) -> Any:
    """What the client of the other SDK was told."""
    command = json.dumps([*COMMAND, "--functions", "tools.py"])
    done = subprocess.run(
        [node, "--input-type=module", "-", command, str(folder), query],
        input=SCRIPT.read_text(), cwd=WEB, env=prepared(folder, script), capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_client_of_another_sdk_calls_ask_as_a_task(node: str, tmp_path: Path) -> None:
    """It gets a task at once, asks its person what the agent wants to know, and has the result in the end."""
    said = said_to_node(node, tmp_path, [calls("refund_order", number=8), says("It is refunded.")], "Refund order 8.")
    assert ["optional", None, None, None, None] == said["support"]
    assert ("taskCreated", "result", [POLICY]) == (said["types"][0], said["types"][-1], said["asked"])
    assert ("It is refunded.", "done") == (
        said["result"]["content"][0]["text"],
        said["result"]["structuredContent"]["status"],
    )
    assert "8\n" == (tmp_path / "refunds").read_text()


def task_call(number: int, query: str, **task: Any) -> dict[str, Any]:
    """A call of `ask` as a task."""
    return request(number, name="ask", arguments={"query": query}, task=task)


def of_task(number: int, method: str, task_id: Any) -> dict[str, Any]:
    """A request about a task."""
    return {"jsonrpc": "2.0", "id": number, "method": f"tasks/{method}", "params": {"taskId": task_id}}


def all_of(server: Any, *numbers: int) -> list[Any]:
    """Read until the answers to requests are there, in whatever order they come."""
    found: dict[int, Any] = {}
    while not found.keys() >= set(numbers):
        message = json.loads(server.stdout.readline())
        found[message.get("id")] = message
    return [found[number] for number in numbers]


def begun(server: Any, folder: Path, number: int = 2) -> str:
    """The id of a task whose agent waits."""
    send(server, task_call(number, "Wait."))
    task = received(server, number)["result"]["task"]
    assert "working" == task["status"]
    wait_until((folder / "waiting").exists)
    return str(task["taskId"])


def test_a_task_is_looked_at_and_has_the_result_of_a_call(tmp_path: Path) -> None:
    """A client that has nobody to ask is told how far it is; the result waits for the end, and names its task."""
    with started(tmp_path, [calls("wait_for", file="go"), says("It is there.")]) as server:
        send(server, HELLO, READY)
        opened = received(server, 1)["result"]["capabilities"]["tasks"]
        task_id = begun(server, tmp_path)
        send(server, of_task(3, "get", task_id), of_task(4, "result", task_id), of_task(5, "result", task_id))
        told = received(server, 3)["result"]
        (tmp_path / "go").touch()
        results = [each["result"] for each in all_of(server, 4, 5)]
        send(server, of_task(6, "get", task_id), of_task(7, "result", task_id), of_task(8, "cancel", task_id))
        stands, again, late = all_of(server, 6, 7, 8)
        server.kill()
    assert {"cancel": {}, "requests": {"tools": {"call": {}}}} == opened
    assert ("working", "calls wait_for", 3_600_000, 1000) == tuple(
        told[name] for name in ("status", "statusMessage", "ttl", "pollInterval")
    )
    assert ["It is there."] * 2 == [each["content"][0]["text"] for each in results]
    assert {"io.modelcontextprotocol/related-task": {"taskId": task_id}} == results[0]["_meta"]
    assert ("completed", results[0]) == (stands["result"]["status"], again["result"])
    assert (-32602, "the task is completed already") == (late["error"]["code"], late["error"]["message"])


def test_a_task_that_is_cancelled_ends_its_run(tmp_path: Path) -> None:
    """The log says so, and there is no result; who waited for it hears that."""
    with started(tmp_path, [calls("wait_for", file="never"), says("Hello.")]) as server:
        send(server, HELLO, READY)
        task_id = begun(server, tmp_path)
        send(server, of_task(3, "result", task_id), of_task(4, "cancel", task_id))
        waited, cancelled = all_of(server, 3, 4)
        wait_until(lambda: '"cancelled"' in logs(tmp_path)[0])
        send(server, request(5, name="ask", arguments={"query": "Hello"}))
        assert "Hello." == received(server, 5)["result"]["content"][0]["text"]
        server.kill()
    assert ("cancelled", -32602) == (cancelled["result"]["status"], waited["error"]["code"])


def test_a_task_that_fails_says_so(tmp_path: Path) -> None:
    """A run that has failed is a failed task, whose result is an error; so is a query that cannot be asked."""
    with started(tmp_path, []) as server:
        send(server, HELLO, READY, task_call(2, "Hello"), request(3, name="ask", arguments={"query": 5}, task={}))
        for number, each in zip((2, 3), all_of(server, 2, 3), strict=True):
            task_id = each["result"]["task"]["taskId"]
            send(server, of_task(10 + number, "result", task_id))
            assert received(server, 10 + number)["result"]["isError"]
            send(server, of_task(20 + number, "get", task_id))
            assert "failed" == received(server, 20 + number)["result"]["status"]
        server.kill()


def test_a_question_of_a_task_waits_for_the_request_that_may_ask_it(tmp_path: Path) -> None:
    """A request that is given up before its person has answered leaves the question to the next one."""
    hello = {**HELLO, "params": {**HELLO["params"], "capabilities": {"elicitation": {}}}}
    with started(tmp_path, [calls("refund_order", number=8), says("It is refunded.")]) as server:
        send(server, hello, READY, task_call(2, "Refund order 8."))
        task_id = received(server, 2)["result"]["task"]["taskId"]
        send(server, of_task(3, "result", task_id))
        first = asked_of(server)
        send(server, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}})
        send(server, of_task(4, "get", task_id))
        stands = received(server, 4)["result"]
        send(server, of_task(5, "result", task_id))
        second = asked_of(server)
        accepted = {"action": "accept", "content": {"approve": True}}
        send(server, {"jsonrpc": "2.0", "id": second["id"], "result": accepted})
        result = received(server, 5)["result"]
        server.kill()
    assert ("input_required", "asks a person about a call") == (stands["status"], stands["statusMessage"])
    assert [POLICY, POLICY] == [each["params"]["message"] for each in (first, second)]
    assert ("It is refunded.", "8\n") == (result["content"][0]["text"], (tmp_path / "refunds").read_text())


def test_a_question_that_comes_back_is_asked_through_a_request_that_waits(tmp_path: Path) -> None:
    """A client that connects again asks for the result before its old request is torn down."""
    hello = {**HELLO, "params": {**HELLO["params"], "capabilities": {"elicitation": {}}}}
    with started(tmp_path, [calls("refund_order", number=8), says("It is refunded.")]) as server:
        send(server, hello, READY, task_call(2, "Refund order 8."))
        task_id = received(server, 2)["result"]["task"]["taskId"]
        send(server, of_task(3, "result", task_id))
        asked_of(server)
        send(server, of_task(4, "result", task_id), of_task(5, "get", task_id))
        received(server, 5)
        send(server, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}})
        accepted = {"action": "accept", "content": {"approve": True}}
        send(server, {"jsonrpc": "2.0", "id": asked_of(server)["id"], "result": accepted})
        result = received(server, 4)["result"]
        server.kill()
    assert ("It is refunded.", "8\n") == (result["content"][0]["text"], (tmp_path / "refunds").read_text())


def test_tasks_whose_questions_nobody_takes_make_room(tmp_path: Path) -> None:
    """Once they were kept as long as was said; else clients that left would shut out the others."""
    hello = {**HELLO, "params": {**HELLO["params"], "capabilities": {"elicitation": {}}}}
    with started(tmp_path, [calls("refund_order", number=8)] * 65) as server:
        send(server, hello, READY)
        ids = []
        for number in range(100, 164):
            send(server, task_call(number, "Refund order 8.", ttl=0))
            ids.append(received(server, number)["result"]["task"]["taskId"])
        wait_until(lambda: [1] * 64 == [log.count("approval_request") for log in logs(tmp_path)])
        send(server, task_call(200, "Refund order 8."), of_task(201, "get", ids[0]), of_task(202, "get", ids[1]))
        made, gone, stands = all_of(server, 200, 201, 202)
        server.kill()
    assert "working" == made["result"]["task"]["status"]
    assert (-32602, "input_required") == (gone["error"]["code"], stands["result"]["status"])


def asked_of(server: Any) -> Any:
    """The next question of the server."""
    while line := server.stdout.readline():
        message = json.loads(line)
        if message.get("method") == "elicitation/create":
            return message
    raise AssertionError("the server has closed its output")


def test_hostile_clients_of_tasks(tmp_path: Path) -> None:
    """Ids of nobody, tools that are none, endless tasks: each is an error of the protocol, and the server goes on."""
    with started(tmp_path, [calls("wait_for", file="never")] * 100) as server:
        send(server, task_call(90, "Too early."), HELLO, READY, {**request(91, name="ask", task=5)})
        assert all("error" in each for each in all_of(server, 90, 91))
        ids = ("", "x" * 1_000_000, 5, None, "../log")
        send(server, *[of_task(number, "get", each) for number, each in enumerate(ids, 30)])
        send(server, *[of_task(number, "result", each) for number, each in enumerate(ids, 35)])
        assert {-32602} == {each["error"]["code"] for each in all_of(server, *range(30, 40))}
        check = {"schema": {}, "value": 1}
        send(server, request(50, name="check_value", arguments=check, task={}), of_task(51, "list", ""))
        assert [-32601] * 2 == [each["error"]["code"] for each in all_of(server, 50, 51)]
        send(server, *[task_call(number, "Wait.", ttl=10**12) for number in range(100, 170)])
        answers = all_of(server, *range(100, 170))
        server.kill()
    made = [each["result"]["task"] for each in answers if "result" in each]
    assert ({24 * 60 * 60 * 1000}, 64) == ({each["ttl"] for each in made}, len(made))
    assert {"64 tasks are under way; wait for one, or cancel it"} == {
        each["error"]["message"] for each in answers if "error" in each
    }
    assert 64 == len({each["taskId"] for each in made})


def test_newer_clients_are_not_told_of_tasks(tmp_path: Path) -> None:
    """Their version of the protocol has none."""

    async def main() -> Any:
        async with client(tmp_path, [], "auto") as one:
            listed = (await one.list_tools()).tools
            return one.protocol_version, one.server_capabilities.tasks, [tool.execution for tool in listed]

    assert ("2026-07-28", None, [None] * 5) == run_in_loop(main())
