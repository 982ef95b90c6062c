"""The parameters of think/store_thoughts.cypher: thoughts hashed in their order, with what they recalled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypedDict

from legacymind.db.query import Parameters
from legacymind.model.base import LINKS
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.memories import RankedMemory
from legacymind.services.chain import hashing
from legacymind.services.recall.policy import RECALLS_CAP
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.shared.deferred import DEFERRED_FLAG
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.think.hypotheses import Tested
from legacymind.services.think.mentions import MOST_MENTIONS
from legacymind.services.think.session_slots import Head
from legacymind.services.think.thought import Thought, hashed, properties
from legacymind.text.keys import PossibleNames


class NewLink(TypedDict):
    """A link to create: the property's name, the relationship type and the target's id."""

    name: str
    type: str
    id: str


class NewMemory(TypedDict):
    """A memory to relate to a new thought, in its place; ``recall``: what the relationship stores."""

    id: str
    is_thought: bool
    via: str
    recall: dict[str, Any]


class NewEvidence(TypedDict):
    """Knowledge that a hypothesis was tested against, and the type of its relationship to the thought."""

    id: str
    type: str
    cosine: float


class NewThought(TypedDict):
    """One thought to store with what it recalled; ``verified`` are the properties of its verification."""

    id: str
    namespace: str
    session_id: str | None
    links: list[NewLink]
    properties: dict[str, Any]
    vector: list[float] | None
    recorded_at: datetime
    memories: list[NewMemory]
    verified: dict[str, Any] | None
    evidence: list[NewEvidence]
    names: list[PossibleNames]


class SessionHead(TypedDict):
    """A session to append to; its head must have the hash ``prev_hash``."""

    namespace: str
    session_id: str
    genesis: str
    prev_hash: str
    recorded_at: datetime


SessionKey = tuple[str, str]
"""A namespace and a session id."""


@dataclass(frozen=True, slots=True)
class ThoughtWithVector:
    """A thought with its vector, and the vector of its hypothesis when that is tested.

    ``question`` is the vector for recall if it is not the thought's own. ``authors`` are those that a
    question names. Without a vector it recalls nothing and is embedded later (see ``shared/deferred.py``).
    """

    thought: Thought
    vector: list[float] | None
    hypothesis: list[float] | None = None
    question: list[float] | None = None
    authors: Sequence[str] = ()

    @property
    def recalls(self) -> bool:
        """Whether it recalls memories or tests a hypothesis."""
        wanted = self.thought.policy.recalls or self.thought.hypothesis_test is not None
        return self.vector is not None and wanted


@dataclass(frozen=True, slots=True)
class Recollection:
    """What a thought recalled, how its hypothesis was tested, and its text if the session has it already."""

    memories: Sequence[RankedMemory] = ()
    tested: Tested | None = None
    stated: ThoughtFeatures | None = None


NO_RECOLLECTION: Final = Recollection()


class HashedThoughts:
    """Thoughts hashed in order, each after its session's head, which the previous thought moved."""

    def __init__(
        self, embedded: Sequence[ThoughtWithVector], heads: Mapping[SessionKey, Head], keys: ChainKeys
    ) -> None:
        self.embedded = embedded
        self.heads = dict(heads)
        """The heads after all thoughts."""
        self.sessions: list[SessionHead] = [
            {
                "namespace": namespace,
                "session_id": session_id,
                "genesis": hashing.genesis(namespace, session_id),
                "prev_hash": head.hash,
                "recorded_at": embedded[0].thought.recorded_at,
            }
            for (namespace, session_id), head in heads.items()
        ]
        self.thoughts: dict[str, Thought] = {}
        """The hashed thoughts by their ids."""
        for one in embedded:
            thought = one.thought
            place = (thought.namespace, thought.session_id or "")
            made = self.thoughts[thought.id] = hashed(thought, self.heads.get(place), keys)
            if made.step_index is not None and made.chain_hash is not None:
                self.heads[place] = Head(made.chain_hash, made.step_index, thought.id, made.key_id)


def links_of(thought: Thought) -> list[NewLink]:
    """The links of a thought to create."""
    targets = [(name, kind, getattr(thought, name)) for name, kind in LINKS]
    return [{"name": name, "type": kind, "id": target} for name, kind, target in targets if target]


def parameters(
    hashed: HashedThoughts,
    recollections: Mapping[str, Recollection],
    claim: ClaimedSlot,
) -> Parameters:
    """The parameters of think/store_thoughts.cypher; ``recollections`` are by the ids of the thoughts."""
    return {
        "fingerprint": claim.fingerprint,
        "sessions": hashed.sessions,
        "thoughts": [
            _new(
                hashed.thoughts[one.thought.id],
                one.vector,
                recollections.get(one.thought.id, NO_RECOLLECTION),
                claim,
            )
            for one in hashed.embedded
        ],
        "recalls_cap": RECALLS_CAP,
        "most_mentions": MOST_MENTIONS,
    }


def _new(
    thought: Thought,
    vector: list[float] | None,
    recollection: Recollection,
    claim: ClaimedSlot,
) -> NewThought:
    """One item of the statement's $thoughts."""
    embedding = {f"embedding_{claim.slot}_at": thought.recorded_at} if vector else DEFERRED_FLAG
    links = links_of(thought)
    # The chain may have moved since recall: what the thought follows now is no memory of it.
    linked = {link["id"] for link in links}
    tested = recollection.tested if thought.hypothesis_test and thought.hypothesis_test.persist else None
    return {
        "id": thought.id,
        "namespace": thought.namespace,
        "session_id": thought.session_id,
        "links": links,
        "properties": {**properties(thought), **embedding},
        "vector": vector,
        "recorded_at": thought.recorded_at,
        "memories": [
            _memory(memory, thought) for memory in recollection.memories if memory.node.id not in linked
        ],
        "verified": None if tested is None else tested.properties(),
        "evidence": [] if tested is None else _evidence(tested),
        "names": thought.names,
    }


def _memory(memory: RankedMemory, thought: Thought) -> NewMemory:
    node = memory.node
    # Its score has four decimals, as in results: Neo4j Browser shows it as a caption and cannot round. The
    # weight is exact, since it decays.
    recall: dict[str, Any] = {
        "score": round(memory.score, 4),
        "weight": memory.score,
        "cosine": node.cosine,
        **{f"part_{name}": part for name, part in memory.parts.items()},
        "via": memory.via,
        "copies": memory.copies if memory.copies > 1 else None,
        "revised_by": memory.revised_by,
        "solved_by": memory.solved_by,
        "contradicted_by": memory.contradicted_by,
        "mode": thought.selection.mode,
        "scale": thought.policy.scale,
    }
    return {
        "id": node.id,
        "is_thought": memory.is_thought,
        "via": memory.via,
        "recall": {name: value for name, value in recall.items() if value is not None},
    }


def _evidence(tested: Tested) -> list[NewEvidence]:
    return [
        {
            "id": item.node.id,
            "type": "CONTRADICTS" if item.against else "REINFORCES",
            "cosine": round(item.node.cosine, 4),
        }
        for item in tested.evidence
    ]
