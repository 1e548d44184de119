"""Toolboxes as strangers write them: short descriptions or none, and arguments of every name."""

from typing import Any, Final

from tests.core.carry.tools import NUMBER, TEXT, parameters

INTEGER = {"type": "integer"}
MERGE = {"merge_method": {"enum": ["merge", "squash", "rebase"]}}


def tool(
    name: str, description: str = "", optional: dict[str, Any] | None = None, /, **required: Any
) -> dict[str, Any]:
    """Make a tool that no annotation tells anything of."""
    return {"name": name, "description": description, "parameters": parameters(optional, **required)}


BOXES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "bank": (tool("send_payment", to=TEXT, amount=NUMBER), tool("get_balance", "Get the balance")),
    "wire": (tool("transfer_money", "Transfer money to a recipient", recipient=TEXT, sum=NUMBER),),
    "shop": (
        tool("cancel_order", "Cancel an order", order_id=TEXT),
        tool("refund_order", "Refund an order", order_id=TEXT, amount=NUMBER),
        tool("get_order", "Look up an order", order_id=TEXT),
    ),
    "file": (tool("delete_file", "Deletes a file", path=TEXT), tool("read_file", "Read a file", path=TEXT)),
    "drive": (tool("trash_file", "Move a file to the trash", file_id=TEXT), tool("list_files", "List files")),
    "notes": (tool("save_note", "Save a note", text=TEXT), tool("search_notes", "Search notes", query=TEXT)),
    "titled": (tool("save_note", title=TEXT),),
    "db": (tool("delete_records", "Delete the records that match a query", query=TEXT),),
    "fs": (
        tool(
            "write_file",
            "Create a new file or completely overwrite an existing file with new content. Use with caution.",
            path=TEXT,
            content=TEXT,
        ),
        tool("create_directory", "Create a new directory or ensure a directory exists.", path=TEXT),
        tool("move_file", "Move or rename files and directories.", source=TEXT, destination=TEXT),
        tool("read_text_file", "Read the complete contents of a file from the file system as text.", path=TEXT),
        tool("list_directory", "Get a detailed listing of all files and directories in a specified path.", path=TEXT),
    ),
    "hub": (
        tool(
            "create_issue",
            "Create a new issue in a GitHub repository",
            {"body": TEXT},
            owner=TEXT,
            repo=TEXT,
            title=TEXT,
        ),
        tool(
            "add_issue_comment",
            "Add a comment to an existing issue",
            owner=TEXT,
            repo=TEXT,
            issue_number=NUMBER,
            body=TEXT,
        ),
        tool("merge_pull_request", "Merge a pull request", MERGE, owner=TEXT, repo=TEXT, pullNumber=NUMBER),
        tool("create_branch", "Create a new branch in a GitHub repository", owner=TEXT, repo=TEXT, branch=TEXT),
        tool("get_issue", "Get details of a specific issue", owner=TEXT, repo=TEXT, issue_number=NUMBER),
    ),
    "mail": (
        tool("send_email", "Sends a new email", to={"type": "string", "format": "email"}, subject=TEXT, body=TEXT),
        tool("delete_email", "Permanently deletes an email", email_id=TEXT),
        tool("search_emails", "Searches for emails", query=TEXT),
    ),
    "msg": (tool("send_message", "Send a message to somebody", to=TEXT, text=TEXT),),
    "slack": (tool("slack_post_message", "Post a new message to a Slack channel", channel_id=TEXT, text=TEXT),),
    "home": (
        tool("turn_on_light", "Turn on the light in a room", room=TEXT),
        tool("set_temperature", "Set the temperature", degrees=NUMBER),
        tool("lock_door", "Lock a door", door=TEXT),
    ),
    "cal": (
        tool("create_event", "Create a calendar event", {"time": TEXT}, title=TEXT, date=TEXT),
        tool("delete_event", "Delete an event", event_id=TEXT),
    ),
    "task": (tool("add_task", "Add a task to the list", title=TEXT), tool("list_tasks", "List the tasks")),
    "inv": (
        tool("pay_invoice", "Pay an invoice", number=INTEGER),
        tool("delete_invoice", "Delete an invoice", number=INTEGER),
    ),
    "users": (
        tool("remove_user", "Remove a user from the team", username=TEXT),
        tool("ban_member", "Ban a member", user_id=TEXT),
    ),
    "clear": (tool("clear_notifications", "Clear all notifications"),),
}
