"""The values of `format` that can be asserted: times, names, addresses and identifiers, each in linear time.

Everything here is ASCII and written out, so no table, library or Python release decides. The international
forms (`iri`, `idn-email`, `idn-hostname`) follow Unicode tables and `uri-template` is a language of its own:
those, and names that nobody has defined, only annotate (2020-12, validation, 7).
"""

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

import msgspec

from ..regex import PatternError, parse
from .addresses import POINTER

MAX_HOSTNAME_CHARS: Final = 253
MAX_LABEL_CHARS: Final = 63
MAX_LOCAL_CHARS: Final = 64
"""Characters before the @ of a mailbox (RFC 5321, 4.5.3.1.1); those of names are RFC 1123's, 2.1."""

_MINUTES_A_DAY: Final = 24 * 60
_LEAP_SECOND: Final = "60"
_IPV6_GROUPS: Final = 8

# Regular expressions stay sources here: `re` caches what it has compiled, and an import does not pay for formats that
# no schema names.


class Format(msgspec.Struct, frozen=True):
    """A format: its name, what it is in words, a sample, and the function that tells whether a text has it."""

    name: str
    kind: str
    sample: str
    holds: Callable[[str], bool]

    @property
    def phrase(self) -> str:
        """Return what is wanted, with the sample."""
        return f"{self.kind} such as {self.sample}"


_DATE: Final = r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME: Final = (
    r"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_TIME_SPAN: Final = r"T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)"
_DATE_SPAN: Final = r"(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
_DURATION: Final = rf"P(?:[0-9]+W|{_DATE_SPAN}(?:{_TIME_SPAN})?|{_TIME_SPAN})"


def _is_date(text: str) -> bool:
    """Whether this is a full-date of RFC 3339, on a day that its month has."""
    found = re.fullmatch(_DATE, text, re.ASCII)
    if found is None:
        return False
    year, month, day = int(found[1]), int(found[2]), int(found[3])
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= (_LEAP_DAYS if is_leap else _DAYS)[month]


_DAYS: Final = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LEAP_DAYS: Final = (0, 31, 29, *_DAYS[3:])


def _is_time(text: str) -> bool:
    """Whether this is a full-time of RFC 3339; a leap second ends a day of UTC (5.7)."""
    found = re.fullmatch(_TIME, text, re.ASCII)
    if found is None or found[3] != _LEAP_SECOND:
        return found is not None
    offset = int(f"{found[4]}1") * (int(found[5]) * 60 + int(found[6])) if found[4] else 0
    return (int(found[1]) * 60 + int(found[2]) - offset + 1) % _MINUTES_A_DAY == 0


def _is_date_time(text: str) -> bool:
    return text[10:11] in ("T", "t") and _is_date(text[:10]) and _is_time(text[11:])


_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_ATOM_CHAR: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
_LOCAL: Final = rf'{_ATOM_CHAR}+(?:\.{_ATOM_CHAR}+)*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"'


def _is_hostname(text: str) -> bool:
    """Whether this is a host name of RFC 1123, 2.1; whether an `xn--` label decodes does not count."""
    labels = text.split(".") if len(text) <= MAX_HOSTNAME_CHARS else []
    return bool(labels) and all(_is_label(each) for each in labels)


def _is_label(text: str) -> bool:
    return len(text) <= MAX_LABEL_CHARS and re.fullmatch(_LABEL, text, re.ASCII) is not None


def _is_email(text: str) -> bool:
    """RFC 5321, 4.1.2, Mailbox."""
    local, _, domain = text.rpartition("@")
    if len(local) > MAX_LOCAL_CHARS or re.fullmatch(_LOCAL, local, re.ASCII) is None:
        return False
    if not (domain.startswith("[") and domain.endswith("]")):
        return _is_hostname(domain)
    literal = domain[1:-1]
    return _is_ipv6(literal[5:]) if literal[:5] in ("IPv6:", "ipv6:") else _is_ipv4(literal)


_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4: Final = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_GROUP: Final = r"[0-9A-Fa-f]{1,4}"


def _is_ipv4(text: str) -> bool:
    """Whether this is an address of RFC 2673, 3.2: four decimals, none with a leading zero."""
    return re.fullmatch(_IPV4, text, re.ASCII) is not None


