"""An MCP server with OAuth of the SDK: PORT, seconds that a token holds, and a file for what was asked of it."""

import secrets
import sys
import time
from pathlib import Path

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl

PORT, HOLDS_S, ASKED = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
PLACE = f"http://127.0.0.1:{PORT}"

AUTH = AuthSettings(
    issuer_url=AnyHttpUrl(PLACE),
    resource_server_url=AnyHttpUrl(f"{PLACE}/mcp"),
    client_registration_options=ClientRegistrationOptions(enabled=True),
    validate_token_resource=False,
)


class Provider(OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]):
    """Lets everybody in who opens the address, and keeps all in memory."""

    def __init__(self) -> None:
        self.clients: dict[str, OAuthClientInformationFull] = {}
        self.codes: dict[str, AuthorizationCode] = {}
        self.refreshes: dict[str, RefreshToken] = {}
        self.tokens: dict[str, AccessToken] = {}

    def note(self, what: str) -> None:
        """Write down what was asked."""
        with ASKED.open("a") as file:
            file.write(f"{what}\n")

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a client."""
        return self.clients.get(client_id)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Keep a client."""
        self.note("register")
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Send the browser back with a code."""
        self.note("authorize")
        code = AuthorizationCode(
            code=secrets.token_urlsafe(32),
            scopes=params.scopes or [],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            **params.model_dump(include={"code_challenge", "redirect_uri", "redirect_uri_provided_explicitly"}),
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(
            str(params.redirect_uri), code=code.code, state=params.state, iss=str(AUTH.issuer_url)
        )

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        """Return a code."""
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        """Return tokens for a code."""
        self.note("token")
        del self.codes[authorization_code.code]
        return self.given(client.client_id, authorization_code.scopes)

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        """Return what renews a token."""
        return self.refreshes.get(refresh_token)

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        """Return new tokens; the old ones end."""
        self.note("refresh")
        del self.refreshes[refresh_token.token]
        return self.given(client.client_id, scopes)

    def given(self, client_id: str, scopes: list[str]) -> OAuthToken:
        """Return tokens for a client."""
        token, refresh = f"at-{secrets.token_hex(16)}", f"rt-{secrets.token_hex(16)}"
        ends = int(time.time()) + HOLDS_S
        self.tokens[token] = AccessToken(token=token, client_id=client_id, scopes=scopes, expires_at=ends)
        self.refreshes[refresh] = RefreshToken(token=refresh, client_id=client_id, scopes=scopes)
        return OAuthToken(access_token=token, expires_in=HOLDS_S, refresh_token=refresh, scope=" ".join(scopes))

    async def load_access_token(self, token: str) -> AccessToken | None:
        """Return a token that holds."""
        found = self.tokens.get(token)
        return found if found is not None and (found.expires_at or 0) > time.time() else None

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """End a token."""


server = MCPServer(
    "vault",
    log_level="ERROR",
    auth_server_provider=Provider(),
    auth=AUTH,
)


@server.tool()
def blab() -> str:
    """Say the token that came with the call."""
    token = get_access_token()
    return f"the token is {token.token if token else 'none'}!"


if __name__ == "__main__":
    server.run(transport="streamable-http", host="127.0.0.1", port=PORT)
