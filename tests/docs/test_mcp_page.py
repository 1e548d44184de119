"""The agent file of the page on MCP is one."""

import re
from pathlib import Path

import purestep
from purestep_hosts.mcp import McpServer, server_entries, server_of
from purestep_hosts.mcp_server.core_functions import CORE_FUNCTIONS
from purestep_hosts.strict_yaml import load

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "mcp.md").read_text()


def test_the_agent_file_of_the_page_names_three_servers() -> None:
    """Its servers are read, and the rest is a definition."""
    found = re.search(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    definition = load(found[1])
    names = [server.name for server in server_entries(definition.pop("mcp"), "the page")]
    assert ["time", "files", "docs"] == names
    tool = {"name": "files__search_files", "inputSchema": {"type": "object"}, "approval": "ask"}
    agent = purestep.Agent.load({**definition, "tools": [tool]})
    assert "auto" == agent.host_tools["files__search_files"].approval


def test_the_tools_of_the_page_are_those_of_the_server() -> None:
    """The table names every tool that `purestep mcp` lists."""
    table = PAGE.partition("## An agent as a server")[2]
    named = re.findall("`([a-z_]+)`", "".join(re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)))
    assert ["ask", *(function.name for function in CORE_FUNCTIONS)] == named


def test_the_members_of_the_page_are_those_of_a_server() -> None:
    """The table names every member of an entry and no other."""
    rows = re.findall(r"^\| (`[^|]*`) \|", PAGE.partition("## An agent")[0], re.MULTILINE)
    shown = {name.strip("`") for row in rows for name in row.split(", ")}
    assert {*McpServer.__struct_fields__, "args"} - {"name"} == shown


def test_the_servers_of_the_command_lines_are_servers() -> None:
    """Each value of --mcp on the page is read as it stands."""
    given = re.findall(r"""--mcp ("[^"]+"|https\S+)""", PAGE)
    assert ["time", "notes", "mcp_example_com", "docs", "mcp_example_com"] == [
        server_of(text.strip('"')).name for text in given
    ]
