"""Logs of agents' runs in stores: a session on disk, and one of the program's own."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from tests.event_loops import run_in_loop


class Table:
    """A store in a database, whose methods wait."""

    def __init__(self) -> None:
        self.run_id = "run-of-a-table"
        self.database = sqlite3.connect(":memory:")
        self.database.execute("create table lines (text text, head text)")

    async def text(self) -> str:
        """Read the lines."""
        await asyncio.sleep(0)
        return "".join(row[0] for row in self.database.execute("select text from lines order by rowid"))

    async def append(self, log: str, head: str) -> None:
        """Write lines."""
        await asyncio.sleep(0)
        with self.database:
            self.database.execute("insert into lines values (?, ?)", (log, head))

    async def clear(self) -> None:
        """Remove all."""
        self.database.execute("delete from lines")


def test_a_log_is_kept_in_a_store_of_the_program() -> None:
    """Each step is there before it is acted on, and the chat goes on from it; here with async methods."""

    async def chat() -> None:
        table, seen = Table(), []

        @tool
        async def look() -> str:
            """Look."""
            seen.append([json.loads(line)["kind"] for line in (await table.text()).splitlines()])
            return "here"

        model = ScriptedModel([calls("look"), says("It is here."), says("Still here.")])
        agent = Agent(model, tools=[look])
        assert ("done", table.run_id) == ((await agent.run("Where?", session=table)).status, table.run_id)
        assert "tool_call" == seen[0][-1]
        with pytest.raises(TypeError, match="leave out `history`"):
            await agent.run("And now?", session=table, history=[{"role": "user", "content": "Hello"}])
        again = await agent.run("And now?", session=table)
        assert ("Still here.", again.log, table.run_id) == (again.answer, await table.text(), again.run_id)
        (head,) = table.database.execute("select head from lines order by rowid desc limit 1").fetchone()
        assert purestep.verify(again.log, head).ok

    run_in_loop(chat())


@pytest.mark.parametrize("kept", ['{"seq":0', '{"seq":0,"kind":"run_started","run_id":"run-of-a-table"}\n'])
def test_a_first_append_that_was_cut_off_counts_as_none(kept: str) -> None:
    """Nothing was acted on, so the run begins anew, with nothing before it."""

    async def begin() -> Any:
        table = Table()
        await table.append(kept, "")
        return await Agent(ScriptedModel([says("Hi.")])).run("Hello", session=table), await table.text()

    result, text = run_in_loop(begin())
    assert ("done", result.log) == (result.status, text)
    assert purestep.verify(text, result.state.head).ok


def test_a_store_that_holds_no_log_is_left_as_it_is() -> None:
    """One line of something else is not removed: it is not ours."""

    async def begin() -> str:
        table = Table()
        await table.append('{"name":"a list of mine"}\n', "")
        with pytest.raises(purestep.PurestepError, match="expected a log that begins with run_started"):
            await Agent(ScriptedModel([says("Hi.")])).run("Hello", session=table)
        return await table.text()

    assert '{"name":"a list of mine"}\n' == run_in_loop(begin())


def test_what_a_store_raises_ends_the_run_before_it_is_acted_on() -> None:
    """A database that is full is the program's affair: the model is not asked."""

    class Full(Table):
        async def append(self, log: str, head: str) -> None:
            raise sqlite3.OperationalError("database or disk is full")

    async def begin() -> int:
        model = ScriptedModel([says("Hi.")])
        with pytest.raises(sqlite3.OperationalError, match="disk is full"):
            await Agent(model).run("Hello", session=Full())
        return len(model.requests)

    assert 0 == run_in_loop(begin())