def _is_ipv6(text: str) -> bool:
    """Whether this is an address of RFC 4291, 2.2.

    That is eight groups, some left out at one `::`, the last two perhaps as an IPv4 address.
    """
    head, gap, tail = text.partition("::")
    groups = (head.split(":") if head else []) + (tail.split(":") if tail else [])
    count = len(groups)
    if groups and "." in groups[-1] and (tail or not gap):
        if not _is_ipv4(groups.pop()):
            return False
        count += 1
    fits = count < _IPV6_GROUPS if gap else count == _IPV6_GROUPS
    return fits and all(re.fullmatch(_GROUP, group, re.ASCII) for group in groups)


_UNRESERVED: Final = r"A-Za-z0-9._~!$&'()*+,;=\-"
_ADDRESS: Final = r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#((?s:.*)))?"
_PATH: Final = rf"(?:[{_UNRESERVED}:@/]|%[0-9A-Fa-f]{{2}})*"
_QUERY: Final = rf"(?:[{_UNRESERVED}:@/?]|%[0-9A-Fa-f]{{2}})*"
_USER: Final = rf"(?:[{_UNRESERVED}:]|%[0-9A-Fa-f]{{2}})*"
_IP_LITERAL: Final = rf"\[(?:([0-9A-Fa-f:.]*)|[vV][0-9A-Fa-f]+\.[{_UNRESERVED}:]+)\]"
_HOST: Final = rf"(?:{_IP_LITERAL}|(?:[{_UNRESERVED}]|%[0-9A-Fa-f]{{2}})*)(?::[0-9]*)?"


def _is_reference(text: str) -> bool:
    """Whether this is a URI-reference of RFC 3986, 4.1."""
    found = re.fullmatch(_ADDRESS, text, re.ASCII)
    assert found is not None  # every part may be empty
    scheme, authority, path, query, fragment = found.groups()
    if scheme is None and authority is None and ":" in path.partition("/")[0]:
        return False
    if re.fullmatch(_PATH, path, re.ASCII) is None or (authority is not None and not _is_authority(authority)):
        return False
    return all(re.fullmatch(_QUERY, text or "", re.ASCII) for text in (query, fragment))


def _is_authority(text: str) -> bool:
    user, _, host = text.rpartition("@")
    found = re.fullmatch(_HOST, host, re.ASCII)
    if found is None or re.fullmatch(_USER, user, re.ASCII) is None:
        return False
    return found[1] is None or _is_ipv6(found[1])


def _is_address(text: str) -> bool:
    """Whether this is a URI of RFC 3986, 3: a reference with a scheme."""
    return re.match(_SCHEME, text, re.ASCII) is not None and _is_reference(text)


_SCHEME: Final = r"[A-Za-z][A-Za-z0-9+.-]*:"


def _is_pattern(text: str) -> bool:
    """Whether this is a regular expression of the subset that `pattern` takes."""
    try:
        parse(text)
    except PatternError:
        return False
    return True


def _matching(source: str) -> Callable[[str], bool]:
    return lambda text: re.fullmatch(source, text, re.ASCII) is not None


_UUID: Final = "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_RELATIVE_POINTER: Final = f"(?:0|[1-9][0-9]*)(?:#|{POINTER})"

FORMATS: Final = MappingProxyType(
    {
        each.name: each
        for each in (
            Format("date", "a date", "2026-01-31", _is_date),
            Format("time", "a time with its offset", "08:30:00Z", _is_time),
            Format("date-time", "a date and time", "2026-01-31T08:30:00Z", _is_date_time),
            Format("duration", "a duration", "P1DT12H", _matching(_DURATION)),
            Format("email", "an email address", "ada@example.org", _is_email),
            Format("hostname", "a host name", "example.org", _is_hostname),
            Format("ipv4", "an IPv4 address", "192.0.2.1", _is_ipv4),
            Format("ipv6", "an IPv6 address", "2001:db8::1", _is_ipv6),
            Format("uri", "an address with its scheme", "https://example.org/a", _is_address),
            Format("uri-reference", "an address or a part of one", "../a", _is_reference),
            Format("uuid", "a UUID", "123e4567-e89b-12d3-a456-426614174000", _matching(_UUID)),
            Format("json-pointer", "a JSON pointer", "/a/0", _matching(POINTER)),
            Format("relative-json-pointer", "a relative JSON pointer", "1/a", _matching(_RELATIVE_POINTER)),
            Format("regex", "a regular expression", "^[a-z]+$", _is_pattern),
        )
    }
)
"""The formats that `compile_schema` can make an assertion of, by name."""
