"""Graph algorithms over a namespace: mass, communities, and reading what they stored."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypedDict

from legacymind.db.query import Parameters, load
from legacymind.errors import NotFound
from legacymind.model.about import about
from legacymind.model.analysis import Analysis, AnalysisResult, CommunitiesResult, Community, Member
from legacymind.model.progress import Progress, call_progress, no_progress
from legacymind.model.values import clamped, skipped, whole
from legacymind.operations.registry import operation
from legacymind.services.analysis.projections import Projections
from legacymind.services.analysis.similar import (
    DUPLICATE,
    ProjectionRow,
    Similarities,
    StoredResults,
    capped,
    duplicates,
)
from legacymind.services.shared import budget, checks
from legacymind.services.shared.budget import MaxTokens
from legacymind.services.shared.parameters import Namespace
from legacymind.services.shared.service import Service, ServiceContext
from legacymind.text import communities as labelling
from legacymind.text.communities import Labelled

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

    from legacymind.services.analysis.projections import Projected


PROJECT_GRAPH = load("analysis/project_graph", ProjectionRow, writes=False, long_running=True)


class NodeResult(TypedDict):
    """A node, what an algorithm found for it, and what labels its community; ``name`` is an entity's."""

    id: str
    value: float
    name: str | None
    tags: Sequence[str]
    text: str


class ResultsRow(TypedDict):
    """All nodes of a projection; see analysis/read_results."""

    nodes: Sequence[NodeResult]


READ_RESULTS = load("analysis/read_results", ResultsRow, writes=False, long_running=True)
STORE_ANALYSIS = load("analysis/store_analysis", StoredResults, writes=True)


class CommunityMember(TypedDict):
    """A node of a community; ``mass`` is None until mass was computed."""

    id: str
    kind: Literal["thought", "entity", "observation"]
    text: str
    mass: float | None


class StoredCommunity(TypedDict):
    """A community as the last analysis stored it, with its first members."""

    number: int
    label: str | None
    size: int
    thoughts: int
    entities: int
    members: Sequence[CommunityMember]


class CommunitiesRow(TypedDict):
    """A page of communities, their number, and the number of nodes that are in none."""

    community_count: int
    unassigned: int
    communities: Sequence[StoredCommunity]


READ_COMMUNITIES = load("analysis/read_communities", CommunitiesRow, writes=False)


class AnalysedNode(TypedDict):
    """The properties to set on a node; None removes one."""

    id: str
    properties: dict[str, float | int | str | None]


_MASS: Final[Mapping[str, float]] = {
    "RECALLS": 1.0,
    "REFERENCES": 1.0,
    "DEPENDS_ON": 1.0,
    "ASSOCIATES": 1.0,
    "REINFORCES": 1.0,
    "SOLVES": 1.0,
    "ABOUT": 1.0,
    "LEARNED_FROM": 1.0,
    "relation": 1.0,
}
"""Relationships that give mass to their target. Being next in a session is no endorsement."""

_TOGETHER: Final[Mapping[str, float]] = {
    **_MASS,
    "similar": 1.0,
    "REVISES": 1.0,
    "CONTRADICTS": 1.0,
    "BRANCHES_FROM": 0.5,
    "CHILD_OF": 0.5,
    "FOLLOWS": 0.5,
}
"""Relationships that hold a community together. A session may change its subject, so its steps weigh half."""

_LEAST_MEMBERS: Final = 3
"""Smaller groups are no communities."""

_BATCH: Final = 1000
"""Nodes that one transaction stores, so that it holds their locks only briefly."""

_LABEL_TEXT: Final = 400
"""Characters of each text that a label is made from."""

_MEMBERS: Final = 3
"""Members that a list shows of each community."""

_MEMBER_TEXT: Final = 300
_PAGE: Final = 20

_NEIGHBOURS: Final = 5

What = Literal["all", "neighbours", "duplicates", "mass", "communities"]


