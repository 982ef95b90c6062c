"""Checks of the database and of the connection to it. All but ``connection`` need an open connection."""

import re
from datetime import UTC, datetime
from typing import Final, TypedDict

from legacymind.db import schema
from legacymind.db.query import load
from legacymind.db.schema import INDEX_NAMES
from legacymind.engine.jars import read_lock
from legacymind.errors import LegacyMindError
from legacymind.model.health import Severity
from legacymind.services.maintain.doctor.case import DOCTOR_FIX, Case, CheckOutcome, FoundProblem, of_error
from legacymind.services.shared import checks
from legacymind.services.shared.deferred import COUNT_DEFERRED
from legacymind.text.numbers import counted


class AlgorithmsRow(TypedDict):
    """The number of procedures of Graph Data Science that were looked for and found."""

    procedures: int


READ_ALGORITHMS = load("analysis/read_algorithms", AlgorithmsRow, writes=False)


class SampledVectorsRow(TypedDict):
    """Of the nodes read: those with vectors of another length, those without any, and those with one in the
    unused slot."""

    read: int
    foreign: int
    lacking: int
    unused: int


SAMPLE_VECTORS = load(
    "analysis/sample_vectors",
    SampledVectorsRow,
    writes=False,
    long_running=True,
)


class SampledSessionRow(TypedDict):
    """A session of the sample."""

    session_id: str


SAMPLE_SESSIONS = load("chain/sample_sessions", SampledSessionRow, writes=False)


class ClockRow(TypedDict):
    """The time on the server."""

    now: datetime


READ_CLOCK = load("maintain/read_clock", ClockRow, writes=False)


class IndexStateRow(TypedDict):
    """An index: its state, its progress from 0 to 100, and the length of its vectors if it holds any."""

    name: str
    state: str
    percent: float
    dimensions: int | None


READ_INDEXES = load("schema/read_indexes", IndexStateRow, writes=False)


_SAMPLE: Final = 1_000
"""Nodes of each label, the newest, whose vectors are looked at."""

_ALL: Final = 2**31 - 1

_SESSIONS: Final = 10
_SESSION_THOUGHTS: Final = 500
_LONGEST: Final = 1_000
"""The sample of chains: sessions of the newest thoughts, and the most thoughts of a chain."""

_SKEW: Final = 5.0
"""Seconds between the two clocks that cause no harm."""

_VERDICTS: Final[dict[str, Severity]] = {
    "broken": "broken",
    "truncated": "truncated",
    "unverifiable": "unverifiable",
}


async def connection(case: Case) -> CheckOutcome:
    """Neo4j answers and accepts the login."""
    return of_error(case.trouble) if case.trouble else f"Neo4j answers at {case.open.address.uri}."


async def server(case: Case) -> CheckOutcome:
    """The server has the version and the edition that LegacyMind needs."""
    row = await case.open.read_server()
    if case.too_old:
        return of_error(case.too_old)
    name = f"Neo4j {row['version']} ({row['edition']})"
    if case.managed and row["version"] != (brought := read_lock().neo4j):
        return FoundProblem(
            what=f"The engine runs {name}, and this LegacyMind brings {brought}.",
            mend="Run `legacymind down` and `legacymind up`: the next start uses the newer one.",
            severity="warning",
        )
    if row["edition"] not in ("community", "enterprise"):
        return FoundProblem(
            what=f"{name} is an edition that LegacyMind was not tested with.",
            mend="Use Neo4j Community or Enterprise 2026.07 or later, or Aura.",
            severity="warning",
        )
    return f"{name} can be used."


async def algorithms(case: Case) -> CheckOutcome:
    """The server has Graph Data Science, which `legacymind analyze` needs."""
    (row,) = await case.open.run(READ_ALGORITHMS, {})
    if row["procedures"]:
        return "Graph Data Science is installed."
    return FoundProblem(
        what="The server has no Graph Data Science: `legacymind analyze` fails, all else works.",
        mend="Install the plugin and set dbms.security.procedures.unrestricted=gds.* in neo4j.conf, or use "
        "the managed engine, which has both.",
        severity="warning",
    )


