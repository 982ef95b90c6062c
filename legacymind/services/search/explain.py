"""Explanation of a recall: why memories were recalled, and why others were not."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import LINK_NAMES
from legacymind.model.graph import View
from legacymind.model.members import Id
from legacymind.model.trails import ExplainedMemory, MissedMemory, MissReason, RecallExplanation
from legacymind.model.values import whole
from legacymind.operations import budget
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import After, Paged, begin, by_offset
from legacymind.operations.registry import operation
from legacymind.services.recall import policy as recall_policy
from legacymind.services.shared import checks, items
from legacymind.services.shared.entities import as_time
from legacymind.services.shared.items import NodeRow, round_score
from legacymind.services.shared.parameters import Namespace, OwnSessionId, ThoughtId, resolve_own_session
from legacymind.services.shared.service import Service
from legacymind.services.shared.vectors import ClaimedSlot
from legacymind.services.think.known import RecalledMemory, memories

Weighed = tuple[str, float | None]
"""The id of a memory, and its cosine; null when it or the thought has no vector."""

FIND_MISSED = load("search/find_missed", Weighed, writes=False)
WEIGH_MEMORY = load("search/weigh_memory", Weighed, writes=False)


_MEMORIES: Final = 20
_TEXT: Final = 400
_EXTRA_CANDIDATES: Final = 10
"""Candidates beyond those of recall itself that are read for near misses."""


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
        after: After = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
    ) -> Paged[RecallExplanation]:
        """Explain a thought's recall: each memory, the parts of its weight, near misses.

        Recalled memories are shown as they were stored with the thought. Near misses are searched again, with
        the thought's vector and its time window, among memories stored before it. Raises NotFound when the
        thought or the memory does not exist, or is private to another session.
        """
        own_id, offset = checks.thought_id("thought_id", thought_id), begin(after)
        requested = checks.thought_id("memory_id", memory_id)
        if requested == own_id:
            raise InvalidInput("A thought does not recall itself.", hint="Send another memory_id.")
        own_session = resolve_own_session(session_id, self.session_id, name="session_id")
        claim = await self._vectors.claim()
        namespace = checks.namespace(namespace, self._settings)
        view = View(namespace, own_session)
        thought = (await self._rows(view, [own_id])).get(own_id)
        if thought is None or thought["kind"] != "thought":
            raise checks.thought_not_found(own_id)
        recalled = await memories(self._graph, view, thought["properties"], _TEXT + 1)
        explained_all = [_memory(memory) for memory in recalled]
        recall = _StoredRecall(thought, self._policy(thought["properties"]), explained_all)
        for memory in recalled:
            if requested is not None and memory.edge.get("merged_from") == requested:
                requested = memory.id
        shown = [memory for memory in explained_all if requested in (None, memory.id)]
        near: list[MissedMemory] = []
        if requested is not None and not shown:
            near = [await self._explain_missed(recall, requested, view, claim)]
        elif (
            requested is None
            and missed
            and not offset
            and recall.recalls
            and items.details(thought)["embedded"]
        ):
            near = (await self._missed(recall, view, claim))[:missed]
        stored, policy = thought["properties"], recall.policy
        explanation = RecallExplanation(
            thought_id=own_id,
            text=budget.beginning(stored.get("content"), _TEXT),
            created_at=recall.now,
            redacted_at=stored.get("redacted_at"),
            outside_chain=thought["outside_chain"] or None,
            mode=stored.get("mode"),
            submode=stored.get("submode"),
            scale=policy.scale,
            threshold_knowledge=round(policy.knowledge.threshold, 4),
            threshold_thoughts=round(policy.thoughts.threshold, 4),
            since=policy.reach if recall.windowed else None,
            memories=shown[offset : offset + limit],
            missed=near,
            recalled=len(recalled),
            pruned=sum(memory.pruned for memory in explained_all),
            note=_note(recall),
        )
        more = len(shown) > offset + limit
        return by_offset(explanation, "memories", "missed", offset=offset, more=more)

    def _policy(self, thought: Mapping[str, Any]) -> recall_policy.RecallPolicy:
        stored = str(thought.get("mode"))
        mode = stored if stored in recall_policy.WEIGHTS else "question"
        thresholds, scale = self._vectors.thresholds, thought.get("injection_scale") or 0
        return recall_policy.policy_for(
            scale, mode, thought.get("submode"), _thought_at(thought), thresholds, self._settings
        )

    async def _rows(self, view: View, ids: Iterable[str]) -> dict[str, NodeRow]:
        return await items.rows(self._graph, view, sorted(ids), length=_TEXT + 1, whole=True)

    async def _missed(self, recall: "_StoredRecall", view: View, claim: ClaimedSlot) -> list[MissedMemory]:
        """The nearest memories that were not recalled, the closest to its threshold first."""
        own_id = recall.thought["properties"]["id"]
        found = await self._graph.run(
            FIND_MISSED.for_slot(claim.slot),
            {
                "id": own_id,
                "namespace": view.namespace,
                "own_session": view.own_session,
                "created_at": recall.now,
                "since": recall.policy.reach,
                "knowledge_k": recall.policy.knowledge_k + _EXTRA_CANDIDATES,
                "thoughts_k": recall.policy.thoughts_k + _EXTRA_CANDIDATES,
                "excluded": [own_id, *recall.links, *(memory.id for memory in recall.memories)],
            },
        )
        nodes = await self._rows(view, (id for id, _ in found))
        memories = [recall.to_missed(nodes[id], cosine) for id, cosine in found if id in nodes]
        return sorted(memories, key=lambda memory: (memory.short_by or 0.0, memory.id))

    async def _explain_missed(
        self, recall: "_StoredRecall", memory_id: str, view: View, claim: ClaimedSlot
    ) -> MissedMemory:
        """One memory that was not recalled, with the first reason that applies."""
        found = await self._graph.run(
            WEIGH_MEMORY.for_slot(claim.slot),
            {
                "id": recall.thought["properties"]["id"],
                "memory_id": memory_id,
                "namespace": view.namespace,
                "own_session": view.own_session,
            },
        )
        nodes = await self._rows(view, (id for id, _ in found))
        if not nodes:
            raise NotFound(
                f"There is no memory {memory_id} in this namespace, or it is private.",
                hint="Check the id, or find it with legacymind_search.",
            )
        id, cosine = found[0]
        return recall.to_missed(nodes[id], cosine)


@dataclass(frozen=True, slots=True)
class _StoredRecall:
    """A stored thought, its recall policy, the memories it recalled, and the characters of a text to show."""

    thought: NodeRow
    policy: recall_policy.RecallPolicy
    memories: Sequence[ExplainedMemory]

    @property
    def now(self) -> datetime:
        """When it was thought."""
        return _thought_at(self.thought["properties"])

    @property
    def links(self) -> list[str]:
        """The ids of the thoughts that it links to."""
        return [target for name in LINK_NAMES if (target := self.thought["properties"].get(name))]

    @property
    def recalls(self) -> bool:
        return self.policy.scale > 0

    @property
    def windowed(self) -> bool:
        return self.recalls and self.policy.reach.year > 1

    def relatedness(self, kind: str) -> recall_policy.Relatedness:
        """When memories of this kind count as related."""
        return self.policy.thoughts if kind == "thought" else self.policy.knowledge

    def to_missed(self, row: NodeRow, cosine: float | None) -> MissedMemory:
        threshold = self.relatedness(row["kind"]).threshold
        return items.record(
            MissedMemory,
            row,
            _TEXT,
            reason=self._reason(row, cosine),
            cosine=round_score(cosine),
            threshold=round(threshold, 4),
            short_by=None if cosine is None else round(threshold - cosine, 4),
        )

    def _reason(self, row: NodeRow, cosine: float | None) -> MissReason:
        stored, of_thought, now = row["properties"], row["kind"] == "thought", self.now
        recorded = as_time(stored.get("recorded_at"))
        thought_recorded = as_time(self.thought["properties"].get("recorded_at"))
        if not self.recalls:
            return "nothing_recalled"
        if stored["id"] in self.links:
            return "linked"
        if row["outside_chain"]:
            return "outside_chain"
        created = as_time(stored.get("created_at")) if of_thought else None
        if (created and created >= now) or (recorded and thought_recorded and recorded > thought_recorded):
            return "later"
        if created and created < self.policy.reach:
            return "outside_window"
        valid_from, valid_to = as_time(stored.get("valid_from")), as_time(stored.get("valid_to"))
        if not of_thought and valid_from and valid_to and not valid_from <= now < valid_to:
            return "not_valid_then"
        if cosine is None:
            return "not_embedded"
        if cosine < self.relatedness(row["kind"]).threshold:
            return "below_threshold"
        return "dormant" if of_thought and stored.get("hot") is not True else "outranked"


def _thought_at(thought: Mapping[str, Any]) -> datetime:
    # Neo4j also orders one instant by the name of its zone, and the driver names UTC differently than Python.
    at = as_time(thought.get("created_at")) or as_time(thought.get("recorded_at")) or datetime.now(UTC)
    return at.astimezone(UTC)


def _memory(memory: RecalledMemory) -> ExplainedMemory:
    then: dict[str, Any] = {
        "id": memory.id,
        "rank": memory.rank,
        "score": round(memory.score, 4),
        "via": memory.via,
        "cosine": round_score(memory.edge.get("cosine")),
        "pruned": memory.via is None,
    }
    if memory.node is None:
        return ExplainedMemory(**then, kind=None, text="", parts=None, created_at=None, author=None)
    return memory.record(ExplainedMemory, memory.node, _TEXT, **then)


def _note(recall: _StoredRecall) -> str | None:
    if not recall.recalls:
        return "The thought has injection scale 0, which recalls nothing."
    if not items.details(recall.thought)["embedded"]:
        return "The thought has no vector, so near misses are unknown."
    if any(memory.pruned for memory in recall.memories):
        return "Pruned memories keep only their rank and score."
    return None
