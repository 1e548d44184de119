"""Runs in the folders of sessions."""

from pathlib import Path
from typing import Any

from purestep_hosts.sessions import Session, SessionStore

from .points import Points, watch_files, watch_sink
from .scenario import QUERY, MadeAgent, Outside, agent_of, answers, come


class FileRuns:
    """The sessions of one trial."""

    def __init__(self, folder: Path, made: MadeAgent = agent_of) -> None:
        self._made = made
        self._store = SessionStore(folder / "sessions")
        self._outside = Outside(folder)

    def play(self, seed: int, points: Points) -> None:
        """Begin the run, or go on with what is there, to its end."""
        watch_sink(points)
        watch_files(points)
        agent = self._made(seed, self._outside, points)
        ids = self._store.ids()
        digest = agent.definition.digest or ""
        opened = self._store.open(ids[0]) if ids else None
        with opened or self._store.create(query=QUERY, agent_digest=digest, model="plan") as session:
            kept: Any = Witnessed(session, self._outside)
            # Nothing was acted on before the question was there: who asked it asks again.
            is_asked = '"user_message"' in session.text()
            result = agent.run_sync(None if is_asked else QUERY, session=kept)
            while result.status == "waiting" or result.late:
                if results := come(seed, result, points):
                    result = agent.run_sync(session=kept, results=results)
                else:
                    result = agent.run_sync(session=kept, approvals=answers(seed, result.approvals, points))

    def found(self) -> tuple[str, str]:
        """Return the log and the head, as they were left."""
        ids = self._store.ids()
        return self._store.read(ids[0]).text, self._store.head(ids[0])

    def remove(self) -> None:
        """Remove nothing: all of it is in the folder."""


class Witnessed:
    """A session, and the lines that it said it had kept."""

    def __init__(self, session: Session, outside: Outside) -> None:
        self._session = session
        self._outside = outside
        self.run_id = session.run_id
        self.attachments = session.attachments

    def text(self) -> str:
        """Return the lines."""
        return self._session.text()

    def append(self, log: str, head: str) -> None:
        """Keep lines, and note that they are kept."""
        self._session.append(log, head)
        self._outside.note("witness", log)

    def clear(self) -> None:
        """Empty the log of a first append that was cut off."""
        self._session.clear()
