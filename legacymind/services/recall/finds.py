"""The reads of recall: what was found, as features for ranking."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from legacymind.db.errors import is_index_missing
from legacymind.db.filters import Conditions, in_vector_index, predicate
from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, Query, Row, load
from legacymind.errors import DatabaseError
from legacymind.model.base import MAX_CONTENT, Kind
from legacymind.origins import OUTSIDE, trust_of
from legacymind.ranking.features import READ, Features, KnowledgeFeatures, ThoughtFeatures, knowledge, thought
from legacymind.ranking.memories import Successors
from legacymind.ranking.order import newer_first
from legacymind.ranking.trusted import SHARE
from legacymind.services.recall.policy import POOLS, ListedRole
from legacymind.services.shared.vectors import Vectors
from legacymind.text import fulltext, keys

FeaturesRow = list[Any]
"""The features of one node."""

FoundRow = tuple[list[FeaturesRow], bool, bool]
"""Candidates for ranking, whether there may be more of them, and whether the slot is the one in use."""

Tagged = tuple[str, float]
"""An id and its cosine."""

ListedRow = tuple[FeaturesRow, str | None, float | None]
"""A thought of a role, and of a playbook the error signature and the cosine of its problem."""

LateralRow = tuple[FeaturesRow, str, str, int]
"""What a memory is related to, the memory's id, the first relationship's type and the number of hops."""

Brought = tuple[FeaturesRow, str]
"""What came after a memory, and the role of that."""

SuccessorsRow = tuple[str, str | None, str | None, int, list[str], list[Brought], list[Brought]]
"""A memory: its id, those of its latest revision and of what contradicts it most, the number of its
contradictions, its traits, and the thoughts and the knowledge that came after it."""

FIND_THOUGHTS = load("recall/find_thoughts", FoundRow, writes=False)
FIND_TAGGED = load("recall/find_tagged", tuple[list[Tagged], bool], writes=False)
FIND_KNOWLEDGE = load("recall/find_knowledge", FoundRow, writes=False)
FIND_LISTED = load("recall/find_listed", tuple[list[ListedRow], bool], writes=False)
FIND_LATERAL = load("recall/find_lateral", tuple[list[LateralRow], list[LateralRow]], writes=False)
FIND_SUCCESSORS = load("recall/find_successors", SuccessorsRow, writes=False)


NEWER_FACTS = load("recall/newer_facts", tuple[str, str], writes=False)
READ_TEXTS = load("recall/read_texts", tuple[str, str], writes=False)


Candidate = TypeVar("Candidate", ThoughtFeatures, KnowledgeFeatures)

_EXACT_LIMIT: Final = 5_000
"""The most thoughts with the requested items of lists for which cosines are computed exactly."""

_WIDE_LIMIT: Final = 8_000
"""Nearest thoughts that are scanned for a more frequent item. An index returns at most 10,000."""

_KINDS: Final[list[Kind]] = ["entity", "observation"]

_WORDED: Final = 16
"""Texts that are read by words for each that is wanted, since filters apply to them afterwards."""


_RESERVED: Final = 20
"""Places of what the user said, which nobody else can take."""

_SCANNED: Final = 1_000
"""Playbooks, or standing preferences, that are scanned for the user's."""

_NAMED: Final = 50
"""The most entities that a text names whose facts are found."""

_ORDERED: Final = 30
"""The first items among which the newer of two like facts comes first."""

_ALIKE: Final = 0.75
"""Cosine of two facts of an entity that say nearly the same.

Of FactConsolidation, the newest of such facts comes first for 60 of 74 questions; at 0.8, for 51.
"""

_ABOUT: Final = 1_000
"""Facts of an entity that a search is about which are compared with the query."""

_FEW: Final = 2
"""The most facts of an entity that its name alone brings to mind: what has more is named in every text."""


