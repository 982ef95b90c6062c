"""recall: what a text would bring to mind if it were a thought, without storing it."""

from typing import Annotated, Unpack

from legacymind.model.about import about
from legacymind.model.members import Id
from legacymind.model.think import RecallResult
from legacymind.model.values import Moment
from legacymind.operations.registry import operation
from legacymind.services.shared.parameters import VerboseAnalysis
from legacymind.services.shared.service import Service, ServiceContext
from legacymind.services.think.answer import AnswerOptions, ThinkTokens, answer_recall
from legacymind.services.think.inputs import Content, Hint, RecallOptions, ThoughtDraft
from legacymind.services.think.recollection import Recollector
from legacymind.services.think.result import as_memory, summary
from legacymind.services.think.service import ThinkService


class RecallService(Service):
    """Recalls for a text as think does. Stores nothing, and counts no access."""

    def __init__(self, context: ServiceContext, think: ThinkService, recollector: Recollector) -> None:
        super().__init__(context)
        self._think = think
        self._recollector = recollector

    @operation(tool="legacymind_recall", command="recall", writes=False, profile="full")
    async def recall(
        self,
        content: Content,
        hint: Hint = None,
        session_id: Annotated[
            Id | None,
            about(
                "Your session",
                "Session whose private thoughts are included. Default: that of the process",
            ),
        ] = None,
        created_at: Annotated[
            Moment | None,
            about(
                "ISO time",
                "ISO 8601 time to recall as of, UTC without a zone: only earlier memories. Default: now",
                tuning=True,
            ),
        ] = None,
        verbose_analysis: VerboseAnalysis = False,
        max_tokens: ThinkTokens = None,
        **options: Unpack[RecallOptions],
    ) -> RecallResult:
        """Recall what a text brings to mind, with scores and reasons. Stores nothing.

        The memories are those of a thought with this text, but no thought is stored and no access is
        counted. Raises InvalidInput, EmbeddingError or DatabaseError.
        """
        draft: ThoughtDraft = {
            "content": content,
            "hint": hint,
            "session_id": session_id,
            "created_at": created_at,
            "enhance": False,
            **options,
        }
        (thought,) = await self._think.prepared([draft])
        recalled = await self._recollector.recall(thought)
        memories = [as_memory(memory, rank) for rank, memory in enumerate(recalled, 1)]
        policy = thought.policy
        result = RecallResult(
            namespace=thought.namespace,
            mode_selected=thought.selection.mode,
            reason=thought.selection.reason,
            injection_scale=policy.scale,
            memories=memories,
            memory_summary=summary(memories, policy),
            threshold_knowledge=round(policy.knowledge.threshold, 4),
            threshold_thoughts=round(policy.thoughts.threshold, 4),
        )
        return answer_recall(result, thought.content, AnswerOptions(verbose_analysis, max_tokens))
