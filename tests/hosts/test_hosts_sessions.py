"""Sessions on disk: nothing finished is lost, whatever happens, and changes are noticed."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from purestep_hosts.sessions import Session, SessionError, SessionStore, chain


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    """A store in a folder that is not there yet."""
    return SessionStore(tmp_path / "sessions")


def new(store: SessionStore, query: str = "What is 2 plus 3?") -> Session:
    """Make a session."""
    return store.create(query=query, agent_digest="d1", model="small")


def line(seq: int) -> str:
    """Return the log line of this number."""
    return json.dumps({"seq": seq, "kind": "user_message", "content": "x" * (seq % 50)}) + "\n"


def write(session: Session, *numbers: int) -> None:
    """Append one step for each number."""
    for number in numbers:
        head = chain([line(number).rstrip().encode()], session.head)
        session.append(line(number), head)


def code_of(store: SessionStore, session_id: str) -> str:
    """Return the code of the error that opening the session raises."""
    with pytest.raises(SessionError) as raised:
        store.open(session_id)
    return raised.value.code


def test_log_is_exactly_what_was_appended(store: SessionStore) -> None:
    """The bytes of the core are kept, steps of several lines included."""
    with new(store) as session:
        text = line(0) + '{"kind": "odd",   "spaces":1}\n'
        session.append(text, "a" * 64)
        assert session.text() == text
        assert session.head == "a" * 64


def test_session_goes_on_after_reopening(store: SessionStore) -> None:
    """Opening again continues the same log."""
    with new(store) as session:
        write(session, 0, 1)
    with store.open(session.info.id) as again:
        assert again.cut_bytes == 0
        assert again.info == session.info
        write(again, 2)
        assert again.text() == line(0) + line(1) + line(2)


def test_what_is_stored_about_a_session(store: SessionStore) -> None:
    """The description is JSON with the five facts and the user's seal, private to the user."""
    with store.create(query="q", agent_digest="d", model="m", created_ms=1_700_000_000_123) as session:
        stored = json.loads((session.folder / "session.json").read_bytes())
    assert 64 == len(stored.pop("seal"))
    assert stored == {
        "id": session.info.id,
        "created_ms": 1_700_000_000_123,
        "query": "q",
        "agent_digest": "d",
        "model": "m",
    }
    assert session.info.id.startswith("20231114-221320-123-")
    assert session.folder.stat().st_mode & 0o077 == 0
    assert (session.folder / "log.jsonl").stat().st_mode & 0o077 == 0


def test_sessions_are_listed_newest_first(store: SessionStore) -> None:
    """Order is by creation, and strange files in the folder are left alone."""
    for ms in (1000, 3000, 2000):
        store.create(query=str(ms), agent_digest="", model="", created_ms=ms).close()
    (store.root / "notes").mkdir()
    (store.root / "x.txt").touch()
    assert ["3000", "2000", "1000"] == [info.query for info in store.list()]
    assert SessionStore(store.root / "none").list() == []


def test_ids_are_unique(store: SessionStore) -> None:
    """Many sessions of one millisecond do not collide."""
    ids = {store.create(query="", agent_digest="", model="", created_ms=5).info.id for _ in range(20)}
    assert len(ids) == 20


@pytest.mark.parametrize(
    "tail", [b'{"seq": 2, "ki', b"\0\0\0\0", b"x", b'{"a": 1', b"garbage\n", b"5\n", b"garbage\nmore"]
)
def test_torn_tail_is_cut_and_counted(store: SessionStore, tail: bytes) -> None:
    """What a crash left of a last line goes, so that the next line starts clean."""
    with new(store) as session:
        write(session, 0, 1)
    with (session.folder / "log.jsonl").open("ab") as file:
        file.write(tail)
    reading = store.read(session.info.id)
    assert (reading.text, reading.torn_bytes) == (line(0) + line(1), len(tail))
    with store.open(session.info.id) as again:
        assert again.cut_bytes == len(tail)
        write(again, 2)
        assert again.text() == line(0) + line(1) + line(2)


