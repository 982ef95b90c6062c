"""think: embed a thought, find and rank what it recalls, and store it with that, linked and chained."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, Unpack

from legacymind.errors import InvalidInput
from legacymind.model.about import about
from legacymind.model.base import Mode
from legacymind.model.members import Id
from legacymind.model.think import BatchedThought, LinksTelemetry, ThinkBatchResult, ThinkResult
from legacymind.operations.registry import operation
from legacymind.services.shared import checks
from legacymind.services.shared.parameters import VerboseAnalysis
from legacymind.services.shared.service import Service
from legacymind.services.shared.together import in_thread_if_large
from legacymind.services.think.answer import AnswerOptions, ThinkTokens
from legacymind.services.think.inputs import Content, Hint, ThinkOptions, ThoughtDraft, ThoughtInput
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought, prepare

Work = Literal["plan", "build", "debug", "stuck"]

MAX_BATCH: Final = 100
"""Thoughts of one batch. A batch is one transaction, and its locks may block other writers."""

_CONVERSATIONAL: Final[tuple[Mode, ...]] = ("question", "conclude")
_TECHNICAL: Final[tuple[Mode, ...]] = ("build", "plan", "debug", "stuck")


class ThinkService(Service):
    """Stores thoughts and recalls memories for them."""

    _store: Store

    @operation(tool="legacymind_think", command="think", writes=True)
    async def think(
        self,
        content: Content,
        hint: Hint = None,
        verbose_analysis: VerboseAnalysis = False,
        max_tokens: ThinkTokens = None,
        **options: Unpack[ThinkOptions],
    ) -> ThinkResult:
        """Store a thought and return what it recalls.

        It recalls earlier thoughts and knowledge, and its hypothesis is tested against stored knowledge. One
        statement then stores it, links it and adds it to its session's hash chain. Raises InvalidInput,
        Conflict when the idempotency key was used with other content, EmbeddingError or DatabaseError. After
        an error nothing is stored.
        """
        draft: ThoughtDraft = {"content": content, "hint": hint, **options}
        return await self._think(draft, AnswerOptions(verbose_analysis, max_tokens))

    @operation(tool="think_convo", command="think-convo", writes=True, profile="full")
    async def think_convo(
        self,
        content: Content,
        verbose_analysis: VerboseAnalysis = False,
        max_tokens: ThinkTokens = None,
        **options: Unpack[ThinkOptions],
    ) -> ThinkResult:
        """Store a thought of a conversation: mode question, or conclude if it concludes.

        Like ``think`` with the conversational defaults: injection scale 2, significance 0.5, origin
        ``human``, frameworks on.
        """
        draft: ThoughtDraft = {"content": content, "among": _CONVERSATIONAL, **options}
        return await self._think(draft, AnswerOptions(verbose_analysis, max_tokens))

    @operation(tool="think_technical", command="think-technical", writes=True, profile="full")
    async def think_technical(
        self,
        content: Content,
        mode: Annotated[
            Work | None,
            about("Default: by the text", "Mode. Default: by the text, else build"),
        ] = None,
        verbose_analysis: VerboseAnalysis = False,
        max_tokens: ThinkTokens = None,
        **options: Unpack[ThinkOptions],
    ) -> ThinkResult:
        """Store a thought about work: mode plan, build, debug or stuck.

        Like ``think``. Mode ``stuck`` first recalls thoughts that solved the same error.
        """
        draft: ThoughtDraft = {"content": content, "hint": mode, "among": _TECHNICAL, **options}
        return await self._think(draft, AnswerOptions(verbose_analysis, max_tokens))

    @operation(tool="think_batch", command="think-batch", writes=True, profile="full")
    async def think_batch(
        self,
        thoughts: Annotated[
            list[ThoughtInput],
            about(
                "1 to 100, in order", "1 to 100 thoughts in their order, each with the parameters of think"
            ),
        ],
        session_id: Annotated[
            Id | None,
            about(
                "Default of items",
                "Default session of the items; without it, the session of the process",
            ),
        ] = None,
        namespace: Annotated[
            str | None,
            about("Default of items", "Default namespace of the items; without it, the setting `namespace`"),
        ] = None,
    ) -> ThinkBatchResult:
        """Store many thoughts: all of them or none.

        Each thought recalls stored memories and the earlier thoughts of the batch, as if they were stored one
        by one. Thoughts of one batch find each other by vector only, not by full text or relationships.
        Raises the errors of ``think``.
        """
        if not 1 <= len(thoughts) <= MAX_BATCH:
            raise InvalidInput(
                f"The batch has {len(thoughts):,} thoughts; a batch has 1 to {MAX_BATCH}.",
                hint="Send them in several batches.",
            )
        prepared = await self.prepared(
            [
                {
                    **thought,
                    "session_id": thought.get("session_id") or session_id,
                    "namespace": thought.get("namespace") or namespace,
                }
                for thought in thoughts
            ]
        )
        ids = {thought.id for thought in prepared}
        if len(ids) < len(prepared):
            raise InvalidInput(
                "Two thoughts of the batch have the same idempotency key.",
                hint="Send a different key with each.",
            )
        results = await self._store.think(prepared)
        default = checks.namespace(namespace, self._settings)
        return ThinkBatchResult(
            thoughts=[_batched(result, default) for result in results],
            count=len(results),
            repeated=sum(result.repeated for result in results),
            deferred=sum(result.deferred for result in results),
            warnings=list(dict.fromkeys(warning for result in results for warning in result.warnings)),
        )

    async def record(self, draft: ThoughtDraft) -> ThinkResult:
        """Store a thought with parameters for internal callers. The result has all details."""
        return await self._think(draft, AnswerOptions(True, None))

    def prepare(self, **draft: Unpack[ThoughtDraft]) -> Thought:
        """Check a thought and choose its mode; raises InvalidInput. No I/O."""
        return prepare(draft, self._settings, self._vectors.thresholds)

    async def prepared(self, drafts: Sequence[ThoughtInput]) -> list[Thought]:
        """Prepare thoughts with the database's thresholds. Invalid input is refused before connecting."""
        thresholds = self._vectors.thresholds
        size = sum(len(draft["content"]) for draft in drafts)
        prepared = await in_thread_if_large(
            size, lambda: [self.prepare(**self._in_session(draft)) for draft in drafts]
        )
        await self._vectors.ready()
        if self._vectors.thresholds == thresholds:
            return prepared
        # The time of a thought is that of the call, not of the database's first answer.
        return await in_thread_if_large(
            size,
            lambda: [
                self.prepare(**{**self._in_session(draft), "created_at": first.created_at})
                for draft, first in zip(drafts, prepared, strict=True)
            ],
        )

    async def _think(self, draft: ThoughtDraft, options: AnswerOptions) -> ThinkResult:
        (result,) = await self._store.think(await self.prepared([draft]), options=options)
        return result

    def _in_session(self, draft: ThoughtInput) -> ThoughtDraft:
        return {**draft, "session_id": draft.get("session_id") or self.session_id}


def _batched(result: ThinkResult, default: str) -> BatchedThought:
    links = result.telemetry.links_telemetry
    return BatchedThought(
        thought_id=result.delegated_result.thought_id.removeprefix("thoughts:"),
        mode_selected=result.mode_selected,
        reason=result.reason,
        recalled=[memory.id for memory in result.memories],
        confidence_score=result.verification and result.verification.confidence_score,
        step_index=result.chain and result.chain.step_index,
        dropped_tags=result.telemetry.dropped_tags,
        links_telemetry=None if links == LinksTelemetry() else links,
        repeated=result.repeated,
        deferred=result.deferred,
        namespace=None if result.namespace == default else result.namespace,
    )
