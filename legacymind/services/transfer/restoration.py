"""The result of an import of an export."""

from dataclasses import dataclass

from legacymind.model.chain import Survey


@dataclass(slots=True, kw_only=True)
class Restoration:
    """Counts of an imported export. ``known``: stored before. ``left_out``: links to a node that is missing.
    ``redacted``: texts that the import removed. ``unredacted``: texts that the file does not have, but no
    verified step of it redacts, so that they stay.

    ``embedded_later``: vectors are missing or belong to another model, and are computed in the background.
    ``incomplete``: the reason why the file may not be the whole export; None if it is.
    ``chains`` are the verdicts on all chains of the namespace afterwards; None for a dry run.
    """

    entities: int = 0
    observations: int = 0
    thoughts: int = 0
    sessions: int = 0
    links: int = 0
    others: int = 0
    known: int = 0
    left_out: int = 0
    redacted: int = 0
    unredacted: int = 0
    embedded_later: bool = False
    incomplete: str | None = None
    chains: Survey | None = None
