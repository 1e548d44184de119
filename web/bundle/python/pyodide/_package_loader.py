"""Two paths that the interpreter's start needs; no package is installed there."""


class _Place:
    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path


SITE_PACKAGES = _Place("/lib/python3.14/site-packages")
DSO_DIR = _Place("/usr/lib")
