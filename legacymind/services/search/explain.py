"""Explanation of a recall: why memories were recalled, and why others were not."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import MAX_CONTENT, Kind
from legacymind.model.members import Id
from legacymind.model.think import ScoreParts
from legacymind.model.trails import ExplainedMemory, MissedMemory, MissReason, RecallExplanation
from legacymind.model.values import skipped, whole
from legacymind.operations.registry import operation
from legacymind.services.recall import policy as recall_policy
from legacymind.services.shared import budget, checks
from legacymind.services.shared.budget import MaxTokens, WholeTexts
from legacymind.services.shared.entities import as_time
from legacymind.services.shared.parameters import Namespace, ThoughtId
from legacymind.services.shared.scores import round_score
from legacymind.services.shared.service import Service
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.shared.visibility import OwnSessionId, resolve_own_session
from legacymind.services.think.recalled import READ_RECALL, PrunedMemory, RecalledMemory, RecallingThought


class NearMiss(TypedDict):
    """A memory that a thought nearly recalled; ``cosine`` is null when it has no vector."""

    id: str
    kind: Kind
    text: str | None
    cosine: float | None
    created_at: datetime | None
    author: str | None
    outside_chain: bool


class MissedRow(TypedDict):
    """What a thought nearly recalled, nearest first."""

    missed: list[NearMiss]


FIND_MISSED = load("search/find_missed", MissedRow, writes=False)


class WeighedMemory(NearMiss):
    """A memory with everything that recall would have checked."""

    redacted_at: datetime | None
    recorded_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    hot: bool


class WeighedRow(TypedDict):
    """A memory as recall would have weighed it; null when it does not exist or is private."""

    memory: WeighedMemory | None


WEIGH_MEMORY = load("search/weigh_memory", WeighedRow, writes=False)


_MEMORIES: Final = 20
_TEXT: Final = 400
_EXTRA_CANDIDATES: Final = 10
"""Candidates beyond those of recall itself that are read for near misses."""

_PARTS: Final = tuple(field.name for field in dataclasses.fields(ScoreParts))


class ExplainService(Service):
    """Explains recalls. Access counts are not updated."""

    @operation(tool="explain_recall", command="explain", writes=False, profile="full")
    async def explain_recall(
        self,
        thought_id: ThoughtId,
        memory_id: Annotated[
            Id | None,
            about("This one only", "Explain only this memory, recalled or not. Default: all recalled ones"),
        ] = None,
        missed: Annotated[int, whole(0, 20), about("Near misses", "Narrowly missed memories to show")] = 5,
        session_id: OwnSessionId = None,
        limit: Annotated[
            int, whole(1, 100), about("Memories per page", "Recalled memories on a page")
        ] = _MEMORIES,
        offset: Annotated[
            int,
            skipped(10_000, advice="lower offset"),
            about("Memories to skip", "Recalled memories to skip"),
        ] = 0,
        max_tokens: MaxTokens = None,
        whole_texts: WholeTexts = False,
        namespace: Namespace = None,
    ) -> RecallExplanation:
        """Explain a thought's recall: each memory, the parts of its score, near misses.

        Recalled memories are shown as they were stored with the thought. Near misses are searched again, with
        the thought's vector and its time window, among memories stored before it. Raises NotFound when the
        thought or the memory does not exist, or is private to another session.
        """
        own_id = checks.thought_id("thought_id", thought_id)
        requested = checks.thought_id("memory_id", memory_id)
        if requested == own_id:
            raise InvalidInput("A thought does not recall itself.", hint="Send another memory_id.")
        own_session = resolve_own_session(session_id, self._session_id, name="session_id")
        claim = await self._vectors.claim()
        namespace = checks.namespace(namespace, self._settings)
        length = MAX_CONTENT if whole_texts else _TEXT
        (row,) = await self._vectors.run(
            READ_RECALL,
            {
                "id": own_id,
                "namespace": namespace,
                "own_session": own_session,
                "text_length": length + 1,
            },
        )
        thought = row["thought"]
        if thought is None:
            raise checks.thought_not_found(own_id)
        # Neo4j also orders one instant by the name of its zone, and the driver names UTC differently than
        # Python.
        now = (as_time(thought["created_at"]) or datetime.now(UTC)).astimezone(UTC)
        thought["created_at"] = now
        memories = sorted(
            [_memory(memory, length) for memory in (*row["recalled"], *row["pruned"])],
            key=lambda memory: (memory.rank, memory.id),
        )
        recall = _StoredRecall(thought, self._policy(thought), memories, length)
        for memory in row["recalled"]:
            if requested is not None and memory["merged_from"] == requested:
                requested = memory["id"]
        shown = [memory for memory in memories if requested in (None, memory.id)]
        near: list[MissedMemory] = []
        if requested is not None and not shown:
            near = [await self._explain_missed(recall, requested, namespace, own_session, claim)]
        elif requested is None and missed and not offset and recall.recalls and thought["embedded"]:
            near = (await self._missed(recall, namespace, own_session, claim))[:missed]
        page = shown[offset : offset + limit]
        allowed = budget.allowance(max_tokens, limit, _MEMORIES)
        text = budget.beginning(thought["text"], length)
        frame = 2 * budget.frame(own_id, namespace) + budget.tokens([text])
        fitting, left_out = budget.fit([*page, *near], allowed, reserve=frame)
        explained = [item for item in fitting if isinstance(item, ExplainedMemory)]
        policy = recall.policy
        return RecallExplanation(
            thought_id=own_id,
            text=text,
            created_at=now,
            redacted_at=thought["redacted_at"],
            outside_chain=thought["outside_chain"] or None,
            mode=thought["mode"],
            submode=thought["submode"],
            scale=policy.scale,
            threshold_knowledge=round(policy.knowledge.threshold, 4),
            threshold_thoughts=round(policy.thoughts.threshold, 4),
            since=policy.reach if recall.windowed else None,
            memories=explained,
            missed=[item for item in fitting if isinstance(item, MissedMemory)],
            recalled=len(memories),
            pruned=sum(memory.pruned for memory in memories),
            offset=offset,
            more=len(shown) > offset + len(explained),
            left_out=left_out,
            note=_note(recall),
        )

    def _policy(self, thought: RecallingThought) -> recall_policy.RecallPolicy:
        stored = str(thought["mode"])
        mode = stored if stored in recall_policy.WEIGHTS else "question"
        thresholds = self._vectors.thresholds
        scale = thought["injection_scale"] or 0
        now = thought["created_at"]
        return recall_policy.policy_for(scale, mode, thought["submode"], now, thresholds, self._settings)

    async def _missed(
        self, recall: "_StoredRecall", namespace: str, own_session: str, claim: ClaimedSlot
    ) -> list[MissedMemory]:
        """The nearest memories that were not recalled, the closest to its threshold first."""
        (row,) = await self._graph.run(
            FIND_MISSED.for_slot(claim.slot),
            {
                "id": recall.thought["id"],
                "namespace": namespace,
                "own_session": own_session,
                "created_at": recall.thought["created_at"],
                "since": recall.policy.reach,
                "knowledge_k": recall.policy.knowledge_k + _EXTRA_CANDIDATES,
                "thoughts_k": recall.policy.thoughts_k + _EXTRA_CANDIDATES,
                "excluded": [recall.thought["id"], *recall.links, *(memory.id for memory in recall.memories)],
                "text_length": recall.length + 1,
            },
        )
        memories = [recall.to_missed(memory) for memory in row["missed"]]
        return sorted(memories, key=lambda memory: (memory.short_by or 0.0, memory.id))

    async def _explain_missed(
        self, recall: "_StoredRecall", memory_id: str, namespace: str, own_session: str, claim: ClaimedSlot
    ) -> MissedMemory:
        """One memory that was not recalled, with the first reason that applies."""
        (row,) = await self._graph.run(
            WEIGH_MEMORY.for_slot(claim.slot),
            {
                "id": recall.thought["id"],
                "memory_id": memory_id,
                "namespace": namespace,
                "own_session": own_session,
                "text_length": recall.length + 1,
            },
        )
        if row["memory"] is None:
            raise NotFound(
                f"There is no memory {memory_id} in this namespace, or it is private.",
                hint="Check the id, or find it with legacymind_search.",
            )
        return recall.to_missed(row["memory"])


@dataclass(frozen=True, slots=True)
class _StoredRecall:
    """A stored thought, its recall policy, the memories it recalled, and the characters of a text to show."""

    thought: RecallingThought
    policy: recall_policy.RecallPolicy
    memories: Sequence[ExplainedMemory]
    length: int

    @property
    def links(self) -> list[str]:
        thought = self.thought
        targets = (
            thought["previous_thought_id"],
            thought["revises_thought"],
            thought["branch_from"],
            thought["parent_id"],
        )
        return [target for target in targets if target is not None]

    @property
    def recalls(self) -> bool:
        return self.policy.scale > 0

    @property
    def windowed(self) -> bool:
        return self.recalls and self.policy.reach.year > 1

    def relatedness(self, kind: str) -> recall_policy.Relatedness:
        """When memories of this kind count as related."""
        return self.policy.thoughts if kind == "thought" else self.policy.knowledge

    def to_missed(self, row: NearMiss | WeighedMemory) -> MissedMemory:
        threshold, cosine = self.relatedness(row["kind"]).threshold, row["cosine"]
        return MissedMemory(
            id=row["id"],
            kind=row["kind"],
            text=budget.beginning(row["text"], self.length),
            reason=self._reason(row),
            cosine=round_score(cosine),
            threshold=round(threshold, 4),
            short_by=None if cosine is None else round(threshold - cosine, 4),
            created_at=row["created_at"],
            author=row["author"],
            redacted_at=row.get("redacted_at"),
            outside_chain=row["outside_chain"] or None,
        )

    def _reason(self, row: NearMiss | WeighedMemory) -> MissReason:
        now, of_thought = self.thought["created_at"], row["kind"] == "thought"
        recorded, thought_recorded = as_time(row.get("recorded_at")), as_time(self.thought["recorded_at"])
        if not self.recalls:
            return "nothing_recalled"
        if row["id"] in self.links:
            return "linked"
        if row["outside_chain"]:
            return "outside_chain"
        created, cosine = row["created_at"] if of_thought else None, row["cosine"]
        if (created and created >= now) or (recorded and thought_recorded and recorded > thought_recorded):
            return "later"
        if created and created < self.policy.reach:
            return "outside_window"
        valid_from, valid_to = as_time(row.get("valid_from")), as_time(row.get("valid_to"))
        if not of_thought and valid_from and valid_to and not valid_from <= now < valid_to:
            return "not_valid_then"
        if cosine is None:
            return "not_embedded"
        if cosine < self.relatedness(row["kind"]).threshold:
            return "below_threshold"
        return "outranked" if row.get("hot", True) else "dormant"


def _memory(row: RecalledMemory | PrunedMemory, length: int) -> ExplainedMemory:
    cosine = row.get("cosine")
    parts = {name: row.get(f"part_{name}") for name in _PARTS}
    via = row["via"]
    return ExplainedMemory(
        id=row["id"],
        rank=row["rank"],
        score=round(row["score"], 4),
        kind=row["kind"],
        text=budget.beginning(row["text"], length),
        via=via,
        cosine=round_score(cosine),
        parts=None
        if None in parts.values()
        else ScoreParts(**{name: round(part, 4) for name, part in parts.items() if part is not None}),
        pruned=via is None,
        created_at=row["created_at"],
        author=row["author"],
        revised_by=row.get("revised_by"),
        solved_by=row.get("solved_by"),
        contradicted_by=row.get("contradicted_by"),
        redacted_at=row["redacted_at"],
        outside_chain=row["outside_chain"] or None,
    )


def _note(recall: _StoredRecall) -> str | None:
    if not recall.recalls:
        return "The thought has injection scale 0, which recalls nothing."
    if not recall.thought["embedded"]:
        return "The thought has no vector, so near misses are unknown."
    if any(memory.pruned for memory in recall.memories):
        return "Pruned memories keep only their rank and score."
    return None
