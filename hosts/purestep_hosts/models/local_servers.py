"""Which model servers run on this machine, at the ports where they usually listen: found, and never used unasked.

No key is sent, and each server has a moment to answer: on loopback, one that is there connects at once.
"""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from purestep_hosts.models.server_kinds import LOOPBACK, SERVER_KINDS, ServerKind

_CONNECT_S: Final = 0.05
_ANSWER_S: Final = 0.5
"""A list of models is kept ready; a server that is busy loading one may be missed."""
_MAX_BYTES: Final = 1_000_000


class LocalServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that answers: the name of its kind, its base URL, and its models, () where it does not list them."""

    kind: str
    url: str
    models: tuple[str, ...] = ()


class LocalLook:
    """Looks for all servers at once, in threads that end by themselves."""

    def __init__(
        self, kinds: Iterable[ServerKind] = SERVER_KINDS, environment: Mapping[str, str] | None = None
    ) -> None:
        """Start to look, where the variables of the environment say that they are or at their usual ports."""
        given = os.environ if environment is None else environment
        self._found: dict[str, LocalServer] = {}
        self._kinds = [kind for kind in kinds if kind.is_local]
        self._threads = [
            threading.Thread(target=self._look, args=(kind, _address(kind, given)), daemon=True) for kind in self._kinds
        ]
        for thread in self._threads:
            thread.start()

    def found(self, wait_s: float = _CONNECT_S + _ANSWER_S) -> list[LocalServer]:
        """Return those that have answered, in the order of their kinds, after at most so many seconds."""
        until = time.monotonic() + wait_s
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        found = dict(self._found)
        return [found[kind.name] for kind in self._kinds if kind.name in found]

    def _look(self, kind: ServerKind, url: str | None) -> None:
        models = None if url is None else _models_at(url)
        if url is not None and models is not None:
            self._found[kind.name] = LocalServer(kind=kind.name, url=url, models=models)


def _address(kind: ServerKind, environment: Mapping[str, str]) -> str | None:
    """Return where a kind is, if that is on this machine."""
    try:
        url = kind.base_url(environment.get(kind.address_name, "").strip() or None)
        parts = urlsplit(url)
        return url if parts.scheme == "http" and parts.hostname in LOOPBACK and parts.port else None
    except ValueError:
        return None


def _models_at(url: str) -> tuple[str, ...] | None:
    """Return the models that a server lists, () where it wants a key for that; None where no model server answers."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=_CONNECT_S)
    try:
        connection.connect()
        connection.sock.settimeout(_ANSWER_S)
        connection.request("GET", f"{parts.path}/models", headers={"User-Agent": "purestep"})
        response = connection.getresponse()
        if response.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return ()
        listed: Any = json.loads(response.read(_MAX_BYTES))["data"] if response.status == HTTPStatus.OK else None
        return None if listed is None else tuple(str(entry["id"]) for entry in listed)
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        return None
    finally:
        connection.close()
