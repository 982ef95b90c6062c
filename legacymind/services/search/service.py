"""Search of thoughts and knowledge."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Annotated, Any, Final, Unpack, cast

from legacymind.db.filters import ABOUT, Conditions
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.about import about
from legacymind.model.base import ALWAYS, Hit, Kind, Method, Order, SearchResult
from legacymind.model.filters import Filters
from legacymind.model.graph import FacetValue, SearchFacets
from legacymind.model.values import MOST_TOKENS, clamped, whole
from legacymind.operations.budget import MaxTokens
from legacymind.operations.pages import IN_TIME, After, Paged, begin, by_offset, position
from legacymind.operations.registry import operation
from legacymind.services.recall import policy as recall_policy
from legacymind.services.search import filters
from legacymind.services.search.finder import (
    NO_MIN_SIMILARITY,
    Finder,
    FoundHits,
    SearchRequest,
)
from legacymind.services.search.hits import merged
from legacymind.services.shared import checks, languages, namespaces
from legacymind.services.shared.entities import FIND_NAMED
from legacymind.services.shared.parameters import (
    AlsoRead,
    Explain,
    Namespace,
    OwnSessionId,
    UnlistedSessionId,
    resolve_own_session,
)
from legacymind.services.shared.service import Service
from legacymind.text import fulltext, keys
from legacymind.text.excerpts import Passage

_KINDS: Final[tuple[Kind, ...]] = ("thought", "entity", "observation")
_OF_ALL: Final = frozenset({ABOUT, "date_from", "date_to"})
"""The filters that knowledge passes, too."""

_DEFAULT_LIMIT: Final = 5
"""Hits of a search without ``limit``."""

_DEFAULT_TOKENS: Final = 700
"""Token budget of a search without ``max_tokens`` and with at most the default number of hits."""


Query = Annotated[
    str | None,
    about(
        "None: latest first",
        "Text to search for, in plain words. Default: list by time, the latest first; from `date_from` on "
        "with what ended since then",
    ),
]
Kinds = Annotated[
    list[Kind] | None,
    about(
        "Default: all",
        "Kinds of hits. Default: all, but only thoughts with a filter other than `about` and dates",
    ),
]
Ended = Annotated[
    bool,
    about(
        "Only ended facts",
        "Only facts that are no longer true, listed in the order in which they ended; not with a query",
    ),
]
Unsolved = Annotated[
    bool,
    about(
        "Only unsolved",
        "Only what is open: mode `stuck`, type `todo` or `question`, and not solved; without a query",
    ),
]
Limit = Annotated[int, whole(1, 100), about("Hits per page", "Number of hits on a page")]
Similarity = Annotated[
    float | None, clamped(-1, 1), about("Least cosine", "Least raw cosine of a hit", tuning=True)
]
Ranking = Annotated[
    Method,
    about(
        "graph: meaning, words, links",
        "Search method: `vector` by meaning, `text` by words, `graph` by both and by links",
        tuning=True,
    ),
]
Sorting = Annotated[
    Order | None,
    about(
        "Default: relevance",
        "Order of the hits, after the most relevant are selected. Default: relevance; within a session or "
        "chain_id created_at_asc; without a query created_at_desc",
    ),
]
PageTokens = Annotated[
    int | None,
    whole(100, MOST_TOKENS),
    about(
        "Token budget",
        "Token budget of the answer; `left_out` is the number of hits that did not fit. Default: 700, or 200 "
        "for each hit when `limit` is above its default",
    ),
]

_NOTHING: Final = "Nothing related was found."
_UNRELATED: Final = "Probably nothing here answers this; these hits came nearest."
_LIMITED: Final = "These are the nearest; for all, list with a filter and without a query."

_STANDING_TEXT: Final = 200
"""Characters of a standing preference."""


COUNTED: Final = 200
"""Hits of a list that are counted."""

_VALUES: Final = 50
"""The most values of a facet."""

_FACETS: Final[dict[str, Callable[[Hit], object]]] = {
    "kinds": attrgetter("kind"),
    "modes": attrgetter("mode"),
    "thought_types": attrgetter("thought_type"),
    "authors": attrgetter("author"),
    "origins": lambda hit: hit.said_by.partition(",")[0],
    "sessions": attrgetter("session_id"),
    "chains": attrgetter("chain_id"),
    "entity_types": attrgetter("entity_type"),
}
"""The values of a hit by the names of their facets."""


class SearchService(Service):
    """Searches memory. Access counts are not updated."""

    _finder: Finder

    @operation(tool="legacymind_search", command="search", writes=False)
    async def search(
        self,
        query: Query = None,
        kinds: Kinds = None,
        limit: Limit = _DEFAULT_LIMIT,
        method: Ranking = "graph",
        order: Sorting = None,
        min_similarity: Similarity = None,
        own_session_id: UnlistedSessionId = None,
        explain: Explain = False,
        ended: Ended = False,
        open: Unsolved = False,
        after: After = None,
        max_tokens: PageTokens = None,
        namespace: Namespace = None,
        also_read: AlsoRead = None,
        **filter_values: Unpack[Filters],
    ) -> Paged[SearchResult]:
        """Search or list thoughts, entities and facts.

        A filter excludes knowledge unless ``kinds`` includes it; ``about`` and dates serve both. Without a
        query, all are listed by time; with ``date_from`` the list is what changed since then: what was
        stored, the facts that ended, with ``valid_to``, and the steps that record redactions.
        Private thoughts are found only in their own session. The most relevant hits are selected first and
        then ordered. Raises InvalidInput, NotFound for an unknown entity in ``about``, EmbeddingError or
        DatabaseError.
        """
        if (ended or open) and query is not None:
            raise InvalidInput(
                "Facts that ended are listed by time, and so is what is open.",
                hint="Omit `query`, or send it without `ended` and `open`.",
            )
        kinds = ["observation"] if ended else ["thought"] if open else kinds
        requests, missing = list[SearchRequest](), None
        spaces = checks.namespaces(namespace, also_read, self._settings)
        for space in spaces:
            try:
                request = await self._request(
                    query, kinds, method, order, min_similarity, own_session_id, space, filter_values, explain
                )
                # Private thoughts are read in the namespace of the call only, for which it was admitted.
                own_session = "" if requests or missing else request.own_session
                requests.append(
                    dataclasses.replace(
                        request,
                        ended=ended,
                        open=open,
                        own_session=own_session,
                        elsewhere=space != spaces[0],
                    )
                )
            except NotFound as raised:
                missing = raised
        if missing is not None and not requests:
            raise missing
        page = await self._page(requests, limit, after, listing=query is None)
        if also_read and page.result.hits and not after:
            note = await namespaces.unknown(self._graph, self._settings, spaces[1:])
            page = dataclasses.replace(
                page, result=dataclasses.replace(page.result, note=note or page.result.note)
            )
        return page

    @operation(tool="search_thoughts", command="search-thoughts", writes=False, profile="full")
    async def search_thoughts(
        self,
        query: Query = None,
        limit: Limit = _DEFAULT_LIMIT,
        method: Ranking = "graph",
        order: Sorting = None,
        min_similarity: Similarity = None,
        own_session_id: OwnSessionId = None,
        explain: Explain = False,
        after: After = None,
        max_tokens: PageTokens = None,
        namespace: Namespace = None,
        **filter_values: Unpack[Filters],
    ) -> Paged[SearchResult]:
        """Search thoughts only, without entities and observations."""
        request = await self._request(
            query,
            ["thought"],
            method,
            order,
            min_similarity,
            own_session_id,
            namespace,
            filter_values,
            explain,
        )
        return await self._page([request], limit, after, listing=query is None)

    @operation(tool="search_facets", command="search-facets", writes=False, profile="full")
    async def search_facets(
        self,
        query: Query = None,
        kinds: Kinds = None,
        method: Ranking = "graph",
        min_similarity: Similarity = None,
        own_session_id: OwnSessionId = None,
        max_tokens: MaxTokens = None,
        namespace: Namespace = None,
        **filter_values: Unpack[Filters],
    ) -> Paged[SearchFacets]:
        """Count kinds, modes, authors and more of the candidates of a search.

        They are those that ``search`` ranks with the same arguments, at most about 200, or without a query
        the latest 200, so the counts are not of a whole namespace. It runs the statements of the
        search. Raises InvalidInput, NotFound, EmbeddingError or DatabaseError.
        """
        order = "created_at_desc" if query is None else "relevance"
        request = await self._request(
            query, kinds, method, order, min_similarity, own_session_id, namespace, filter_values
        )
        if query is None:
            listed = [hit for hit, _ in await self._finder.in_time(request, COUNTED + 1)]
            return _facets(listed[:COUNTED], more=len(listed) > COUNTED)
        hits, more = await self._finder.candidates(request)
        return _facets(hits, more=more)

    async def _request(
        self,
        query: str | None,
        kinds: Sequence[Kind] | None,
        method: Method,
        order: Order | None,
        min_similarity: float | None,
        own_session_id: str | None,
        namespace: str | None,
        filter_values: Filters,
        explain: bool = False,
    ) -> SearchRequest:
        space = checks.namespace(namespace, self._settings)
        conditions = filters.conditions(filter_values)
        if names := conditions.get(ABOUT):
            conditions = {**conditions, ABOUT: await self._named(space, cast("list[str]", names))}
        selected: Sequence[Kind] = kinds or (_KINDS if conditions.keys() <= _OF_ALL else ("thought",))
        return SearchRequest(
            query="" if query is None else checks.text("query", query),
            kinds=selected,
            method=method,
            namespace=space,
            own_session=filter_values.get("session_id")
            or resolve_own_session(own_session_id, self.session_id),
            conditions=conditions,
            as_of=checks.moment(filter_values.get("as_of")),
            min_similarity=NO_MIN_SIMILARITY if min_similarity is None else float(min_similarity),
            order=order or _order(conditions, listing=query is None),
            explain=explain,
        )

    async def _named(self, namespace: str, names: Sequence[str]) -> list[str]:
        """The ids of the entities with these names or ids. Raises NotFound."""
        named = [{"name": name, "name_key": keys.normalised(name)} for name in names]
        rows = await self._graph.run(FIND_NAMED, {"named": named, "namespace": namespace})
        found = dict(rows)
        for name in names:
            if name not in found:
                raise NotFound(
                    f"There is no entity {name!r} in this namespace, so no thought is known to name it.",
                    hint="Check the name, or send it as `query`.",
                )
        return sorted({id for ids in found.values() for id in ids})

    async def _page(
        self, requests: Sequence[SearchRequest], limit: int, after: str | None, *, listing: bool
    ) -> Paged[SearchResult]:
        page = await (self._list if listing else self._find)(requests, limit, after)
        if page.result.hits or after:
            return page
        request, spaces = requests[0], [one.namespace for one in requests]
        note = filters.unknown_mode(request.conditions) or filters.empty_interval(request.conditions)
        note = note or await namespaces.unknown(self._graph, self._settings, spaces)
        if note is None and filters.named(request.conditions):
            anything = dataclasses.replace(request, conditions={}, order="created_at_desc")
            recent = await self._finder.in_time(anything, COUNTED)
            note = filters.unknown_values(request.conditions, [hit for hit, _ in recent])
        note = note or page.result.note
        return dataclasses.replace(page, result=dataclasses.replace(page.result, note=note))

    async def _find(
        self, requests: Sequence[SearchRequest], limit: int, after: str | None
    ) -> Paged[SearchResult]:
        offset, request = begin(after), requests[0]
        each = [
            await self._finder.find(one, offset + limit + 1, with_standing=not offset) for one in requests
        ]
        found = FoundHits(
            merged([one.hits for one in each], _named(requests)),
            merged([one.standing for one in each], _named(requests)),
            any(one.related for one in each),
            any(one.limited for one in each),
        )
        more, hits = len(found.hits) > offset + limit, found.hits[offset : offset + limit]
        note = _LIMITED if found.limited and not more else None
        if not found.related:
            foreign = languages.hint(request.query, self._vectors.embedder.info)
            note = " ".join(filter(None, (_UNRELATED if found.hits else _NOTHING, foreign)))
        words = fulltext.word_stems(request.query)
        result = SearchResult(
            hits=hits,
            order=request.order,
            method=request.method,
            note=note,
            standing=_standing(found.standing, hits, words),
        )

        def ordered(shown: SearchResult) -> SearchResult:
            # The sort is stable, also in reverse: hits of one instant stay in order of relevance.
            latest_first = request.order == "created_at_desc"
            in_time = sorted(shown.hits, key=lambda hit: hit.created_at or ALWAYS, reverse=latest_first)
            return shown if request.order == "relevance" else dataclasses.replace(shown, hits=in_time)

        page = by_offset(result, "hits", "standing", offset=offset, more=more)
        return dataclasses.replace(page, words=words, tokens=_DEFAULT_TOKENS, then=ordered)

    async def _list(
        self, requests: Sequence[SearchRequest], limit: int, after: str | None
    ) -> Paged[SearchResult]:
        if len(requests) > 1 or requests[0].elsewhere:
            return await self._list_several(requests, limit, after)
        (request,) = requests
        offset, *begun = position(after, f"o{IN_TIME}", (0,))
        found = await self._finder.in_time(request, limit + 1, int(offset), begun or None)
        ends = [(hit.rank, *end) for hit, end in found[:limit]]
        return Paged(
            result=SearchResult(hits=[hit for hit, _ in found[:limit]], order=request.order, method="list"),
            lists=("hits",),
            ends=ends,
            next=ends[-1] if len(found) > limit else None,
            words=(),
            tokens=_DEFAULT_TOKENS,
        )

    async def _list_several(
        self, requests: Sequence[SearchRequest], limit: int, after: str | None
    ) -> Paged[SearchResult]:
        """A page of lists of several namespaces. Its cost grows with its depth."""
        offset, order = begin(after), requests[0].order
        each = [await self._finder.in_time(one, offset + limit + 1) for one in requests]
        marked = merged([[hit for hit, _ in one] for one in each], _named(requests))
        ends: dict[str, list[Any]] = {hit.id: [*end] for one in each for hit, end in one}
        placed = sorted(marked, key=lambda hit: ends[hit.id], reverse=order != "created_at_asc")
        hits = placed[offset : offset + limit]
        page = by_offset(
            SearchResult(hits=hits, order=order, method="list"),
            "hits",
            offset=offset,
            more=len(placed) > offset + limit,
        )
        return dataclasses.replace(page, words=(), tokens=_DEFAULT_TOKENS)


def _named(requests: Sequence[SearchRequest]) -> list[str | None]:
    """The namespaces that the hits of each search name."""
    return [one.namespace if one.elsewhere else None for one in requests]


def _standing(found: Sequence[Hit], page: Sequence[Hit], words: Sequence[str]) -> list[Hit]:
    """The first standing preferences that are not on the page."""
    shown = {hit.text for hit in page}
    hits = [hit for hit in found if hit.text not in shown][: recall_policy.STANDING]
    return [dataclasses.replace(hit, text=Passage(hit.text, words).within(_STANDING_TEXT)) for hit in hits]


def _order(conditions: Conditions, *, listing: bool) -> Order:
    """The default order: by time in a session or chain, latest first in a list, else by relevance."""
    if "session_id" in conditions or "chain_id" in conditions:
        return "created_at_asc"
    return "created_at_desc" if listing else "relevance"


def _facets(hits: Sequence[Hit], *, more: bool) -> Paged[SearchFacets]:
    """The facets of hits; ``more``: there may be others. All have at most the same number of values."""
    values = {name: _values(list(map(value_of, hits))) for name, value_of in _FACETS.items()}
    made = SearchFacets(counted=len(hits), more=more, **cast("Any", values))
    return Paged(result=made, lists=tuple(values), abreast=True)


def _values(stored: Sequence[object]) -> list[FacetValue]:
    counts = Counter(str(value) for value in stored if value not in (None, ""))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [FacetValue(value=value, count=count) for value, count in ordered[:_VALUES]]
