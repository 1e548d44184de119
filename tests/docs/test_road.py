"""The page that lists what a step calls is made from a trace of README's run."""

from tools.pages.road import BEGIN, END, PAGE, STEPS, road, traced


def test_page_is_what_the_run_calls() -> None:
    """docs/step-by-function.md is as `python -m tools.pages.road` writes it."""
    assert road() == PAGE.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def test_run_of_the_page_has_four_steps() -> None:
    """Each begins at the function that the program calls, and reads its decision off the state."""
    steps = traced()
    assert ["start", "step", "step", "step"] == [call.name for call in steps]
    assert len(STEPS) == len(steps)
    assert all("`steps.decide`" in part or "steps.advance" in part for part in road().split("## ")[1:])
