"""Graph algorithms over a namespace: mass, communities, and reading what they stored."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal

from legacymind.db.query import Parameters, load
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.analysis import Analysis, AnalysisResult, CommunitiesResult, Community
from legacymind.model.progress import Progress, call_progress
from legacymind.model.values import clamped, whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import After, Paged, begin, by_offset
from legacymind.operations.registry import operation
from legacymind.services.analysis.projections import Projection, projected
from legacymind.services.analysis.similar import Similarities
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service
from legacymind.text.communities import Labelled
from legacymind.text.communities import labels as label

PROJECT_GRAPH = load("analysis/project_graph", tuple[Projection], writes=False, long_running=True)

NodeScore = tuple[str, float]
"""The id of a node, and what an algorithm found for it."""

RANK_NODES = load("analysis/rank_nodes", list[NodeScore], writes=False, long_running=True)
GROUP_NODES = load("analysis/group_nodes", list[NodeScore], writes=False, long_running=True)

STORE_ANALYSIS = load("analysis/store_analysis", int, writes=True)

CommunitiesRow = tuple[int, int, list[tuple[int, list[Labelled]]], list[Community]]
"""The number of communities, that of nodes in none, the members that label each, and a page of them."""

READ_COMMUNITIES = load("analysis/read_communities", CommunitiesRow, writes=False)

_MASS: Final[Mapping[str, float]] = dict.fromkeys(
    "RECALLS REFERENCES DEPENDS_ON ASSOCIATES REINFORCES SOLVES ABOUT LEARNED_FROM relation".split(), 1.0
)
"""Relationships that give mass to their target. Being next in a session is no endorsement."""

_TOGETHER: Final[Mapping[str, float]] = {
    **_MASS,
    **dict.fromkeys(("similar", "REVISES", "CONTRADICTS"), 1.0),
    **dict.fromkeys(("BRANCHES_FROM", "CHILD_OF", "FOLLOWS"), 0.5),
}
"""Relationships that hold a community together. A session may change its subject, so its steps weigh half."""

_LEAST_MEMBERS: Final = 3
"""Smaller groups are no communities."""

_BATCH: Final = 1000
"""Nodes that one transaction stores, so that it holds their locks only briefly."""

_MEMBERS: Final = 3
"""Members that a list shows of each community."""

_MEMBER_TEXT: Final = 300
_PAGE: Final = 20

_NEIGHBOURS: Final = 5

What = Literal["all", "neighbours", "mass", "communities"]


class AnalysisService(Service):
    """Runs graph algorithms, which need Graph Data Science on the server, and reads their results."""

    _similarities: Similarities

    @operation(
        tool="legacymind_analyze", command="analyze", writes=True, profile="full", idempotent=True, job=True
    )
    async def analyze(
        self,
        what: Annotated[
            What,
            about("Which algorithm", "neighbours: kNN; mass: PageRank; communities: Leiden"),
        ] = "all",
        neighbours: Annotated[
            int, whole(1, 20), about("Of a thought", "Most similar thoughts that a thought is linked to")
        ] = _NEIGHBOURS,
        min_similarity: Annotated[
            float | None,
            clamped(0, 1),
            about(
                "Least cosine",
                "Least cosine of neighbours. Default: the threshold of recall at injection scale 3",
            ),
        ] = None,
        namespace: Namespace = None,
    ) -> AnalysisResult:
        """Run graph algorithms over a namespace and store their results.

        ``neighbours`` links similar thoughts (ASSOCIATES), ``mass`` is the PageRank of every node,
        ``communities`` are groups of closely linked nodes. Private thoughts and knowledge that is not valid
        now take no part. The results replace those of the last analysis; what agents stored does not change.
        Raises AlgorithmsMissing when the server has no Graph Data Science plugin.
        """
        space = checks.namespace(namespace, self._settings)
        progress = call_progress.get()
        # Neighbours first: mass does not count them, but communities do.
        chosen: list[Analysis] = ["neighbours", "mass", "communities"] if what == "all" else [what]
        result = AnalysisResult(what=chosen)
        if "neighbours" in chosen:
            progress("Comparing thoughts", 0, 1)
            compared, pairs = await self._similarities.find(space, neighbours, min_similarity)
            stored, dropped = await self._similarities.store(space, pairs, progress)
            result = replace(result, thoughts=compared, neighbours=stored, dropped=dropped)
        if "mass" in chosen:
            nodes, relationships = await self._mass(space, progress)
            result = replace(result, nodes=nodes, relationships=relationships)
        if "communities" in chosen:
            nodes, relationships, numbers = await self._communities(space, progress)
            result = replace(
                result,
                nodes=nodes,
                relationships=relationships,
                communities=len(set(numbers.values())),
                unassigned=nodes - len(numbers),
            )
        return result

    async def _mass(self, namespace: str, progress: Progress) -> tuple[int, int]:
        """Store the mass of each node; return the numbers of nodes and relationships."""
        progress("Computing mass", 0, 1)
        request = _graph(namespace, _MASS, undirected=[])
        async with projected(self._graph, PROJECT_GRAPH, request) as projection:
            if projection is None:
                return 0, 0
            ranked = await projection.run(RANK_NODES)
        rows = [{"id": id, "properties": {"mass": round(mass, 4)}} for id, mass in ranked]
        await self._store(namespace, "Storing mass", rows, progress)
        return projection.nodes, projection.relationships

    async def _communities(self, namespace: str, progress: Progress) -> tuple[int, int, dict[str, int]]:
        """Store the communities.

        Return the numbers of nodes and relationships, and the community of each node that is in one.
        """
        progress("Finding communities", 0, 1)
        request = _graph(namespace, _TOGETHER, undirected=["*"])
        async with projected(self._graph, PROJECT_GRAPH, request) as projection:
            if projection is None:
                return 0, 0, {}
            # Leiden of GDS 2.26 fails without relationships; then each node is a group of its own.
            algorithm = GROUP_NODES if projection.relationships else RANK_NODES
            grouped = await projection.run(algorithm)
        groups = _by_size(grouped) if projection.relationships else []
        numbers = {node: number for number, group in enumerate(groups, 1) for node in group}
        rows = [{"id": id, "properties": {"community": numbers.get(id)}} for id, _ in grouped]
        await self._store(namespace, "Storing communities", rows, progress)
        return projection.nodes, projection.relationships // 2, numbers

    async def _store(
        self, namespace: str, stage: str, rows: list[dict[str, Any]], progress: Progress
    ) -> None:
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            await self._graph.run(STORE_ANALYSIS, {"namespace": namespace, "rows": batch})
            progress(stage, start + len(batch), len(rows))

    @operation(tool="legacymind_communities", command="communities", writes=False, profile="full")
    async def communities(
        self,
        community: Annotated[
            int | None,
            whole(1, 1_000_000),
            about("Number of one", "Number of a community, to list its members"),
        ] = None,
        limit: Annotated[
            int,
            whole(1, 200),
            about("Items per page", "Communities on a page, or members if `community` is given"),
        ] = _PAGE,
        after: After = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[CommunitiesResult]:
        """List the communities that the last analysis found, or the members of one.

        The largest community comes first, each with its label and its members of the greatest mass. Raises
        NotFound when there is no community of that number.
        """
        offset = begin(after)
        request: Parameters = {
            "namespace": checks.namespace(namespace, self._settings),
            "now": datetime.now(UTC),
            "community": community,
            "skip": 0 if community else offset,
            "take": limit,
            "member_skip": offset if community else 0,
            "member_take": limit if community else _MEMBERS,
            "text_length": _MEMBER_TEXT,
        }
        ((total, unassigned, labelled, found),) = await self._graph.run(READ_COMMUNITIES, request)
        labels = dict(
            zip([number for number, _ in labelled], label([group for _, group in labelled]), strict=True)
        )
        found = [replace(one, label=labels[one.number]) for one in found]
        result = CommunitiesResult(
            communities=found, members=[], community_count=total, unassigned=unassigned
        )
        if community is None:
            more = offset + len(found) < total
            return by_offset(result, "communities", offset=offset, more=more)
        if not found:
            raise NotFound(
                f"There is no community {community} in this namespace.",
                hint="List the communities; if there are none, analyze the namespace first.",
            )
        (one,) = found
        more = offset + len(one.members) < one.size
        result = replace(result, communities=[replace(one, members=[])], members=one.members)
        return by_offset(result, "members", offset=offset, more=more)


def _graph(namespace: str, weights: Mapping[str, float], *, undirected: list[str]) -> Parameters:
    return {
        "namespace": namespace,
        "now": datetime.now(UTC),
        "weights": {**weights},
        "undirected": undirected,
    }


def _by_size(nodes: Sequence[NodeScore]) -> list[list[str]]:
    """The ids of groups of at least three members, the largest group first."""
    groups: defaultdict[float, list[str]] = defaultdict(list)
    for id, group in nodes:
        groups[group].append(id)
    large = [group for group in groups.values() if len(group) >= _LEAST_MEMBERS]
    return sorted(large, key=lambda group: (-len(group), min(group)))
