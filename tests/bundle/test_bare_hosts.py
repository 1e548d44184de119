"""What hosts send of the core: the compressed copies where they compress nothing, else the files themselves."""

import gzip
from pathlib import Path

import pytest

from tests.bundle.engines import Report, programs_of, run_in, sampled_vectors
from tests.bundle.served import Damage
from tests.bundle.test_faults import cut, flipped, gone

WITH_COPY = {"core.snapshot", "core.wasm", "msgspec.wasm"}
BROWSERS = [
    pytest.param(engine, marks=pytest.mark.needs(*programs_of(engine)))
    for engine in ("chromium-page", "chromium-worker", "firefox-worker")
]


def unpacked_here(report: Report) -> set[str]:
    """Return the files that were read from their compressed copies."""
    assert report.load is not None, report.error
    return {part["name"] for part in report.load["parts"] if part["isPacked"]} - {"core_rest.wasm"}


@pytest.mark.parametrize("engine", BROWSERS)
def test_a_host_that_compresses_nothing_sends_the_compressed_copies(bundle: Path, engine: str) -> None:
    """The snapshot itself is asked for once, to see what the host does, and ended at its first lines."""
    report = run_in(engine, vectors=sampled_vectors(400))

    assert ("snapshot", None) == (report.tier, report.load and report.load["fallback"])
    assert (0, WITH_COPY) == (report.failures, unpacked_here(report))
    asked = [path.removeprefix("/dist/bundle/") for path in report.asked if path.startswith("/dist/bundle/")]
    assert ["core.snapshot", "core.snapshot.gz"] == [name for name in asked if "snapshot" in name]
    # What comes later may have begun.
    assert {"core.wasm.gz", "msgspec.wasm.gz"} == {name for name in asked if ".wasm" in name} - {"core_rest.wasm.gz"}


@pytest.mark.parametrize("engine", BROWSERS)
def test_a_host_that_compresses_sends_the_files_themselves(bundle: Path, engine: str) -> None:
    """Its brotli is smaller than the copies, so none of them is asked for."""
    report = run_in(engine, vectors=[], compresses=True)

    assert ("snapshot", set()) == (report.tier, unpacked_here(report))
    assert [] == [path for path in report.asked if path.endswith(".gz")]


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("damage", [flipped, cut, lambda _: b"\x1f"], ids=["flipped", "cut", "one byte"])
@pytest.mark.parametrize("name", ["core.snapshot", "core.wasm"])
def test_a_damaged_copy_is_never_used_and_named(bundle: Path, name: str, damage: Damage) -> None:
    """Changed, cut or all but gone, the copy is refused in one sentence, and the core comes from the other form."""
    report = run_in("chromium-worker", damage={f"{name}.gz": damage}, vectors=sampled_vectors(400))

    assert report.load is not None, report.error
    assert ("zip", "bundle_damaged", 0) == (report.tier, report.load["fallback"]["code"], report.failures)
    said = report.load["fallback"]["message"]
    assert f"expected {name}.gz with " in said
    assert "Serve the whole folder" in said


@pytest.mark.needs("chromium")
def test_a_copy_with_other_content_is_refused(bundle: Path) -> None:
    """A copy that can be unpacked, and holds another version, has another hash."""
    other = gzip.compress(b"another version" * 200_000, 1)
    report = run_in("chromium-worker", damage={"core.snapshot.gz": lambda _: other}, vectors=[])

    assert report.load is not None, report.error
    assert ("zip", "bundle_damaged") == (report.tier, report.load["fallback"]["code"])


@pytest.mark.needs("chromium")
def test_where_the_copies_lack_the_files_themselves_are_read(bundle: Path) -> None:
    """A site to which only the files were copied works as it did before there were copies."""
    report = run_in("chromium-worker", damage={f"{name}.gz": gone for name in WITH_COPY}, vectors=[])

    assert ("snapshot", set()) == (report.tier, unpacked_here(report))


@pytest.mark.needs("chromium")
def test_a_host_that_unpacks_copies_by_itself_is_understood(bundle: Path) -> None:
    """Some hosts say of a name that ends with .gz how it is compressed, and the browser gives its content."""
    damage = {f"{name}.gz": gzip.decompress for name in WITH_COPY}
    report = run_in("chromium-worker", damage=damage, vectors=[])

    assert ("snapshot", set()) == (report.tier, unpacked_here(report))


@pytest.mark.parametrize("engine", ["node", "deno"])
def test_from_the_disk_the_files_themselves_are_read(bundle: Path, engine: str) -> None:
    """Nothing is sent there, so nothing has to be unpacked."""
    report = run_in(engine, vectors=[])

    assert ("snapshot", set()) == (report.tier, unpacked_here(report))
