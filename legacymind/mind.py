"""The public Python API: opens one database and one embedder, and has every operation as a method."""

import asyncio
import importlib
import os
from collections.abc import Awaitable
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Never, Self

from legacymind.calls import for_all, in_background
from legacymind.composition import Services
from legacymind.db.graph import Graph
from legacymind.db.options import Address, Limits, configured_address
from legacymind.embed import make_embedder
from legacymind.embed.base import Embedder
from legacymind.engine import Engine
from legacymind.engine.backup import Backup, Backups, Restored, check_managed
from legacymind.errors import InvalidInput
from legacymind.model.chain import Survey
from legacymind.model.progress import Progress, no_progress
from legacymind.model.sync import Restoration
from legacymind.operations.registry import unvalidated
from legacymind.services.chain.audit import read_some
from legacymind.services.knowledge.importers.formats import OWN
from legacymind.services.knowledge.importers.records import Contents
from legacymind.services.knowledge.importers.sources import opened
from legacymind.services.knowledge.importing import Imported
from legacymind.services.nodes.arrivals import Arrivals
from legacymind.services.shared import checks
from legacymind.services.shared.authors import Authors
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.shared.deferred import DeferredEmbedding
from legacymind.services.shared.quotas import Quotas
from legacymind.services.shared.service import ServiceContext
from legacymind.services.shared.vectors import Vectors
from legacymind.services.sync import part
from legacymind.services.transfer.importing import is_export
from legacymind.settings import Settings, load_settings

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

_STATEMENTS_PER_CORE: Final = 4

_HEADER: Final = 64 * 1024
"""The most bytes of the header of an export."""