@dataclass(slots=True)
class Nearby(Generic[Candidate]):
    """Candidates for ranking; ``more``: there may be others."""

    candidates: list[Candidate] = field(default_factory=list[Candidate])
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where to look: a namespace, the session whose private thoughts are visible, and the text's vector.

    Without a vector nothing is found by meaning.
    """

    namespace: str
    own_session: str
    vector: list[float] | None


@dataclass(slots=True)
class Lateral:
    """Something that a memory is related to: the memory's id, the relationship's type, and the hops."""

    node: Features
    source: str
    type: str
    hops: int


@dataclass(slots=True)
class Listed:
    """A thought of a role; a playbook with the error signature of its problem, and its cosine."""

    node: ThoughtFeatures
    signature: str | None
    nearness: float | None


@dataclass(slots=True)
class Found:
    """Everything that the first reads found."""

    thoughts: list[ThoughtFeatures] = field(default_factory=list[ThoughtFeatures])
    knowledge: list[KnowledgeFeatures] = field(default_factory=list[KnowledgeFeatures])
    standing: list[Listed] = field(default_factory=list[Listed])
    playbooks: list[Listed] = field(default_factory=list[Listed])


class Finds:
    """Runs the statements of ``cypher/recall``. Each is a read of one round trip.

    What is less trusted than ``least`` is left out.
    """

    def __init__(self, graph: Graph, vectors: Vectors, least: int = OUTSIDE) -> None:
        self._graph = graph
        self._vectors = vectors
        self._least = least

    async def thoughts(
        self,
        place: Scope,
        conditions: Conditions,
        text_query: str | None,
        *,
        pool: int,
        linked: int,
        text_limit: int | None = None,
    ) -> Nearby[ThoughtFeatures]:
        """At most ``pool`` thoughts by meaning, as many by the words of ``text_query``, and linked ones.

        The links of the best ``linked`` are followed. ``text_limit`` texts are read by words, since filters
        apply to them afterwards. Filters by lists and by mentions need a statement of their own.
        """
        asked = predicate(conditions)
        nearest: list[tuple[str, float]] | None = None if place.vector is not None else []
        if place.vector is not None and (asked["lists"] or asked["about"]):
            nearest = await self._tagged(place, conditions, pool)
        request: dict[str, Any] = {
            "lists": asked["lists"],
            "about": asked["about"],
            "redactions": asked["redactions"],
            "nearest": nearest,
        }
        scalars = in_vector_index(conditions)
        parameters: Parameters = {
            "namespace": place.namespace,
            "own_session": place.own_session,
            "vector": place.vector,
            "text_query": text_query or "",
            "request": request,
            "text_limit": (text_limit or pool * _WORDED) if text_query else 0,
            "pool": pool,
            "linked": linked,
            "reserved": _RESERVED,
            "share": SHARE,
        }
        statement = FIND_THOUGHTS.filtered(scalars)
        ((found, more, _),) = await self._run(statement, {**parameters, **scalars}, place.vector)
        return Nearby(self._trusted(map(thought, found)), more)

    async def _tagged(
        self, place: Scope, conditions: Conditions, index_limit: int
    ) -> list[tuple[str, float]]:
        scalars, asked = in_vector_index(conditions), predicate(conditions)
        parameters: Parameters = {
            "namespace": place.namespace,
            "own_session": place.own_session,
            "vector": place.vector,
            "request": {
                "lists": asked["lists"],
                "about": asked["about"],
                "list_query": fulltext.list_query(place.namespace, asked["lists"], place.own_session),
                "filtered": bool(scalars),
            },
            "index_limit": index_limit,
            "exact_limit": _EXACT_LIMIT,
            "wide_limit": _WIDE_LIMIT,
        }
        ((nearest, _),) = await self._vectors.run(FIND_TAGGED.filtered(scalars), {**parameters, **scalars})
        return nearest

    async def knowledge(
        self,
        place: Scope,
        moment: datetime,
        text_query: str | None,
        *,
        pool: int,
        kinds: Sequence[Kind] = _KINDS,
        naming: str = "",
        about: Sequence[str] = (),
    ) -> Nearby[KnowledgeFeatures]:
        """Knowledge that is true at a moment, the candidates nearest first.

        The few facts about an entity that the beginning of the text ``naming`` names are found, too, and
        those about the entities with the ids ``about``.
        """
        ((found, more, _),) = await self._run(
            FIND_KNOWLEDGE,
            {
                "namespace": place.namespace,
                "kinds": list(kinds),
                "moment": moment,
                "vector": place.vector,
                "text_query": text_query or "",
                "text_limit": pool * _WORDED if text_query else 0,
                "pool": pool,
                "names": keys.possible_names(naming[:READ]),
                "most_mentions": _NAMED,
                "most_facts": _FEW,
                "about": list(about),
                "most_about": _ABOUT,
                "reserved": _RESERVED,
                "share": SHARE,
            },
            place.vector,
        )
        return Nearby(self._trusted(map(knowledge, found)), more)

    async def listed(self, role: ListedRole, place: Scope, moment: datetime) -> list[Listed]:
        """The newest standing preferences and instructions in force, or the best playbooks."""
        ((found, _),) = await self._vectors.run(
            FIND_LISTED,
            {
                "role": role,
                "namespace": place.namespace,
                "own_session": place.own_session,
                "moment": moment,
                "vector": place.vector,
                "pool": POOLS[role],
                "scanned": _SCANNED,
            },
        )
        listed = [Listed(thought(each), signature, near) for each, signature, near in found]
        return [one for one in listed if trust_of(one.node.trust) >= self._least]

    async def lateral(
        self, place: Scope, before: datetime, ids: Sequence[str], types: Sequence[str], hops: int
    ) -> list[Lateral]:
        """What memories are related to by relationships of these types."""
        slot = (await self._vectors.claim()).slot
        ((thoughts, known),) = await self._graph.run(
            FIND_LATERAL.for_slot(slot),
            {**_of_memories(place, before), "ids": list(ids), "types": list(types), "hops": hops},
        )
        lateral = [
            *(Lateral(thought(each), one, kind, far) for each, one, kind, far in thoughts),
            *(Lateral(knowledge(each), one, kind, far) for each, one, kind, far in known),
        ]
        return [one for one in lateral if trust_of(one.node.trust) >= self._least]

    def _trusted(self, found: Iterable[Candidate]) -> list[Candidate]:
        return [node for node in found if trust_of(node.trust) >= self._least]

    async def successors(
        self, place: Scope, before: datetime, ids: Sequence[str], conditions: Conditions | None = None
    ) -> dict[str, Successors]:
        """What came after memories, by their ids; of thoughts those that pass the filters."""
        asked, scalars = predicate(conditions or {}), in_vector_index(conditions or {})
        statement = FIND_SUCCESSORS.filtered(scalars).for_slot(await self._vectors.slot())
        rows = await self._graph.run(
            statement,
            {
                **_of_memories(place, before),
                "ids": list(ids),
                "request": {"lists": asked["lists"], "about": asked["about"]},
                **scalars,
            },
        )
        found: dict[str, Successors] = {}
        for id, revised_by, contradicted_by, contradictions, traits, thoughts, known in rows:
            brought = [(role, thought(features)) for features, role in thoughts]
            brought = [pair for pair in brought if trust_of(pair[1].trust) >= self._least]
            others = [*brought, *((role, knowledge(features)) for features, role in known)]
            others = [pair for pair in others if trust_of(pair[1].trust) >= self._least]
            found[id] = Successors(
                revision=next((one for role, one in brought if role == "revision"), None),
                revised_by=revised_by,
                solutions=[one for role, one in brought if role == "solution"],
                contradicted_by=contradicted_by,
                against=next((one for role, one in others if role == "against"), None),
                contradictions=contradictions,
                traits=frozenset(traits),
            )
        return found

    async def newer_first(self, namespace: str, nodes: Sequence[Features]) -> list[int]:
        """For each place, the place of the node that belongs there.

        Of two facts of an entity that say nearly the same, the newer one comes first.
        """
        facts = [node for node in nodes[:_ORDERED] if isinstance(node, KnowledgeFeatures)]
        entities = Counter(node.entity_id for node in facts)
        ids = [node.id for node in facts if node.entity_id is not None and entities[node.entity_id] > 1]
        pairs: list[tuple[str, str]] = []
        if ids:
            slot = await self._vectors.slot()
            pairs = await self._graph.run(
                NEWER_FACTS.for_slot(slot), {"namespace": namespace, "ids": ids, "least": _ALIKE}
            )
        return newer_first([node.id for node in nodes], pairs)

    async def complete(self, namespace: str, nodes: Sequence[Features], length: int = MAX_CONTENT) -> None:
        """Replace the beginnings of long texts by the whole texts, of at most ``length`` characters."""
        cut = {node.id: node for node in nodes if node.length > len(node.text)}
        if cut:
            given: Parameters = {"namespace": namespace, "ids": list(cut), "text_length": length}
            for id, text in await self._graph.run(READ_TEXTS, given):
                cut[id].text = text

    async def _run(self, query: Query[Row], parameters: Parameters, vector: list[float] | None) -> list[Row]:
        """Run a search; one without a vector needs none of the database's, but their indexes."""
        if vector is not None:
            return await self._vectors.run(query, parameters)
        try:
            return await self._graph.run(query.for_slot(await self._vectors.slot()), parameters)
        except DatabaseError as raised:
            if not is_index_missing(raised):
                raise
            return await self._vectors.run(query, parameters)  # which creates them


def _of_memories(place: Scope, before: datetime) -> Parameters:
    return {
        "namespace": place.namespace,
        "own_session": place.own_session,
        "before": before,
        "vector": place.vector,
    }
