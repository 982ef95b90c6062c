"""What thoughts recall: memories, and for those about to be stored evidence for their hypotheses."""

from collections.abc import Sequence

import numpy as np

from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import ThoughtFeatures
from legacymind.ranking.memories import RankedMemory
from legacymind.services.recall.finds import Scope
from legacymind.services.recall.recall import Ask, Recall
from legacymind.services.shared.service import OtherServices, Service, ServiceContext
from legacymind.services.shared.together import in_thread_if_large, together
from legacymind.services.think.hypotheses import Tested, judge
from legacymind.services.think.parameters import (
    HashedThoughts,
    Recollection,
    ThoughtWithVector,
    links_of,
)
from legacymind.services.think.thought import Thought
from legacymind.text import fulltext, query_analysis
from legacymind.text.query_analysis import Question


class Recollector(Service):
    """Recalls for thoughts. Reads only."""

    def __init__(self, context: ServiceContext, services: OtherServices) -> None:
        super().__init__(context, services)
        self._recall = Recall(context.graph, context.vectors)

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

    async def recollect(self, hashed: HashedThoughts) -> dict[str, Recollection]:
        """What each thought recalls, by its id. One without a vector recalls nothing.

        Thoughts of a batch recall the earlier ones of it, as if they were stored one by one.
        """
        companions = _companions(hashed)
        recollections = await together(
            *(
                self._recollect(one, hashed, found)
                for one, found in zip(hashed.embedded, companions, strict=True)
            )
        )
        return {
            one.thought.id: recollection
            for one, recollection in zip(hashed.embedded, recollections, strict=True)
        }

    async def _recollect(
        self, one: ThoughtWithVector, hashed: HashedThoughts, companions: Sequence[ThoughtFeatures]
    ) -> Recollection:
        thought, vector = one.thought, one.vector
        if vector is None:
            return Recollection()
        linked = frozenset(link["id"] for link in links_of(hashed.thoughts[thought.id]))
        asked = await ask(thought, one.question or vector, one.authors, linked=linked, companions=companions)
        recalled, tested = await together(self._recall.memories(asked), self._test(one, vector))
        return Recollection(recalled.memories, tested, recalled.stated)

    async def recall(self, thought: Thought) -> Sequence[RankedMemory]:
        """What a thought would recall if it were stored. Raises EmbeddingError or DatabaseError."""
        if not thought.policy.recalls:
            return ()
        questions, authors = await self.questions([thought])
        (vector,) = await self._vectors.embed([questions.get(0, thought.embedded_text)])
        return (await self._recall.memories(await ask(thought, vector, authors.get(0, ())))).memories

    async def _test(self, one: ThoughtWithVector, vector: list[float]) -> Tested | None:
        """The test of the thought's hypothesis, if there is any."""
        thought, test = one.thought, one.thought.hypothesis_test
        if test is None:
            return None
        place = Scope(
            namespace=thought.namespace,
            own_session=thought.session_id or "",
            vector=one.hypothesis or vector,
        )
        nearby = await self._recall.finds.knowledge(place, thought.created_at, None, pool=test.top_k)
        near = [node for node in nearby.candidates if node.cosine >= test.min_similarity]
        await self._recall.finds.complete(thought.namespace, near)
        return judge(test, near)


async def ask(
    thought: Thought,
    vector: list[float],
    authors: Sequence[str],
    *,
    linked: frozenset[str] = frozenset(),
    companions: Sequence[ThoughtFeatures] = (),
) -> Ask:
    """What a thought asks of memory. ``authors`` are those that it names."""

    def read() -> tuple[Question, list[str], str | None]:
        question = query_analysis.analyse_thought(
            thought.content, thought.author, thought.created_at, authors
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
        linked=linked | {thought.id},
        companions=companions,
    )


def _companions(hashed: HashedThoughts) -> list[list[ThoughtFeatures]]:
    """For each thought of a batch the earlier ones that it may recall: no index has them yet."""
    embedded = hashed.embedded
    found: list[list[ThoughtFeatures]] = [[] for _ in embedded]
    if len(embedded) <= 1 or embedded[0].vector is None:  # a batch has vectors for all thoughts or none
        return found
    matrix = np.array([one.vector for one in embedded])
    for n, one in enumerate(embedded):
        policy = one.thought.policy
        if not policy.thoughts_k:
            continue
        cosines = matrix[:n] @ (matrix[n] if one.question is None else np.array(one.question))
        least = min(policy.floor, policy.thoughts.threshold)
        for place in [int(place) for place in np.argsort(-cosines)[: policy.pool]]:
            earlier = embedded[place].thought
            readable = not earlier.is_private or earlier.session_id == one.thought.session_id
            if cosines[place] >= least and readable and earlier.namespace == one.thought.namespace:
                found[n].append(_candidate(hashed.thoughts[earlier.id], float(cosines[place])))
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
        mass=0.0,
        previous_thought_id=thought.previous_thought_id,
        revises_thought=thought.revises_thought,
        branch_from=thought.branch_from,
        parent_id=thought.parent_id,
        standing=thought.standing,
        chained=True,
        touched=False,
    )