def test_damage_before_whole_lines_is_no_torn_tail(store: SessionStore) -> None:
    """A bad line in the middle is named and nothing after it is thrown away."""
    with new(store) as session:
        write(session, 0, 1, 2)
    log = session.folder / "log.jsonl"
    log.write_text(line(0) + "{broken\n" + line(2))
    assert code_of(store, session.info.id) == "log_damaged"
    assert "Line 2" in (store.list()[0].problem or "")
    assert log.read_text() == line(0) + "{broken\n" + line(2)


def test_log_that_is_one_append_ahead_of_its_head_is_whole(store: SessionStore) -> None:
    """A crash between log and head leaves a log that can be opened."""
    with new(store) as session:
        write(session, 0)
        head = session.head
        write(session, 1)
    (session.folder / "head").write_text(head)
    store.open(session.info.id).close()


@pytest.mark.parametrize("changed", [0, 1])
def test_changed_log_is_noticed(store: SessionStore, changed: int) -> None:
    """An edited line breaks the chain of hashes, and the list says so."""
    with new(store) as session:
        write(session, 0, 1)
    log = session.folder / "log.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    lines[changed] = lines[changed].replace("user", "evil")
    log.write_text("".join(lines))
    assert code_of(store, session.info.id) == "log_changed"
    assert store.list()[0].problem


def test_removed_lines_are_noticed(store: SessionStore) -> None:
    """A log that lost its end after it was recorded no longer meets its head."""
    with new(store) as session:
        write(session, 0, 1)
    (session.folder / "log.jsonl").write_text(line(0))
    assert code_of(store, session.info.id) == "log_changed"


def test_second_process_is_kept_out(store: SessionStore) -> None:
    """Two cannot append to one log; closing gives it free."""
    with new(store) as session:
        assert code_of(store, session.info.id) == "session_locked"
        assert store.read(session.info.id).text == ""
    store.open(session.info.id).close()


