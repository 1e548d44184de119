"""Requests to tools as public servers list them: short names, one-line descriptions, identifiers of all kinds."""

from typing import Any

import pytest

from purestep.carry import Router, Words, plan_of
from purestep.values import ToolSpec

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}


def tool(tool_name: str, description: str, required: str, /, **properties: dict[str, Any]) -> ToolSpec:
    """Give a tool; arguments that are only named are texts."""
    given = dict.fromkeys(required.split(" "), TEXT) | properties  # ascii: names of arguments
    parameters = {"type": "object", "properties": given, "required": required.split(" ")}  # ascii: the same
    return ToolSpec(name=tool_name, description=description, parameters=parameters)


ROLLOUT = {"enum": ["history", "pause", "restart", "resume", "status", "undo"]}
KINDS = {"enum": ["deployment", "daemonset"]}
BOXES = {
    "files": (tool("read_text_file", "Read a file as text", "path", head=WHOLE, tail=WHOLE),),
    "folders": (
        ToolSpec(
            name="list_dir",
            description="List the files of a folder.",
            parameters={"type": "object", "properties": {"path": TEXT}},
        ),
    ),
    "forge": (
        tool("create_issue", "Create an issue in a project", "project_id title"),
        tool(
            "create_merge_request",
            "Create a merge request in a project",
            "project_id title source_branch target_branch",
        ),
        tool("create_branch", "Create a branch in a project", "project_id branch"),
    ),
    "lamps": (
        tool("turn_on", "Turn on a light", "entity_id", brightness_pct=WHOLE),
        tool("get_state", "Get the state of an entity", "entity_id"),
    ),
    "money": (
        tool(
            "convert_currency_latest",
            "Convert an amount at the latest rate",
            "amount from_currency to_currency",
            amount={"type": "number"},
        ),
    ),
    "cluster": (
        tool(
            "kubectl_rollout",
            "Manage the rollout of a resource",
            "subCommand resourceType name",
            subCommand=ROLLOUT,
            resourceType=KINDS,
        ),
        tool("kubectl_logs", "Get the logs of a resource", "resourceType name"),
    ),
    "errors": (
        tool("search_issues", "Search issues in an organization", "organizationSlug query"),
        tool("update_issue", "Update or assign an issue", "organizationSlug issueId", assignedTo=TEXT),
    ),
    "tables": (tool("describe_table", "Describe a table", "table"),),
    "clock": (tool("get_current_time", "Get the current time in a time zone", "timezone"),),
    "mail": (
        tool("search-mail", "Search mail", "from", **{"from": TEXT}),
        tool("get-mail", "Get one mail", "uid", uid=WHOLE),
    ),
}
ROUTERS = {name: Router({spec.name: spec for spec in specs}) for name, specs in BOXES.items()}


def calls(box: str, request: str, *results: str) -> list[tuple[str, dict[str, Any] | None]]:
    """Give the best tool of each step of a request, and the one call that the words allow to it."""
    router = ROUTERS[box]
    plan = plan_of(request, router)
    found = [router.routes(Words(step, plan.whole, results if at else ()))[:1] for at, step in enumerate(plan.steps)]
    return [(route.tool, route.grounded.only) for routes in found for route in routes]


ONE_CALL = {
    "read me the last 20 lines of /var/log/nginx/error.log": (
        "files",
        "read_text_file",
        {"path": "/var/log/nginx/error.log", "tail": 20},
    ),
    "open an mr in shop/frontend from fix-cart to main, titled Fix cart rounding": (
        "forge",
        "create_merge_request",
        {
            "project_id": "shop/frontend",
            "title": "Fix cart rounding",
            "source_branch": "fix-cart",
            "target_branch": "main",
        },
    ),
    "create branch hotfix-72 in shop/api": (
        "forge",
        "create_branch",
        {"project_id": "shop/api", "branch": "hotfix-72"},
    ),
    "turn on light.bedroom at 15%": ("lamps", "turn_on", {"entity_id": "light.bedroom", "brightness_pct": 15}),
    "250 usd in chf?": (
        "money",
        "convert_currency_latest",
        {"amount": 250, "from_currency": "USD", "to_currency": "CHF"},
    ),
    "convert \u20ac40 to yen": (
        "money",
        "convert_currency_latest",
        {"amount": 40, "from_currency": "EUR", "to_currency": "JPY"},
    ),
    "restart the checkout deployment": (
        "cluster",
        "kubectl_rollout",
        {"subCommand": "restart", "resourceType": "deployment", "name": "checkout"},
    ),
    "what time is it in tokyo rn": ("clock", "get_current_time", {"timezone": "tokyo"}),
    "list the folder docs": ("folders", "list_dir", {"path": "docs"}),
    "list the files in the docs folder": ("folders", "list_dir", {"path": "docs"}),
    "list docs/": ("folders", "list_dir", {"path": "docs/"}),
    "list all files": ("folders", "list_dir", {}),
    "describe table invoices plz": ("tables", "describe_table", {"table": "invoices"}),
}


@pytest.mark.parametrize("request_text", ONE_CALL)
def test_the_words_leave_one_call(request_text: str) -> None:
    """Abbreviations, identifiers, shares and counts go to the arguments that they belong to."""
    box, name, arguments = ONE_CALL[request_text]
    assert [(name, arguments)] == calls(box, request_text)


def test_a_question_in_many_words_names_nothing() -> None:
    """A phrase of five small words is no resource's name."""
    assert [] == calls("cluster", "the real difference between a pod and a node")


def test_what_a_step_before_took_is_taken_from_the_request_again() -> None:
    """A result of many words is no organization, where the request names one."""
    request = "search kite-labs for the timeout and assign that issue to priya@kite.example"
    found = calls("errors", request, "PAY-77: TimeoutError in charge_card, 41 events")
    expected = {"organizationSlug": "kite-labs", "issueId": "PAY-77"}
    assert [("update_issue", expected)] == [
        (name, {key: value for key, value in (only or {}).items() if key in expected}) for name, only in found[1:]
    ]


def test_what_was_found_can_be_opened() -> None:
    """To open a mail is to get it."""
    found = calls("mail", "find the mail from hr@nordlicht.example and open it", "uid 5120: Your holiday request")
    assert ["search-mail", "get-mail"] == [name for name, _ in found]
