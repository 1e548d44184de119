"""`purestep probe` with a scripted model: the table, the profile, and what ends it early."""

import json

from tests.cli.conftest import Shell, Terminal, call, ended, final

QUICK_GROUND = ("envelope", "json_schema", "ground")


def answers() -> list[str]:
    """Return outputs that finish the four quick tasks at `off`: sum, note, order, thanks."""
    return [
        call("calculator", expression="17 + 25"),
        final("It is 42."),
        call("save_note", text="buy green paint"),
        final("Saved."),
        call("lookup_order", number="1042"),
        final("It was shipped on Monday."),
        final("You are welcome!"),
    ]


def test_quick_probe_prints_each_way_and_writes_a_profile(shell: Shell) -> None:
    """The rows say what was finished with how many calls, and the best way is written down."""
    profile = shell.folder / "profile.json"
    # The third way finds the script at its end.
    script = shell.script(*answers(), *answers())
    result = shell("probe", "--quick", "--json", "--save", str(profile), "--script", script)
    assert 0 == result.returncode, result.stderr
    found = json.loads(result.stdout)
    rows = {(row["dialect"], row["constraint"], row["carry"]): row for row in found["rows"]}
    assert {QUICK_GROUND: 4, ("envelope", "json_schema", "off"): 4, ("native", "tools", "off"): 0} == {
        way: row["right"] for way, row in rows.items()
    }
    assert [7, 7] == [row["model_calls"] for row in found["rows"][:2]]
    assert "asked for one more" in found["rows"][2]["refusal"]
    written = json.loads(profile.read_text())
    assert found["profile"] == written
    # Of ways that finish as much, the one that decides less for the model is taken.
    assert ("script", "envelope", ["json_schema"], "off") == tuple(
        written[name] for name in ("name", "dialect", "supports", "carry")
    )


def test_agent_file_takes_a_profile_as_it_is(shell: Shell) -> None:
    """An entry of `models` may be a profile: its dialect is used, its figures are left out."""
    profile = {"name": "m", "dialect": "hermes_json", "supports": [], "carry": "ground", "figures": {"right": 4}}
    path = shell.folder / "agent.json"
    path.write_text(json.dumps({"tools": ["calculator"], "models": [profile]}))
    script, where = shell.script("It is 42."), ("--sessions", str(shell.sessions))
    result = shell("run", "What is 17 plus 25?", "--agent", str(path), "--script", script, *where)
    assert (0, "It is 42.\n") == (result.returncode, result.stdout), result.stderr
    agent = shell.events()[0]["agent"]
    assert ("hermes_json", [{"name": "m", "supports": [], "carry": "ground"}]) == (agent["dialect"], agent["models"])


def test_wrong_outputs_are_counted_as_such(shell: Shell) -> None:
    """A call of the wrong tool, a missing call and a repeated question are not right, and no way is recommended."""
    outputs = [final("What is 17 plus 25?")] * 60
    result = shell("probe", "--quick", "--json", "--script", shell.script(*outputs))
    found = json.loads(result.stdout)
    off = next(row for row in found["rows"] if row["carry"] == "off" and row["dialect"] == "envelope")
    assert {"sum", "note", "order"} <= set(off["wrong"])


def test_model_that_gives_nothing_is_a_failure_of_the_model(shell: Shell) -> None:
    """Each way ends at its first refusal, the exit code is that of the model, and no profile is written."""
    profile = shell.folder / "profile.json"
    url = ("--base-url", "http://127.0.0.1:9/v1", "--timeout", "1")
    result = shell("probe", "--quick", "--json", "--save", str(profile), *url)
    found = json.loads(result.stdout)
    assert [True] * 3 == [bool(row["refusal"]) for row in found["rows"]]
    assert (7, None, False) == (result.returncode, found["profile"], profile.exists()), result.stderr


def test_built_in_model_is_asked_as_it_was_taught(shell: Shell) -> None:
    """With its adapter, in its own dialect: it finishes tasks of which it knows no other way to finish one."""
    found = json.loads(shell("probe", "--quick", "--json").stdout)
    assert ("compact", ["grammar", "spans"]) == (found["profile"]["dialect"], found["profile"]["supports"])
    assert 2 <= found["profile"]["figures"]["right"]


def test_interrupted_probe_prints_what_was_measured(terminal: Terminal) -> None:
    """Ctrl-C while the built-in model writes ends with the table so far, and with the code of an interrupted run."""
    child = terminal("probe", "--quick", "--dialect", "hermes_json")
    child.expect("json_schema, ground: . of 4")
    child.sendintr()
    child.expect("prompt tokens")
    child.expect("what was measured until then")
    assert 130 == ended(child)
