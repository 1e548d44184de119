"""Which network addresses a fetch may reach: public ones only, checked after the name was resolved.

Source: IANA special-purpose address registries; RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo).
"""

from __future__ import annotations

import ipaddress
import socket

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# The private addresses of early IPv6, which some networks still use and the standard library calls global.
_SITE_LOCAL = ipaddress.IPv6Network("fec0::/10")
# Special-purpose blocks that the standard library takes for public in some of its releases.
_SPECIAL = (ipaddress.IPv4Network("192.0.0.0/24"), ipaddress.IPv4Network("192.88.99.0/24"))
# Round-robin names have many addresses; the first few are as good as the rest.
_MAX_ADDRESSES = 4


class AddressRefused(Exception):
    """An address that a fetch may not reach; the message names it."""


def resolve(host: str, port: int, *, private_allowed: bool) -> list[str]:
    """Return addresses of `host` to connect to.

    Raises AddressRefused when any of them is not public, unless `private_allowed`; OSError when there is none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not private_allowed:
        for address in addresses:
            if not is_public(address):
                raise AddressRefused(f"{host} is at {address}, which is not a public address")
    return addresses[:_MAX_ADDRESSES]


def is_public(text: str) -> bool:
    """Whether an address, and the IPv4 address that it may carry, belongs to the public internet."""
    try:
        address = _unwrapped(ipaddress.ip_address(text.partition("%")[0]))
    except ValueError:
        return False
    special = (
        address.is_multicast,
        address.is_reserved,
        address.is_unspecified,
        address.is_loopback,
        address.is_link_local,
        address in _SITE_LOCAL,
        any(address in network for network in _SPECIAL),
    )
    return address.is_global and not any(special)


def _unwrapped(address: Address) -> Address:
    """Return the IPv4 address embedded in an IPv6 address, if any."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
