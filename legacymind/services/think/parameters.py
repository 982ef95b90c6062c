"""The parameters of think/think.cypher: thoughts hashed in their order, with their recall policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from legacymind.db.parameters.think import (
    Companion,
    EmbeddedThought,
    NewHypothesisTest,
    NewLink,
    NewPlaybooks,
    NewThought,
    RelatednessMap,
    SessionHead,
    Think,
)
from legacymind.db.stored import StoredThought
from legacymind.model.base import LINKS, MAX_CONTENT
from legacymind.services.chain import hashing
from legacymind.services.shared.deferred import DEFERRED_FLAG
from legacymind.services.shared.vectors import ClaimedSlot, Vectors
from legacymind.services.think import recall_policy
from legacymind.services.think.recall_policy import Relatedness
from legacymind.services.think.session_slots import Head
from legacymind.services.think.thought import Thought, properties
from legacymind.text import error_signature, fulltext, query_analysis

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


class HashedThoughts:
    """Thoughts hashed in order, each after its session's head, which the previous thought moved."""

    def __init__(
        self, embedded: Sequence[ThoughtWithVector], heads: Mapping[SessionKey, Head], keys: hashing.ChainKeys
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
        self.properties: dict[str, StoredThought] = {}
        for one in embedded:
            thought = one.thought
            place = (thought.namespace, thought.session_id or "")
            made = properties(thought, self.heads.get(place), keys)
            self.properties[thought.id] = made
            if (step := made["step_index"]) is not None and (chain_hash := made["chain_hash"]) is not None:
                self.heads[place] = Head(chain_hash, step, thought.id, made["key_id"])


def parameters(
    hashed: HashedThoughts, vectors: Vectors, claim: ClaimedSlot, *, texts: bool, most_relationships: int
) -> Think:
    """The parameters of think/think.cypher. Each limit is the largest that one of the thoughts needs.

    ``texts``: whether the statement returns the texts of memories and evidence. It names the thoughts with
    more than ``most_relationships``.
    """
    thoughts = [one.thought for one in hashed.embedded]
    companions = _nearest_in_batch(hashed.embedded)
    return {
        "fingerprint": claim.fingerprint,
        "sessions": hashed.sessions,
        "thoughts": [
            _new(one, hashed.properties[one.thought.id], near, vectors, claim)
            for one, near in zip(hashed.embedded, companions, strict=True)
        ],
        "pool": max((thought.policy.pool for thought in thoughts), default=1),
        "inside_pool": recall_policy.INSIDE_POOL,
        "knowledge_pool": max((1, *(thought.policy.knowledge_k for thought in thoughts))),
        "evidence_pool": max(
            (thought.hypothesis_test.top_k for thought in thoughts if thought.hypothesis_test), default=1
        ),
        "recalls_cap": recall_policy.RECALLS_CAP,
        "standing_pool": recall_policy.STANDING_POOL,
        "standing_related": recall_policy.STANDING_RELATED,
        "text_length": MAX_CONTENT if texts else 0,
        "most_relationships": most_relationships,
    }


def _new(
    one: ThoughtWithVector,
    properties: StoredThought,
    companions: list[Companion],
    vectors: Vectors,
    claim: ClaimedSlot,
) -> NewThought:
    """One item of the statement's $thoughts."""
    thought, policy = one.thought, one.thought.policy
    # A thought that recalls nothing, such as an imported one, is not analysed.
    asked = thought.content if policy.thoughts_k or policy.knowledge_k else ""
    words = fulltext.word_stems(asked)
    targets = {
        "previous_thought_id": properties["previous_thought_id"],
        "revises_thought": properties["revises_thought"],
        "branch_from": properties["branch_from"],
        "parent_id": properties["parent_id"],
    }
    links: list[NewLink] = [
        {"name": name, "type": kind, "id": target} for name, kind in LINKS if (target := targets[name])
    ]
    embedding = vectors.details(claim.slot, thought.recorded_at) if one.vector else DEFERRED_FLAG
    stored = {name: value for name, value in properties.items() if value is not None}
    return {
        "id": thought.id,
        "namespace": thought.namespace,
        "session_id": thought.session_id,
        "submode": thought.submode,
        "links": links,
        "linked": [link["id"] for link in links],
        "properties": cast("EmbeddedThought", {**stored, **embedding}),
        "vector": one.vector,
        "question": one.question,
        "companions": companions,
        "created_at": thought.created_at,
        "recorded_at": thought.recorded_at,
        "knowledge_k": policy.knowledge_k if one.vector else 0,
        "knowledge": _relatedness(policy.knowledge, words),
        "floor": policy.floor,
        "thoughts_k": policy.thoughts_k if one.vector else 0,
        "thoughts": _relatedness(policy.thoughts, words),
        "since": policy.since,
        "reach": policy.reach,
        "beyond_k": policy.beyond,
        "standing_k": policy.standing if one.vector else 0,
        "session_k": policy.session if one.vector else 0,
        "session_from": max(0, (properties["step_index"] or 0) - recall_policy.SESSION_STEPS),
        "via": policy.via,
        "playbooks": _playbooks(thought, embedded=one.vector is not None),
        "lateral_types": list(policy.lateral),
        "hops": 2 if policy.scale == 5 else 1,
        "tie_break_pattern": policy.tie_break and policy.tie_break.words,
        "tie_break_name": policy.tie_break and policy.tie_break.name,
        "hypothesis_test": _hypothesis_test(one),
        # The latest minutes are searched by meaning alone.
        "text_query": fulltext.full_text_query(
            thought.namespace, "" if policy.via == "recent" else asked, thought.session_id or ""
        )
        or fulltext.NO_WORDS,
        "request": query_analysis.analyse_thought(
            asked, thought.author, thought.created_at, one.authors
        ).parameters(),
        "tau": policy.weights.tau,
        "w_similarity": policy.weights.similarity,
        "w_recency": policy.weights.recency,
        "w_salience": policy.weights.salience,
        "w_access": policy.weights.access,
        "w_contradiction": policy.contradiction,
    }


def _playbooks(thought: Thought, *, embedded: bool) -> NewPlaybooks:
    """Without an error, only similar problems can match."""
    policy = thought.policy
    kind, _, message = (thought.error_signature or "").partition(": ")
    wanted = embedded and (thought.error_signature is not None or policy.similar_problem <= 1)
    return {
        "k": policy.playbooks if wanted else 0,
        "suffice": policy.playbooks_suffice,
        "signature": thought.error_signature,
        "kind": kind if policy.similar_problem <= 1 and error_signature.is_type(kind) else None,
        "message": message or None,
        "text": error_signature.comparable(thought.content) if thought.error_signature else "",
        "threshold": policy.similar_problem,
    }


def _hypothesis_test(one: ThoughtWithVector) -> NewHypothesisTest | None:
    test = one.thought.hypothesis_test
    if test is None or one.vector is None:
        return None
    return {
        "vector": one.hypothesis or one.vector,
        "top_k": test.top_k,
        "min_cosine": test.min_similarity,
        "limit": test.limit,
        "pattern": test.pattern,
        "persist": test.persist,
    }


def _relatedness(relatedness: Relatedness, words: list[str]) -> RelatednessMap:
    counted = [] if relatedness.strict else words
    return {
        "threshold": relatedness.threshold,
        "zero": relatedness.zero,
        "least": relatedness.least,
        "share": relatedness.share,
        "words": counted,
        "word_count": max(1, len(counted)),
    }


def _nearest_in_batch(embedded: Sequence[ThoughtWithVector]) -> list[list[Companion]]:
    """For each thought of a batch, the nearest earlier ones: the index lacks uncommitted thoughts."""
    found: list[list[Companion]] = [[]]
    if len(embedded) <= 1 or embedded[0].vector is None:  # A batch has vectors for all thoughts or none.
        return [[] for _ in embedded]
    import numpy as np  # Imported here because its import is slow and only batches need it.

    matrix = np.array([one.vector for one in embedded])
    for n in range(1, len(embedded)):
        cosines = matrix[:n] @ matrix[n]
        policy = embedded[n].thought.policy
        best = [int(place) for place in np.argsort(-cosines)[: policy.pool]]
        found.append(
            [
                {"id": embedded[place].thought.id, "cosine": float(cosines[place])}
                for place in best
                if cosines[place] >= min(policy.floor, policy.thoughts.threshold)
            ]
        )
    return found
