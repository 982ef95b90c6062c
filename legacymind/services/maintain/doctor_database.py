"""The checks of `legacymind doctor` on a database that answers."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypedDict

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


class SampledVectorsRow(TypedDict):
    """Of the nodes read: those with vectors of another length, and those without any."""

    read: int
    foreign: int
    lacking: int


SAMPLE_VECTORS = load("maintain/sample_vectors", SampledVectorsRow, writes=False)


class Crowded(TypedDict):
    """A thought with many relationships."""

    id: str
    relationships: int


class CrowdedRow(TypedDict):
    """The most crowded thoughts of the sample, and the number of all nodes."""

    crowded: list[Crowded]
    nodes: int


FIND_CROWDED = load("maintain/find_crowded", CrowdedRow, writes=False)


class SampledSessionRow(TypedDict):
    """A session of the sample."""

    session_id: str


SAMPLE_SESSIONS = load("chain/sample_sessions", SampledSessionRow, writes=False)


class IndexStateRow(TypedDict):
    """An index: its state, its progress from 0 to 100, and the length of its vectors if it holds any."""

    name: str
    state: str
    percent: float
    dimensions: int | None


READ_INDEXES = load("schema/read_indexes", IndexStateRow, writes=False)

FIX: Final = "Run `legacymind doctor --fix`."
_SAMPLE: Final = 1_000

MOST_RELATIONSHIPS = 1_000
MOST_NODES = 1_000_000
"""Nodes of each label, the newest, whose vectors and relationships are looked at."""

_SHOWN: Final = 3
"""The most crowded thoughts, or nodes made by hand, that are named."""

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


OF_DATABASE: Final = ("schema", "indexes", "model", "vectors", "size", "chains", "by_hand")


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
            schema.check({"version": "9999.1", "edition": "", "database": database}, "")
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
        stored = {row["name"]: row for row in await opened.run(READ_INDEXES, {})}
        # The vector indexes are made with the first vector, in the active slot.
        dimensions = database.get(f"{_slot(database)}_dim")
        names = [name for name in INDEX_NAMES if dimensions is not None or "embedding_a" not in name]
        problems: list[Symptom] = []
        for name in (name.replace("embedding_a", _slot(database)) for name in names):
            row = stored.get(name)
            if row is not None and row["state"] == "POPULATING":
                what = f"The index {name} is being built: {row['percent']:.0f} % done."
                problems.append(Symptom(what, "Wait; Neo4j continues to build it.", "warning"))
            elif row is None or row["state"] != "ONLINE" or row["dimensions"] not in (None, dimensions):
                state = (
                    "is missing"
                    if row is None
                    else "failed"
                    if row["state"] != "ONLINE"
                    else "is of another model"
                )

                async def again(name: str = name, drop: bool = row is not None) -> None:
                    await schema.create_index(opened.run, name, int(str(dimensions or 0)), drop=drop)

                what = f"The index or constraint {name} {state}: calls that need it fail or are slow."
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
        (row,) = await opened.run(statement, {"take": _SAMPLE})
        (deferred,) = await opened.run(COUNT_DEFERRED, {})
        problems: list[Symptom] = []
        # With another model configured, its vectors would be the foreign ones.
        own = self._vectors.embedder.info.fingerprint
        usable = database.get(f"{_slot(database)}_fingerprint") == own
        again = self._embed_again if usable else None
        mend = FIX if usable else f"Configure the model of the database. {FIX}"
        if row["foreign"]:
            what = f"{row['foreign']:,} of the newest {row['read']:,} nodes have vectors of another length: "
            what += "they cannot be compared with others."
            problems.append(Symptom(what, f"{mend} It embeds their texts with that model.", fix=again))
        if row["lacking"] or deferred["waiting"]:
            what = f"{row['lacking']:,} of the newest {row['read']:,} nodes have no vector, and "
            what += f"{counted(deferred['waiting'], 'node')} wait for one: they are found by words only."
            problems.append(
                Symptom(what, f"{mend} It embeds their texts.", "warning", None if row["foreign"] else again)
            )
        return problems or f"{row['read']:,} nodes: each text has a vector of the slot's model."

    async def size(self, opened: Inspection, database: Database) -> Outcome:
        """Neither a thought nor the database is so large that reads are slow."""
        given = {"take": _SAMPLE, "most": MOST_RELATIONSHIPS, "show": _SHOWN}
        (row,) = await opened.run(FIND_CROWDED, given)
        problems = [
            Symptom(
                f"The thought {each['id']} has {each['relationships']:,} relationships, more than "
                f"{MOST_RELATIONSHIPS:,}.",
                "Run `legacymind maintain prune`, which removes weak recalls.",
                "warning",
            )
            for each in row["crowded"]
        ]
        if row["nodes"] > MOST_NODES:
            problems.append(
                Symptom(
                    f"The database has {row['nodes']:,} nodes, more than {MOST_NODES:,}.",
                    "Larger ones are slower; a second database could hold other namespaces.",
                    "warning",
                )
            )
        return problems or f"{counted(row['nodes'], 'node')}, and no thought has too many relationships."

    async def _embed_again(self) -> None:
        await self._vectors.embed(["A model is tried."])  # before anything is changed
        await self._filling.defer((await self._vectors.claim()).slot)
        await self._deferred_embedding.catch_up(everything=True)

    async def chains(self, opened: Inspection, database: Database) -> Outcome:
        """The hash chains of the newest sessions verify."""
        namespace = self._settings.namespace
        sample = await opened.run(SAMPLE_SESSIONS, {"namespace": namespace, **_CHAINS})
        sessions = [row["session_id"] for row in sample if checks.is_key(row["session_id"])]
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
