"""Repositories, databases, remembered facts, issues."""

import sqlite3
from typing import Any

from bench.carry.simulated.failure import Failure, World


def repo_status(world: World, repo: str) -> str:
    """Give branch and changed files."""
    found = _repo(world, repo)
    return f"on branch {found['branch']}; changed: {', '.join(found['changed']) or 'nothing'}"


def repo_log(world: World, repo: str, max_count: int = 10) -> str:
    """Give the last commits."""
    return "\n".join(f"{commit} {text}" for commit, text in list(_repo(world, repo)["commits"].items())[:max_count])


def repo_show(world: World, repo: str, revision: str) -> str:
    """Give one commit."""
    commits = _repo(world, repo)["commits"]
    if revision not in commits:
        raise Failure(f"unknown revision {revision}")
    return f"{revision}: {commits[revision]}"


def repo_add(world: World, repo: str, files: list[str]) -> str:
    """Stage files."""
    missing = [name for name in files if name not in _repo(world, repo)["changed"]]
    if missing or not files:
        raise Failure(f"pathspec did not match: {', '.join(missing) or 'nothing given'}")
    return f"staged {', '.join(files)}"


def repo_commit(world: World, repo: str, message: str) -> str:
    """Make a commit."""
    if not message.strip():
        raise Failure("empty commit message")
    found = _repo(world, repo)
    found["changed"] = []
    return f"committed on {found['branch']}: {message}"


def repo_branch(world: World, repo: str, name: str, base: str = "") -> str:
    """Make a branch."""
    branches = _repo(world, repo)["branches"]
    if not name or name in branches or " " in name:
        raise Failure(f"cannot make a branch {name!r}")
    branches.append(name)
    return f"created branch {name}"


def repo_checkout(world: World, repo: str, name: str) -> str:
    """Change to a branch."""
    found = _repo(world, repo)
    if name not in found["branches"]:
        raise Failure(f"there is no branch {name}")
    found["branch"] = name
    return f"switched to {name}"


def tables(world: World) -> list[str]:
    """Give the tables' names."""
    return list(world["tables"])


def table(world: World, name: str) -> list[str]:
    """Give a table's columns."""
    if name not in world["tables"]:
        raise Failure(f"no such table: {name}")
    return list(world["tables"][name]["columns"])


def query(world: World, query: str) -> list[list[Any]]:
    """Read rows."""
    if not query.lstrip().lower().startswith("select"):
        raise Failure("only SELECT is allowed here")
    return [list(row) for row in _database(world, query)[0]]


def change(world: World, query: str) -> str:
    """Change rows."""
    if query.lstrip().lower().startswith("select") or not query.strip():
        raise Failure("SELECT changes nothing")
    return f"affected rows: {_database(world, query)[1]}"


def entity_add(world: World, name: str, kind: str) -> str:
    """Remember a thing."""
    if not name.strip():
        raise Failure("an entity has a name")
    world["entities"][name] = {"type": kind, "observations": []}
    return f"created {name} ({kind})"


def entity_observe(world: World, name: str, content: str) -> str:
    """Remember a fact of a thing."""
    entity_open(world, name)["observations"].append(content)
    return f"{name}: {content}"


def entity_open(world: World, name: str) -> dict[str, Any]:
    """Give what is known of a thing."""
    if name not in world["entities"]:
        raise Failure(f"there is no entity {name}")
    return dict(world["entities"][name])


def entity_find(world: World, query: str) -> list[str]:
    """Find things by what is known of them."""
    return [
        name
        for name, entity in world["entities"].items()
        if query and query.lower() in " ".join((name, entity["type"], *entity["observations"])).lower()
    ]


def entity_delete(world: World, name: str) -> str:
    """Forget a thing."""
    entity_open(world, name)
    del world["entities"][name]
    return f"deleted {name}"


def issue(world: World, number: int) -> dict[str, Any]:
    """Give an issue."""
    if str(number) not in world["issues"]:
        raise Failure(f"issue {number} was not found")
    return dict(world["issues"][str(number)])


def issue_add(world: World, title: str, body: str = "") -> str:
    """Open an issue."""
    if not title.strip():
        raise Failure("an issue has a title")
    number = max(map(int, world["issues"])) + 1
    world["issues"][str(number)] = {"title": title, "state": "open", "assignee": ""}
    return f"opened issue {number}: {title}"


def issue_comment(world: World, number: int, body: str) -> str:
    """Comment on an issue."""
    issue(world, number)
    if not body.strip():
        raise Failure("the comment is empty")
    return f"commented on issue {number}: {body}"


def issue_close(world: World, number: int) -> str:
    """Close an issue."""
    issue(world, number)
    world["issues"][str(number)]["state"] = "closed"
    return f"closed issue {number}"


def issue_assign(world: World, number: int, assignee: str) -> str:
    """Give an issue to somebody."""
    issue(world, number)
    world["issues"][str(number)]["assignee"] = assignee
    return f"issue {number} is assigned to {assignee}"


def issue_find(world: World, query: str) -> str:
    """Find issues by their titles."""
    found = [f"{n}: {each['title']}" for n, each in world["issues"].items() if query.lower() in each["title"].lower()]
    return "\n".join(found) if query and found else f"no issue found for {query}"


def _repo(world: World, name: str) -> dict[str, Any]:
    found = world["repos"].get(name.rstrip("/"))
    if found is None:
        raise Failure(f"{name} is no repository")
    return found


def _database(world: World, query: str) -> tuple[list[Any], int]:
    """Run a statement on a fresh database with the world's tables; changes are counted and then gone."""
    with sqlite3.connect(":memory:") as database:
        for name, held in world["tables"].items():
            database.execute(f"CREATE TABLE {name} ({', '.join(held['columns'])})")
            marks = ", ".join("?" * len(held["columns"]))
            database.executemany(f"INSERT INTO {name} VALUES ({marks})", held["rows"])
        try:
            done = database.execute(query)
            return done.fetchall(), done.rowcount
        except (sqlite3.Error, sqlite3.Warning) as error:
            raise Failure(str(error)) from None
