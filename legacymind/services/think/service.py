"""think: one embed and one statement from a text to a stored, linked, chained thought with its memories."""

from collections.abc import Sequence
from typing import Annotated, Final, Literal, Unpack

from pydantic import Field

from legacymind.errors import InvalidInput
from legacymind.model.base import Mode
from legacymind.model.think import BatchedThought, LinksTelemetry, ThinkBatchResult, ThinkResult
from legacymind.operations.registry import operation
from legacymind.services.shared.vectors import Vectors
from legacymind.services.think.inputs import ThinkOptions, ThoughtDraft, ThoughtInput
from legacymind.services.think.store import Store
from legacymind.services.think.thought import Thought, prepare
from legacymind.settings import Settings

Verbose = Annotated[bool, Field(description="Include score parts")]
Content = Annotated[str, Field(description="At most 100 KB")]
Work = Literal["plan", "build", "debug", "stuck"]

MAX_BATCH: Final = 100
"""Thoughts of one batch: one transaction, whose locks others may wait for."""

_TALK: Final[tuple[Mode, ...]] = ("question", "conclude")
_WORK: Final[tuple[Mode, ...]] = ("build", "plan", "debug", "stuck")


class ThinkService:
    """Thinking into the graph."""

    def __init__(
        self, store: Store, vectors: Vectors, settings: Settings, *, session_id: str | None = None
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._settings = settings
        self._session_id = session_id

    @operation(tool="legacymind_think", command="think", writes=True)
    async def think(
        self,
        content: Content,
        hint: Annotated[
            str | None, Field(description="Mode: debug, build, plan, stuck, question or conclude")
        ] = None,
        verbose_analysis: Verbose = False,
        **given: Unpack[ThinkOptions],
    ) -> ThinkResult:
        """Think into memory: store a thought and get back what it brings to mind.

        The thought is embedded, recalls earlier thoughts and knowledge, is linked, hash-chained in its
        session and stored, in one statement; a hypothesis is held against what is known. Raises InvalidInput,
        Conflict for an idempotency key used with other content, and EmbeddingError or DatabaseError; nothing
        is ever half stored.
        """
        return await self._think({"content": content, "hint": hint, **given}, verbose=verbose_analysis)

    @operation(tool="think_convo", command="think-convo", writes=True, profile="full")
    async def think_convo(
        self, content: Content, verbose_analysis: Verbose = False, **given: Unpack[ThinkOptions]
    ) -> ThinkResult:
        """Think as in a conversation: always in the mode question, or conclude when the text wraps up.

        Like ``think``, with the conversational defaults: injection scale 2, significance 0.5, origin human,
        frameworks.
        """
        return await self._think({"content": content, "among": _TALK, **given}, verbose=verbose_analysis)

    @operation(tool="think_technical", command="think-technical", writes=True, profile="full")
    async def think_technical(
        self,
        content: Content,
        mode: Annotated[Work | None, Field(description="Default: as the text says, else build")] = None,
        verbose_analysis: Verbose = False,
        **given: Unpack[ThinkOptions],
    ) -> ThinkResult:
        """Think about work: in the mode plan, build, debug or stuck, with its defaults.

        Like ``think``; stuck first recalls what solved the same error before.
        """
        draft: ThoughtDraft = {"content": content, "hint": mode, "among": _WORK, **given}
        return await self._think(draft, verbose=verbose_analysis)

    @operation(tool="think_batch", command="think-batch", writes=True, profile="full")
    async def think_batch(
        self,
        thoughts: Annotated[
            list[ThoughtInput], Field(description="In their order; the parameters of think. At most 100")
        ],
        session_id: Annotated[str | None, Field(description="Of those that name none")] = None,
        namespace: Annotated[str | None, Field(description="Of those that name none")] = None,
    ) -> ThinkBatchResult:
        """Think many thoughts at once: one call of the model, one statement, all of them stored or none.

        Each recalls what was there and those before it, as if they had come one by one; only by words and
        by relations the thoughts of one batch do not find each other. Raises as ``think`` does.
        """
        if not 1 <= len(thoughts) <= MAX_BATCH:
            raise InvalidInput(
                f"A batch has {len(thoughts):,} thoughts; 1 to {MAX_BATCH} are stored together.",
                hint="Send them in several batches.",
            )
        prepared = await self._prepared(
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
                "Two thoughts of the batch have the same idempotency key.", hint="Give each its own."
            )
        results = await self._store.think(prepared)
        return ThinkBatchResult(
            thoughts=[_batched(result) for result in results],
            count=len(results),
            repeated=sum(result.repeated for result in results),
            deferred=sum(result.deferred for result in results),
        )

    def prepare(self, **draft: Unpack[ThoughtDraft]) -> Thought:
        """Check a thought and choose its mode; raises InvalidInput. No I/O."""
        return prepare(draft, self._settings, self._vectors.thresholds)

    async def _think(self, draft: ThoughtDraft, *, verbose: bool) -> ThinkResult:
        (result,) = await self._store.think(await self._prepared([draft]), verbose=verbose)
        return result

    async def _prepared(self, drafts: Sequence[ThoughtInput]) -> list[Thought]:
        """Thoughts with the database's thresholds; what is no good is refused before anything connects."""
        thresholds = self._vectors.thresholds
        prepared = [self.prepare(**self._in_session(draft)) for draft in drafts]
        await self._vectors.ready()
        if self._vectors.thresholds == thresholds:
            return prepared
        return [self.prepare(**self._in_session(draft)) for draft in drafts]

    def _in_session(self, draft: ThoughtInput) -> ThoughtDraft:
        return {**draft, "session_id": draft.get("session_id") or self._session_id}


def _batched(result: ThinkResult) -> BatchedThought:
    links = result.telemetry.links_telemetry
    return BatchedThought(
        thought_id=result.delegated_result.thought_id,
        mode_selected=result.mode_selected,
        reason=result.reason,
        recalled=[memory.id for memory in result.memories],
        confidence_score=result.verification and result.verification.confidence_score,
        step_index=result.chain and result.chain.step_index,
        dropped_tags=result.telemetry.dropped_tags,
        links_telemetry=None if links == LinksTelemetry() else links,
        repeated=result.repeated,
        deferred=result.deferred,
    )
