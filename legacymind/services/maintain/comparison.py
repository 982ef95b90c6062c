"""Comparing two models by the vectors that a database has of both, before or after a switch."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypedDict, cast

from legacymind.db.query import OverSlot, load
from legacymind.db.stored import SLOTS, Property, Slot, active_slot, other_slot
from legacymind.embed import make_embedder
from legacymind.embed.base import Embedder
from legacymind.errors import ConfigurationError, InvalidInput
from legacymind.model.progress import Progress
from legacymind.model.reembed import JudgedQuestion, ModelComparison
from legacymind.services.analysis.similarities import Sampled
from legacymind.services.shared.service import Service


class VectorRow(TypedDict):
    """A node's vector, an array of 32-bit floats."""

    id: str
    namespace: str
    vector: Sequence[float]


READ_VECTORS = load("maintain/read_vectors", VectorRow, writes=False)


class NearestRow(TypedDict):
    """The ids of the nodes nearest to a vector, the nearest first."""

    id: str
    nearest: list[str]


FIND_NEAREST = load("maintain/find_nearest", NearestRow, writes=False)


class SampleRow(OverSlot):
    """A sample of what recall can find."""

    sample: list[Sampled]


SAMPLE_THOUGHTS = load("maintain/sample_thoughts", SampleRow, writes=False)
SAMPLE_KNOWLEDGE = load("maintain/sample_knowledge", SampleRow, writes=False)


class AskedVector(TypedDict):
    """A vector with the namespace to search."""

    id: str
    namespace: str
    vector: list[float]


_DRAWS: Final = 2
"""Random ids drawn for each node in the sample, since two may lead to one node."""

_BATCH: Final = 50
"""Vectors that one statement searches for."""


_PAGE: Final = 500
"""Vectors that one statement reads."""


def _bare(question: JudgedQuestion) -> set[str]:
    """The ids of the evidence as they are stored."""
    return {one.removeprefix("thoughts:") for one in question.evidence}


