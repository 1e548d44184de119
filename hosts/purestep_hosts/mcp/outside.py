"""Resources and prompts of an MCP server: listed, found by name, and read as data from outside that is bounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from purestep import DataText
from purestep_hosts.attachments import MAX_TEXT_BYTES, Attachment
from purestep_hosts.mcp.connection import MAX_PAGES
from purestep_hosts.mcp.lazy_server import ServerConnection
from purestep_hosts.mcp.results import pieces_of
from purestep_hosts.mcp.server_entry import McpError
from purestep_hosts.outside_data import OutsideData
from purestep_hosts.tools.output_parts import MAX_PARTS, told

if TYPE_CHECKING:
    from mcp import Client

_MAX_LISTED: Final = 1000
"""Resources, templates or prompts of one server: a person or a program looks for one of them by its name."""

_MAX_TEXTS: Final = 12
"""Texts of one resource or prompt: a message takes 16."""

_MAX_NAMED: Final = 8
"""Names in an error: more are not read."""

_SHOWN_CHARS: Final = 120


class ListedResource(msgspec.Struct, frozen=True, kw_only=True):
    """A resource that a server lists; `uri` of a template has names in braces, and `size` is in bytes, if told."""

    server: str
    name: str
    uri: str
    description: str = ""
    media_type: str = ""
    size: int | None = None
    is_template: bool = False


class ListedPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that a server lists, with the names of its arguments."""

    server: str
    name: str
    description: str = ""
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


def listed_resources(connection: ServerConnection) -> tuple[ListedResource, ...]:
    """Return the resources and templates of a server; none where it has no such thing. Raises McpError."""
    if not connection.has("resources"):
        return ()
    server = connection.server.name
    plain = _entries(connection, "resources", lambda client, cursor: client.list_resources(cursor=cursor))
    templates = _entries(
        connection, "resourceTemplates", lambda client, cursor: client.list_resource_templates(cursor=cursor)
    )
    found = [_resource(server, entry, "uri") for entry in plain]
    return tuple([each for each in [*found, *[_resource(server, entry, "uriTemplate") for entry in templates]] if each])


def listed_prompts(connection: ServerConnection) -> tuple[ListedPrompt, ...]:
    """Return the prompts of a server; none where it has no such thing. Raises McpError."""
    if not connection.has("prompts"):
        return ()
    entries = _entries(connection, "prompts", lambda client, cursor: client.list_prompts(cursor=cursor))
    return tuple([each for entry in entries if (each := _prompt(connection.server.name, entry))])


def read_resource(connection: ServerConnection, name: str, values: Mapping[str, str]) -> OutsideData:
    """Return what a resource holds, by its name or address; values: of the names in a template's braces.

    Raises McpError for one that is not there, is too large, or holds nothing that a model reads.
    """
    from purestep_hosts.mcp.bounded_bodies import MAX_MESSAGE_BYTES

    server = connection.server.name
    listed = listed_resources(connection)
    found = next((each for each in listed if name in (each.uri, each.name)), None)
    if found is None and ("://" not in name or values):
        raise McpError(f"the MCP server {server} has no resource {name!r:.120}; {_there_are(r.name for r in listed)}")
    if found is not None and (found.size or 0) > MAX_MESSAGE_BYTES:
        text = f"has {found.size:,} bytes, and at most {MAX_MESSAGE_BYTES:,} are read; ask for a part of it"
        raise McpError(f"the resource {name!r:.120} of the MCP server {server} {text}")
    uri = _expanded(server, found, values) if found is not None else name
    sent = connection.request(lambda client: client.read_resource(uri))
    contents = sent.get("contents")
    blocks = [{"type": "resource", "resource": each} for each in contents] if isinstance(contents, list) else []
    return _outside(f"{server}:{uri}", [piece for block in blocks for piece in pieces_of(block)])


def read_prompt(connection: ServerConnection, name: str, arguments: Mapping[str, str]) -> OutsideData:
    """Return what a prompt says with these arguments; raises McpError for one that is not there or not so called."""
    server = connection.server.name
    listed = listed_prompts(connection)
    found = next((each for each in listed if each.name == name), None)
    if found is None:
        raise McpError(f"the MCP server {server} has no prompt {name!r:.120}; {_there_are(p.name for p in listed)}")
    takes = (*found.required, *found.optional)
    for wrong in (*[each for each in arguments if each not in takes],):
        raise McpError(f"the prompt {name!r:.120} takes no argument {wrong!r:.120}; {_there_are(takes)}")
    if missing := [each for each in found.required if each not in arguments]:
        raise McpError(f"the prompt {name!r:.120} needs {', '.join(map(_shown, missing))}; give it as NAME=VALUE")
    sent = connection.request(lambda client: client.get_prompt(name, dict(arguments)))
    messages = sent.get("messages")
    said = list(_said(messages if isinstance(messages, list) else []))
    return _outside(f"{server}:{name}", said)


