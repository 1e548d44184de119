"""build.sh, as it is started from elsewhere and with words that it does not know."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_link_to_the_script_works_on_its_checkout(tmp_path: Path) -> None:
    """Nothing is set up where the link is, be it absolute or relative, and links may follow each other."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "build").symlink_to(ROOT / "build.sh")
    (tmp_path / "again").symlink_to("bin/build")
    done = subprocess.run([tmp_path / "again", "cli", "--version"], capture_output=True, text=True, check=False)
    assert (0, {"bin", "again"}) == (done.returncode, {path.name for path in tmp_path.iterdir()}), done.stderr


def test_unknown_room_is_refused_with_the_names_of_all(tmp_path: Path) -> None:
    """A slip costs no installation and no web build."""
    command = [ROOT / "build.sh", "test", "nosuchroom"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    rooms = {path.parent.name for path in (ROOT / "tests").glob("[a-z]*/*.py")}
    said = done.stderr.removeprefix("build.sh: tests/ has no room 'nosuchroom'; the rooms are: ")
    assert (1, rooms) == (done.returncode, rooms & set(said.split()))
