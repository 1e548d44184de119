"""What watches a run is told what happens, and is never in its way.

A fault of it is logged, and the run goes on: it must not lose the result of a call that has had its effect. Where its
output cannot be written any more, such as to a pipe that was closed, the run ends after its next lines are in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, ParamSpec

_logger: Final = logging.getLogger("purestep_hosts")

Given = ParamSpec("Given")


class Telling:
    """Tells one watcher; of its faults the first is logged, since one may come with each piece of text."""

    def __init__(self) -> None:
        """Begin with a watcher that has not failed."""
        self._has_failed = False
        self._unwritten: OSError | None = None

    def tell(self, event: Callable[Given, object], *args: Given.args, **kwargs: Given.kwargs) -> None:
        """Call a method of the watcher, unless its output cannot be written any more."""
        if self._unwritten is not None:
            return
        try:
            event(*args, **kwargs)
        except OSError as error:
            self._unwritten = error
        except Exception:
            if not self._has_failed:
                _logger.exception("what watches a run has failed; the run goes on, and further faults are not logged")
            self._has_failed = True

    def check(self) -> None:
        """Raise the OSError that kept its output from being written; called once the log is whole."""
        if self._unwritten is not None:
            raise self._unwritten
