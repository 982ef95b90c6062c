"""The result of a synchronisation."""

from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class SyncSource:
    """Another home that writes to a place: its last segment there, and the last that was read."""

    replica: str
    read: int
    written: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncResult:
    """What went to a place and what came from there.

    ``written`` are lines, ``stored`` nodes that are new or changed, ``removed`` nodes that were forgotten
    elsewhere. ``waiting`` lines need something that is not here yet; ``refused`` names what does not verify.
    """

    namespace: str
    place: str
    replica: str
    trusted: bool
    written: int
    stored: int = 0
    removed: int = 0
    waiting: int = 0
    waiting_for: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    problems: list[str] = field(default_factory=list[str])
    sources: list[SyncSource] = field(default_factory=list[SyncSource])
    dry_run: bool = False
