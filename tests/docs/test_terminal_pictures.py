"""The pictures of the command in the documentation show what it prints now."""

import pytest

from tools.pages.terminal_pictures import FOLDER, PICTURES, Picture, drawn

# The test runner has threads of its own; the child does nothing but start the program.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


@pytest.mark.parametrize("wanted", PICTURES, ids=lambda wanted: wanted.name)
def test_picture_is_of_the_command_as_it_is(wanted: Picture) -> None:
    """`python -m tools.pages.terminal_pictures` makes them anew."""
    assert drawn(wanted) == {name: (FOLDER / name).read_text("utf-8") for name in drawn(wanted)}
