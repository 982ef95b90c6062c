"""What thoughts recall: memories, and for those about to be stored evidence for their hypotheses."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.memories import RankedMemory
from legacymind.services.recall.recall import Ask, Recall, Recalled
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.shared.together import in_thread_if_large, together
from legacymind.services.think.thought import Thought
from legacymind.text import fulltext, query_analysis
from legacymind.text.query_analysis import Question


class Recollector(Service):
    """Recalls for thoughts. Reads only."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._recall = Recall(context.graph, context.vectors, context.settings.leave_out)

    async def questions(self, thoughts: Sequence[Thought]) -> tuple[dict[int, str], dict[int, list[str]]]:
        """The questions that name authors, in the words of these authors, and the authors; by position.

        Search embeds its queries in the same way. The vector is for recall only; the thought's own vector is
        that of its text.
        """
        questions: dict[int, str] = {}
        authors: dict[int, list[str]] = {}
        for n, thought in enumerate(thoughts):
            if thought.policy.thoughts_k and "?" in thought.content:
                text = thought.embedded_text
                asked, authors[n] = await self._authors.named(thought.namespace, text, capitalised=True)
                question = query_analysis.in_first_person(asked, authors[n])
                if question != text:
                    questions[n] = question
        return questions, authors

    async def recollect(self, thoughts: Sequence[Thought]) -> dict[str, Recalled]:
        """What each hashed thought recalls, by its id. One without a vector recalls nothing.

        Thoughts of a batch recall the earlier ones of it, as if they were stored one by one.
        """
        companions = _companions(thoughts)
        recalled: list[Recalled] = await together(
            *(
                self._recall_for(thought, thought.question_vector or thought.vector, companions[n])
                for n, thought in enumerate(thoughts)
                if thought.vector is not None
            )
        )
        embedded = [thought.id for thought in thoughts if thought.vector is not None]
        return dict(zip(embedded, recalled, strict=True))

    async def _recall_for(
        self, thought: Thought, vector: list[float], companions: Sequence[ThoughtFeatures] = ()
    ) -> Recalled:
        """What a thought recalls; from namespaces that it also reads memories only, and no private ones."""
        asks = [await _ask(thought, vector, companions)]
        for space in thought.also_read if thought.policy.recalls else ():
            there = replace(thought, namespace=space, session_id=None, hypothesis_test=None)
            asks.append(await _ask(there, vector, ()))
        own, *others = await together(*map(self._recall.recall, asks))
        found = [
            replace(one, namespace=ask.namespace)
            for ask, each in zip(asks[1:], others, strict=True)
            for one in each.memories
        ]
        return own._replace(memories=sorted([*own.memories, *found], key=lambda one: -one.score))

    async def recall(self, thought: Thought) -> Sequence[RankedMemory]:
        """What a thought would recall if it were stored. Raises EmbeddingError or DatabaseError."""
        if not thought.policy.recalls:
            return ()
        questions, authors = await self.questions([thought])
        (vector,) = await self._vectors.embed([questions.get(0, thought.embedded_text)])
        thought = replace(thought, named=authors.get(0, ()))
        return (await self._recall_for(thought, vector)).memories


async def _ask(thought: Thought, vector: list[float], companions: Sequence[ThoughtFeatures]) -> Ask:
    """What a thought asks of memory."""

    def read() -> tuple[Question, list[str], str | None]:
        question = query_analysis.analyse_thought(
            thought.content, thought.author, thought.created_at, thought.named
        )
        recent = thought.policy.via == "recent"  # the latest minutes are searched by meaning alone
        words = None if recent else fulltext.full_text_query(thought.namespace, thought.content, session)
        return question, fulltext.word_stems(thought.content), words

    session = thought.session_id or ""
    question, stems, text_query = await in_thread_if_large(len(thought.content), read)
    return Ask(
        namespace=thought.namespace,
        session_id=thought.session_id,
        content=thought.content,
        vector=vector,
        now=thought.created_at,
        policy=thought.policy,
        question=question,
        stems=stems,
        text_query=text_query,
        error=thought.error_signature,
        linked=frozenset({thought.id, *(link["id"] for link in thought.links)}),
        companions=companions,
        test=thought.hypothesis_test,
        hypothesis=thought.hypothesis_vector or thought.vector,
    )


def _companions(thoughts: Sequence[Thought]) -> list[list[ThoughtFeatures]]:
    """For each thought of a batch the earlier ones that it may recall: no index has them yet."""
    found: list[list[ThoughtFeatures]] = [[] for _ in thoughts]
    if len(thoughts) <= 1 or thoughts[0].vector is None:  # a batch has vectors for all thoughts or none
        return found
    matrix = np.array([thought.vector for thought in thoughts])
    for n, thought in enumerate(thoughts):
        policy = thought.policy
        if not policy.thoughts_k:
            continue
        question = thought.question_vector
        cosines = matrix[:n] @ (matrix[n] if question is None else np.array(question))
        least = min(policy.floor, policy.thoughts.threshold)
        for place in [int(place) for place in np.argsort(-cosines)[: policy.pool]]:
            earlier = thoughts[place]
            readable = not earlier.is_private or earlier.session_id == thought.session_id
            if cosines[place] >= least and readable and earlier.namespace == thought.namespace:
                found[n].append(_candidate(earlier, float(cosines[place])))
    return found


def _candidate(thought: Thought, cosine: float) -> ThoughtFeatures:
    """A thought of the batch as ranking reads it."""
    return ThoughtFeatures(
        id=thought.id,
        cosine=cosine,
        text_score=None,
        text=thought.content,
        length=len(thought.content),
        author=thought.author,
        session_id=thought.session_id,
        step=thought.step_index or 0,
        created=microseconds(thought.created_at),
        salience=thought.significance,
        accesses=0,
        previous_thought_id=thought.previous_thought_id,
        revises_thought=thought.revises_thought,
        branch_from=thought.branch_from,
        parent_id=thought.parent_id,
        standing=thought.standing,
        chained=True,
        touched=False,
        thought_type=thought.thought_type,
        trust=thought.trust,
    )
