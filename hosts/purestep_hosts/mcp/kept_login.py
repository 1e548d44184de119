"""What a login to a server leaves behind: tokens and registration, in a file of the user's state folder.

    mcp/login-DIGEST.json   of one address; only its owner can read it

The file also has where tokens are renewed: without that the SDK would guess an address after a restart, and send the
token that renews there.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from purestep import decode_as
from purestep_hosts import durable_files
from purestep_hosts.extras import MCP
from purestep_hosts.state_folder import digest_of, state_folder

with MCP:
    from mcp.shared.auth import OAuthClientInformationFull, OAuthMetadata, OAuthToken, ProtectedResourceMetadata

if TYPE_CHECKING:
    from mcp.client.auth.oauth2 import OAuthContext

_MIN_HIDDEN_CHARS: Final = 8
"""Of a secret that is looked for in what a server says: shorter ones are no secrets, and stand in many words."""


class _Kept(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The file; what the SDK knows is kept as it writes it."""

    url: str
    tokens: dict[str, Any] | None = None
    expires_at: float | None = None
    client: dict[str, Any] | None = None
    server: dict[str, Any] | None = None
    resource: dict[str, Any] | None = None
    issuer: str | None = None


class KeptLogin:
    """The tokens of one address, as the SDK asks for them and gives them."""

    def __init__(self, url: str) -> None:
        """Read the file, if there is one that belongs to this address. Raises MissingExtraError."""
        self._path = state_folder() / "mcp" / f"login-{digest_of(url)}.json"
        self._kept = _read(self._path, url) or _Kept(url=url)
        self.flow: OAuthContext | None = None
        """What the SDK's flow knows, of which its storage is not told all."""

    @property
    def has_tokens(self) -> bool:
        """Whether somebody has logged in before."""
        return self._kept.tokens is not None

    @property
    def port(self) -> int:
        """The port of this machine that the server knows this client by; 0 where it knows none."""
        uris = (self._kept.client or {}).get("redirect_uris") or [""]
        with suppress(ValueError):
            return int(str(uris[0]).removeprefix("http://127.0.0.1:").partition("/")[0])
        return 0

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody else may see."""
        members = {**(self._kept.tokens or {}), **(self._kept.client or {})}
        names = ("access_token", "refresh_token", "client_secret", "registration_access_token")
        found = [members.get(name) for name in names]
        return tuple([each for each in found if isinstance(each, str) and len(each) >= _MIN_HIDDEN_CHARS])

    def take_newer(self) -> None:
        """Take over tokens that another process has renewed meanwhile: many servers take what renews them once."""
        found = _read(self._path, self._kept.url)
        if found is None or found.tokens is None or found.tokens == self._kept.tokens or self.flow is None:
            return
        self._kept = found
        self.flow.current_tokens = OAuthToken.model_validate(found.tokens)
        self.flow.token_expiry_time = found.expires_at

    async def get_tokens(self) -> OAuthToken | None:
        """Return the tokens, and tell the SDK until when they hold and where they are renewed."""
        kept, flow = self._kept, self.flow
        if kept.tokens is None:
            return None
        if flow is not None:
            flow.token_expiry_time = kept.expires_at
            flow.auth_server_url = kept.issuer
            if kept.server is not None:
                flow.oauth_metadata = OAuthMetadata.model_validate(kept.server)
            if kept.resource is not None:
                flow.protected_resource_metadata = ProtectedResourceMetadata.model_validate(kept.resource)
        return OAuthToken.model_validate(kept.tokens)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep new tokens. Raises OSError."""
        flow = self.flow
        self._kept.tokens = tokens.model_dump(mode="json", exclude_none=True)
        self._kept.expires_at = None if tokens.expires_in is None else time.time() + tokens.expires_in
        if flow is not None:
            self._kept.issuer = flow.auth_server_url
            self._kept.server = _members(flow.oauth_metadata)
            self._kept.resource = _members(flow.protected_resource_metadata)
        self._write()

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return how this client is registered."""
        found = self._kept.client
        return None if found is None else OAuthClientInformationFull.model_validate(found)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep how this client is registered; tokens of another registration are of no use. Raises OSError."""
        self._kept.client = _members(client_info)
        self._kept.tokens = self._kept.expires_at = None
        self._write()

    def _write(self) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        durable_files.replace(self._path, msgspec.json.encode(self._kept))


def _members(value: Any) -> dict[str, Any] | None:
    return None if value is None else dict(value.model_dump(mode="json", exclude_none=True))


def _read(path: Path, url: str) -> _Kept | None:
    """Return what a file holds; None where there is none, or none of this address that can be read."""
    try:
        found = decode_as(path.read_bytes(), _Kept)
        for kind, kept in (
            (OAuthToken, found.tokens),
            (OAuthClientInformationFull, found.client),
            (OAuthMetadata, found.server),
            (ProtectedResourceMetadata, found.resource),
        ):
            if kept is not None:
                kind.model_validate(kept)
    except (OSError, ValueError):  # also what msgspec and pydantic raise
        return None
    return found if found.url == url else None
