"""The packed tarball, installed in a fresh folder: every entry of `exports` is imported in Node, by Vite, by types."""

import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.react_pages import WEB, served

# Whoever imports an entry for one of these has it installed; the package asks for none of them by itself.
PEERS = ("@hono", "@huggingface", "@mlc-ai", "@types", "@wllama", "ai", "react", "react-dom")
IN_NODE = """
const failed = [];
for (const entry of process.argv.slice(1)) {
  try {
    const kind = entry.endsWith(".json") ? { with: { type: "json" } } : undefined;
    if (entry.endsWith(".css")) (await import("node:fs")).readFileSync(new URL(import.meta.resolve(entry)));
    else if (Object.keys(await import(entry, kind)).length === 0) failed.push(`${entry}: exports nothing`);
  } catch (error) {
    failed.push(`${entry}: ${error.message}`);
  }
}
console.log(JSON.stringify(failed));
"""
OPTIONS = {
    "noEmit": True,
    "strict": True,
    "target": "es2022",
    "types": ["node"],
    "resolveJsonModule": True,
    "noUncheckedSideEffectImports": True,
    "jsx": "react-jsx",
}
WAYS = {
    "bundler": {"module": "esnext", "moduleResolution": "bundler"},
    "node": {"module": "nodenext", "moduleResolution": "nodenext"},
}


@pytest.fixture(scope="module")
def installed(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh folder in which npm installed the tarball, with the packages beside it that entries are used with."""
    del node, package  # they make sure that Node and web/dist are there
    folder = tmp_path_factory.mktemp("installed")
    (folder / "package.json").write_text('{"type": "module"}')
    (name,) = json.loads(_run("npm", "pack", "--json", "--ignore-scripts", "--pack-destination", folder, cwd=WEB))
    tarball = folder / name["filename"]
    _run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", tarball, cwd=folder)
    for peer in PEERS:
        (folder / "node_modules" / peer).symlink_to(WEB / "node_modules" / peer)
    return folder


def _run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def entries(installed: Path) -> list[str]:
    """Return all that the installed package offers to be imported, by the names that a program writes."""
    exports = json.loads((installed / "node_modules/purestep/package.json").read_text())["exports"]
    return [name.replace(".", "purestep", 1) for name in exports]


def imported(names: list[str]) -> str:
    """Return a program that imports each entry as a whole, and tells how many names of each there are."""
    styles = [name for name in names if name.endswith(".css")]
    modules = [name for name in names if name not in styles]
    lines = [f'import "{name}";' for name in styles]
    lines += [f'import * as m{index} from "{name}";' for index, name in enumerate(modules)]
    told = ", ".join(f'"{name}": Object.keys(m{index}).length' for index, name in enumerate(modules))
    return "\n".join([*lines, f"globalThis.told = {{ {told} }};\n"])


def import_in_node(node: str, installed: Path) -> None:
    """Import every entry as an ES module."""
    found = _run(node, "--input-type=module", "--eval", IN_NODE, *entries(installed), cwd=installed)
    assert [] == json.loads(found)


def build_by_vite(node: str, installed: Path) -> Path:
    """Build a page of what a page imports, and a program for Node of the rest; gives the folder of the page."""
    names = entries(installed)
    for_node = [name for name in names if name.endswith("/node")]
    (installed / "main.js").write_text(imported([name for name in names if name not in for_node]))
    (installed / "server.js").write_text(imported(for_node))
    (installed / "index.html").write_text(
        '<!doctype html><html lang="en"><title>All</title><script type="module" src="main.js"></script>'
    )
    vite = WEB / "node_modules/vite/bin/vite.js"
    for more in ((), ("--ssr", "server.js", "--outDir", "server")):
        _run(node, vite, "build", "--logLevel", "error", *more, cwd=installed)
    return installed / "dist"


def check_types(node: str, installed: Path, way: str) -> None:
    """Compile a program that imports every entry, strictly."""
    names = [f'import * as m{at} from "{name}"' for at, name in enumerate(entries(installed))]
    kinds = [' with { type: "json" }' if line.endswith('.json"') else "" for line in names]
    styles = ["import " + line.partition("from ")[2] if line.endswith('.css"') else line for line in names]
    uses = [f"void m{at};" for at, line in enumerate(names) if not line.endswith('.css"')]
    lines = [f"{line}{kind};" for line, kind in zip(styles, kinds, strict=True)]
    (installed / "all.ts").write_text("\n".join([*lines, *uses]))
    (installed / "tsconfig.json").write_text(
        json.dumps({"compilerOptions": {**OPTIONS, **WAYS[way]}, "files": ["all.ts"]})
    )
    _run(node, WEB / "node_modules/typescript/bin/tsc", "-p", installed, cwd=installed)


def test_every_entry_is_imported_in_node(node: str, installed: Path) -> None:
    """Each module exports something; the styles are a file that a program finds by their name."""
    import_in_node(node, installed)


def test_every_entry_of_a_page_is_built_and_runs(node: str, installed: Path, browser: Browser) -> None:
    """One page imports them all, Vite builds it as it comes, and the browser runs it."""
    with served(build_by_vite(node, installed)) as address, browser.new_page() as page:
        page.goto(address)
        page.wait_for_function("globalThis.told")
        told = page.evaluate("told")
    asked = [name for name in entries(installed) if not name.endswith(("/node", ".css"))]
    assert (asked, []) == (list(told), [name for name, count in told.items() if count == 0])


@pytest.mark.parametrize("way", WAYS)
def test_every_entry_has_types(node: str, installed: Path, way: str) -> None:
    """TypeScript finds them as bundlers look for packages, and as Node does."""
    check_types(node, installed, way)


def test_an_entry_that_leads_nowhere_is_found(node: str, installed: Path) -> None:
    """Each of the three ways fails on it and names it, so a new entry cannot be forgotten."""
    path = installed / "node_modules/purestep/package.json"
    whole = path.read_text()
    manifest = json.loads(whole)
    manifest["exports"]["./nowhere"] = {"types": "./dist/nowhere.d.ts", "default": "./dist/nowhere.js"}
    path.write_text(json.dumps(manifest))
    try:
        with pytest.raises(AssertionError, match="nowhere"):
            import_in_node(node, installed)
        with pytest.raises(AssertionError, match="nowhere"):
            build_by_vite(node, installed)
        for way in WAYS:
            with pytest.raises(AssertionError, match="nowhere"):
                check_types(node, installed, way)
    finally:
        path.write_text(whole)
