"""The fetch_url tool: GET a public web page as text; the address is checked for every redirect."""

from __future__ import annotations

import http.client
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin

import msgspec

from purestep import Example
from purestep_hosts.tools.checked_request import Target, answered, bounded_body, target_of
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.limits import (
    ACCEPTED_TYPES,
    HTML_TYPES,
    MAX_PAGE_BYTES,
    MAX_REDIRECTS,
    MAX_URL_CHARS,
    PAGE_CUT_NOTICE,
    REDIRECT_STATUSES,
    TEXT_TYPE_ENDS,
    TEXT_TYPE_STARTS,
)
from purestep_hosts.tools.tool import RunningCall, Tool, ToolFailure, hints, parameters, text
from purestep_tools import html_text


def tool(config: ToolConfig) -> Tool:
    """Return the fetch tool; `config.allow_hosts` names private hosts that it may reach."""
    allowed = frozenset(host.lower() for host in config.allow_hosts)

    def run(params: dict[str, Any], call: RunningCall) -> str:
        url = bounded_text(params, "url", max_chars=MAX_URL_CHARS)
        for _ in range(MAX_REDIRECTS + 1):
            answer = _get(target_of(url, allowed), call)
            if isinstance(answer, str):
                return answer
            url = urljoin(url, answer.location)
        raise ToolFailure(f"the page redirects more than {MAX_REDIRECTS} times")

    return Tool(
        name="fetch_url",
        description="Get the text of a web page.",
        parameters=parameters(url=text("the address, starting with http:// or https://")),
        run=run,
        annotations=hints(read_only=True, idempotent=True, open_world=True),
        checks=("plausibility",),  # a page without text is no page to answer from
        time_limit_s=config.fetch_time_limit_s,
        max_output_chars=config.max_output_chars,
        examples=(
            Example(
                query="Fetch https://example.com",
                arguments={"url": "https://example.com"},
                result="Example Domain\nThis domain is for use in examples.",
                answer="The page says that the domain is for use in examples.",
            ),
        ),
    )


class _Redirect(msgspec.Struct, frozen=True, kw_only=True):
    location: str


def _get(target: Target, call: RunningCall) -> str | _Redirect:
    with answered(target, call, ACCEPTED_TYPES) as response:
        return _read(response, target, call)


def _read(response: http.client.HTTPResponse, target: Target, call: RunningCall) -> str | _Redirect:
    location = response.getheader("Location")
    if response.status in REDIRECT_STATUSES and location:
        return _Redirect(location=location)
    if not HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
        raise ToolFailure(f"{target.host} answered with status {response.status} {response.reason}"[:200])
    kind = response.headers.get_content_type()
    if not (kind.startswith(TEXT_TYPE_STARTS) or kind.endswith(TEXT_TYPE_ENDS)):
        raise ToolFailure(f"the address holds {kind}; only text can be fetched")
    if response.getheader("Content-Encoding", "identity") != "identity":
        raise ToolFailure("the page is compressed although that was not asked for")
    body = bounded_body(response, call, MAX_PAGE_BYTES)
    if len(body) > MAX_PAGE_BYTES and kind not in HTML_TYPES:  # the start of other text, such as JSON, may be nothing
        raise ToolFailure(f"the address holds more than {MAX_PAGE_BYTES} bytes of {kind}; ask for a part of it")
    page = _decoded(body[:MAX_PAGE_BYTES], response.headers.get_content_charset())
    shown = html_text(page) if kind in HTML_TYPES else page
    return shown if len(body) <= MAX_PAGE_BYTES else shown + PAGE_CUT_NOTICE


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
