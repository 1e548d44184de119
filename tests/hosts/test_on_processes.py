"""Work on several processes: in its order, and stopped where nobody wants the rest."""

import time
from functools import partial
from pathlib import Path

import pytest

from purestep_hosts.on_processes import on_processes


def marked(folder: Path, number: int) -> int:
    """Leave a mark, and take a while."""
    (folder / str(number)).touch()
    time.sleep(0.05)
    return number


@pytest.mark.parametrize("processes", [1, 2])
def test_what_comes_of_each_is_in_their_order(processes: int, tmp_path: Path) -> None:
    """However the processes share them."""
    assert list(range(9)) == list(on_processes(partial(marked, tmp_path), range(9), processes, 2))


def test_the_rest_is_not_begun_once_nobody_wants_it(tmp_path: Path) -> None:
    """As when the one that reads is interrupted."""
    found = on_processes(partial(marked, tmp_path), range(200), 2, 1)
    assert 0 == next(iter(found))
    found.close()  # type: ignore[attr-defined] (a generator)
    assert 100 > len(list(tmp_path.iterdir()))
