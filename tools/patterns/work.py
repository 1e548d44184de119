"""What builds the patterns that no module holds: all modules are imported, and the vectors are played."""

import importlib
import pkgutil
from contextlib import suppress
from typing import Any, Final

_PACKAGES: Final = ("purestep", "purestep_formats", "purestep_policies", "purestep_tools", "purestep_hosts")


def play() -> None:
    """Import everything, play the vectors, and use what they do not reach."""
    for name in _PACKAGES:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                with suppress(ImportError):
                    importlib.import_module(module.name)
    import purestep

    for vector in _vectors():
        with suppress(AttributeError):
            getattr(purestep, vector["function"], _format(vector["function"]))(*vector["args"])
    _play_hosts()


def _format(name: str) -> Any:
    return getattr(importlib.import_module("purestep_formats"), name, None)


def _vectors() -> Any:
    from .found import vectors

    return (vector for vector in vectors() if "replay" not in vector["name"])


def _play_hosts() -> None:
    """Use the functions of hosts that build a pattern out of what they are given."""
    from purestep_hosts.cli.usage_words import in_own_words
    from purestep_hosts.evaluation.matching import stands_in
    from purestep_hosts.evaluation.suite import SuiteError, decoded_line
    from purestep_hosts.mask import Mask

    in_own_words("nothing")
    stands_in("1 a.b", "x")
    with suppress(SuiteError):
        decoded_line(b'{"a": 1, "a": 2}', "a line")

    Mask(["a-secret-of-some-length", "another.secret+of(some)length"]).text("nothing")
