"""The conformance vectors are the ones that the scenarios make."""

from pathlib import Path

from tools.make_vectors import files

FOLDER = Path(__file__).resolve().parent


def test_vectors_are_what_the_scenarios_give() -> None:
    """A changed core or scenario shows here; after reading the difference, run python -m tools.make_vectors."""
    made = files()
    assert {name: (FOLDER / name).read_text(encoding="utf-8") for name in made} == made
    assert sorted(made) == sorted(path.name for path in FOLDER.glob("*.jsonl"))
