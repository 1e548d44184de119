"""Checks receipts with COSE libraries that are not ours: lines of JSON in, whether each accepts them out.

It runs in a process with their packages alone, which need another release of cbor2.
"""

import json
import sys
from collections.abc import Callable

import cwt
from pycose.keys import EC2Key, OKPKey
from pycose.keys.curves import P256, Ed25519
from pycose.messages import Sign1Message


def by_pycose(receipt: bytes, key: dict[str, str], root: bytes | None) -> bytes:
    """Return the payload that pycose accepts, or raise what it raises."""
    message = Sign1Message.decode(receipt)
    x, y = bytes.fromhex(key["x"]), bytes.fromhex(key["y"])
    message.key = EC2Key(crv=P256, x=x, y=y) if y else OKPKey(crv=Ed25519, x=x)
    if not message.verify_signature(root):
        raise ValueError("the signature does not fit")
    return bytes(root or message.payload)


def by_cwt(receipt: bytes, key: dict[str, str], root: bytes | None) -> bytes:
    """Return the payload that python-cwt accepts, or raise what it raises."""
    public = cwt.COSEKey.from_pem(key["pem"], alg="ES256" if key["y"] else "EdDSA", kid=bytes.fromhex(key["kid"]))
    found: bytes = cwt.COSE.new(alg_auto_inclusion=False).decode(receipt, public, detached_payload=root)
    return found


VERIFIERS: dict[str, Callable[[bytes, dict[str, str], bytes | None], bytes]] = {"pycose": by_pycose, "cwt": by_cwt}

for line in sys.stdin:
    given = json.loads(line)
    root = bytes.fromhex(given["root"]) if given["root"] else None
    said = {}
    for name, verify in VERIFIERS.items():
        try:
            said[name] = verify(bytes.fromhex(given["receipt"]), given["key"], root).hex()
        except Exception as error:
            said[name] = f"refused: {type(error).__name__} {error}"
    print(json.dumps(said), flush=True)