@pytest.mark.parametrize("session_id", ["", "nope", "../../etc", "20231114-221320-123-abcdef", "a/b"])
def test_unknown_session_is_named(store: SessionStore, session_id: str) -> None:
    """No id leads out of the store."""
    assert code_of(store, session_id) == "session_not_found"


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe{", b'{"id": "other"}'])
def test_lost_head_is_derived(store: SessionStore, content: bytes | None) -> None:
    """A head that is lost, or no hash, says nothing that the log does not; opening writes it again."""
    with new(store) as session:
        write(session, 0, 1)
        head = session.head
    path = session.folder / "head"
    path.unlink() if content is None else path.write_bytes(content)
    assert store.list()[0].problem is None
    with store.open(session.info.id) as again:
        assert head == again.head


def test_late_head_is_brought_up(store: SessionStore) -> None:
    """After a crash between log and head, opening records the head that the log has."""
    with new(store) as session:
        write(session, 0)
        late = session.head
        write(session, 1)
        head = session.head
    (session.folder / "head").write_text(late)
    with store.open(session.info.id) as again:
        assert head == again.head


@pytest.mark.parametrize("member", ["query", "agent_digest", "model", "root", "created_ms"])
def test_session_is_own_while_its_description_is_as_it_was_made(store: SessionStore, member: str) -> None:
    """The seal covers every member, and a folder of another user's making has none."""
    with new(store) as session:
        info = session.info
    assert info.is_own(session.folder)
    assert not msgspec.structs.replace(info, **{member: 7 if member == "created_ms" else "other"}).is_own(
        session.folder
    )
    assert not msgspec.structs.replace(info, seal="").is_own(session.folder)


def test_session_of_another_state_folder_is_not_own(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody with another key made it: another user, or the same name on another machine."""
    with new(store) as session:
        pass
    monkeypatch.setenv("XDG_STATE_HOME", str(store.root / "other"))
    assert not session.info.is_own(session.folder)


@pytest.mark.parametrize("name", ["session.json", "log.jsonl"])
@pytest.mark.parametrize("content", [None, b"\xff\xfe{", b'{"id": "other"}'])
def test_damaged_session_is_listed_with_its_problem(store: SessionStore, name: str, content: bytes | None) -> None:
    """One bad folder does not hide the others, and says what is wrong."""
    with new(store) as bad:
        write(bad, 0)
    new(store).close()
    path = bad.folder / name
    path.unlink() if content is None else path.write_bytes(content)
    listed = {info.id: info.problem for info in store.list()}
    assert len(listed) == 2
    assert listed[bad.info.id]
    assert sum(problem is None for problem in listed.values()) == 1


def test_text_without_its_newline_is_refused(store: SessionStore) -> None:
    """Half a line is never written."""
    with new(store) as session:
        with pytest.raises(SessionError) as raised:
            session.append('{"seq": 0}', "a" * 64)
        assert raised.value.code == "bad_log_text"
        assert session.text() == ""


def test_full_disk_leaves_the_log_as_it_was(store: SessionStore) -> None:
    """An append that fails half way is undone and can be tried again."""
    program = (
        "import resource, signal, sys; from pathlib import Path; from purestep_hosts.sessions import *;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "s = SessionStore(Path(sys.argv[1])).create(query='', agent_digest='', model='');"
        "s.append('{}\\n', 'a' * 64);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "big = '{\"a\": \"' + 'x' * 5000 + '\"}\\n'\n"
        "try: s.append(big, 'b' * 64)\n"
        "except SessionError as e: print(e.code, repr(s.text()), s.head[0])"
    )
    done = subprocess.run([sys.executable, "-c", program, str(store.root)], capture_output=True, text=True, check=True)
    assert done.stdout == "log_not_writable '{}\\n' a\n"


def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A place that is no folder gives a sentence."""
    (tmp_path / "file").touch()
    with pytest.raises(SessionError) as raised:
        new(SessionStore(tmp_path / "file" / "sessions"))
    assert raised.value.code == "log_not_writable"


WRITER = """
import os, sys
from pathlib import Path
from purestep_hosts.sessions import SessionStore, chain
session = SessionStore(Path(sys.argv[1])).open(sys.argv[2])
number, head = int(sys.argv[3]), session.head
while True:
    lines = [f'{{"seq":{number + i},"pad":"{"x" * (number * 37 % 3000)}"}}' for i in range(3)]
    head = chain([text.encode() for text in lines], head)
    session.append("".join(text + "\\n" for text in lines), head)
    number += 3
    os.write(1, b"%d\\n" % number)
"""


def test_kill_at_any_moment_loses_nothing_finished(store: SessionStore) -> None:
    """Writers killed at random moments: every append that returned is there, and the log goes on."""
    with new(store) as session:
        pass
    clock = random.Random(7)
    number = 0
    for _ in range(12):
        command = [sys.executable, "-c", WRITER, str(store.root), session.info.id, str(number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            reported = [int(writer.stdout.readline())]
            time.sleep(clock.uniform(0, 0.03))
            writer.send_signal(signal.SIGKILL)
            reported += [int(text) for text in writer.stdout.read().splitlines()]
        with store.open(session.info.id) as again:
            seqs = [json.loads(text)["seq"] for text in again.text().splitlines()]
            assert seqs == list(range(len(seqs)))
            assert len(seqs) >= reported[-1]
            # The host would have the core finish a step of which only some lines came to disk.
            number = len(seqs)
            again.append("", again.head)
            (again.folder / "head").write_text(chain(text.encode() for text in again.text().splitlines()))


def test_leftover_of_a_kill_while_creating_is_invisible(store: SessionStore) -> None:
    """A session appears whole or not at all."""
    with new(store) as session:
        pass
    os.rename(session.folder, store.root / f".{session.info.id}")
    assert store.list() == []
