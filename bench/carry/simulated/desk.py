"""Notes, files, pages, the household."""

from fnmatch import fnmatchcase
from typing import Any

from bench.carry.simulated.failure import Failure, World


def note_add(world: World, note: str) -> str:
    """Keep a note."""
    if not note.strip():
        raise Failure("the note is empty")
    world["notes"].append(note)
    return f"noted: {note}"


def note_find(world: World, query: str) -> str:
    """Find notes that hold all words."""
    found = [note for note in world["notes"] if _holds(note, query)]
    return "\n".join(found) or f"no note holds: {query}"


def note_list(world: World) -> str:
    """Give all notes."""
    return "\n".join(world["notes"])


def page(world: World, url: str, max_length: int = 10_000) -> str:
    """Give the text of a page."""
    if url not in world["pages"]:
        raise Failure(f"404: there is no page {url}")
    return str(world["pages"][url])[:max_length]


def links(world: World, url: str) -> list[str]:
    """Give the addresses that stand in a page."""
    return [word.strip(".,") for word in page(world, url).split() if word.startswith("http")]


def file_read(world: World, path: str, head: int = 0) -> str:
    """Give a file's text, or its first lines."""
    if path not in world["files"]:
        raise Failure(f"there is no file {path}")
    text = str(world["files"][path])
    return "\n".join(text.split("\n")[:head]) if head else text


def file_write(world: World, path: str, text: str) -> str:
    """Write a file."""
    if not path or path.endswith("/"):
        raise Failure("expected the path of a file")
    world["files"][path] = text
    return f"wrote {len(text)} characters to {path}"


def file_delete(world: World, path: str) -> str:
    """Delete a file."""
    file_read(world, path)
    del world["files"][path]
    return f"deleted {path}"


def file_move(world: World, source: str, target: str) -> str:
    """Move a file."""
    text = file_read(world, source)
    del world["files"][source]
    world["files"][target] = text
    return f"moved {source} to {target}"


def file_info(world: World, path: str) -> dict[str, Any]:
    """Give size and lines of a file."""
    text = file_read(world, path)
    return {"size": len(text), "lines": text.count("\n") + 1}


def folder_list(world: World, path: str = ".") -> str:
    """Give the names in a folder."""
    lead = "" if path in (".", "", "/") else path.rstrip("/") + "/"
    names = {name[len(lead) :].partition("/")[0] for name in world["files"] if name.startswith(lead)}
    if not names:
        raise Failure(f"there is no folder {path}")
    return "\n".join(sorted(names))


def folder_make(world: World, path: str) -> str:
    """Make a folder."""
    if not path:
        raise Failure("expected a path")
    world["files"][path.rstrip("/") + "/.keep"] = ""
    return f"made {path}"


def files_find(world: World, path: str, pattern: str) -> str:
    """Find files by a pattern of names."""
    lead = "" if path in (".", "", "/") else path.rstrip("/") + "/"
    found = [n for n in sorted(world["files"]) if n.startswith(lead) and fnmatchcase(n.rpartition("/")[2], pattern)]
    return "\n".join(found) or f"no file in {path} is named {pattern}"


def light(world: World, room: str, state: str) -> str:
    """Switch a light."""
    _known(room, world["rooms"], "room")
    world["rooms"][room]["light"] = state
    return f"the light in the {room} is {state}"


def heating(world: World, room: str, degrees: float) -> str:
    """Set a room's temperature."""
    _known(room, world["rooms"], "room")
    world["rooms"][room]["degrees"] = degrees
    return f"the {room} is set to {degrees} degrees"


def timer(world: World, minutes: float) -> str:
    """Start a timer."""
    if minutes <= 0:
        raise Failure("a timer takes more than no time")
    world["timers"].append(minutes)
    return f"timer started: {minutes} minutes"


def shopping_add(world: World, item: str) -> str:
    """Put a thing on the list."""
    if not item.strip():
        raise Failure("nothing to add")
    world["shopping"].append(item)
    return f"added to the list: {item}"


def shopping_list(world: World) -> str:
    """Give the list."""
    return ", ".join(world["shopping"])


def lock(world: World, door: str) -> str:
    """Lock a door."""
    _known(door, world["doors"], "door")
    return f"the {door} door is locked"


def _known(name: str, names: Any, kind: str) -> None:
    if name not in names:
        raise Failure(f"there is no {kind} {name!r}; there are {', '.join(names)}")


def _holds(text: str, query: str) -> bool:
    return bool(query.strip()) and all(word in text.lower() for word in query.lower().split())
