"""Similar thoughts: nearest neighbours as relationships, and groups of near duplicates."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import load
from legacymind.model.analysis import Copy, DuplicateGroup
from legacymind.model.progress import Progress
from legacymind.services.analysis.projections import Projections, RemovedRow
from legacymind.services.shared.vectors import Vectors


class ProjectionRow(TypedDict):
    """What GDS tells of a projection, for its client."""

    projection: dict[str, Any]


PROJECT_THOUGHTS = load("analysis/project_thoughts", ProjectionRow, writes=False, long_running=True)


class SimilarPair(TypedDict):
    """The ids of two similar thoughts, and their cosine."""

    newer: str
    older: str
    cosine: float


class CopyRow(TypedDict):
    """A thought with a near duplicate."""

    id: str
    created_at: datetime
    text: str


class PairsRow(TypedDict):
    """Similar pairs (some twice), and near duplicates; see analysis/read_pairs."""

    pairs: Sequence[SimilarPair]
    copies: Sequence[CopyRow]


READ_PAIRS = load("analysis/read_pairs", PairsRow, writes=False, long_running=True)


class StoredResults(TypedDict):
    """The number of nodes that have received their properties, or of similarities that were stored."""

    stored: int


STORE_NEIGHBOURS = load("analysis/store_neighbours", StoredResults, writes=True)
DROP_NEIGHBOURS = load("analysis/drop_neighbours", RemovedRow, writes=True)


DUPLICATE: Final = 0.95
"""The cosine from which two thoughts are near duplicates."""

_MOST: Final = 30_000
"""Most thoughts that are compared, the newest ones: their vectors take 90 MB of the server's memory."""

_BATCH: Final = 500
"""Pairs that one transaction stores, so that it holds its locks only briefly."""

_LEAST_NEIGHBOURS: Final = 10
"""Neighbours of a thought that are found in any case, so that many copies of one text form one group."""

_EQUAL: Final = 0.9999
"""From this cosine two thoughts have the same vector; GDS rounds."""

_SHOWN: Final = 10
"""Most thoughts of a group of duplicates that are shown."""

_TEXT: Final = 300
"""Characters of a duplicate's text."""


class Similarities:
    """Compares the thoughts of a namespace by their vectors."""

    def __init__(self, graph: Graph, vectors: Vectors) -> None:
        self._graph = graph
        self._vectors = vectors
        self._projections = Projections(graph)

    async def find(self, namespace: str, k: int, least: float, progress: Progress) -> tuple[int, PairsRow]:
        """The number of compared thoughts, and pairs with a cosine of at least ``least`` and near duplicates.

        Each thought has its ``2 k`` nearest neighbours, but at least ten. Twice as many as are stored, since
        some of them have their ``k`` already (``capped``). One thread and a fixed seed: the same thoughts
        have the same neighbours.
        """
        await self._vectors.renew()  # another process may have switched to another model
        slot = (await self._vectors.claim()).slot
        async with self._projections.run(
            PROJECT_THOUGHTS.for_slot(slot),
            {
                "namespace": namespace,
                "most": _MOST,
                "dimensions": self._vectors.embedder.info.dimensions,
            },
            lambda gds, projected: gds.knn.mutate(
                projected.graph,
                mutate_relationship_type="SIMILAR",
                mutate_property="similarity",
                node_properties={"vector": "COSINE"},
                top_k=max(2 * k, _LEAST_NEIGHBOURS),
                similarity_cutoff=(1 + min(least, DUPLICATE)) / 2,
                sample_rate=1.0,
                delta_threshold=0.0001,
                max_iterations=15,
                random_seed=19,
                concurrency=1,
                job_id=projected.graph.name(),
            ),
            "Comparing thoughts",
            progress,
        ) as projected:
            if projected is None:
                return 0, {"pairs": [], "copies": []}
            (row,) = await self._projections.read(
                READ_PAIRS,
                {"graph": projected.graph.name(), "duplicate": DUPLICATE, "text_length": _TEXT},
            )
        return projected.result.node_count, row

    async def threshold(self) -> float:
        """The default of the least cosine of neighbours: that of thoughts at injection scale 3."""
        await self._vectors.ready()
        return self._vectors.thresholds.thoughts[2]

    async def store(
        self, namespace: str, pairs: Sequence[SimilarPair], progress: Progress
    ) -> tuple[int, int]:
        """Replace the similarities of earlier analyses; return how many are stored now, and how many went."""
        now, stored, dropped = datetime.now(UTC), 0, 0
        for start in range(0, len(pairs), _BATCH):
            batch = [*pairs[start : start + _BATCH]]
            (row,) = await self._graph.run(
                STORE_NEIGHBOURS, {"namespace": namespace, "now": now, "rows": batch}
            )
            stored += row["stored"]
            progress("Storing neighbours", start + len(batch), len(pairs))
        while True:
            (gone,) = await self._graph.run(
                DROP_NEIGHBOURS, {"namespace": namespace, "now": now, "take": _BATCH}
            )
            dropped += gone["dropped"]
            if gone["dropped"] < _BATCH:
                return stored, dropped


