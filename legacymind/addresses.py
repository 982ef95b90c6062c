"""Addresses of servers: whether others can read what is sent to one."""

import ipaddress
from urllib.parse import urlsplit


def is_address(host: str) -> bool:
    """Whether a host is a number and not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_private(url: str) -> bool:
    """Whether nobody else can read what is sent to a URL: by https, or http on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
