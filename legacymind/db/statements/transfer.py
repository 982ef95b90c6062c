"""The statements of ``cypher/transfer``."""

from legacymind.db.parameters import chain as chain_in
from legacymind.db.parameters import transfer as transfer_in
from legacymind.db.query import load
from legacymind.db.rows import transfer as transfer_out

export_sessions = load(
    "transfer/export_sessions", transfer_in.ExportIds, transfer_out.ExportedSession, writes=False
)
export_places = load(
    "transfer/export_places", transfer_in.ExportPlaces, transfer_out.ExportedPlace, writes=False
)
export_entities = load(
    "transfer/export_entities", transfer_in.ExportEntities, transfer_out.ExportedKnowledge, writes=False
)
export_observations = load(
    "transfer/export_observations",
    transfer_in.ExportObservations,
    transfer_out.ExportedKnowledge,
    writes=False,
)
export_steps = load("transfer/export_steps", transfer_in.ExportSteps, transfer_out.ExportedStep, writes=False)
export_others = load(
    "transfer/export_others", transfer_in.ExportOthers, transfer_out.ExportedOther, writes=False
)
export_anchors = load(
    "transfer/export_anchors", chain_in.OfNamespace, transfer_out.ExportedAnchor, writes=False
)
export_links = load("transfer/export_links", transfer_in.ExportLinks, transfer_out.ExportedLink, writes=False)
import_entities = load(
    "transfer/import_entities", transfer_in.RestoreEntities, transfer_out.HeldRow, writes=True
)
import_observations = load(
    "transfer/import_observations", transfer_in.RestoreObservations, transfer_out.HeldRow, writes=True
)
import_places = load(
    "transfer/import_places", transfer_in.RestorePlaces, transfer_out.StoredCount, writes=True
)
find_stored = load("transfer/find_stored", transfer_in.StoredIds, transfer_out.StoredAlready, writes=False)
lock_sessions = load("transfer/lock_sessions", transfer_in.LockSessions, transfer_out.LockedHead, writes=True)
import_thoughts = load(
    "transfer/import_thoughts", transfer_in.RestoreThoughts, transfer_out.StoredCount, writes=True
)
import_redactions = load(
    "transfer/import_redactions", transfer_in.RestoreRedactions, transfer_out.RedactedCount, writes=True
)
import_sessions = load(
    "transfer/import_sessions", transfer_in.RestoreSessions, transfer_out.StoredCount, writes=True
)
import_anchors = load(
    "transfer/import_anchors", transfer_in.RestoreAnchors, transfer_out.StoredCount, writes=True
)
import_links = load("transfer/import_links", transfer_in.RestoreLinks, transfer_out.CreatedLinks, writes=True)
settle_pending = load("transfer/settle_pending", chain_in.OfNamespace, transfer_out.SettledCount, writes=True)