def _said(messages: list[Any]) -> Iterator[str | Attachment]:
    """Yield what the messages of a prompt say, each text after the role that it has where there are several."""
    for message in messages:
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        role = f"{_shown(message.get('role'))}: " if len(messages) > 1 else ""
        for block in content if isinstance(content, list) else [content]:
            for piece in pieces_of(block):
                yield f"{role}{piece}" if isinstance(piece, str) else piece


def _outside(source: str, pieces: list[str | Attachment]) -> OutsideData:
    """Return pieces as data under the name of where they come from; raises McpError past the bounds."""
    texts = [each if isinstance(each, str) else told(each) for each in pieces]
    files = tuple([each for each in pieces if isinstance(each, Attachment)])
    if not texts:
        raise McpError(f"{_shown(source)} is empty; there is nothing to attach")
    if len(texts) > _MAX_TEXTS or len(files) > MAX_PARTS or sum(map(len, texts)) > MAX_TEXT_BYTES:
        bound = f"{_MAX_TEXTS} texts, {MAX_PARTS} files and {MAX_TEXT_BYTES:,} characters"
        raise McpError(f"{_shown(source)} is too large: at most {bound} are attached; ask for a part of it")
    return OutsideData(texts=tuple([DataText(text=text, name=_shown(source)) for text in texts]), files=files)


def _expanded(server: str, found: ListedResource, values: Mapping[str, str]) -> str:
    """Return the address of a resource, with values in a template's braces."""
    if not found.is_template:
        if values:
            raise McpError(f"the resource {_shown(found.name)} of the MCP server {server} takes no values")
        return found.uri
    from mcp.shared.uri_template import InvalidUriTemplate, UriTemplate

    try:
        template = UriTemplate.parse(found.uri)
        names = template.variable_names
        if wrong := sorted({*values} ^ {*names}):
            text = f"needs values for {', '.join(map(_shown, names))}; {', '.join(map(_shown, wrong))} does not fit"
            raise McpError(f"the template {_shown(found.name)} of the MCP server {server} {text}")
        return template.expand(dict(values))
    except (InvalidUriTemplate, ValueError, TypeError) as error:
        raise McpError(f"the template {_shown(found.uri)} of the MCP server {server} cannot be used: {error}") from None


def _entries(
    connection: ServerConnection, member: str, ask: Callable[[Client, str | None], Any]
) -> list[dict[str, Any]]:
    """Return the entries of a list, page by page, as the server sent them."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        sent = connection.request(lambda client, at=cursor: ask(client, at))  # type: ignore[misc]
        page = sent.get(member)
        found += [each for each in page if isinstance(each, dict)] if isinstance(page, list) else []
        after = sent.get("nextCursor")
        cursor = after if isinstance(after, str) and after else None
        if cursor is None or len(found) >= _MAX_LISTED:
            break
    return found[:_MAX_LISTED]


def _resource(server: str, entry: dict[str, Any], member: str) -> ListedResource | None:
    uri, size = entry.get(member), entry.get("size")
    if not isinstance(uri, str) or not uri:
        return None
    return ListedResource(
        server=server,
        name=_word(entry, "name") or uri,
        uri=uri,
        description=_word(entry, "description"),
        media_type=_word(entry, "mimeType"),
        size=size if isinstance(size, int) and not isinstance(size, bool) else None,
        is_template=member == "uriTemplate",
    )


def _prompt(server: str, entry: dict[str, Any]) -> ListedPrompt | None:
    name, listed = entry.get("name"), entry.get("arguments")
    if not isinstance(name, str) or not name:
        return None
    given = [each for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    takes = [(each["name"], each.get("required") is True) for each in given if isinstance(each.get("name"), str)]
    return ListedPrompt(
        server=server,
        name=name,
        description=_word(entry, "description"),
        required=tuple([each for each, needed in takes if needed]),
        optional=tuple([each for each, needed in takes if not needed]),
    )


def _word(entry: dict[str, Any], member: str) -> str:
    value = entry.get(member)
    return value if isinstance(value, str) else ""


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "?"
    return "".join(c if c.isprintable() else " " for c in text[:_SHOWN_CHARS])


def _there_are(names: Any) -> str:
    found = [_shown(each) for each in names]
    more = f" and {len(found) - _MAX_NAMED} more" if len(found) > _MAX_NAMED else ""
    return f"there are {', '.join(found[:_MAX_NAMED])}{more}" if found else "there is none"
