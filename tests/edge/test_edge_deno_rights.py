"""The Deno host has the rights it needs and no others."""

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.edge.drivers import HERE, ROOT, deno_command, environment
from tests.edge.sealing import SEAL_KEYS

CONFIG = {
    "port": 8787,
    "model": {"base_url": "https://model.example/v1", "name": "m"},
    "allowed_hosts": ["page.example"],
    "seal_keys": SEAL_KEYS,
}


def attempts(command: list[str]) -> dict[str, str]:
    """Run the attempts and give what each came to."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, env=environment())
    assert done.returncode == 0, done.stderr[-2000:]
    results: dict[str, str] = json.loads(done.stdout)
    return results


def test_what_the_deno_host_may_not_do_fails(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """Inside its command, only its own configuration can be read; everything else is refused."""
    assert "deno" in hosts
    results = attempts(deno_command(CONFIG, tmp_path, HERE / "rights_deno.js"))
    assert "possible" == results.pop("config")
    assert {name: "NotCapable" for name in results if name != "import"} == {
        name: result for name, result in results.items() if name != "import"
    }
    assert results["import"] in ("NotCapable", "TypeError")


def test_the_attempts_succeed_where_they_are_allowed(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """The test above can fail: with every right the same attempts are possible."""
    assert "deno" in hosts
    command = deno_command(CONFIG, tmp_path, HERE / "rights_deno.js")
    open_command = [part for part in command if not part.startswith("--allow-")]
    open_command.insert(2, "--allow-all")
    try:
        results = attempts(open_command)
    finally:
        (HERE / "made_by_a_test").unlink(missing_ok=True)
    assert {"read", "env", "all_env", "sys", "write", "run", "listen", "config", "import"} <= {
        name for name, result in results.items() if result == "possible"
    }


def test_command_names_every_right(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """Files are named one by one, addresses with their ports, and nothing is asked or looked up."""
    assert "deno" in hosts
    command = deno_command(CONFIG, tmp_path, HERE / "rights_deno.js")
    options = {part.partition("=")[0]: part.partition("=")[2] for part in command if part.startswith("--")}

    rights = [name for name in options if name.startswith("--allow")]
    files = [Path(name) for name in options["--allow-read"].split(",")]
    assert ["--allow-read", "--allow-net"] == rights
    assert "127.0.0.1:8787,model.example:443,page.example" == options["--allow-net"]
    assert all(file.is_file() for file in files)
    assert files[0].parent == tmp_path
    assert {ROOT / "web" / "dist" / "bundle"} == {file.parent for file in files[1:]}
    assert {"--no-prompt", "--no-remote", "--no-npm", "--no-config", "--cached-only"} <= set(options)


def test_configuration_is_read_strictly(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """A wrong configuration is told by its path, never by its value, before anything starts."""
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"prot": 1}, "/prot"),
        ({"port": "x"}, "/port"),
        ({"model": {"base_url": "ftp://sk-secret", "name": "m"}}, "/model/base_url"),
        ({"model": {"name": "m"}}, "/model/base_url"),
        ({"model": {"base_url": "http://a", "name": "m", "key": "sk-secret"}}, "/model/key"),
        ({"allowed_hosts": "all"}, "/allowed_hosts"),
        ({}, "/seal_keys"),
        ({"unsigned": False}, "/seal_keys"),
        ({"unsigned": "yes"}, "/unsigned"),
        ({"seal_keys": []}, "/seal_keys"),
        ({"seal_keys": SEAL_KEYS, "unsigned": True}, "/seal_keys"),
        ({"seal_keys": [{"id": "a", "secret": "sk-secret"}]}, "/seal_keys"),
        ({"seal_keys": [{"id": "sk-secret.", "secret": "s" * 32}]}, "/seal_keys"),
        ({"seal_keys": [{"id": "a", "secret": "sk-secret" * 9, "more": 1}]}, "/seal_keys"),
        ({"seal_keys": [{"id": "a", "secret": "sk-secret" * 9}] * 2}, "/seal_keys"),
        ({"seal_keys": ["sk-secret"]}, "/seal_keys"),
        ({"seal_keys": SEAL_KEYS, "seal_hours": 0.5}, "/seal_hours"),
    ]
    for config, path in wrong:
        file = tmp_path / "wrong.json"
        file.write_text(json.dumps(config))
        for script in ("node.js", "deno_command.js", "workerd_command.js"):
            command = ["node", ROOT / "web" / "dist" / "edge" / "hosts" / script, file]
            done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, env=environment())
            assert 2 == done.returncode
            assert f"wrong at {path}:" in done.stderr
            assert "sk-secret" not in done.stderr + done.stdout


def test_service_without_keys_says_how_to_make_one(hosts: tuple[str, ...], tmp_path: Path) -> None:
    """It does not start unsigned unless it is told to."""
    assert hosts
    file = tmp_path / "keyless.json"
    file.write_text("{}")
    for script in ("node.js", "deno_command.js", "workerd_command.js"):
        command = ["node", ROOT / "web" / "dist" / "edge" / "hosts" / script, file]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, env=environment())
        assert 2 == done.returncode
        assert "`openssl rand -base64 32`" in done.stderr
        assert '"unsigned": true' in done.stderr
    assert hosts
