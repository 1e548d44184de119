"""What a person may call a session by: its id, the beginning of that or of its last part, or `last`."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from purestep_hosts.session_log import SessionError

if TYPE_CHECKING:
    from purestep_hosts.sessions import SessionStore

LAST: Final = "last"
"""The newest session."""

LEAST_CHARS: Final = 4
"""As of git: fewer name something else as soon as there are some sessions more."""

SHORT_CHARS: Final = 6
"""The last part of an id, which is random: of a thousand sessions, two have the same once in 30 stores."""

_LISTED: Final = 4


def named_session(store: SessionStore, name: str) -> str:
    """Return the id of the session that a name means, which need not hold a log.

    name: its id, `last`, or at least four characters that its id or the last part of it begins with.
    Raises SessionError: `session_not_found`, `session_ambiguous`.
    """
    ids = store.ids()
    if name == LAST and ids:
        return ids[0]
    if name in ids:
        return name
    found = [each for each in ids if each.endswith(f"-{name}")]
    if not found and len(name) >= LEAST_CHARS:
        found = [each for each in ids if _begins(each, name)]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise SessionError("session_ambiguous", f"{name!r} may be any of {listed}{more}; give more of the id.")
    raise SessionError("session_not_found", f"There is no session {name!r} in {store.root}.")


def short_ids(ids: Sequence[str]) -> dict[str, str]:
    """Return the last part of each id; all of one where another has the same."""
    times = Counter([each[-SHORT_CHARS:] for each in ids])
    return {each: each[-SHORT_CHARS:] if times[each[-SHORT_CHARS:]] == 1 else each for each in ids}


def short_id(store: SessionStore, session: str) -> str:
    """Return the last part of a session's id; all of the id where another session has the same."""
    return short_ids(store.ids()).get(session, session)


def resuming(store: SessionStore, session: str) -> str:
    """Return the command that resumes a session, from wherever its store is."""
    where = f" --sessions {shlex.quote(str(store.root))}" if store.is_named else ""
    return f"purestep run --resume {short_id(store, session)}{where}"


def _begins(session: str, name: str) -> bool:
    return session.startswith(name) or session[-SHORT_CHARS:].startswith(name)
