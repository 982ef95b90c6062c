"""An attempt to store thoughts: they are hashed after the heads of their sessions, and sent with memories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from legacymind.db.query import Parameters
from legacymind.model.properties import values
from legacymind.model.stored import Thought as StoredThought
from legacymind.ranking.memories import RankedMemory
from legacymind.services.chain import hashing
from legacymind.services.chain.reads import StoredHead
from legacymind.services.recall.hypotheses import Tested
from legacymind.services.recall.policy import RECALLS_CAP
from legacymind.services.recall.recall import Recalled
from legacymind.services.shared.chain_keys import ChainKeys
from legacymind.services.shared.deferred import DEFERRED_FLAG
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.think.heads import Head, SessionKey
from legacymind.services.think.mentions import MOST_MENTIONS
from legacymind.services.think.thought import Thought

StoreVerdict = Literal["stored", "exists", "partial", "moved", "embedding"]
"""The outcome of an attempt to store thoughts; see think/store_thoughts.cypher."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One thought of an attempt to store thoughts.

    ``waiting`` are the targets of its links that do not exist, ``revised`` what it revises and another
    thought revised before, with that one, and ``kept`` its memories that still exist.
    """

    verdict: StoreVerdict
    id: str
    head: StoredHead | None
    waiting: list[str]
    revised: list[list[str]]
    kept: list[str]


class Attempt(NamedTuple):
    """Thoughts, ``steps``: the same hashed after the heads of their sessions, and the statement's answer."""

    thoughts: Sequence[Thought]
    steps: Sequence[Thought]
    before: Mapping[SessionKey, Head]
    heads: Mapping[SessionKey, Head]
    rows: Sequence[StoredRow] = ()

    @classmethod
    def of(cls, thoughts: Sequence[Thought], heads: Mapping[SessionKey, Head], keys: ChainKeys) -> "Attempt":
        """The thoughts hashed after these heads."""
        steps, moved = hashed_in_order(thoughts, heads, keys)
        return cls(thoughts, steps, heads, moved)

    @property
    def verdict(self) -> StoreVerdict:
        """The verdict, which is the same for all thoughts."""
        return self.rows[0].verdict

    def parameters(self, recalled: Mapping[str, Recalled], claim: ClaimedSlot) -> Parameters:
        """The parameters of the statement that stores them; ``recalled`` is by their ids."""
        return {
            "fingerprint": claim.fingerprint,
            "sessions": [
                {
                    "namespace": namespace,
                    "session_id": session_id,
                    "genesis": hashing.genesis(namespace, session_id),
                    "prev_hash": head.hash,
                    "recorded_at": self.steps[0].recorded_at,
                }
                for (namespace, session_id), head in self.before.items()
            ],
            "thoughts": [_new(step, recalled.get(step.id, Recalled()), claim) for step in self.steps],
            "recalls_cap": RECALLS_CAP,
            "most_mentions": MOST_MENTIONS,
        }


def hashed(thought: Thought, head: Head | None, keys: ChainKeys) -> Thought:
    """The thought hashed after ``head``. Without a head it belongs to no chain."""
    previous, fates = thought.previous_thought_id, thought.fates
    # A thought that revises or branches from the latest one already has a link to it.
    taken = {None, thought.revises_thought, thought.branch_from}
    if previous is None and head is not None and head.thought_id not in taken:
        previous, fates = head.thought_id, {"previous_thought_id": "automatic", **fates}
    step = replace(
        thought,
        previous_thought_id=previous,
        fates=fates,
        step_index=None if head is None else head.step + 1,
        chained=None if head is None else True,
        hash_version=hashing.HASH_VERSION,
        hash_alg=keys.alg,
        key_id=keys.current,
    )
    content_hash = hashing.content_hash(properties(step))
    if head is None:
        return replace(step, content_hash=content_hash)
    return replace(
        step,
        content_hash=content_hash,
        prev_hash=head.hash,
        chain_hash=hashing.chain_hash(head.hash, content_hash, keys.secret(keys.current)),
    )


def hashed_in_order(
    thoughts: Sequence[Thought], heads: Mapping[SessionKey, Head], keys: ChainKeys
) -> tuple[list[Thought], dict[SessionKey, Head]]:
    """Thoughts hashed in order, each after its session's head, which it moves, and the heads after them."""
    moved, steps = dict(heads), list[Thought]()
    for thought in thoughts:
        step = hashed(thought, moved.get(thought.session), keys)
        steps.append(step)
        if step.step_index is not None and step.chain_hash is not None:
            moved[thought.session] = Head(step.chain_hash, step.step_index, step.id, step.key_id)
    return steps, moved


def properties(thought: Thought) -> dict[str, Any]:
    """The properties of a thought to store: those with a value."""
    return values(StoredThought, thought)


def _new(thought: Thought, recalled: Recalled, claim: ClaimedSlot) -> dict[str, Any]:
    """One item of the statement's $thoughts."""
    embedding = {f"embedding_{claim.slot}_at": thought.recorded_at} if thought.vector else DEFERRED_FLAG
    # The chain may have moved since recall: what the thought follows now is no memory of it.
    linked = {link["id"] for link in thought.links}
    memories = [one for one in recalled.memories if one.node.id not in linked and one.namespace is None]
    test, tested = thought.hypothesis_test, recalled.tested
    if test is None or not test.persist:
        tested = None
    return {
        "id": thought.id,
        "namespace": thought.namespace,
        "session_id": thought.session_id,
        "links": thought.links,
        "properties": {**properties(thought), **embedding, **({} if tested is None else tested.properties())},
        "vector": thought.vector,
        "recorded_at": thought.recorded_at,
        "memories": [_memory(one, thought) for one in memories],
        "evidence": [] if tested is None else _evidence(tested),
        "names": thought.names,
    }


def _memory(memory: RankedMemory, thought: Thought) -> dict[str, Any]:
    node = memory.node
    # Its score has four decimals, as in results: Neo4j Browser shows it as a caption and cannot round. The
    # weight is exact, since it decays.
    recall: dict[str, Any] = {
        "score": round(memory.score, 4),
        "weight": memory.weight,
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


def _evidence(tested: Tested) -> list[dict[str, Any]]:
    return [
        {"id": node.id, "type": type, "cosine": round(node.cosine, 4)}
        for type, nodes in (("REINFORCES", tested.supporting), ("CONTRADICTS", tested.contradicting))
        for node in nodes
    ]