class Mind:
    """A memory: one database, one embedder, and every operation as a method.

    Without ``settings`` they are read from ``legacymind.toml`` and the environment; ``namespace`` replaces
    the settings' one. ``session_id`` is the session of calls that name none. Use it as an async context
    manager, or call ``close``. Making one does no other I/O: the first call that needs them connects, starts
    the managed engine and loads the model. ``progress`` is called while the managed engine starts. It belongs
    to the event loop of its first call; other loops and threads need their own.

    Every operation validates its arguments: it raises InvalidInput for what cannot be used, names unknown
    parameters, and moves numbers into their range (docs/reference/parameters.md). Other errors are the
    subclasses of LegacyMindError.

    The table in docs/interfaces/python.md has all methods by their purpose.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        namespace: str | None = None,
        session_id: str | None = None,
        embedder: Embedder | None = None,
        progress: Progress | None = None,
        limits: Limits | None = None,
    ) -> None:
        read = settings or load_settings()
        self.settings = read if namespace is None else read.changed(namespace=namespace)
        self.limits = limits or limits_of(self.settings)
        self.engine = Engine(self.settings, progress)
        self.graph = Graph(
            partial(locate, self.settings, self.engine),
            restart=None if self.settings.neo4j_uri else self._restart,
            limits=self.limits,
        )
        self.vectors = Vectors(self.graph, embedder or make_embedder(self.settings))
        self.services = Services(
            ServiceContext(
                graph=self.graph,
                vectors=self.vectors,
                authors=Authors(self.graph),
                deferred_embedding=DeferredEmbedding(self.graph, self.vectors, self.settings),
                keys=ChainKeys.of(self.settings),
                quotas=Quotas(self.graph),
                engine=self.engine,
                limits=self.limits,
                settings=self.settings,
                session_id=checks.key("session_id", session_id),
            )
        )
        self.operations = self.services.operations()
        self.diagnose = self.services.doctor.diagnose
        self.arrivals = Arrivals(self.graph, longest=self.limits.transaction, running=self._is_running)
        # Bound methods and not delegates: type checkers and help() see the operations' own signatures.
        services = self.services
        self.think = services.think.think
        self.think_convo = services.think.think_convo
        self.think_technical = services.think.think_technical
        self.think_batch = services.think.think_batch
        self.confirm = services.relations.confirm
        self.touched = services.lineage.touched
        self.quarantine = services.lineage.quarantine
        self.release = services.lineage.release
        self.record_outcome = services.outcomes.record_outcome
        self.search = services.search.search
        self.search_thoughts = services.search.search_thoughts
        self.search_facets = services.search.search_facets
        self.context = services.context.context
        self.walk_trail = services.trails.walk_trail
        self.thoughts_thread = services.trails.thoughts_thread
        self.thoughts_links = services.trails.thoughts_links
        self.get = services.nodes.get
        self.explain_recall = services.explain.explain_recall
        self.recall = services.recall.recall
        self.remember = services.knowledge.remember
        self.entity = services.entities.entity
        self.list_entities = services.entities.list_entities
        self.forget = services.forgetting.forget
        self.merge = services.merging.merge
        self.duplicates = services.duplicate_search.duplicates
        self.verify_chain = self.verify = services.chain.verify_chain
        self.verify_all = services.audit.verify_all
        self.thought_record = services.records.thought_record
        self.thought_plan = services.records.thought_plan
        self.thought_analysis = services.records.thought_analysis
        self.thought_decision = services.records.thought_decision
        self.thought_reflection = services.records.thought_reflection
        self.link_thought_to_action = services.records.link_thought_to_action
        self.redact_thought = services.records.redact_thought
        self.relate_thought = services.relations.relate_thought
        self.pin_thought = services.relations.pin_thought
        self.thought_tree = services.trees.thought_tree
        self.thought_for_action = services.trees.thought_for_action
        self.thought_reasoning_trail = services.trees.thought_reasoning_trail
        self.chain_heads = services.heads.chain_heads
        self.read_heads = services.heads.read_heads
        self.sessions = services.heads.sessions
        self.export_chain = services.heads.export_chain
        self.analyze = services.analysis.analyze
        self.communities = services.analysis.communities
        self.maintenance_ops = services.maintenance.maintenance_ops
        self.detailed_help = services.guide.detailed_help
        self.curate = services.curation.curate
        self.prune = services.pruning.prune
        self.reembed = services.reembedding.reembed
        self.export = services.exporting.export
        self.export_bundle = services.bundles.write
        self.import_lines = services.importing.load
        self.import_graph = services.importing.load_graph
        self.adopt = services.adoption.adopt
        self.catch_up = services.adoption.catch_up
        self.unadopted = services.adoption.unadopted
        self.calibrate = services.calibration.measure
        self.keep_calibration = services.calibration.keep
        self.drop_calibration = services.calibration.drop
        self.create_token = services.tokens.create
        self.tokens = services.tokens.tokens
        self.revoke_token = services.tokens.revoke
        self.sync = services.syncing.sync
        self.sync_status = services.sync_states.status
        self.namespaces = services.namespaces.namespaces
        self.set_quota = services.namespaces.set_quota
        self.delete_namespace = services.namespaces.delete

    async def import_file(
        self,
        file: str | PathLike[str],
        *,
        format: str | None = None,
        namespace: str | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
        trust: bool = False,
    ) -> Imported | Restoration:
        """Import a file, or the files of a folder, of a format in docs/memory/importing.md.

        Without ``format`` it is recognised. ``import_lines`` takes the lines of one file themselves.
        Repeating an import changes nothing. ``refused`` of the result lists the lines that cannot be
        imported, and those of a ``dry_run``, which stores nothing. Raises OSError for a file that cannot be
        read.

        An export of a namespace is imported as it was stored, hashes included, into its own namespace, and
        trusted like a file unless ``trust`` says that only the user's own homes wrote it; the result is a
        Restoration.
        """
        source = Path(file)
        if format in (None, OWN) and await asyncio.to_thread(_has_export, source):
            return await self.services.restoring.load(
                Contents(partial(source.open, "rb")).text,
                namespace=namespace,
                trust=trust,
                dry_run=dry_run,
                progress=progress or no_progress,
            )
        name, files = await asyncio.to_thread(opened, source, format)
        return await self.services.importing.load_files(
            files, format=name, namespace=namespace, progress=progress, dry_run=dry_run
        )

    async def export_file(
        self,
        file: str | PathLike[str],
        *,
        namespace: str | None = None,
        progress: Progress | None = None,
    ) -> int:
        """Write what ``export`` yields to a new file, and return the number of lines.

        The lines are in ``FILE.part`` until all are written. Raises Conflict if the file exists or another
        process writes it, and EngineError if it cannot be written.
        """
        count = 0
        with part.opened(Path(file)) as target:
            async for line in self.export(namespace, progress=progress or no_progress):
                target.write(line.encode() + b"\n")
                count += 1
        return count

    async def backup(
        self, file: str | PathLike[str], *, force: bool = False, progress: Progress | None = None
    ) -> Backup:
        """Back up the managed engine's database to a file (docs/operation/backup.md); ``force`` replaces it.

        A running engine stops for the time of a copy, and calls wait for it. Raises Conflict if the file
        exists, EngineError if it cannot be written, and InvalidInput for another Neo4j than the managed one.
        """
        check_managed(self.settings, "backed up", "back it up")
        return await Backups(self.engine).back_up(Path(file), force=force, progress=progress)

    async def restore(
        self, file: str | PathLike[str], *, force: bool = False, progress: Progress | None = None
    ) -> tuple[Restored, Survey]:
        """Restore a backup into this home, start the engine, and verify every chain of the database.

        ``force`` replaces the home's database, which is kept in a folder beside it. Raises Conflict if the
        home has a database without it, InvalidInput for a file that cannot be used, and EngineError.
        """
        check_managed(self.settings, "restored", "restore it")
        restored = await Backups(self.engine).restore(
            Path(file), self._read_some, force=force, progress=progress
        )
        await self.graph.disconnect()  # from the engine before
        return restored, await self.services.audit.survey(progress or no_progress)

    async def gds(self) -> "GraphDataScience":
        """A client of Graph Data Science for the database, for notebooks (docs/interfaces/notebooks.md).

        Its methods block, and have none of LegacyMind's limits. Close it, or use it as a context manager.
        Raises ConfigurationError without the package graphdatascience, and AlgorithmsMissing when the server
        has no Graph Data Science.
        """
        await asyncio.to_thread(importlib.import_module, "legacymind.db.gds")  # it takes a second
        from legacymind.db.gds import own_client

        return await own_client(self.graph, await locate(self.settings, self.engine), self.limits)

    async def watch(self) -> None:
        """Add missing mentions and vectors, adopt nodes made by hand, drop old vectors; until cancelled.

        Adopts every ``adopt_interval`` seconds. Never starts the managed engine.
        """
        with in_background():
            await asyncio.gather(
                self.services.adoption.watch(self._is_running),
                self.services.reembedding.watch(self._is_running),
            )

    def __enter__(self) -> Never:
        raise InvalidInput("Mind is an async context manager.", hint="Use `async with Mind() as mind`.")

    def __exit__(self, *_: object) -> None:
        """Exist, so that ``with Mind()`` reaches ``__enter__``, which explains."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def warm_up(self) -> None:
        """Do before the first calls what would make them slow, and store nothing.

        Starts the managed engine, connects, loads a local model, and has the statements of think and search
        planned. Takes up to half a minute with a stopped engine, seconds with one that has just started,
        milliseconds with a warm one. No observer sees the calls as operations. Raises a LegacyMindError.
        """
        with for_all():
            await self.graph.ping()
            work = list[Awaitable[object]]()
            if await self.vectors.check():
                work.append(self.services.store.plan())
            if not self.vectors.embedder.info.sends_texts:
                work.append(unvalidated(self.services.search.search)("warm up", limit=1))
                work.append(unvalidated(self.services.recall.recall)("warm up"))
            await asyncio.gather(*work)

    def _is_running(self) -> bool:
        """Whether connecting does not start the managed engine."""
        return bool(self.settings.neo4j_uri) or self.engine.status().running

    async def _read_some(self) -> None:
        status = self.engine.status()
        address = Address(status.uri, status.username, self.engine.password())
        await read_some(address, self.limits)

    async def _restart(self, address: Address) -> None:
        await self.engine.restart(address.pid)

    async def close(self) -> None:
        """Close the connections; the managed engine keeps running. Later calls raise RequestRefused."""
        await self.graph.close()  # first: it refuses another event loop
        await self.vectors.embedder.close()


def _has_export(file: Path) -> bool:
    """Whether a file begins as an export of a namespace."""
    if file.is_dir():
        return False
    with file.open("rb") as opened_file:
        return is_export(opened_file.read(_HEADER))


async def locate(settings: Settings, engine: Engine) -> Address:
    """The address of the database. Starts the managed engine unless ``neo4j_uri`` is set.

    Raises EngineError when it cannot start or is not downloaded yet.
    """
    if settings.neo4j_uri:
        return configured_address(settings)
    # Shielded: cancelling a call must not cancel an engine that is starting.
    status = await asyncio.shield(engine.ensure())
    return Address(status.uri, status.username, engine.password(), pid=status.pid)


def limits_of(settings: Settings) -> Limits:
    """The limits of time and number that the settings ask for."""
    return Limits(
        statement=settings.query_timeout,
        retry=settings.retry_time,
        statements=_STATEMENTS_PER_CORE * (os.cpu_count() or 1),
    )