class SlotComparison(Service):
    """Compares what the vectors of the two slots find."""

    async def compare(
        self,
        database: Mapping[str, Property],
        k: int,
        sample: int,
        questions: Sequence[JudgedQuestion],
        progress: Progress,
    ) -> ModelComparison:
        """Compare the models of both slots. Stores nothing.

        Raises InvalidInput when a question has no evidence, EmbeddingError when a model fails.
        """
        if any(not question.evidence for question in questions):
            raise InvalidInput("A judged question has no evidence.", hint="Send the ids that answer it.")
        active = active_slot(database)
        other = other_slot(active)
        samples, overlap = await self._overlap(active, other, k, sample, progress)
        recalls: list[float | None] = []
        fair = await self._answerable(questions)
        for slot in (active, other):
            embedder = await self._embedder(database, slot) if fair else None
            if embedder is None:
                recalls.append(None)
                continue
            try:
                recalls.append(await self._recall(embedder, slot, k, fair, progress))
            finally:
                if embedder is not self._vectors.embedder:
                    await embedder.close()
        return ModelComparison(
            k=k,
            samples=samples,
            overlap=overlap,
            questions=len(fair),
            questions_left_out=len(questions) - len(fair),
            recall_active=recalls[0],
            recall_other=recalls[1],
        )

    async def _answerable(self, questions: Sequence[JudgedQuestion]) -> list[JudgedQuestion]:
        """The questions that both models can answer: all of their evidence has vectors of both."""
        ids = sorted({one for each in questions for one in _bare(each)})
        found = {*ids}
        for slot in SLOTS:
            there = set[str]()
            for start in range(0, len(ids), _PAGE):
                rows = await self._graph.run(READ_VECTORS.for_slot(slot), {"ids": ids[start : start + _PAGE]})
                there |= {row["id"] for row in rows}
            found &= there
        return [each for each in questions if found >= _bare(each)]

    async def _overlap(
        self, active: Slot, other: Slot, k: int, sample: int, progress: Progress
    ) -> tuple[int, float | None]:
        """How many stored texts were compared, and the overlap of what they find."""
        drawn: dict[str, Any] = {
            "namespace": None,
            "starts": [str(uuid.uuid4()) for _ in range(_DRAWS * sample)],
            "sample_size": sample,
        }
        (thoughts,) = await self._graph.run(
            SAMPLE_THOUGHTS.for_slot(active), cast("Any", {**drawn, "everything": True})
        )
        (knowledge,) = await self._graph.run(
            SAMPLE_KNOWLEDGE.for_slot(active), cast("Any", {**drawn, "now": datetime.now(UTC)})
        )
        # Thoughts first, since they are what questions are mostly about; knowledge fills the sample.
        ids = [row["id"] for row in (*thoughts["sample"], *knowledge["sample"])][:sample]
        found: dict[str, list[set[str]]] = {}
        both = {row["id"] for row in await self._graph.run(READ_VECTORS.for_slot(other), {"ids": ids})}
        compared = [one for one in ids if one in both]
        done = 0
        for slot in (active, other):
            for start in range(0, len(compared), _BATCH):
                rows = await self._graph.run(
                    READ_VECTORS.for_slot(slot), {"ids": compared[start : start + _BATCH]}
                )
                asked: list[AskedVector] = [
                    {"id": row["id"], "namespace": row["namespace"], "vector": [*row["vector"]]}
                    for row in rows
                ]
                for one, nearest in (await self._nearest(slot, asked, k + 1)).items():
                    # A text is the nearest to itself.
                    found.setdefault(one, []).append({*[other for other in nearest if other != one][:k]})
                done += len(rows)
                progress("Comparing", done, 2 * len(compared))
        shares = [
            len(pair[0] & pair[1]) / max(len(pair[0]), len(pair[1]))
            for pair in found.values()
            if len(pair) == 2 and (pair[0] or pair[1])
        ]
        return len(shares), round(sum(shares) / len(shares), 4) if shares else None

    async def _recall(
        self,
        embedder: Embedder,
        slot: Slot,
        k: int,
        questions: Sequence[JudgedQuestion],
        progress: Progress,
    ) -> float:
        total = 0.0
        for start in range(0, len(questions), _BATCH):
            batch = questions[start : start + _BATCH]
            vectors = await embedder.embed([each.question for each in batch], query=True)
            asked: list[AskedVector] = [
                {
                    "id": str(number),
                    "namespace": each.namespace or self._settings.namespace,
                    "vector": vector,
                }
                for number, (each, vector) in enumerate(zip(batch, vectors, strict=True))
            ]
            nearest = await self._nearest(slot, asked, k)
            for number, each in enumerate(batch):
                wanted = _bare(each)
                total += len(wanted.intersection(nearest.get(str(number), ()))) / len(wanted)
            progress(f"Asking with slot {slot}", start + len(batch), len(questions))
        return round(total / len(questions), 4)

    async def _nearest(self, slot: Slot, asked: list[AskedVector], take: int) -> dict[str, list[str]]:
        rows = await self._graph.run(FIND_NEAREST.for_slot(slot), {"questions": asked, "take": take})
        return {row["id"]: row["nearest"] for row in rows}

    async def _embedder(self, database: Mapping[str, Property], slot: Slot) -> Embedder | None:
        """An embedder of the slot's model, or None if the settings do not lead to it."""
        wanted = database.get(f"embedding_{slot}_fingerprint")
        own = self._vectors.embedder
        if (await asyncio.to_thread(lambda: own.info)).fingerprint == wanted:
            return own
        described = {name: database.get(f"embedding_{slot}_{name}") for name in ("provider", "model", "dim")}
        try:
            made = make_embedder(
                self._settings.changed(
                    embedding_provider=cast("Any", described["provider"]),
                    embedding_model=str(described["model"]),
                    embedding_model_path="",
                    embedding_dimensions=cast("int", described["dim"]),
                    embed_query_prefix="",
                    embed_passage_prefix="",
                )
            )
            info = await asyncio.to_thread(lambda: made.info)
        except (ConfigurationError, KeyError):
            return None
        return made if info.fingerprint == wanted else None
