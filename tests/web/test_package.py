"""The packed npm package works in a fresh folder: in Node, in Deno, in Bun, and bundled by Vite and webpack."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
SEAL_KEYS = [{"id": "key-1", "secret": "kMqk0pZbE6Qz4kD1cQbT1s0Xn7rB5f2vYw3hJ8uL9aM="}]
# What an agent's page does, as small as can be: the core is loaded, and says where it is.
LOADED = """import { loadCore } from "purestep";
const core = await loadCore();
const noWorker = core.report.noWorker?.message ?? "";
console.log(core.report.tier, JSON.parse(await core.add_numbers('{"a":2,"b":3}')).value, noWorker);
"""
LOADED_SAYS = ["snapshot 5 "]
SEED_SAYS = ['shell {"command":"ls"}', "There are two files.", "true There are two files. user List the files"]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command in a folder; gives what it printed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def project(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh folder into which the packed package was installed, with the README's example."""
    folder = tmp_path_factory.mktemp("project")
    (name,) = json.loads(run("npm", "pack", "--json", "--pack-destination", folder, cwd=package.parent))
    (folder / "package.json").write_text('{"type":"module"}')
    run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", folder / name["filename"], cwd=folder)
    (block,) = re.findall(r"^```js\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    (folder / "example.js").write_text(block)
    (folder / "loaded.js").write_text(LOADED)
    (folder / "seed.js").write_text((ROOT / "tests/web/seed_program.mjs").read_text())
    return folder


@pytest.fixture(scope="module")
def expected(project: Path) -> list[str]:
    """What the comments of the README's example say it prints."""
    said = re.findall(r"console\.log\(.*\); // (.*)$", (project / "example.js").read_text(), re.MULTILINE)
    assert said
    return said


def test_the_example_runs_in_node(node: str, project: Path, expected: list[str]) -> None:
    """The README's JavaScript runs as it stands."""
    assert expected == run(node, "example.js", cwd=project).splitlines()


def test_the_example_runs_in_deno(project: Path, expected: list[str]) -> None:
    """The README's JavaScript runs as it stands, allowed to read its own folder and nothing else."""
    deno = ROOT / "web/node_modules/.bin/deno"
    allowed = ("--no-prompt", "--no-remote", "--cached-only", "--node-modules-dir=manual", f"--allow-read={project}")
    assert expected == run(deno, "run", *allowed, "example.js", cwd=project).splitlines()


def test_the_example_runs_in_bun(node: str, project: Path, expected: list[str]) -> None:
    """The README's JavaScript runs as it stands."""
    assert node
    assert expected == run(ROOT / "web/node_modules/.bin/bun", "run", "example.js", cwd=project).splitlines()


@pytest.mark.parametrize(("damaged", "says"), [(1, "zip"), (2, "bundle_damaged")])
def test_bun_uses_no_script_that_was_changed(project: Path, tmp_path: Path, damaged: int, says: str) -> None:
    """Bun rewrites what it imports, so files are compared: a changed one is never used, though its mark is right."""
    shutil.copytree(project / "node_modules", tmp_path / "node_modules")
    for name in ("core.mjs", "pyodide.asm.mjs")[:damaged]:
        script = tmp_path / "node_modules/purestep/dist/bundle" / name
        script.write_text(script.read_text() + "\n// changed\n")
    (tmp_path / "tier.js").write_text(
        'import { createAgentCore } from "purestep";\n'
        "console.log(await createAgentCore().then((core) => core.report.tier, (error) => error.code));\n"
    )
    assert [says] == run(ROOT / "web/node_modules/.bin/bun", "run", "tier.js", cwd=tmp_path).splitlines()


def test_the_bundle_is_found_where_a_next_server_has_it(node: str, project: Path) -> None:
    """The module of docs/loading.md, run beside the installed package, loads the core from the package's folder."""
    (block,) = re.findall(r"^```ts\n(.*?)^```", (ROOT / "docs/loading.md").read_text(), re.DOTALL | re.MULTILINE)
    (project / "core.js").write_text(block + "console.log(core.report.tier);\n")
    assert ["snapshot"] == run(node, "core.js", cwd=project).splitlines()


def test_a_bundle_without_an_address_says_what_to_do(node: str, project: Path, tmp_path: Path) -> None:
    """Next's compiler makes paths of the addresses, which only a page can resolve; so does this copy."""
    shutil.copytree(project / "node_modules", tmp_path / "node_modules")
    manifest = tmp_path / "node_modules/purestep/dist/core/bundle_manifest.js"
    moved = re.sub(r"new URL\(([^,]+), import\.meta\.url\)", r"new URL(\1)", manifest.read_text())
    assert moved != manifest.read_text()
    manifest.write_text(moved)
    program = """import { createAgentCore } from "purestep";
await createAgentCore().catch(({ code, message }) => console.log(code, message));
"""
    (tmp_path / "moved.mjs").write_text(program)
    said = run(node, "moved.mjs", cwd=tmp_path)
    assert ("bundle_missing", True) == (said.split()[0], "give its folder as bundleURL" in said), said


def test_the_edge_in_node_says_which_package_it_needs(node: str, project: Path) -> None:
    """Nothing installs the optional package, and the command names it instead of a place in its own files."""
    config = {"port": 0, "model": {"base_url": "http://127.0.0.1:9/v1", "name": "none"}, "seal_keys": SEAL_KEYS}
    (project / "edge.json").write_text(json.dumps(config))
    command = [node, "node_modules/purestep/dist/edge/hosts/node.js", "edge.json"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    said = "expected the package @hono/node-server, which is optional; run: npm install @hono/node-server\n"
    assert (2, said) == (done.returncode, done.stderr)


def test_a_program_for_the_seed_runs_with_its_import_changed(node: str, project: Path) -> None:
    """A program written for agent.rs's two functions runs; only the name it imports from is ours."""
    assert SEED_SAYS == run(node, "seed.js", cwd=project).splitlines()


PROGRAMS = [("example.js", None), ("seed.js", SEED_SAYS), ("loaded.js", LOADED_SAYS)]


@pytest.mark.parametrize(("program", "says"), PROGRAMS)
def test_vite_bundles_the_package(
    node: str, browser: Browser, project: Path, expected: list[str], program: str, says: list[str] | None
) -> None:
    """Built by Vite as it comes, without configuration, the program runs in Chromium and prints the same."""
    page = f'<!doctype html><script type="module" src="./{program}"></script>'
    (project / "index.html").write_text(page)
    vite = ROOT / "web/node_modules/vite/bin/vite.js"
    run(node, vite, "build", "--logLevel", "warn", "--outDir", f"dist-{program}", cwd=project)
    assert (says or expected) == printed_in_chromium(browser, [node, vite], project, f"dist-{program}")
    assert [] == of_the_zip_tier(project / f"dist-{program}")


def of_the_zip_tier(built: Path) -> list[str]:
    """Return the files that have the bytes of one that only the zip tier needs."""
    bundle = ROOT / "web/dist/bundle"
    files: dict[str, dict[str, list[str]]] = json.loads((bundle / "manifest.json").read_text())["files"]
    sizes = {(bundle / name).stat().st_size for name, file in files.items() if file["tiers"] == ["zip"]}
    assert len(sizes) == 3
    return [path.name for path in built.rglob("*") if path.is_file() and path.stat().st_size in sizes]


def test_without_its_second_tier_a_build_says_what_is_wrong_and_what_helps(
    node: str, browser: Browser, project: Path
) -> None:
    """A page built by Vite whose snapshot was damaged says so, and where the other tier can be had."""
    (project / "index.html").write_text('<!doctype html><script type="module" src="./told.js"></script>')
    (project / "told.js").write_text(
        'import { createAgentCore } from "purestep";\n'
        "console.log(await createAgentCore().catch(({ code, message }) => `${code} ${message}`));\n"
    )
    vite = ROOT / "web/node_modules/vite/bin/vite.js"
    run(node, vite, "build", "--logLevel", "warn", "--outDir", "dist-told", cwd=project)
    (snapshot,) = (project / "dist-told").rglob("core*.snapshot")
    snapshot.write_bytes(snapshot.read_bytes()[:-1] + b"!")
    (said,) = printed_in_chromium(browser, [node, vite], project, "dist-told")
    assert said.startswith("bundle_damaged expected core.snapshot with SHA-256")
    assert said.endswith("with a copy of dist/bundle whose address is given as bundleURL there is another")


@pytest.mark.parametrize(("program", "says"), [("example.js", None), ("loaded.js", LOADED_SAYS)])
def test_vite_serves_the_package_while_developing(
    node: str, browser: Browser, project: Path, expected: list[str], program: str, says: list[str] | None
) -> None:
    """Under Vite's development server, as it comes, the program prints the same."""
    (project / "index.html").write_text(f'<!doctype html><script type="module" src="./{program}"></script>')
    vite = [node, ROOT / "web/node_modules/vite/bin/vite.js"]
    assert (says or expected) == printed_in_chromium(browser, vite, project, None)


def test_webpack_bundles_the_package(node: str, browser: Browser, project: Path, expected: list[str]) -> None:
    """Built for production by webpack, which minifies the scripts that it copies, the example prints the same."""
    bundler, built = project / "bundlers", project / "dist-webpack"
    shutil.copytree(Path(__file__).parent / "bundlers", bundler, ignore=shutil.ignore_patterns("node_modules"))
    run("npm", "ci", "--no-audit", "--no-fund", "--prefer-offline", cwd=bundler)
    run(node, "build.mjs", project, project / "example.js", built, cwd=bundler)
    (built / "index.html").write_text('<!doctype html><script src="./main.js"></script>')
    carried = {path.read_bytes() for path in (project / "node_modules/purestep/dist/bundle").glob("*.mjs")}

    # Else this would not show that a copy may differ.
    assert {path.read_bytes() for path in built.glob("*.mjs")}.isdisjoint(carried)
    vite = [node, ROOT / "web/node_modules/vite/bin/vite.js"]
    assert expected == printed_in_chromium(browser, vite, project, "dist-webpack")
    assert [] == of_the_zip_tier(built)
    run(node, "build.mjs", project, project / "loaded.js", built, cwd=bundler)
    assert LOADED_SAYS == printed_in_chromium(browser, vite, project, "dist-webpack")


def printed_in_chromium(browser: Browser, vite: list[str | Path], project: Path, built: str | None) -> list[str]:
    """Serve the project, open its page, and give what it logged once as much was logged as its program says."""
    serve = ["preview", "--outDir", built] if built else []
    command = [*vite, *serve, "--port", "0", "--host", "127.0.0.1"]
    with subprocess.Popen(command, cwd=project, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            plain = (re.sub(r"\x1b\[\d*m", "", line) for line in server.stdout)
            address = next(found[0] for line in plain if (found := re.search(r"http://127\.0\.0\.1:\d+/", line)))
            return logged(browser, address)
        finally:
            server.kill()


def logged(browser: Browser, address: str) -> list[str]:
    """Open a page and give the lines it logs until it has been quiet for a while."""
    lines: list[str] = []
    with browser.new_page() as page:
        page.on("console", lambda message: lines.append(message.text) if message.type == "log" else None)
        page.on("pageerror", lambda error: lines.append(f"error: {error}"))
        page.goto(address)
        page.wait_for_event("console", lambda message: message.type == "log", timeout=300_000)
        page.wait_for_timeout(1000)
    return lines
