"""The build: equal inputs give equal bytes, foreign wheels are refused, a snapshot keeps nothing of a run."""

import json
import re
import subprocess
import zipfile
from pathlib import Path

from purestep.scanner import REASONING
from tests.bundle.engines import recorded_vectors
from tests.bundle.served import ROOT
from tests.bundle.test_calls import called
from tests.programs import compiled_for_speed

SCRIPTS = ROOT / "web" / "bundle"


def evaluated(node: str, script: str) -> str:
    """Run a script of modules in the folder of the build and give what it prints."""
    done = subprocess.run(
        [node, "--input-type=module", "-e", script],
        check=True,
        capture_output=True,
        text=True,
        cwd=SCRIPTS,
        env=compiled_for_speed(),
        timeout=300,
    )
    return done.stdout.strip()


def test_building_again_gives_the_same_bytes(node: str, bundle: Path) -> None:
    """Library and snapshot, made a second time by a process of its own, are what the bundle holds."""
    script = """
        import { readFileSync } from "node:fs";
        import { OUTPUT, sha256 } from "./inputs.mjs";
        import { exercised } from "./python_zip.mjs";
        import { snapshotWith, startWith } from "./start.mjs";
        const scripts = ["pyodide.asm.mjs", "core.mjs"];
        const names = [...scripts, "pyodide.asm.wasm", "core.wasm", "msgspec.wasm", "pydantic_core.wasm"];
        const files = Object.fromEntries(names.map((name) => [name, readFileSync(`${OUTPUT}/${name}`)]));
        const start = (library) => startWith(files, library);
        const library = await exercised(start);
        const made = { "python.zip": library(false), "core.snapshot": await snapshotWith(files, library(true)) };
        for (const bytes of Object.values(made)) console.log(sha256(bytes));
    """
    manifest = json.loads((bundle / "manifest.json").read_text())["files"]

    assert [manifest[name]["sha256"] for name in ("python.zip", "core.snapshot")] == evaluated(node, script).split()


def test_wheels_of_another_pyodide_are_refused(node: str, bundle: Path) -> None:
    """A wheel whose tag is not that of the pinned Pyodide stops the build, with both tags and what to do."""
    script = """
        import { checkTag, pyodideInfo } from "./inputs.mjs";
        const wheel = new Map([["x.dist-info/WHEEL", Buffer.from("Tag: cp313-cp313-pyodide_2025_0_wasm32")]]);
        try { checkTag("x", wheel, pyodideInfo()); } catch (error) { console.log(error.message); }
    """

    message = evaluated(node, script)

    assert "the wheel of x is for cp313-cp313-pyodide_2025_0_wasm32" in message
    assert "cp314-cp314-pyemscripten_2026_0_wasm32" in message
    assert "tools/lock.sh" in message


def test_library_is_stored_compiled_and_undated(bundle: Path) -> None:
    """The zip holds unchecked hash-based .pyc files alone, uncompressed, with the earliest date."""
    with zipfile.ZipFile(bundle / "python.zip") as library:
        entries = library.infolist()
        flags = {library.read(entry)[4:8] for entry in entries}

    assert {".pyc"} == {Path(entry.filename).suffix for entry in entries}
    assert {zipfile.ZIP_STORED} == {entry.compress_type for entry in entries}
    assert {(1980, 1, 1, 0, 0, 0)} == {entry.date_time for entry in entries}
    assert {b"\x01\x00\x00\x00"} == flags


def test_snapshot_keeps_nothing_of_the_warm_up(bundle: Path) -> None:
    """No text of the vectors that the core ran before it was sealed is in the snapshot."""
    snapshot = (bundle / "core.snapshot").read_bytes()
    spoken = {
        word
        for vector in recorded_vectors()
        for word in re.findall(r"[A-Z][a-z]+(?: [a-z]+){2,5}", str(vector["args"]))
    }
    sources = [*(ROOT / "core").rglob("*.py"), *(ROOT / "hosts" / "purestep_tools").rglob("*.py")]
    core = b"".join(path.read_bytes() for path in sources)
    core += b" ".join(tag.encode() for pair in REASONING for tag in pair)  # some are sentences, made of parts
    python = (bundle / "pyodide.asm.wasm").read_bytes()  # whose own texts may happen to say the same

    own = {word for word in spoken if word.encode() not in core and word.encode() not in python}

    assert len(own) > 10
    assert set() == {word for word in own if word.encode() in snapshot}


def test_definitions_of_the_warm_up_are_forgotten(node: str, bundle: Path, tmp_path: Path) -> None:
    """A restored core does not know the definitions that it was warmed up with."""
    loads = [
        vector for vector in recorded_vectors() if vector["function"] == "load_agent" and len(vector["output"]) == 64
    ]
    state = {"schema_version": 3, "agent": loads[0]["output"], "run_id": "r"}
    first = next(vector for vector in recorded_vectors() if vector["name"] == "answered/2")
    given = json.loads(first["args"][0])
    given.pop("agent", None)

    (output,) = called(
        node,
        tmp_path,
        [["run_agent_step", json.dumps({**given, "state": {**given["state"], "agent": state["agent"]}})]],
    )

    assert "unknown_agent" == json.loads(output)["error"]["code"]


def test_the_validator_is_loaded_with_the_interpreter(node: str, bundle: Path) -> None:
    """A start imports pydantic_core too, so that no first load_agent has to; the core alone would not."""
    script = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ startWith }} from "./start.mjs";
        const names = ["pyodide.asm.mjs", "pyodide.asm.wasm", "msgspec.wasm", "pydantic_core.wasm"];
        const read = (name) => readFileSync({json.dumps(str(bundle))} + "/" + name);
        const files = Object.fromEntries(names.map((name) => [name, read(name)]));
        const python = await startWith(files, read("python.zip"));
        const modules = python.get("sys", "modules");
        const loaded = () => modules.has("pydantic_core");
        const before = loaded();
        python.api.importlib.import_module("purestep_calls");
        console.log(JSON.stringify([before, loaded()]));
        process.exit();
    """
    assert [False, True] == json.loads(evaluated(node, script))


def test_manifest_names_every_file_and_version(bundle: Path) -> None:
    """The manifest in the folder is complete, and tells the versions of all that the bundle holds."""
    manifest = json.loads((bundle / "manifest.json").read_text())

    assert {*manifest["files"], "manifest.json"} == {path.name for path in bundle.iterdir()}
    assert {"purestep", "pyodide", "python", "abi", "msgspec", "pydantic-core"} == manifest["versions"].keys()