async def clock(case: Case) -> CheckOutcome:
    """The server's clock is that of this machine."""
    before = datetime.now(UTC)
    (row,) = await case.open.run(READ_CLOCK, {})
    after = datetime.now(UTC)
    # The server read its clock between the two; planning may take a second.
    early, late = (row["now"] - before).total_seconds(), (row["now"] - after).total_seconds()
    if early >= -_SKEW and late <= _SKEW:
        return "The clocks of this machine and of the server agree."
    off = early if early < 0 else late
    return FoundProblem(
        what=f"The server's clock is {abs(off):,.0f} s {'ahead of' if off > 0 else 'behind'} this machine's: "
        "times of thoughts, windows of recall and the validity of facts are wrong by as much.",
        mend="Set both clocks by a time server (NTP).",
        severity="warning",
    )


async def schema_version(case: Case) -> CheckOutcome:
    """The schema is this LegacyMind's."""
    try:
        stored = schema.version(case.database)
        schema.check({"version": "9999.1", "edition": "", "database": case.database}, "")
    except LegacyMindError as error:
        return of_error(error, "unusable")
    if not stored:
        return "The database has no memory yet; the first call sets it up."
    if stored < schema.VERSION:
        return FoundProblem(
            what=f"The database has schema version {stored}, and this LegacyMind has {schema.VERSION}.",
            mend="The next call upgrades it, and so does `legacymind doctor --fix`. Older versions of "
            "LegacyMind cannot use it then.",
            severity="warning",
            fix=case.graph.ready,
        )
    return f"Schema version {stored} is this LegacyMind's."


async def indexes(case: Case) -> CheckOutcome:
    """Every index and constraint exists and is online, and vector indexes have the model's dimensions."""
    if not schema.version(case.database):
        return "A database without a memory has no indexes yet."
    stored = {row["name"]: row for row in await case.open.run(READ_INDEXES, {})}
    # The vector indexes are made with the first vector, in the active slot.
    dimensions = case.database.get(f"{case.slot}_dim")
    wanted = [
        name.replace("embedding_a", case.slot)
        for name in INDEX_NAMES
        if dimensions is not None or "embedding_a" not in name
    ]
    found: list[FoundProblem] = []
    for name in wanted:
        row = stored.get(name)
        if row is None:
            found.append(_lacking(case, name, "is missing", drop=False))
        elif row["state"] == "FAILED":
            found.append(_lacking(case, name, "failed", drop=True))
        elif row["state"] != "ONLINE":
            found.append(
                FoundProblem(
                    what=f"The index {name} is being built: {row['percent']:.0f} % done.",
                    mend="Wait; Neo4j continues to build it.",
                    severity="warning",
                )
            )
        elif row["dimensions"] not in (None, dimensions):
            found.append(
                _lacking(case, name, f"is of {row['dimensions']} dimensions, not {dimensions},", drop=True)
            )
    return found or f"{len(wanted)} indexes and constraints are online."


def _lacking(case: Case, name: str, state: str, *, drop: bool) -> FoundProblem:
    what = f"The index or constraint {name} {state}: calls that need it fail or are slow."

    async def again() -> None:
        size = case.database.get(f"{case.slot}_dim")
        await schema.create_index(case.open.run, name, int(str(size or 0)), drop=drop)

    return FoundProblem(
        what=what,
        mend=DOCTOR_FIX
        + (" It creates the index again. If it fails again, Neo4j's log says why." if drop else ""),
        fix=again,
    )


async def model(case: Case) -> CheckOutcome:
    """The configured embedding model is that of the stored vectors."""
    held = case.database.get(f"{case.slot}_fingerprint")
    if held is None:
        return "The database has no vectors yet."
    own = case.vectors.embedder.info.fingerprint
    if held == own:
        return f"The vectors are of the configured model, {case.vectors.embedder.info.model}."
    return FoundProblem(
        what=f"This database holds vectors of {held}, but {own} is configured: nothing can be stored or "
        "searched.",
        mend="Configure the embedder that the database was filled with, or change the model of the whole "
        "database with `legacymind reembed` (docs/embeddings.md); vectors of two models cannot be compared.",
    )


