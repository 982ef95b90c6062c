"""The context of a new session: five parts with memories, within a token budget."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, get_args

from legacymind.db.query import load
from legacymind.model.about import about
from legacymind.model.base import ALWAYS, PROMPT, Context, Hit
from legacymind.model.graph import View
from legacymind.model.members import Id
from legacymind.model.values import whole
from legacymind.operations.budget import DEFAULT_TOKENS, TOKENS_PER_ITEM, MaxTokens
from legacymind.operations.pages import Paged
from legacymind.operations.registry import operation
from legacymind.origins import least_trust
from legacymind.services.recall.policy import STRICTNESS, relatedness
from legacymind.services.search import filters
from legacymind.services.search.finder import (
    Finder,
    SearchRequest,
)
from legacymind.services.search.hits import merged, read_length
from legacymind.services.shared import checks, items, namespaces
from legacymind.services.shared.items import NodeRow
from legacymind.services.shared.parameters import AlsoRead, AsOf, Namespace, resolve_own_session
from legacymind.services.shared.service import Service
from legacymind.services.think.relations import MOST_PINNED, NO_ROOM, TOO_MANY
from legacymind.text import fulltext
from legacymind.text.words import is_question

Part = Literal["pinned", "standing", "unresolved", "relevant", "recent"]
_PARTS: Final[tuple[Part, ...]] = get_args(Part)


READ_CONTEXT = load("search/read_context", tuple[list[tuple[Part, str]], bool], writes=False)
COUNT_ARRIVALS = load("search/count_arrivals", tuple[int, int, int], writes=False)


_DEFAULT_LIMIT: Final = 5
_STANDING: Final = 10
"""The standing preferences and instructions that are shown with a lower ``limit``."""

_STANDING_READ: Final = 100
"""Those that are read, to count the others; of thoughts and of facts."""

_STANDING_LIMIT: Final = 1_000
"""The newest standing preferences and instructions, valid or not, that are scanned for valid ones."""

_MORE_STANDING: Final = (
    "{} more standing preferences are in force; a higher `limit` shows them. Revise those that ended."
)

_MORE_OPEN: Final = "{} more problems, todos and questions are open; legacymind_search lists them by `open`."

_ARRIVED: Final = (
    "Since the latest session here began, synchronisation brought {} public thoughts and {} facts, from {} "
    "other homes."
)
_MOST_ARRIVED: Final = 1_000
"""The newest thoughts, and the newest facts, that are looked through for what synchronisation brought."""

_COUNTED: Final[dict[Part, str]] = {"standing": _MORE_STANDING, "unresolved": _MORE_OPEN}
"""What a context says of those that it leaves out."""

_WIDEST: Final = 5
"""The scale of recall whose strictness a relevant hit needs."""

_OPEN_LIMIT: Final = 1_000
"""Thoughts of each kind that can be open, solved or not, that are scanned for open ones."""


class ContextService(Service):
    """Reads the context of a session. Access counts are not updated."""

    _finder: Finder

    @operation(tool="legacymind_context", command="context", writes=False)
    async def context(
        self,
        query: Annotated[
            str | None,
            about("Topic of the task", "Topic of the session; without it, `relevant` is empty"),
        ] = None,
        session_id: Annotated[
            Id | None,
            about(
                "Include its private thoughts",
                "Session whose private thoughts are included. Default: the process's",
            ),
        ] = None,
        limit: Annotated[
            int,
            whole(1, 100),
            about(
                "Items per part",
                "Items of each part. Up to 20 pinned and 10 standing ones in any case",
            ),
        ] = _DEFAULT_LIMIT,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
        also_read: AlsoRead = None,
        as_of: AsOf = None,
    ) -> Paged[Context]:
        """Context for a session: pinned, standing, unresolved, relevant, recent.

        A thought appears once, in the first of these parts that contains it. Up to 20 pinned thoughts are
        included, whatever the limit. Standing are the newest preferences and instructions, such as
        "Always answer in German": thoughts that nothing revises or contradicts, and facts that are true.
        Unresolved are problems of mode ``stuck``, and thoughts of type ``todo`` or ``question``, that were
        neither solved nor revised and have no success as outcome. ``warnings`` counts the others of both.
        ``recent`` has no questions. Without a query, ``relevant`` is empty. With ``as_of``, it is the context
        of a session that began then, with the pins of now. Raises InvalidInput.
        """
        spaces = checks.namespaces(namespace, also_read, self._settings)
        own_session = resolve_own_session(session_id, self.session_id, name="session_id")
        topic = None if query is None else checks.text("query", query)
        moment = checks.moment(as_of)
        # Private thoughts are read in the namespace of the call only, for which it was admitted.
        sessions = {spaces[0]: own_session}
        trusts = dict[str, int]()
        each = [
            await self._parts(space, sessions.get(space, ""), topic, moment, limit, trusts)
            for space in spaces
        ]
        parts = {part: merged([one[part] for one in each], [None, *spaces[1:]]) for part in _PARTS}
        if len(spaces) > 1:
            for part in ("pinned", "standing", "unresolved", "recent"):
                parts[part].sort(key=_time, reverse=True)
            parts["standing"].sort(key=lambda hit: trusts[hit.id], reverse=True)
        pinned = _pins(parts["pinned"])
        warnings = [TOO_MANY] if len(pinned) > MOST_PINNED else []
        parts["pinned"] = pinned[:MOST_PINNED]
        limits: dict[Part, int] = {
            "pinned": MOST_PINNED,
            "standing": max(limit, _STANDING),
            "unresolved": limit,
            "relevant": limit,
            "recent": limit,
        }
        if moment is None and (await self._graph.ready()).database.get("replica"):
            given = {"namespace": spaces[0], "own_session": own_session, "most": _MOST_ARRIVED}
            arrived = await self._graph.run(COUNT_ARRIVALS, given)
            warnings += [_ARRIVED.format(*counts) for counts in arrived if counts[2]]
        hits: dict[Part, list[Hit]] = {}
        seen: set[str] = set()
        left_out = 0
        for part, sentence in _COUNTED.items():
            if (more := len(parts[part]) - limits[part]) > 0:
                warnings.append(sentence.format(more))
                left_out += more
        for part, part_limit in limits.items():
            unseen = [hit for hit in parts[part] if hit.id not in seen][:part_limit]
            seen.update(hit.id for hit in unseen)
            hits[part] = [replace(hit, rank=rank) for rank, hit in enumerate(unseen, 1)]
        if not seen and (note := await namespaces.unknown(self._graph, self._settings, spaces)):
            warnings.append(note)
        result = Context(**hits, session_id=own_session or None, left_out=left_out, warnings=warnings)

        def warned(shown: Context) -> Context:
            fits = len(shown.pinned) == len(hits["pinned"])
            return shown if fits else replace(shown, warnings=[*shown.warnings, NO_ROOM])

        return Paged(
            result=result,
            lists=tuple(limits),
            words=fulltext.word_stems(topic or ""),
            tokens=max(DEFAULT_TOKENS, TOKENS_PER_ITEM * len(hits["pinned"])),
            then=warned,
        )

    async def _parts(
        self,
        namespace: str,
        own_session: str,
        topic: str | None,
        moment: datetime | None,
        limit: int,
        trusts: dict[str, int],
    ) -> dict[Part, list[Hit]]:
        """The parts of the context of one namespace, each more than are shown; notes their ``trusts``."""
        now = moment or datetime.now(UTC)
        relevant: list[Hit] = []
        vector = self._vectors.placeholder()
        if topic is not None:
            (vector,) = await self._vectors.embed([topic], query=True)
            await self._vectors.ready()
            request = SearchRequest(
                query=topic,
                kinds=("thought", "entity", "observation"),
                method="graph",
                namespace=namespace,
                own_session=own_session,
                conditions=filters.conditions({"as_of": moment}),
                as_of=moment,
                min_similarity=self._vectors.thresholds.floor,  # Distant hits are no context.
                order="relevance",
                explain=False,
            )
            found = await self._finder.find(request, 2 * limit, vector=vector)
            rule = relatedness(STRICTNESS[_WIDEST], self._vectors.thresholds, self._settings)
            if found.related:
                relevant = [hit for hit in found.hits if (hit.score or 0.0) >= rule.threshold]
        ((read, _),) = await self._vectors.run(
            READ_CONTEXT,
            {
                "namespace": namespace,
                "now": now,
                "own_session": own_session,
                "vector": vector,
                "has_query": topic is not None,
                "section_limit": 4 * limit,
                "pinned_limit": MOST_PINNED + 1,
                "open_limit": _OPEN_LIMIT,
                "standing_limit": _STANDING_LIMIT,
                "standing_shown": _STANDING_READ,
            },
        )
        parts = await self._hits(View(namespace, own_session), read, moment, trusts)
        recent = [hit for hit in parts["recent"] if not _asks(hit) and not _is_done(hit)]
        return {**parts, "relevant": relevant, "recent": recent}

    async def _hits(
        self, view: View, read: list[tuple[Part, str]], moment: datetime | None, trusts: dict[str, int]
    ) -> dict[Part, list[Hit]]:
        """The hits of each part, a thought after its latest revision and after what contradicts it most."""
        ids = {id for _, id in read}
        length = read_length(2 * len(ids) + 1)
        found = await items.rows(self._graph, view, sorted(ids), length=length + 1, as_of=moment)
        marks = {id for row in found.values() for id in _brought(row, "recent")}
        found |= await items.rows(self._graph, view, sorted(marks - ids), length=length + 1, as_of=moment)
        placed: dict[Part, list[str]] = {part: [] for part in _PARTS}
        least = least_trust(self._settings.leave_out)
        trusts.update((id, items.trust(row)) for id, row in found.items())
        found = {id: row for id, row in found.items() if trusts[id] >= least}
        for part, own_id in read:
            if row := found.get(own_id):
                brought = [id for id in _brought(row, part) if id in found]
                hot = [id for id in brought if found[id]["properties"].get("hot") is True]
                placed[part] += [*hot, own_id]
        hits: dict[Part, list[Hit]] = {
            part: [items.record(Hit, found[id], length, score=None, rank=0) for id in dict.fromkeys(each)]
            for part, each in placed.items()
        }
        hits["standing"].sort(key=lambda hit: (trusts[hit.id], hit.created_at or ALWAYS), reverse=True)
        return hits


def _brought(row: NodeRow, part: Part) -> list[str]:
    """The ids of the thoughts that come before a thought."""
    if row["kind"] != "thought":
        return []
    against = None if part == "pinned" else row["contradicted_by"]
    return [id for id in (row["revised_by"], against) if id is not None]


def _asks(hit: Hit) -> bool:
    """Whether it is a question, or what the user asked of an agent: nothing new."""
    return hit.thought_type == PROMPT or is_question(hit.text)


def _is_done(hit: Hit) -> bool:
    """Whether it is a task that something solved."""
    return hit.thought_type == "todo" and hit.solved_by is not None


def _pins(hits: list[Hit]) -> list[Hit]:
    """The pinned thoughts, each after its latest revision, or replaced by it if they are too many."""
    if len(hits) <= MOST_PINNED:
        return hits
    shown = {hit.id for hit in hits}
    return [hit for hit in hits if hit.revised_by not in shown]


def _time(hit: Hit) -> datetime:
    return hit.created_at or ALWAYS
