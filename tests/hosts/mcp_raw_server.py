"""An MCP server without the SDK, which lists, answers and asks what its argument says, in JSON; tests start it.

The argument may also be @ and the path of a file that has it, which may change between two starts.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

GIVEN = sys.argv[1]
SENT = json.loads(Path(GIVEN[1:]).read_text() if GIVEN.startswith("@") else GIVEN)
OPENED: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "s", "version": "1"},
    **SENT.get("opened", {}),
}


def ask(request_id: str, method: str, params: Any) -> None:
    """Send a request of the server's own."""
    print(json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}), flush=True)


called: list[Any] = []
lists = SENT.get("changes", 0)
time.sleep(SENT.get("sleeps_s", 0))
if "starts" in SENT:
    with Path(SENT["starts"]).open("a") as file:
        file.write("started\n")
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    match message["method"]:
        case "initialize":
            result = OPENED
        case method if method in SENT.get("answers", {}):
            result = SENT["answers"][method]
        case "resources/read" if "chars" in SENT:
            result = {"contents": [{"uri": "a:page", "text": "x" * SENT["chars"]}]}
        case method if method == SENT.get("endless"):
            print('{"jsonrpc": "2.0", "id": 1, "result": {"contents": [{"uri": "a:b", "text": "', end="")
            while True:
                sys.stdout.write("x" * 65_536)
        case "tools/list" if "changes" in SENT:
            lists += 1
            result = {"tools": [*SENT["tools"], {"name": f"of_{lists}", "inputSchema": {"type": "object"}}]}
        case "tools/list":
            result = SENT.get("list", {"tools": SENT.get("tools")})
        case "tools/call" if "elicits" in SENT:
            called.append(message["id"])
            if len(called) < SENT.get("together", 1):
                continue
            said = []
            for asked in SENT["elicits"] * SENT.get("times", 1):
                ask(f"ask-{len(said)}", SENT.get("method", "elicitation/create"), asked)
                if "nested" in SENT:
                    ask("nested", "elicitation/create", SENT["nested"])
                    said.append(json.loads(sys.stdin.readline()).get("result"))
                answer = json.loads(sys.stdin.readline())
                error = answer.get("error") if SENT.get("whole") else answer.get("error", {}).get("message")
                said.append(answer.get("result") or error)
            result = {"content": [{"type": "text", "text": json.dumps(said)}]}
            for each in called[:-1]:
                print(json.dumps({"jsonrpc": "2.0", "id": each, "result": result}), flush=True)
            called.clear()
        case "tools/call" if "tells" in SENT:
            token = message["params"]["_meta"]["progressToken"]
            for method, params in SENT["tells"] * SENT.get("times", 1):
                told = {**params, "progressToken": token} if method == "notifications/progress" else params
                print(json.dumps({"jsonrpc": "2.0", "method": method, "params": told}), flush=True)
            result = {"content": [{"type": "text", "text": "told"}]}
        case "tools/call":
            result = SENT.get("result", {"content": [{"type": "text", "text": message["params"]["name"]}]})
        case _:
            error = {"code": -32601, "message": "no"}
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
            continue
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if "changes" in SENT and message["method"] == "tools/call":
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}), flush=True)
