"""Changes the embedding model of a database: embeds all texts again, switches, and can roll back."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

from legacymind.db.query import load
from legacymind.db.stored import Property, Slot, active_slot
from legacymind.errors import EmbeddingMismatch, InvalidInput, LegacyMindError, RequestRefused
from legacymind.model.about import about
from legacymind.model.progress import Progress, call_progress, no_progress
from legacymind.model.reembed import ModelComparison, Reembedding, ReembedState
from legacymind.model.values import whole
from legacymind.operations.registry import operation
from legacymind.services.maintain.comparison import SlotComparison
from legacymind.services.maintain.filling import Filled, SlotFilling
from legacymind.services.shared import checks
from legacymind.services.shared.deferred import COUNT_DEFERRED
from legacymind.services.shared.service import Service

Switched = tuple[Literal["switched", "none", "unfinished", "wrong"], int]
"""Whether the slots were switched, and how many nodes wait for a vector of the other slot."""

SWITCH_SLOT = load("maintain/switch_slot", Switched, writes=True)

Released = tuple[Literal["released", "dropping", "none", "unswitched", "kept"], str | None]
"""Whether a slot's vectors can be removed, and the slot."""

RELEASE_SLOT = load("maintain/release_slot", Released, writes=True)

ReembedAction = Literal["run", "status", "compare", "switch", "roll_back", "drop"]
"""A step of a change of the embedding model."""

MOST_WAITING: Final = 1_000
"""Maximum number of texts without a vector of the new model at the switch. They are embedded after it."""

KEPT = timedelta(days=7)
"""How long old vectors are kept after a switch."""

_LOOKS: Final = 3600.0
"""Seconds between two checks of a service for old vectors that may be dropped."""

_log = logging.getLogger(__name__)