async def vectors(case: Case) -> CheckOutcome:
    """Every text has a vector of the slot's model, and no slot holds vectors that nothing uses."""
    active, other = ("b", "a") if case.slot == "embedding_b" else ("a", "b")
    (row,) = await case.open.run(
        SAMPLE_VECTORS.for_slot(active), {"take": _ALL if case.thorough else _SAMPLE}
    )
    found: list[FoundProblem] = []
    among = f"of {row['read']:,} nodes" if case.thorough else f"of the newest {row['read']:,} nodes"
    # With another model configured, its vectors would be the foreign ones; the check of the model says so.
    usable = case.database.get(f"{case.slot}_fingerprint") == case.vectors.embedder.info.fingerprint
    again = case.mending.embed_again if usable else None
    mend = DOCTOR_FIX if usable else "Configure the model of the database, and run `legacymind doctor --fix`."
    if row["foreign"]:
        found.append(
            FoundProblem(
                what=f"{row['foreign']:,} {among} have vectors of another length than those of "
                f"{case.database.get(f'{case.slot}_model')}: they cannot be compared with others.",
                mend=f"{mend} It removes these vectors and embeds the texts with the database's model.",
                fix=again,
            )
        )
    if row["lacking"]:
        found.append(
            FoundProblem(
                what=f"{row['lacking']:,} {among} have a text and no vector, and do not wait for one: "
                "they are found by words only.",
                mend=f"{mend} It embeds their texts.",
                severity="warning",
                fix=None if row["foreign"] else again,
            )
        )
    indexed = [
        each["name"]
        for each in await case.open.run(READ_INDEXES, {})
        if re.fullmatch(rf"(thought|knowledge)_embedding_{other}", each["name"])
    ]
    in_use = [case.database.get("other_slot"), case.database.get("dropping_slot")]  # see reembed.py
    if f"embedding_{other}" not in in_use and (row["unused"] or indexed):
        held = [f"{row['unused']:,} {among} have vectors in it"] if row["unused"] else []
        held += [f"the index {name} exists" for name in indexed]
        found.append(
            FoundProblem(
                what=f"The slot embedding_{other} is not in use, but {' and '.join(held)}.",
                mend=f"{DOCTOR_FIX} No change of the model is under way, so it removes these indexes and the "
                "vectors of all nodes in this slot.",
                severity="warning",
                fix=lambda: case.mending.clear_unused(other),
            )
        )
    return found or f"{row['read']:,} nodes: each text has a vector of the slot's model, or waits for it."


async def deferred(case: Case) -> CheckOutcome:
    """No node is marked as waiting for its vector."""
    (row,) = await case.open.run(COUNT_DEFERRED, {})
    if not row["waiting"]:
        return "No node is marked as waiting for its vector."
    return FoundProblem(
        what=f"{counted(row['waiting'], 'node')} stored without a vector: found by words only until they "
        "are embedded.",
        mend="LegacyMind embeds them once the embedder answers; `legacymind doctor --fix` does it now.",
        severity="warning",
        fix=lambda: case.deferred.catch_up(everything=True),
    )


async def chains(case: Case) -> CheckOutcome:
    """The hash chains verify: a sample of short and recent ones, or all."""
    if case.thorough:
        audit = await case.audit.verify_all()
        reports, unnamed = audit.reports, audit.unnamed
    else:
        sample = await case.open.run(
            SAMPLE_SESSIONS,
            {
                "namespace": case.settings.namespace,
                "take": _SESSIONS,
                "thoughts": _SESSION_THOUGHTS,
                "longest": _LONGEST,
            },
        )
        sessions = [row["session_id"] for row in sample]
        reports = [await case.chain.verify(each) for each in sessions if checks.is_key(each)]
        unnamed = [
            f"No call accepts the session id {each!r}." for each in sessions if not checks.is_key(each)
        ]
    namespace = case.settings.namespace
    found = [
        FoundProblem(
            what=f"The chain of the session {report.session_id} in the namespace {namespace} is "
            f"{report.verdict}.",
            mend=f"Run `legacymind verify {report.session_id} --namespace {namespace}`, which names the "
            "thoughts. docs/chain.md says what each fault means.",
            severity=_VERDICTS[report.verdict],
        )
        for report in reports
        if report.verdict != "intact"
    ]
    found += [
        FoundProblem(
            what=f"{each} Its thoughts in the namespace {namespace} prove nothing.",
            mend="Somebody made it by hand. Correct or delete it in Cypher.",
            severity=_VERDICTS["broken"],
        )
        for each in unnamed
    ]
    which = "" if case.thorough else ", those of the newest sessions"
    return found or f"{counted(len(reports), 'chain')} in the namespace {namespace} verified{which}."