class AnalysisService(Service):
    """Runs graph algorithms, which need Graph Data Science on the server, and reads their results."""

    def __init__(self, context: ServiceContext) -> None:
        super().__init__(context)
        self._similarities = Similarities(context.graph, context.vectors)
        self._projections = Projections(context.graph)

    @operation(tool="legacymind_analyze", command="analyze", writes=True, profile="full", idempotent=True)
    async def analyze(
        self,
        what: Annotated[
            What,
            about("Which algorithm", "neighbours and duplicates: kNN; mass: PageRank; communities: Leiden"),
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

        ``neighbours`` links similar thoughts (ASSOCIATES), ``duplicates`` reports nearly equal ones, ``mass``
        is the PageRank of every node, ``communities`` are groups of closely linked nodes with labels. Private
        thoughts and knowledge that is not valid now take no part. The results replace those of the last
        analysis; what agents stored does not change. Raises ConfigurationError without the extra ``gds``,
        and AlgorithmsMissing when the server has no Graph Data Science plugin.
        """
        return await self.run(
            what, namespace, call_progress.get(), neighbours=neighbours, min_similarity=min_similarity
        )

    async def run(
        self,
        what: What = "all",
        namespace: str | None = None,
        progress: Progress = no_progress,
        *,
        neighbours: int = _NEIGHBOURS,
        min_similarity: float | None = None,
    ) -> AnalysisResult:
        """As ``analyze``; ``progress`` gets per cents of each algorithm, and the number of stored results."""
        space = checks.namespace(namespace, self._settings)
        # Neighbours first: mass does not count them, but communities do.
        chosen: list[Analysis] = (
            ["neighbours", "duplicates", "mass", "communities"] if what == "all" else [what]
        )
        result = AnalysisResult(what=chosen)
        if {"neighbours", "duplicates"} & {*chosen}:
            least = DUPLICATE
            if "neighbours" in chosen:
                least = await self._similarities.threshold() if min_similarity is None else min_similarity
            compared, similar = await self._similarities.find(space, neighbours, least, progress)
            result = replace(result, thoughts=compared)
            if "neighbours" in chosen:
                pairs = capped(similar["pairs"], neighbours, least)
                stored, dropped = await self._similarities.store(space, pairs, progress)
                result = replace(result, neighbours=stored, dropped=dropped)
            if "duplicates" in chosen:
                groups = duplicates(similar)
                shown, _ = budget.fit(groups, budget.DEFAULT_TOKENS - budget.frame(space))
                result = replace(result, duplicate_groups=len(groups), duplicates=shown)
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
        async with self._projections.run(
            PROJECT_GRAPH,
            _graph(namespace, _MASS, undirected=[]),
            lambda gds, projected: gds.page_rank.mutate(
                projected.graph,
                mutate_property="mass",
                max_iterations=50,
                relationship_weight_property="weight",
                job_id=projected.graph.name(),
            ),
            "Computing mass",
            progress,
        ) as projected:
            nodes = await self._results(projected, "mass")
        ranked: list[AnalysedNode] = [
            {"id": one["id"], "properties": {"mass": round(one["value"], 4)}} for one in nodes
        ]
        await self._store(namespace, ranked, lambda stored: progress("Storing mass", stored, len(nodes)))
        return len(nodes), projected.result.relationship_count if projected else 0

    async def _communities(self, namespace: str, progress: Progress) -> tuple[int, int, dict[str, int]]:
        """The numbers of nodes and relationships, and the community of each node that is in one."""
        async with self._projections.run(
            PROJECT_GRAPH,
            _graph(namespace, _TOGETHER, undirected=["*"]),
            _group,
            "Finding communities",
            progress,
        ) as projected:
            nodes = await self._results(projected, "community")
        groups = _by_size(nodes)
        numbers = {one["id"]: number for number, group in enumerate(groups, 1) for one in group}
        named = labelling.labels([[_labelled(one) for one in group] for group in groups])
        rows: list[AnalysedNode] = []
        for one in nodes:
            number = numbers.get(one["id"])
            label = None if number is None else named[number - 1]
            rows.append({"id": one["id"], "properties": {"community": number, "community_label": label}})
        await self._store(namespace, rows, lambda stored: progress("Storing communities", stored, len(rows)))
        return len(rows), projected.result.relationship_count // 2 if projected else 0, numbers

    async def _results(
        self, projected: "Projected | None", name: Literal["mass", "community"]
    ) -> Sequence[NodeResult]:
        if projected is None:
            return []
        length = _LABEL_TEXT if name == "community" else 0
        (row,) = await self._projections.read(
            READ_RESULTS, {"graph": projected.graph.name(), "property": name, "text_length": length}
        )
        return row["nodes"]

    async def _store(self, namespace: str, rows: list[AnalysedNode], stored: Callable[[int], None]) -> None:
        for start in range(0, len(rows), _BATCH):
            batch = rows[start : start + _BATCH]
            await self._graph.run(STORE_ANALYSIS, {"namespace": namespace, "rows": batch})
            stored(start + len(batch))

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
        offset: Annotated[
            int,
            skipped(100_000, advice="read one community"),
            about("Items to skip", "Items to skip: `next_offset` of the last page"),
        ] = 0,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> CommunitiesResult:
        """List the communities that the last analysis found, or the members of one.

        The largest community comes first, each with its label and its members of the greatest mass. Raises
        NotFound when there is no community of that number.
        """
        space = checks.namespace(namespace, self._settings)
        request: Parameters = {
            "namespace": space,
            "now": datetime.now(UTC),
            "community": community,
            "skip": 0 if community else offset,
            "take": limit,
            "member_skip": offset if community else 0,
            "member_take": limit if community else _MEMBERS,
            "text_length": _MEMBER_TEXT,
        }
        (row,) = await self._graph.run(READ_COMMUNITIES, request)
        found = [_community(one) for one in row["communities"]]
        allowed = budget.allowance(max_tokens, limit, _PAGE) - budget.frame(space)
        left_out = 0
        if found:
            # The first is always shown, with as many members as fit.
            members, left_out = budget.fit(
                found[0].members, allowed - budget.size(replace(found[0], members=[]))
            )
            found[0] = replace(found[0], members=members)
        if community is None:
            kept, left_out = budget.fit(found, allowed)
            reached, total = offset + len(kept), row["community_count"]
        elif not found:
            raise NotFound(
                f"There is no community {community} in this namespace.",
                hint="List the communities; if there are none, analyze the namespace first.",
            )
        else:
            kept = found
            reached, total = offset + len(found[0].members), found[0].size
        return CommunitiesResult(
            communities=kept,
            community_count=row["community_count"],
            unassigned=row["unassigned"],
            left_out=left_out,
            next_offset=reached if reached < total else None,
        )


def _graph(namespace: str, weights: Mapping[str, float], *, undirected: list[str]) -> Parameters:
    return {
        "namespace": namespace,
        "now": datetime.now(UTC),
        "weights": {**weights},
        "undirected": undirected,
    }


def _group(gds: "GraphDataScience", projected: "Projected") -> None:
    """Find the community of each node. One thread and a fixed seed, so that the same graph has the same."""
    if not projected.result.relationship_count:  # Leiden of GDS 2.26 fails; the components are groups of one
        gds.wcc.mutate(projected.graph, mutate_property="community")
        return
    gds.leiden.mutate(
        projected.graph,
        mutate_property="community",
        relationship_weight_property="weight",
        random_seed=19,
        concurrency=1,
        job_id=projected.graph.name(),
    )


def _by_size(members: Sequence[NodeResult]) -> list[list[NodeResult]]:
    """The groups of at least three members, the largest first."""
    groups: defaultdict[float, list[NodeResult]] = defaultdict(list)
    for member in members:
        groups[member["value"]].append(member)
    large = [group for group in groups.values() if len(group) >= _LEAST_MEMBERS]
    return sorted(large, key=lambda group: (-len(group), min(one["id"] for one in group)))


def _labelled(node: NodeResult) -> Labelled:
    return Labelled(node["text"], [str(tag) for tag in node["tags"]], node["name"])


def _community(row: StoredCommunity) -> Community:
    return Community(
        number=row["number"],
        label=row["label"] or "",
        size=row["size"],
        thoughts=row["thoughts"],
        entities=row["entities"],
        observations=row["size"] - row["thoughts"] - row["entities"],
        members=[Member(**member) for member in row["members"]],
    )
