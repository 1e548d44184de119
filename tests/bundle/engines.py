"""The hosts that the bundle runs in, as real processes: `run_in(engine, tier)` gives what each made of the vectors."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.bundle.served import ROOT, Damage, Served
from tests.programs import compiled_for_speed, program_path
from tools.vectors.files import stored_vectors

BUNDLE = ROOT / "web" / "dist" / "bundle"
LOADER = ROOT / "web" / "dist" / "core" / "boot.js"
FOLDER = Path(__file__).resolve().parent
TIME_LIMIT_S = 600  # a browser starts in 2 s on an idle machine
MANY = 1000  # vectors that take Node long enough to be worth compiling the core for speed
FEW = 100  # vectors whose bytes are not the subject: Chromium need not compile the core for speed to run them

ENGINES = ("node", "deno", "chromium-page", "chromium-worker", "firefox-page", "firefox-worker")
"""What `run_in` knows, each in the two tiers "snapshot" and "zip"."""


@dataclass(frozen=True)
class Report:
    """What one engine made of the vectors in one tier.

    `outputs` is a SHA-256 of all outputs in order: hosts with equal ones agree on every byte. `load` is the
    loader's own report; `error` its code and message when the load failed. `longest_gap_ms` is how long the
    page's thread was kept busy at once, in browsers; `sent_bytes` what the host sent there.
    """

    engine: str
    passed: int
    failures: int
    failed: list[dict[str, Any]]
    outputs: str
    load: dict[str, Any] | None
    error: dict[str, Any] | None
    longest_gap_ms: float = 0
    asked: list[str] = field(default_factory=list)
    sent_bytes: int = 0

    @property
    def tier(self) -> str | None:
        """The tier that the core came from."""
        return self.load and self.load["tier"]


def recorded_vectors() -> list[dict[str, Any]]:
    """Return every conformance vector."""
    return [*stored_vectors()]


def sampled_vectors(step: int = 20) -> list[dict[str, Any]]:
    """Return the loads of definitions, and one of each `step` others, for tests whose subject is not the bytes."""
    vectors = recorded_vectors()
    sampled = [id(vector) for vector in drawn(vectors, step)]
    return [vector for vector in vectors if id(vector) in sampled or vector["function"] == "load_agent"]


def drawn(vectors: list[dict[str, Any]], step: int) -> list[dict[str, Any]]:
    """Return one vector of each `step`, and the first of its scenario, which brings the definition that others name."""
    firsts = [*accumulate(range(len(vectors)), lambda first, at: first if _same(vectors, first, at) else at)]
    brought = {firsts[at] for at in range(0, len(vectors), step)}
    return [vector for at, vector in enumerate(vectors) if at % step == 0 or at in brought]


def _same(vectors: list[dict[str, Any]], one: int, other: int) -> bool:
    """Whether two vectors are of one scenario; in another file one of the same name may stand."""
    first, second = (str(vectors[at]["name"]).partition("/")[0] for at in (one, other))
    return first == second


def programs_of(engine: str) -> tuple[str, ...]:
    """Return the programs of tests/programs.py that an engine needs; Node builds the bundle for all of them."""
    program = engine.partition("-")[0]
    return ("node",) if program in ("node", "deno") else ("node", program)


def missing(engine: str) -> str | None:
    """Say what an engine lacks on this machine; None when it can run."""
    lacking = [program for program in programs_of(engine) if program_path(program) is None]
    return f"{lacking[0]} is not installed" if lacking else None


def run_in(
    engine: str,
    tier: str = "snapshot",
    *,
    damage: dict[str, Damage] | None = None,
    vectors: list[dict[str, Any]] | None = None,
    compresses: bool = False,
) -> Report:
    """Run the vectors in one engine; `damage` says by name what becomes of files of the bundle on their way.

    compresses: a browser's host sends files with a content encoding.
    """
    job = {"options": {"tier": tier}, "vectors": recorded_vectors() if vectors is None else vectors}
    if engine in ("node", "deno"):
        return _report(engine, _in_process(engine, job, damage or {}))
    program, _, place = engine.partition("-")
    with (
        Served({**job, "worker": place == "worker"}, damage, compresses=compresses) as served,
        browser(program, f"{served.address}/page.html", compiled_once=len(job["vectors"]) <= FEW),
    ):
        if not served.done.wait(TIME_LIMIT_S):
            raise TimeoutError(f"{engine} gave no result in {TIME_LIMIT_S} s; it asked for {served.asked}")
    assert served.result is not None
    return _report(engine, served.result, served.asked, served.sent_bytes)


def _report(engine: str, result: dict[str, Any], asked: list[str] | None = None, sent_bytes: int = 0) -> Report:
    return Report(
        engine=engine,
        passed=result["passed"],
        failures=result.get("failures", 0),
        failed=result["failed"],
        outputs=result.get("outputs", ""),
        load=result.get("report"),
        error=result["error"],
        longest_gap_ms=result.get("longestGapMs", 0),
        asked=asked or [],
        sent_bytes=sent_bytes,
    )


def _in_process(engine: str, job: dict[str, Any], damage: dict[str, Damage]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        if damage:
            job["options"]["bundleURL"] = _damaged_copy(Path(folder) / "bundle", damage).as_uri()
        script = Path(folder) / "job.json"
        script.write_text(json.dumps({**job, "loader": LOADER.as_uri()}))
        done = subprocess.run(
            [*command(engine, [FOLDER, LOADER.parents[1], Path(folder)]), FOLDER / "in_process.mjs", script],
            check=False,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            env=compiled_for_speed() if len(job["vectors"]) > MANY else None,
        )
    if done.returncode != 0:
        raise AssertionError(f"{engine} failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def command(engine: str, readable: list[Path]) -> list[str]:
    """Return the start of a command line for Node or Deno; Deno may read these places and do nothing else."""
    program = _program(engine)
    assert program is not None, f"{engine} is not installed"
    if engine == "node":
        return [program]
    places = ",".join(str(path) for path in readable)
    closed = ["--no-prompt", "--no-remote", "--no-npm", "--no-config", "--cached-only"]
    return [program, "run", "--quiet", *closed, f"--allow-read={places}"]


def _damaged_copy(target: Path, damage: dict[str, Damage]) -> Path:
    target.mkdir()
    for file in BUNDLE.iterdir():
        data = damage[file.name](file.read_bytes()) if file.name in damage else file.read_bytes()
        if data is not None:
            (target / file.name).write_bytes(data)
    return target


@contextmanager
def browser(program: str, address: str, *, compiled_once: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    """Keep a browser open on an address, with a profile of its own.

    `compiled_once` has Chromium compile WebAssembly once, which does for what runs for seconds.
    """
    path = _program(program)
    assert path is not None, f"{program} is not installed"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = list(_OPTIONS[program])
        if compiled_once and program == "chromium":
            options.append("--js-flags=--liftoff-only")
        if program == "firefox":
            lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _FIREFOX_PREFS.items())
            (Path(profile) / "user.js").write_text("".join(lines))
        process = subprocess.Popen(
            [path, *options, _PROFILE[program].format(profile), address],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


_OPTIONS = {
    # Containers give no user namespace for the sandbox and little shared memory.
    "chromium": ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run"],
    "firefox": ["--headless", "--no-remote", "--new-instance"],
}
_FIREFOX_PREFS = {
    "browser.aboutwelcome.enabled": False,
    "app.normandy.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.unified": False,
    "toolkit.telemetry.server": "",
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "services.settings.server": "data:,none",
    "extensions.systemAddon.update.enabled": False,
    "extensions.getAddons.cache.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.newtab.preload": False,
    "browser.search.update": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "media.gmp-manager.updateEnabled": False,
}
"""Nothing is looked up or made ready in the background: a fifth of what a start costs."""
_PROFILE = {"chromium": "--user-data-dir={}", "firefox": "--profile={}"}


def _program(name: str) -> str | None:
    if name == "deno":
        return str(ROOT / "web" / "node_modules" / ".bin" / "deno")
    return program_path(name)