def capped(found: Sequence[SimilarPair], k: int, least: float = -1.0) -> list[SimilarPair]:
    """Each pair of at least this cosine once, the most similar first, with at most ``k`` pairs of a thought.

    A thought may be among the nearest of any number of others; without the cap it would become a hub.
    """
    once = {(pair["newer"], pair["older"]): pair for pair in found if pair["cosine"] >= least}
    taken = Counter[str]()
    kept: list[SimilarPair] = []
    for pair in sorted(once.values(), key=lambda one: (-one["cosine"], one["newer"], one["older"])):
        ends = pair["newer"], pair["older"]
        if all(taken[end] < k for end in ends):
            taken.update(ends)
            kept.append(pair)
    return kept


def duplicates(found: PairsRow) -> list[DuplicateGroup]:
    """Groups of thoughts that are near duplicates of one in their middle, the largest first.

    The thought with the most near duplicates takes them all, then the next one of those that are left, as
    ``community_detection`` of Sentence Transformers does: chains of pairs would join texts that are not
    alike. Thoughts of one vector stay together.
    """
    copies = {copy["id"]: copy for copy in found["copies"]}
    near = [pair for pair in found["pairs"] if pair["cosine"] >= DUPLICATE]
    equal = _connected([(pair["newer"], pair["older"]) for pair in near if pair["cosine"] >= _EQUAL])
    members: defaultdict[str, list[Copy]] = defaultdict(list)
    for one in copies:
        members[equal.get(one, one)].append(Copy(**copies[one]))
    links: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for pair in near:
        ends = [equal.get(one, one) for one in (pair["newer"], pair["older"])]
        for one, other in (ends, ends[::-1]):
            links[one][other] = min(pair["cosine"], links[one].get(other, 1.0))
    size = {one: sum(len(members[other]) for other in {one, *links[one]}) for one in members}
    result: list[DuplicateGroup] = []
    for middle in sorted(members, key=lambda one: (-size[one], one)):
        if middle not in members:
            continue
        group = [one for one in {middle, *links[middle]} if one in members]
        thoughts = sorted(
            (copy for one in group for copy in members.pop(one)), key=lambda c: (c.created_at, c.id)
        )
        if len(thoughts) > 1:
            least = min(links[middle].get(one, 1.0) for one in group)
            result.append(DuplicateGroup(size=len(thoughts), cosine=least, thoughts=thoughts[:_SHOWN]))
    return sorted(result, key=lambda group: (-group.size, -group.cosine, group.thoughts[0].id))


def _connected(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """One member of its group for each id; ids that pairs connect have the same."""
    above: dict[str, str] = {}

    def top(one: str) -> str:
        while above.setdefault(one, one) != one:
            above[one] = above[above[one]]
            one = above[one]
        return one

    for left, right in pairs:
        above[top(left)] = top(right)
    return {one: top(one) for one in [*above]}
