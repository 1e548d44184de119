"""Tools that take SQL: what their statements do tells whether a call has acted."""

from typing import Any

import pytest

from purestep.carry.orders import Verbs
from purestep.claims import effects_of, may_act
from purestep.values import Annotations, ToolSpec
from tests.core.agents import tool
from tests.core.claims.billing import told

TEXT = {"type": "string"}


def _spec(name: str, parameter: str = "sql", description: str = "", **more: Any) -> ToolSpec:
    properties = {"properties": {parameter: TEXT}}
    return ToolSpec(name=name, description=description, parameters=properties, **more)


@pytest.mark.parametrize(
    ("spec", "acts"),
    [
        (_spec("run_query"), True),
        (_spec("query"), True),
        (_spec("mysql_query", "query"), True),
        (_spec("query_db", "statement", "Run any SQL statement"), True),
        (_spec("query", description="Run a read-only SQL query"), False),
        (_spec("read_query", "query", "Execute a SELECT query on the SQLite database. SQL only."), False),
        (_spec("write_query", "query", "Execute an INSERT, UPDATE, or DELETE query. SQL."), True),
        (_spec("select", description="Run SELECT statements"), False),
        (_spec("search", "query"), False),
        (_spec("query", annotations=Annotations(readOnlyHint=True)), False),
        (_spec("get_rows", annotations=Annotations(readOnlyHint=False)), True),
        (ToolSpec(name="query_sql"), False),
    ],
)
def test_a_tool_that_takes_sql_may_act_whatever_its_name(spec: ToolSpec, acts: bool) -> None:
    """A name that reads does not keep a DELETE away; an annotation or words that say so do."""
    assert may_act(spec) == acts


@pytest.mark.parametrize(
    ("statement", "acts"),
    [
        ("SELECT name FROM users WHERE deleted_at IS NULL", False),
        ("  select 1", False),
        ("SHOW TABLES", False),
        ("DELETE FROM users", True),
        ("SELECT 1; DELETE FROM users", True),
        ("SELECT * INTO copy_of_users FROM users", True),
        ("WITH old AS (SELECT 1) DELETE FROM users", True),
        ("-- SELECT\nDROP TABLE users", True),
        ("", True),
        (None, True),
        ("SELECT '" + "x" * 3_000 + "'", True),
    ],
)
def test_a_statement_that_only_selects_does_not_act(statement: Any, acts: bool) -> None:
    """In doubt it acts."""
    effects = effects_of({"execute_sql": _spec("execute_sql")})
    assert effects.may_act_with("execute_sql", {"sql": statement}) == acts


@pytest.mark.parametrize(
    ("command", "acts"),
    [
        ("ls -lS | head -n 1", False),
        ("  cat notes.txt", False),
        ("cd src && grep -rn TODO . 2>/dev/null | wc -l", False),
        ("git  status", False),
        ("find . -name '*.pyc' 2>&1; du -sh .", False),
        ("kubectl get pods\npwd", False),
        ("rm -rf build", True),
        ("ls && rm -rf build", True),
        ("git push", True),
        ("find . -name '*.pyc' -delete", True),
        ("echo 42 > answer.txt", True),
        ("cat a >> b", True),
        ("cat a 2>/dev/nullx", True),
        ("cat $(make name)", True),
        ("diff <(make) b", True),
        ("ls & rm b", True),
        ("ls | xargs rm", True),
        ("uniq a b", True),
        ("find .\t-delete", True),
        ("sort -o a a", True),
        ("ls\nrm a", True),
        ("ls;", True),
        ("", True),
        (7, True),
    ],
)
def test_a_command_that_only_looks_does_not_act(command: Any, acts: bool) -> None:
    """A pipe of programs that change nothing changes nothing; in doubt it acts."""
    effects = effects_of({"shell": _spec("shell", "command")})
    assert effects.may_act_with("shell", {"command": command}) == acts


SQL: dict[str, Any] = {"tools": [tool("execute_sql", {"sql": TEXT}, description="Execute SQL.")]}
SELECTED = "SELECT count(*) FROM users WHERE last_seen < '2021-01-01'"


@pytest.mark.parametrize(
    ("query", "statement", "output", "text", "cause"),
    [
        ("Delete idle users", "DELETE FROM users WHERE idle", {"rows": 14}, "Deleted 14 idle users.", None),
        ("Delete idle users", SELECTED, [{"count": 14}], "Deleted 14 idle users.", "guardrail"),
        ("Delete idle users", SELECTED, [{"count": 14}], "There are 14; I have not deleted any. Shall I?", None),
        ("Count idle users", SELECTED, [{"count": 14}], "Done: there are 14.", None),
        ("Who was deleted?", "SELECT name FROM gone", [{"name": "Kim"}], "Kim was deleted.", None),
    ],
)
def test_what_was_only_selected_is_not_told_as_done(
    query: str, statement: str, output: Any, text: str, cause: str | None
) -> None:
    """A count of what would be deleted has deleted nothing."""
    assert told(SQL, query, text, ("execute_sql", {"sql": statement}, output)) == cause


SHELL: dict[str, Any] = {"tools": [tool("shell", {"command": TEXT}, description="Run a command.")]}


@pytest.mark.parametrize(
    ("query", "command", "output", "text", "cause"),
    [
        ("Delete the build folder", "rm -r build", "", "I deleted the build folder.", None),
        ("Delete the build folder", "ls build", "a.o\nb.o", "I deleted the build folder.", "guardrail"),
        ("Delete the build folder", "ls build", "a.o\nb.o", "It holds a.o and b.o. Shall I delete it?", None),
        ("How big is the repository?", "du -sh .", "7.2G\t.", "The repository is 7.2 GB.", None),
        ("How many files are here?", "ls | wc -l", "12", "There are 12 files.", None),
        ("Did the backup run?", "cat backup.log", "backup created 10:02", "Yes, it was created at 10:02.", None),
        ("Who changed app.py?", "git log -1 app.py", "Author: Kim", "Kim changed it last.", None),
    ],
)
def test_what_was_only_looked_at_is_not_told_as_done(
    query: str, command: str, output: str, text: str, cause: str | None
) -> None:
    """A shell that has listed a folder has not deleted it."""
    assert told(SHELL, query, text, ("shell", {"command": command}, output)) == cause


def test_a_carried_model_asks_before_any_sql() -> None:
    """A tool named "search" is not taken for one that reads where it takes SQL."""
    acting = Verbs({"search": _spec("search", "sql", "Search"), "find": _spec("find", "sql", "Read-only SQL")})
    assert (acting.acting, acting.reading) == ({"search"}, {"find"})
