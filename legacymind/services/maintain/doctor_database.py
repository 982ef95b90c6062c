"""The checks of `legacymind doctor` on a database that answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from legacymind.db import schema
from legacymind.db.inspection import Inspection
from legacymind.db.query import load
from legacymind.db.schema import INDEX_NAMES
from legacymind.db.stored import Property
from legacymind.errors import LegacyMindError
from legacymind.model.health import Severity
from legacymind.services.chain.verification import ChainService
from legacymind.services.maintain.adoption import AdoptionService
from legacymind.services.maintain.filling import SlotFilling
from legacymind.services.shared import checks
from legacymind.services.shared.deferred import COUNT_DEFERRED
from legacymind.services.shared.service import Service
from legacymind.text.numbers import counted

SampledVectors = tuple[int, int, int]
"""The number of nodes read, of those with vectors of another length, and of those without any."""

SAMPLE_VECTORS = load("maintain/sample_vectors", SampledVectors, writes=False)

FIND_CROWDED = load("maintain/find_crowded", tuple[list[tuple[str, int]], int], writes=False)

SAMPLE_SESSIONS = load("chain/sample_sessions", str, writes=False)

SilentReplica = tuple[str, str, str, int]
"""A namespace, a place, a replica that writes there, and the days since something of it was read."""

FIND_SILENT = load("maintain/find_silent", SilentReplica, writes=False)

Index = tuple[str, str, float, int | None]
"""An index: its name, its state, its progress from 0 to 100, and the length of the vectors in it, if any."""

READ_INDEXES = load("schema/read_indexes", Index, writes=False)

FIX: Final = "Run `legacymind doctor --fix`."
_SAMPLE: Final = 1_000

MOST_RELATIONSHIPS = 1_000
MOST_NODES = 1_000_000
"""Nodes of each label, the newest, whose vectors and relationships are looked at."""

_SHOWN: Final = 3
"""The most crowded thoughts, or nodes made by hand, that are named."""

_SILENT_DAYS: Final = 30
"""Days after which a machine is probably not synchronised any more."""

_CHAINS: Final = {"take": 10, "thoughts": 500, "longest": 1_000}
"""The sample of chains: sessions of the newest thoughts, and the most thoughts of a chain."""

_VERDICTS: Final[dict[str, Severity]] = {
    "broken": "broken",
    "truncated": "truncated",
    "unverifiable": "unverifiable",
}


@dataclass(frozen=True, slots=True)
class Symptom:
    """A problem, and what mends it if no data is lost by that."""

    what: str
    mend: str
    severity: Severity = "unusable"
    fix: Callable[[], Awaitable[Any]] | None = None


Outcome = str | list[Symptom]
"""What a check returns: a sentence that says what is well, or problems."""

OF_DATABASE: Final = ("schema", "indexes", "model", "vectors", "size", "chains", "by_hand", "replicas")

Database = Mapping[str, Property]
"""The properties of the database's node."""


def version_of(database: Database) -> Property:
    """The version of the schema; 0 in a database without a memory."""
    return database.get("schema_version", 0)


def _slot(database: Database) -> str:
    return str(database.get("active_slot", "embedding_a"))


