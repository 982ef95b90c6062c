"""The settings of ``[engine]``."""

from dataclasses import dataclass
from functools import partial

from legacymind.settings.kinds import Count, Port, Seconds
from legacymind.settings.setting import setting

_setting = partial(setting, "engine")


@dataclass(frozen=True, kw_only=True)
class Managed:
    """The managed Neo4j."""

    bolt_port: Port = _setting(
        0, "LEGACYMIND_BOLT_PORT", "Port for Bolt. 0: 7687 if free, else any free port."
    )
    http_port: Port = _setting(
        0, "LEGACYMIND_HTTP_PORT", "Port for Neo4j Browser. 0: 7474 if free, else any free port."
    )
    heap_mb: Count = _setting(
        0,
        "LEGACYMIND_HEAP_MB",
        "Size of the Java heap in MiB. 0: chosen by the machine's memory.",
    )
    page_cache_mb: Count = _setting(
        0,
        "LEGACYMIND_PAGE_CACHE_MB",
        "Size of Neo4j's page cache in MiB. 0: chosen by the machine's memory.",
    )
    start_timeout: Seconds = _setting(
        120.0, "LEGACYMIND_START_TIMEOUT", "Seconds to wait for the engine to start."
    )
