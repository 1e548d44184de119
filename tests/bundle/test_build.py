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
        import { pyodideFile } from "./inputs.mjs";
        import { trimmed } from "./trim.mjs";
        const names = ["pyodide.asm.mjs", "core.mjs", "pyodide.asm.wasm", "msgspec.wasm"];
        const files = Object.fromEntries(names.map((name) => [name, readFileSync(`${OUTPUT}/${name}`)]));
        const start = (library) => startWith(files, library);
        const library = await exercised(start);
        const script = pyodideFile("pyodide.asm.mjs").toString();
        const { wasm } = await trimmed(script, files["pyodide.asm.wasm"], [files["msgspec.wasm"]]);
        const made = { "python.zip": library(false), ...(await snapshotWith(files, wasm, library(true))) };
        console.log(JSON.stringify(Object.entries(made).map(([name, bytes]) => [name, sha256(bytes)])));
    """
    manifest = json.loads((bundle / "manifest.json").read_text())["files"]

    made = dict(json.loads(evaluated(node, script)))

    assert {"python.zip", "core.wasm", "core_rest.wasm", "core.snapshot"} == made.keys()
    assert {name: manifest[name]["sha256"] for name in made} == made


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


def test_the_portable_validator_judges_alone(bundle: Path) -> None:
    """The native validator changes no verdict, and neither it nor its library is in the bundle."""
    with zipfile.ZipFile(bundle / "python.zip") as library:
        names = library.namelist()

    assert "purestep/schema/portable.pyc" in names
    assert [] == [name for name in names if "pydantic_core" in name or name == "purestep/schema/native.pyc"]


def test_no_vector_needs_the_rest_of_the_interpreter(node: str, bundle: Path) -> None:
    """Every vector and every character's properties come out of the first half as out of both; the rest is withheld."""
    script = """
        import { readFileSync } from "node:fs";
        import { openCalls } from "../dist/core/calls.js";
        import { startInterpreter } from "../dist/core/interpreter.js";
        import { RestOfModule } from "../dist/core/rest.js";
        import { SIDE_MODULES } from "../dist/core/side_modules.js";
        import { readSnapshot } from "../dist/core/snapshot.js";
        import { OUTPUT, vectors } from "./inputs.mjs";
        const read = (name) => new Uint8Array(readFileSync(`${OUTPUT}/${name}`));
        const { default: createModule } = await import(`${OUTPUT}/core.mjs`);
        const side = async ([name, path]) => ({ path, module: await WebAssembly.compile(read(name)) });
        async function started(rest) {
          const sideModules = await Promise.all(Object.entries(SIDE_MODULES).map(side));
          const [main, snapshot] = [await WebAssembly.compile(read("core.wasm")), readSnapshot(read("core.snapshot"))];
          return startInterpreter({ createModule, main, sideModules, snapshot, rest: new RestOfModule(rest) });
        }
        let needed = 0;
        const rest = await WebAssembly.compile(read("core_rest.wasm"));
        const first = await started(() => { needed++; return rest; });
        const { call } = openCalls(first);
        const wrong = vectors().filter(({ function: name, args, output }) => call(name, ...args) !== output);
        call("create_agent_state", "What is due?", null, null, null); // left out, where no vector is short enough
        const before = needed;
        const texts = Array.from({ length: 0x440 }, (_, block) =>
          String.fromCodePoint(...Array.from({ length: 1024 }, (_, at) => block * 1024 + at)));
        const names = ["create_agent_state", "html_text", "calculate"];
        const seen = (called) => texts.map((text) => names.map((name) => called(name, text)).join()).join();
        const alone = seen(call);
        const both = seen(openCalls(await started(rest)).call);
        console.log(JSON.stringify([wrong.length, before, alone === both]));
        process.exit();
    """
    assert [0, 0, True] == json.loads(evaluated(node, script))


def test_data_of_the_rest_is_refused_to_a_half_that_has_its_address(node: str, bundle: Path) -> None:
    """The build ends where a function of the first half, or data that it refers to, has an address of what is later."""
    script = """
        import { readFileSync } from "node:fs";
        import { dataOfRest } from "./data_of_rest.mjs";
        import { OUTPUT } from "./inputs.mjs";
        import { list, readModule, SECTION, signed } from "./wasm_sections.mjs";
        import { dataSegment } from "./wasm_sections.mjs";
        const module = readModule(readFileSync(`${OUTPUT}/core.wasm`));
        const names = (address) => Buffer.from([0, 0x41, ...signed(address), 0x1a, 0x0b]);
        const holder = 0x100;
        const word = Buffer.from(Uint32Array.of(0x150000).buffer);
        const data = (segment) => [[SECTION.data, list([segment])]];
        const none = data(dataSegment(holder, Buffer.alloc(4)));
        const said = [];
        for (const [address, sections] of [
          [0x50000, none], [0x150000, none], [holder, none], [holder, data(dataSegment(holder, word))],
        ]) {
          try {
            said.push(dataOfRest({ ...module, bodies: [names(address)], sections }, [0]).length);
          } catch (error) {
            said.push(error.message.split(":")[0]);
          }
        }
        console.log(JSON.stringify(said));
    """
    refused = "expected no address of the rest's data in the first half; got 1, at "
    assert [4, f"{refused}0x150000", 4, f"{refused}0x100"] == json.loads(evaluated(node, script))


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


def test_manifest_names_every_file_and_version(bundle: Path) -> None:
    """The manifest in the folder is complete, and tells the versions of all that the bundle holds."""
    manifest = json.loads((bundle / "manifest.json").read_text())

    copies = {f"{name}.gz" for name, file in manifest["files"].items() if "packed" in file}
    assert {*manifest["files"], *copies, "manifest.json"} == {path.name for path in bundle.iterdir()}
    assert {"purestep", "pyodide", "python", "abi", "msgspec"} == manifest["versions"].keys()
