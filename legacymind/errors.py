"""Every error LegacyMind raises, one tree.

    LegacyMindError
    ├── InvalidInput              what was sent cannot be used
    ├── NotFound                  no such thing in this namespace
    ├── Conflict                  the id or key is taken by something else
    ├── ImmutableThought          thoughts are written once
    ├── ConfigurationError        a setting cannot be used
    ├── EmbeddingError            no vector could be made
    │   └── EmbeddingMismatch     the database holds another model's vectors
    ├── DatabaseError             Neo4j refused or failed
    │   ├── DatabaseUnreachable
    │   ├── DatabaseBusy          no connection came free
    │   ├── DatabaseRefused       wrong user or password
    │   ├── DatabaseTooOld        no Cypher 25 ``SEARCH``
    │   └── SchemaTooNew written by a newer LegacyMind
    └── EngineError               the managed Neo4j
        ├── DownloadFailed
        ├── PortTaken
        └── EngineNotRunning

A message has three parts: what happened, what it means for the data, what to do.
"""

from typing import ClassVar


class LegacyMindError(Exception):
    """The base of every LegacyMind error.

    ``what`` happened, the ``effect`` on the data, and what to ``do``; ``code`` is the
    stable name that every door puts into its error envelope.
    """

    code: ClassVar[str] = "error"
    effect: str = "Nothing was stored or changed."

    def __init__(self, what: str, *, effect: str | None = None, hint: str = "") -> None:
        self.what = what
        self.effect = type(self).effect if effect is None else effect
        self.hint = hint
        super().__init__(" ".join(part for part in (what, self.effect, hint) if part))

    def envelope(self) -> dict[str, dict[str, str]]:
        """The shape every door answers with: ``{"error": {"code", "message"}}``."""
        return {"error": {"code": self.code, "message": str(self)}}


class InvalidInput(LegacyMindError):
    """What was sent cannot be used."""

    code = "invalid_input"


class NotFound(LegacyMindError):
    """No such thing in this namespace."""

    code = "not_found"


class Conflict(LegacyMindError):
    """The id or key is taken by something else."""

    code = "conflict"


class ImmutableThought(LegacyMindError):
    """Thoughts are written once."""

    code = "immutable"


class ConfigurationError(LegacyMindError):
    """A setting cannot be used."""

    code = "configuration"


class EmbeddingError(LegacyMindError):
    """No vector could be made."""

    code = "embedding_failed"


class EmbeddingMismatch(EmbeddingError):
    """The database holds another model's vectors."""

    code = "embedding_mismatch"


class DatabaseError(LegacyMindError):
    """Neo4j refused or failed."""

    code = "database_error"


class DatabaseUnreachable(DatabaseError):
    """Nothing answered at the address."""

    code = "database_unreachable"


class DatabaseBusy(DatabaseError):
    """No connection came free in time."""

    code = "database_busy"


class DatabaseRefused(DatabaseError):
    """Wrong user or password, or too few rights."""

    code = "database_refused"


class DatabaseTooOld(DatabaseError):
    """The server has no Cypher 25 ``SEARCH``."""

    code = "database_too_old"


class SchemaTooNew(DatabaseError):
    """The database was written by a newer LegacyMind."""

    code = "schema_too_new"


class EngineError(LegacyMindError):
    """The managed Neo4j could not be run."""

    code = "engine_error"
    effect = "Stored data is untouched."


class DownloadFailed(EngineError):
    """A part of the engine or of the model could not be fetched whole."""

    code = "download_failed"


class PortTaken(EngineError):
    """A configured port is in use by another program."""

    code = "port_taken"


class EngineNotRunning(EngineError):
    """The managed Neo4j of this home is not up."""

    code = "engine_not_running"
