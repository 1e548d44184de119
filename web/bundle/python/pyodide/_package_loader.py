"""Two places that the interpreter asks for when it starts; no package is ever put there."""


class _Place:
    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path


SITE_PACKAGES = _Place("/lib/python3.14/site-packages")
DSO_DIR = _Place("/usr/lib")
