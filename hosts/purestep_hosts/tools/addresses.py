"""Which network addresses a fetch may reach: public ones only, checked after the name was resolved.

The blocks are listed here, since releases of Python differ in what they call global.
Source: IANA special-purpose address registries (IPv4 and IPv6), and the multicast and IPv6 address space registries;
RFC 4291 (IPv4-mapped), RFC 6052 (NAT64), RFC 3056 (6to4), RFC 5214 (ISATAP), RFC 9637 (3fff::/20).
"""

from __future__ import annotations

import ipaddress
import socket
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_SPECIAL_4 = tuple(
    map(
        IPv4Network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
            *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        ),
    )
)
_GLOBAL_6 = IPv6Network("2000::/3")
"""All that IANA has given out for hosts of the internet."""
_SPECIAL_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
"""Parts of it for protocols, Teredo among them, and for documentation."""
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""Bits 64 to 95 of an address whose last 32 bits are an IPv4 address."""
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
    """Whether an address, and each IPv4 address that it carries, belongs to the public internet."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    if address in _MAPPED or address in _NAT64:
        return _is_public_4(_last_of(address))
    is_special = address.scope_id is not None or any(address in block for block in _SPECIAL_6)
    return address in _GLOBAL_6 and not is_special and all(map(_is_public_4, _carried(address)))


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in block for block in _SPECIAL_4)


def _carried(address: IPv6Address) -> list[IPv4Address]:
    """Return the IPv4 addresses that routers on the way may take out of an address."""
    found = [] if address.sixtofour is None else [address.sixtofour]
    return [*found, _last_of(address)] if int(address) >> 32 & 0xFFFF_FFFF in _ISATAP else found


def _last_of(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFF_FFFF)
