from playwright.sync_api import expect

from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, final


def _run(open_page: Open) -> Playground:
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    return playground


def test_an_earlier_step_shows_the_run_as_it_stood(open_page: Open) -> None:
    """Going back takes later entries out of the conversation; the end brings them back."""
    playground = _run(open_page)
    playground.button("Go here (step 2)").click()
    expect(playground.answer("It is 42.")).to_have_count(0)
    expect(playground.page.locator(".thread .call")).to_contain_text("running")
    playground.button("Back to the end").click()
    playground.expect_answer("It is 42.")


def test_the_slider_goes_through_time_by_the_keyboard(open_page: Open) -> None:
    """Each key moves one step back or forward."""
    playground = _run(open_page)
    slider = playground.page.get_by_role("slider", name="Time travel")
    slider.focus()
    playground.page.keyboard.press("ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "step 3 of 4")
    expect(playground.answer("It is 42.")).to_have_count(0)
    playground.page.keyboard.press("End")
    playground.expect_answer("It is 42.")


def test_a_fork_goes_another_way_and_the_old_branch_stays(open_page: Open) -> None:
    """Going on from an earlier step makes a branch of its own; both logs verify, and share their first lines."""
    playground = _run(open_page)
    first = playground.download_log()
    playground.show_timeline()
    playground.button("Go here (step 3)").click()
    playground.button("Continue from here").click()
    playground.page.get_by_label("The script says this").fill(final("Forty-two it is."))
    playground.button("Say this").click()
    playground.expect_answer("Forty-two it is.")
    playground.verify()
    second = playground.download_log()
    shared = 6
    assert second != first
    assert second.splitlines()[:shared] == first.splitlines()[:shared]
    playground.button("Branch 1").click()
    playground.expect_answer("It is 42.")
    playground.verify()
    assert playground.download_log() == first


def test_a_fork_at_a_call_asks_before_it_runs_once_more(open_page: Open) -> None:
    """The other branch ran the call under the same key, so the card says that it may have run already."""
    playground = _run(open_page)
    playground.button("Go here (step 2)").click()
    playground.button("Continue from here").click()
    expect(playground.page.locator(".approve-call")).to_contain_text("it may have run already")
    playground.button("Approve and run").click()
    playground.button("Say this").click()
    playground.expect_answer("It is 42.")
    playground.verify()


def test_a_finished_run_forks_with_another_question(open_page: Open) -> None:
    """From the last step one simply asks on; from an earlier answer the question begins a branch."""
    playground = open_page(chosen="scripted", definition=SUM["definition"], outputs=[final("One."), final("Two.")])
    playground.ask("First")
    playground.expect_answer("One.")
    playground.ask("Second")
    playground.expect_answer("Two.")
    playground.button("Go here (step 2)").click()
    playground.ask("Another second")
    playground.page.get_by_label("The script says this").fill(final("Three."))
    playground.button("Say this").click()
    playground.expect_answer("Three.")
    expect(playground.button("Branch 2")).to_have_attribute("aria-pressed", "true")
    expect(playground.answer("Two.")).to_have_count(0)
    playground.verify()