class ReembedService(Service):
    """Fills the slot beside the active one with the vectors of the configured model, and switches to it."""

    _filling: SlotFilling
    _comparison: SlotComparison

    @operation(tool="legacymind_reembed", command="reembed", writes=True, profile="full", destructive=True)
    async def reembed(
        self,
        action: Annotated[
            ReembedAction,
            about(
                "Step to do", "run: make the new vectors; then compare, switch, roll_back, drop the old ones"
            ),
        ] = "run",
        k: Annotated[
            int, whole(1, 100), about("Neighbours compared", "compare: nearest nodes to compare")
        ] = 10,
        sample: Annotated[
            int, whole(10, 2000), about("Texts sampled", "compare: stored texts to sample")
        ] = 200,
        now: Annotated[
            bool,
            about("At once", "drop: before the time is over, or give up vectors that were not switched to"),
        ] = False,
    ) -> Reembedding:
        """Change the embedding model of the whole database, in steps.

        ``run`` embeds all stored texts with the configured model beside the vectors in use; called again
        after an interruption, it continues. Meanwhile other processes read and write with the old model.
        ``compare`` compares what both models find. ``switch`` makes the new model the database's: processes
        with the old one are then refused (``embedding_mismatch``). ``roll_back`` goes back, ``drop`` removes
        the vectors that are not in use, and ``status`` only reads. Raises InvalidInput for a step that does
        not fit the state.
        """
        if checks.fixed_namespaces(self._settings):
            raise RequestRefused(
                "The embedding model is that of the whole database, and this caller has one namespace only.",
                hint="Run `legacymind reembed` where the database is administered.",
            )
        filled, comparison, progress = Filled(), None, call_progress.get()
        match action:
            case "run":
                filled = await self._run(progress)
            case "compare":
                comparison = await self._compare(k, sample, progress)
            case "switch":
                filled = await self._switch(progress)
            case "roll_back":
                await self._roll_back()
            case "drop":
                await self._drop(progress, now=now)
            case "status":
                pass
        return await self._report(filled, comparison)

    async def watch(self, is_running: Callable[[], bool]) -> None:
        """Drop old vectors when they expire, until cancelled.

        ``is_running`` is whether the database can be reached without starting an engine.
        """
        while True:
            try:
                if await asyncio.to_thread(is_running):
                    await self.drop_when_due()
            except LegacyMindError as error:
                _log.debug("Old vectors were not dropped: %s", error)
            await asyncio.sleep(_LOOKS)

    async def drop_when_due(self) -> bool:
        """Drop vectors that have expired, or whose drop was interrupted. Return whether there were any."""
        database = await self._graph.reread()
        due = _drop_after(database)
        if not database.get("dropping_slot") and (due is None or due > datetime.now(UTC)):
            return False
        await self._drop(no_progress, now=False)
        await self._graph.reread()
        return True

    async def _run(self, progress: Progress) -> Filled:
        embedder = self._vectors.embedder
        if (await self._graph.reread()).get("other_slot") is None:
            # Before a slot is taken, so that a model that fails leaves the database unchanged.
            await embedder.fetch(progress)
            await embedder.embed(["A text to try the model."])
        begun = await self._filling.begin()
        if begun["verdict"] == "dropping":
            await self._drop(progress, now=False)
            begun = await self._filling.begin()
        match begun["verdict"]:
            case "active":
                raise InvalidInput(
                    f"The database holds vectors of {begun['active']} already, the configured model.",
                    hint="Configure the new model for this command, as in LEGACYMIND_EMBEDDING_PROVIDER=e5.",
                )
            case "empty":
                raise InvalidInput(
                    "The database holds no vectors yet.", hint="Store something with the configured model."
                )
            case "taken" | "dropping":
                raise InvalidInput(
                    f"The database also holds vectors of {begun['other']}.",
                    hint="There is room for two models. Remove these with `legacymind reembed drop --now`.",
                )
            case "started" | "continued":
                return await self._filling.fill(begun, progress)

    async def _compare(self, k: int, sample: int, progress: Progress) -> ModelComparison:
        database = await self._graph.reread()
        if database.get("other_slot") is None:
            raise _nothing_beside("compare")
        return await self._comparison.compare(active_slot(database), k, sample, progress)

    async def _switch(self, progress: Progress) -> Filled:
        database = await self._graph.reread()
        if database.get("other_slot") is None:
            raise _nothing_beside("switch to")
        if database.get("switched_at") is not None:
            raise InvalidInput(
                "The database has switched to its new model already.",
                hint="`legacymind reembed roll_back` goes back to the old one.",
            )
        info = await asyncio.to_thread(lambda: self._vectors.embedder.info)
        filled = Filled()
        if database.get(f"{database['other_slot']}_fingerprint") == info.fingerprint:
            filled = await self._run(progress)  # texts stored since the last run
        ((verdict, waiting),) = await self._graph.run(
            SWITCH_SLOT, {"back": False, "most": MOST_WAITING, "now": datetime.now(UTC)}
        )
        if verdict != "switched":
            raise InvalidInput(
                f"{waiting:,} texts have no vector of the new model yet.",
                hint="Make their vectors with `legacymind reembed`, with the new model configured.",
            )
        await self._catch_up()
        return filled

    async def _roll_back(self) -> None:
        back = {"back": True, "most": 0, "now": datetime.now(UTC)}
        ((verdict, _),) = await self._graph.run(SWITCH_SLOT, back)
        if verdict != "switched":
            raise InvalidInput(
                "There is no switch to roll back.",
                hint="`legacymind reembed status` shows which models the database holds.",
            )
        await self._catch_up()

    async def _catch_up(self) -> None:
        """Embed the texts without a vector in the active slot, if this process has the slot's model."""
        await self._vectors.renew()
        try:
            await self._vectors.claim()
        except EmbeddingMismatch:
            return
        await self._deferred_embedding.catch_up(everything=True)

    async def _drop(self, progress: Progress, *, now: bool) -> None:
        before = datetime.now(UTC) - KEPT
        ((verdict, held),) = await self._graph.run(RELEASE_SLOT, {"anyway": now, "before": before})
        match verdict:
            case "none":
                raise _nothing_beside("drop")
            case "unswitched":
                raise InvalidInput(
                    "The vectors that are not in use are those of the new model.",
                    hint="Switch to them, or give them up with `legacymind reembed drop --now`.",
                )
            case "kept":
                raise InvalidInput(
                    "The old vectors are kept for a roll-back until their time is over.",
                    hint="Wait (`legacymind reembed status` shows until when), or use --now.",
                )
            case "released" | "dropping":
                slot: Slot = "b" if held == "embedding_b" else "a"
                await self._filling.clear(slot, progress)

    async def _report(self, filled: Filled, comparison: ModelComparison | None) -> Reembedding:
        database = await self._graph.reread()
        ((waiting, in_other),) = await self._graph.run(COUNT_DEFERRED, {})
        in_other = in_other if database.get("other_slot") else 0
        beside = database.get("other_slot") or database.get("dropping_slot")
        return Reembedding(
            state=_state(database, in_other),
            active=_text(database.get(f"embedding_{active_slot(database)}_fingerprint")),
            other=_text(database.get(f"{beside}_fingerprint")),
            waiting=waiting,
            waiting_in_other=in_other,
            embedded=filled.embedded,
            refused=len(filled.refused),
            started_at=_time(database.get("other_since")),
            switched_at=_time(database.get("switched_at")),
            drop_after=_drop_after(database),
            comparison=comparison,
        )


def _state(database: Mapping[str, Property], waiting: int) -> ReembedState:
    if database.get("dropping_slot") is not None:
        return "dropping"
    if database.get("other_slot") is None:
        return "none"
    if database.get("switched_at") is not None:
        return "switched"
    return "ready" if database.get("other_filled") is not None and waiting <= MOST_WAITING else "filling"


def _drop_after(database: Mapping[str, Property]) -> datetime | None:
    """When old vectors expire; None if there are none."""
    switched = _time(database.get("switched_at"))
    return None if switched is None else switched + KEPT


def _time(value: Property) -> datetime | None:
    return value if isinstance(value, datetime) else None


def _text(value: Property) -> str | None:
    return value if isinstance(value, str) else None


def _nothing_beside(verb: str) -> InvalidInput:
    return InvalidInput(
        f"The database holds the vectors of one model only, so there is nothing to {verb}.",
        hint="Make the vectors of a new model with `legacymind reembed`, with that model configured.",
    )
