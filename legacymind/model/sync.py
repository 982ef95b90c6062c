"""The results of a synchronisation, and of an import of an export."""

from dataclasses import dataclass, field
from datetime import datetime

from legacymind.model.chain import Survey


@dataclass(slots=True, kw_only=True)
class SyncSource:
    """Another home that writes to a place: its last segment there, and the last that was read."""

    replica: str
    read: int
    written: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """What came from other homes, and whether these are trusted as this one.

    ``stored`` are nodes that are new or changed, ``removed`` nodes and relationships that were removed
    elsewhere. ``waiting`` lines need something that is not here yet; ``refused`` names what was not stored.
    """

    namespace: str
    trusted: bool
    stored: int = 0
    removed: int = 0
    waiting: int = 0
    waiting_for: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncResult(Received):
    """What came from a place and what went there: ``written`` are lines."""

    place: str
    replica: str
    written: int
    problems: list[str] = field(default_factory=list[str])
    sources: list[SyncSource] = field(default_factory=list[SyncSource])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceStatus:
    """A place of a namespace. ``written`` is the number of this home's last segment there."""

    place: str
    trusted: bool
    private: bool
    written: int
    synced_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceStatus:
    """Another home at a place: its last segment there, and the last that was read.

    ``written`` is None while the place cannot be seen, and ``read_at`` if nothing was read yet. ``refused``
    names what the last synchronisation that read from it did not store, ten at most.
    """

    place: str
    replica: str
    read: int = 0
    written: int | None = None
    read_at: datetime | None = None
    refused: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncStatus:
    """How far a namespace is synchronised, and the lines that need something that is not here yet."""

    namespace: str
    replica: str | None
    waiting: int
    waiting_for: list[str]
    places: list[PlaceStatus]
    sources: list[SourceStatus]


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration(Received):
    """What came from an export. ``found`` counts the lines of the file by kind.

    ``incomplete``: the reason why the file may not be the whole export; None if it is. ``chains`` are the
    verdicts on all chains of the namespace afterwards; None for a dry run.
    """

    found: dict[str, int] = field(default_factory=dict[str, int])
    incomplete: str | None = None
    chains: Survey | None = None
