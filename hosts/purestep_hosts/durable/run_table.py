"""The table of the runs: whose each one is, what its last order is, and the chats that stand for runs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from purestep import convert_to
from purestep_hosts.durable.tables import CHATS, KEYS, RUNS
from purestep_hosts.extras import DURABLE
from purestep_hosts.stored_runs import StepStatus

with DURABLE:
    import sqlalchemy
    from sqlalchemy import delete, insert, select, tuple_, update


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A run; created_ms: since 1970, 0 for one that was begun before that was kept."""

    run_id: str
    owner: str
    created_ms: int
    query: str
    ordered: int
    exchange: int
    status: StepStatus


class RunTable:
    """The runs of a database."""

    def __init__(self, connections: sqlalchemy.Engine) -> None:
        self._connections = connections

    def get(self, run_id: str) -> RunRow | None:
        """Return a run, None if there is none."""
        with self._connections.connect() as connection:
            found = connection.execute(select(RUNS).where(RUNS.c.run_id == run_id)).first()
        return None if found is None else _row(found)

    def last_orders(self, run_ids: Sequence[str]) -> dict[str, int]:
        """Return the number of the last order of each of these runs."""
        wanted = select(RUNS.c.run_id, RUNS.c.ordered).where(RUNS.c.run_id.in_(run_ids))
        with self._connections.connect() as connection:
            return {row.run_id: row.ordered for row in connection.execute(wanted)}

    def add(self, row: RunRow, chat: str | None = None) -> bool:
        """Add a run, and what stands for it; returns whether there was none of this id, or of this chat."""
        try:
            with self._connections.begin() as connection:
                connection.execute(insert(RUNS).values(msgspec.structs.asdict(row)))
                if chat is not None:
                    stands = {"owner": row.owner, "thread": _digest(chat), "run_id": row.run_id}
                    connection.execute(insert(CHATS).values(stands))
        except sqlalchemy.exc.IntegrityError:
            return False
        return True

    def order(self, run_id: str, number: int) -> bool:
        """Take the number of the next order; returns whether nobody else has."""
        taken = update(RUNS).where(RUNS.c.run_id == run_id, RUNS.c.ordered == number - 1).values(ordered=number)
        with self._connections.begin() as connection:
            return connection.execute(taken).rowcount == 1

    def of_owner(self, owner: str, before: str | None, limit: int) -> list[RunRow]:
        """Return runs of a user, newest first, from the one after `before`."""
        rows = select(RUNS).where(RUNS.c.owner == owner)
        with self._connections.connect() as connection:
            if before is not None:
                since = connection.scalar(
                    select(RUNS.c.created_ms).where(RUNS.c.run_id == before, RUNS.c.owner == owner)
                )
                if since is None:
                    return []
                rows = rows.where(tuple_(RUNS.c.created_ms, RUNS.c.run_id) < tuple_(since, before))
            found = connection.execute(rows.order_by(RUNS.c.created_ms.desc(), RUNS.c.run_id.desc()).limit(limit))
            return [_row(each) for each in found]

    def run_of_chat(self, owner: str, thread: str) -> str | None:
        """Return the run that a client's own id of a chat stands for."""
        wanted = select(CHATS.c.run_id).where(CHATS.c.owner == owner, CHATS.c.thread == _digest(thread))
        with self._connections.connect() as connection:
            found: str | None = connection.scalar(wanted)
            return found

    def keep_key(self, owner: str, key: str, body: str, run_id: str) -> tuple[str, str]:
        """Write down the run of a new key; returns the run and the body that it has, perhaps by another request."""
        found = select(KEYS.c.run_id, KEYS.c.body).where(KEYS.c.owner == owner, KEYS.c.key == key)
        try:
            with self._connections.begin() as connection:
                connection.execute(insert(KEYS).values(owner=owner, key=key, body=body, run_id=run_id))
        except sqlalchemy.exc.IntegrityError:
            with self._connections.connect() as connection:
                row = connection.execute(found).first()
            return (run_id, body) if row is None else (row.run_id, row.body)
        return run_id, body

    def drop_key(self, owner: str, key: str) -> None:
        """Forget a key whose run was refused."""
        with self._connections.begin() as connection:
            connection.execute(delete(KEYS).where(KEYS.c.owner == owner, KEYS.c.key == key))


def _digest(thread: str) -> str:
    return hashlib.sha256(thread.encode("utf-8", "surrogatepass")).hexdigest()


def _row(found: Any) -> RunRow:
    return convert_to({name: getattr(found, name) for name in RunRow.__struct_fields__}, RunRow)
