"""Keys as files hold them: OpenSSH's form or PEM, without a password."""

from __future__ import annotations

from typing import Any


def loaded_key(data: bytes, *loaders: Any) -> Any:
    """Return the key that the first loader that can reads, None if none can.

    loaders: functions of `cryptography` such as `load_pem_private_key`.
    """
    from cryptography.exceptions import UnsupportedAlgorithm

    for load in loaders:
        try:
            return load(data, password=None) if "private" in load.__name__ else load(data)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            continue
    return None
