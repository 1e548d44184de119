"""All attacks: each module beside this one offers its own as `ATTACKS`."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from ..attack import Attack


def _found() -> tuple[Attack, ...]:
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(attack for name in names for attack in import_module(f"{__name__}.{name}").ATTACKS)


ALL: Final = _found()
