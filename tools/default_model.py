"""Downloads the default model if it is missing, and prints its folder: `python -m tools.default_model`."""

import sys

from purestep_hosts.download import DownloadError, default_model


def main() -> int:
    """Print the folder, or say why there is none; gives the exit code."""
    try:
        print(default_model().parent)
    except DownloadError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
