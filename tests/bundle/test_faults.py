"""What is missing, cut or changed in a bundle is never used: the loader falls back and says so, or names the fault."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.bundle.engines import FOLDER, programs_of, run_in, sampled_vectors
from tests.bundle.served import ROOT, Damage

SNAPSHOT_FILES = ("core.mjs", "core.wasm", "core.snapshot")
ZIP_FILES = ("pyodide.asm.mjs", "pyodide.asm.wasm", "python.zip")
SHARED_FILES = ("msgspec.wasm",)


def flipped(data: bytes) -> bytes:
    """Change one bit in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def cut(data: bytes) -> bytes:
    """Leave the last third away."""
    return data[: len(data) * 2 // 3]


def gone(_: bytes) -> None:
    """Leave no file at all."""


FAULTS: dict[str, tuple[Damage, str]] = {
    "flipped": (flipped, "bundle_damaged"),
    "cut": (cut, "bundle_damaged"),
    "gone": (gone, "bundle_missing"),
}


def _snapshot_faults() -> list[Any]:
    """Every fault of every file in Node; elsewhere each file once and each fault once, for a start takes seconds."""
    cases = [("node", fault, name) for name in SNAPSHOT_FILES for fault in FAULTS]
    cases += zip(["deno"] * 3, FAULTS, SNAPSHOT_FILES, strict=True)
    cases += zip(["chromium-worker"] * 3, reversed(FAULTS), SNAPSHOT_FILES, strict=True)
    return [pytest.param(*case, marks=pytest.mark.needs(*programs_of(case[0]))) for case in cases]


@pytest.mark.parametrize(("engine", "fault", "name"), _snapshot_faults())
def test_a_fault_in_the_snapshot_falls_back_and_says_so(bundle: Path, engine: str, fault: str, name: str) -> None:
    """One file of the snapshot form changed, cut or missing: the core comes from the zip, and the report tells why."""
    damage, code = FAULTS[fault]

    # A browser whose host compresses nothing reads the compressed copy, if there is one.
    report = run_in(engine, damage=dict.fromkeys([name, f"{name}.gz"], damage), vectors=sampled_vectors(200))

    assert report.load is not None, report.error
    assert ("zip", code) == (report.tier, report.load["fallback"]["code"])
    assert name in report.load["fallback"]["message"]
    assert (0, []) == (report.failures, report.failed)
    assert report.passed > 0


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", [*ZIP_FILES, *SHARED_FILES])
def test_a_fault_in_the_zip_tier_is_one_clear_error(bundle: Path, fault: str, name: str) -> None:
    """With nothing left to fall back to, the error names the file, what was expected, and what to do."""
    damage, code = FAULTS[fault]

    report = run_in("node", "zip", damage={name: damage}, vectors=[])

    assert report.error is not None
    assert code == report.error["code"]
    assert f"expected {name}" in report.error["message"]
    assert "Serve the whole folder" in report.error["message"]


@pytest.mark.needs("chromium")
def test_a_bundle_damaged_throughout_tells_of_both_forms(bundle: Path) -> None:
    """When neither form can be had, the one error tells why for each."""
    damage = dict.fromkeys(["core.snapshot", "core.snapshot.gz", "python.zip"], flipped)

    report = run_in("chromium-page", damage=damage, vectors=[])

    assert report.error is not None
    assert "bundle_damaged" == report.error["code"]
    assert "python.zip" in report.error["message"]
    assert "core.snapshot" in report.error["message"]


def test_a_file_shared_by_both_forms_is_read_once(bundle: Path) -> None:
    """A fallback compiles the extension modules that it has already."""
    report = run_in("node", damage={"core.snapshot": gone}, vectors=[])

    assert report.load is not None
    names = [part["name"] for part in report.load["parts"]]
    assert sorted({*names}) == sorted(names)


@pytest.fixture
def consistent(bundle: Path, tmp_path: Path) -> Path:
    """A copy of the compiled loader with its bundle, whose manifest a test may change together with a file."""
    copy = tmp_path / "dist"
    shutil.copytree(bundle.parent, copy, ignore=shutil.ignore_patterns("edge", "models", "playground"))
    return copy


def load(node: str, copy: Path) -> dict[str, Any]:
    """Load the core from a copy and give the result of no vectors."""
    job = copy.parent / "job.json"
    job.write_text(json.dumps({"loader": (copy / "core" / "boot.js").as_uri(), "options": {}, "vectors": []}))
    done = subprocess.run(
        [node, FOLDER / "in_process.mjs", job], check=False, capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_fresh_heap_with_another_hash_is_not_built_upon(node: str, consistent: Path) -> None:
    """A snapshot whose files all hold, but that was made on another fresh heap than this host's, falls back."""
    snapshot = consistent / "bundle" / "core.snapshot"
    before = snapshot.read_bytes()
    at = 8  # in the hash of what the snapshot keeps of a fresh heap
    snapshot.write_bytes(before[:at] + bytes([before[at] ^ 1]) + before[at + 1 :])
    manifest = consistent / "core" / "bundle_manifest.js"
    hashes = [hashlib.sha256(data).hexdigest() for data in (before, snapshot.read_bytes())]
    manifest.write_text(manifest.read_text().replace(*hashes))

    result = load(node, consistent)

    assert result["error"] is None
    assert ("zip", "heap_mismatch") == (result["report"]["tier"], result["report"]["fallback"]["code"])


def test_a_core_that_answers_otherwise_is_refused(node: str, consistent: Path) -> None:
    """The first answer of a started core is compared with that of the build."""
    manifest = consistent / "core" / "bundle_manifest.js"
    text = manifest.read_text()
    manifest.write_text(text.replace('\\"schema_version\\":', '\\"schema_version\\":9', 1))
    assert manifest.read_text() != text

    result = load(node, consistent)

    assert "core_failed" == result["error"]["code"]


def test_a_bundle_without_snapshot_says_so(node: str, consistent: Path) -> None:
    """A bundle built with --zip-only is used as it is, and the report tells that there was no snapshot."""
    manifest = consistent / "core" / "bundle_manifest.js"
    manifest.write_text(manifest.read_text().replace("core.snapshot", "no.snapshot"))

    result = load(node, consistent)

    assert ("zip", "bundle_missing") == (result["report"]["tier"], result["report"]["fallback"]["code"])


def test_a_reader_may_give_bytes_at_any_place(node: str, bundle: Path) -> None:
    """A Buffer that begins in the middle of another, as an archive's reader gives it, is as good as a file."""
    script = (
        "import { readFileSync } from 'node:fs';"
        f"const {{ boot }} = await import({json.dumps((ROOT / 'web/dist/core/boot.js').as_uri())});"
        "const read = async (name, url) => Buffer.concat([Buffer.from('.'), readFileSync(url)]).subarray(1);"
        "console.log(JSON.stringify((await boot({ read })).report.fallback));"
    )

    done = subprocess.run([node, "--input-type=module", "-e", script], check=True, capture_output=True, text=True)

    assert json.loads(done.stdout) is None


def test_digest_without_webcrypto_is_sha256(node: str, bundle: Path) -> None:
    """A page served without TLS has no WebCrypto; there a library's SHA-256 gives the same."""
    script = (
        "Object.defineProperty(globalThis, 'crypto', { value: undefined });"
        f"const {{ sha256 }} = await import({json.dumps((ROOT / 'web/dist/core/sha256.js').as_uri())});"
        "const seen = [];"
        "for (let size = 0; size < 200; size++) {"
        "  const bytes = Uint8Array.from({ length: size }, (_, index) => index * 7);"
        "  seen.push(await sha256(bytes));"
        "}"
        "console.log(JSON.stringify(seen));"
    )
    expected = [hashlib.sha256(bytes(index * 7 % 256 for index in range(size))).hexdigest() for size in range(200)]

    done = subprocess.run([node, "--input-type=module", "-e", script], check=True, capture_output=True, text=True)

    assert expected == json.loads(done.stdout)


def test_progress_never_runs_backwards(node: str, consistent: Path) -> None:
    """The bar ends full and never goes back, not even when the other form has to be loaded after all."""
    snapshot = consistent / "bundle" / "core.snapshot"
    snapshot.write_bytes(flipped(snapshot.read_bytes()))
    script = (
        f"const {{ boot }} = await import({json.dumps((consistent / 'core' / 'boot.js').as_uri())});"
        "const shares = [];"
        "await boot({ onProgress: ({ loadedBytes, totalBytes }) => shares.push(loadedBytes / totalBytes) });"
        "console.log(JSON.stringify(shares));"
    )

    done = subprocess.run([node, "--input-type=module", "-e", script], check=True, capture_output=True, text=True)

    shares = json.loads(done.stdout)
    assert sorted(shares) == shares
    assert 1 == shares[-1]


def test_progress_is_told_as_often_as_it_can_be_seen(node: str, package: Path) -> None:
    """From the first piece to the last, and not for each of them: who is told draws it."""
    script = (
        f"const {{ BundleProgress }} = await import({json.dumps((package / 'core' / 'progress.js').as_uri())});"
        "const told = [];"
        "const progress = new BundleProgress(({ loadedBytes }) => told.push(loadedBytes));"
        "progress.expect(1000);"
        "for (let piece = 0; piece < 1000; piece++) progress.add('core.wasm', 1);"
        "console.log(JSON.stringify(told));"
    )

    done = subprocess.run([node, "--input-type=module", "-e", script], check=True, capture_output=True, text=True)

    told = json.loads(done.stdout)
    assert (1, 1000) == (told[0], told[-1])
    assert 20 < len(told) < 60