class DatabaseChecks(Service):
    """The checks of a database that answers, each by its name."""

    _chain: ChainService
    _filling: SlotFilling
    _adoption: AdoptionService

    async def schema(self, opened: Inspection, database: Database) -> Outcome:
        """The schema is this LegacyMind's."""
        try:
            stored = schema.version(database)
            schema.check({"version": "9999.1", "edition": "", "database": dict(database)}, "")
        except LegacyMindError as error:
            return [Symptom(error.what, error.hint)]
        if not stored:
            return "The database has no memory yet; the first call sets it up."
        if stored < schema.VERSION:
            return [
                Symptom(
                    f"The database has schema version {stored}, and this LegacyMind has {schema.VERSION}.",
                    f"{FIX} The next call upgrades it, too. Older LegacyMinds cannot use it then.",
                    "warning",
                    self._graph.ready,
                )
            ]
        return f"Schema version {stored} is this LegacyMind's."

    async def indexes(self, opened: Inspection, database: Database) -> Outcome:
        """Every index and constraint exists and is online, and vector indexes have the model's dimensions."""
        stored = {index[0]: index[1:] for index in await opened.run(READ_INDEXES, {})}
        # The vector indexes are made with the first vector, in the active slot.
        dimensions = database.get(f"{_slot(database)}_dim")
        names = [name for name in INDEX_NAMES if dimensions is not None or "embedding_a" not in name]
        problems: list[Symptom] = []
        for name in (name.replace("embedding_a", _slot(database)) for name in names):
            state, percent, own = stored.get(name, (None, 0.0, None))
            if state == "POPULATING":
                what = f"The index {name} is being built: {percent:.0f} % done."
                problems.append(Symptom(what, "Wait; Neo4j continues to build it.", "warning"))
            elif state != "ONLINE" or own not in (None, dimensions):
                fault = {None: "is missing", "ONLINE": "is of another model"}.get(state, "failed")

                async def again(name: str = name, drop: bool = state is not None) -> None:
                    await schema.create_index(opened.run, name, int(str(dimensions or 0)), drop=drop)

                what = f"The index or constraint {name} {fault}: calls that need it fail or are slow."
                problems.append(Symptom(what, f"{FIX} If it fails again, Neo4j's log says why.", fix=again))
        return problems or f"{len(names)} indexes and constraints are online."

    async def model(self, opened: Inspection, database: Database) -> Outcome:
        """The configured embedding model is that of the stored vectors."""
        held, info = database.get(f"{_slot(database)}_fingerprint"), self._vectors.embedder.info
        if held in (None, info.fingerprint):
            return (
                f"The vectors are of the configured model, {info.model}."
                if held
                else "There are no vectors yet."
            )
        return [
            Symptom(
                f"This database holds vectors of {held}, but {info.fingerprint} is configured: nothing can "
                "be stored or searched.",
                "Configure the embedder that the database was filled with, or change the model of the whole "
                "database with `legacymind reembed` (docs/operation/embeddings.md).",
            )
        ]

    async def vectors(self, opened: Inspection, database: Database) -> Outcome:
        """Every text of the newest nodes has a vector of the model, and none waits for one."""
        statement = SAMPLE_VECTORS.for_slot("b" if _slot(database) == "embedding_b" else "a")
        ((read, foreign, lacking),) = await opened.run(statement, {"take": _SAMPLE})
        ((waiting, _),) = await opened.run(COUNT_DEFERRED, {})
        problems: list[Symptom] = []
        # With another model configured, its vectors would be the foreign ones.
        own = self._vectors.embedder.info.fingerprint
        usable = database.get(f"{_slot(database)}_fingerprint") == own
        again = self._embed_again if usable else None
        mend = FIX if usable else f"Configure the model of the database. {FIX}"
        if foreign:
            what = f"{foreign:,} of the newest {read:,} nodes have vectors of another length: "
            what += "they cannot be compared with others."
            problems.append(Symptom(what, f"{mend} It embeds their texts with that model.", fix=again))
        if lacking or waiting:
            what = f"{lacking:,} of the newest {read:,} nodes have no vector, and "
            what += f"{counted(waiting, 'node')} wait for one: they are found by words only."
            problems.append(
                Symptom(what, f"{mend} It embeds their texts.", "warning", None if foreign else again)
            )
        return problems or f"{read:,} nodes: each text has a vector of the slot's model."

    async def size(self, opened: Inspection, database: Database) -> Outcome:
        """Neither a thought nor the database is so large that reads are slow."""
        given = {"take": _SAMPLE, "most": MOST_RELATIONSHIPS, "show": _SHOWN}
        ((crowded, nodes),) = await opened.run(FIND_CROWDED, given)
        problems = [
            Symptom(
                f"The thought {id} has {relationships:,} relationships, more than {MOST_RELATIONSHIPS:,}.",
                "Run `legacymind maintain prune`, which removes weak recalls.",
                "warning",
            )
            for id, relationships in crowded
        ]
        if nodes > MOST_NODES:
            problems.append(
                Symptom(
                    f"The database has {nodes:,} nodes, more than {MOST_NODES:,}.",
                    "Larger ones are slower; a second database could hold other namespaces.",
                    "warning",
                )
            )
        return problems or f"{counted(nodes, 'node')}, and no thought has too many relationships."

    async def _embed_again(self) -> None:
        await self._vectors.embed(["A model is tried."])  # before anything is changed
        await self._filling.defer((await self._vectors.claim()).slot)
        await self._deferred_embedding.catch_up(everything=True)

    async def chains(self, opened: Inspection, database: Database) -> Outcome:
        """The hash chains of the newest sessions verify."""
        namespace = self._settings.namespace
        sample = await opened.run(SAMPLE_SESSIONS, {"namespace": namespace, **_CHAINS})
        sessions = [session for session in sample if checks.is_key(session)]
        reports = [await self._chain.verify(session) for session in sessions]
        return [
            Symptom(
                f"The chain of the session {report.session_id} in the namespace {namespace} is "
                f"{report.verdict}.",
                f"Run `legacymind verify {report.session_id} --namespace {namespace}`, which names the "
                "thoughts. docs/trust/chain.md says what each fault means.",
                _VERDICTS[report.verdict],
            )
            for report in reports
            if report.verdict != "intact"
        ] or f"{counted(len(reports), 'chain')} of the newest sessions verified; `verify --all` reads all."

    async def by_hand(self, opened: Inspection, database: Database) -> Outcome:
        """Every node with a label of LegacyMind was stored by it."""
        unadopted = await self._adoption.unadopted()
        if not unadopted.count:
            return "Every entity, observation and thought was stored by LegacyMind."
        what = f"{counted(unadopted.count, 'node')} with the label Entity, Observation or Thought, made by "
        what += "hand or by another program: nothing finds them."
        for refused in unadopted.refused[:_SHOWN]:
            what += f" The {refused.kind} {refused.element_id} cannot be used: {refused.reason}"
        if self._settings.adopts_every:
            mend = f"{FIX} It adopts those that can be used."
            return [Symptom(what, mend, "warning", self._adoption.adopt)]
        mend = "If they are yours, set LEGACYMIND_ADOPT_INTERVAL: LegacyMind then adopts what can be used."
        return [Symptom(what, mend, "warning")]

    async def replicas(self, opened: Inspection, database: Database) -> Outcome:
        """Something was read lately from every home with which this one is synchronised."""
        return [
            Symptom(
                f"Nothing was read from the replica {replica} at {place} for {days} days.",
                f"Run `legacymind sync {place} --namespace {namespace}` here, and likewise on its machine. "
                "Ignore a machine that is used no more, and an id that --new-replica replaced.",
                "warning",
            )
            for namespace, place, replica, days in await opened.run(FIND_SILENT, {"days": _SILENT_DAYS})
        ] or f"From every other home, something was read in the last {_SILENT_DAYS} days."
