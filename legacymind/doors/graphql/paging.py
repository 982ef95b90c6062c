"""Operations that answer in pages, as connections: ``first`` and ``after``, ``edges`` and ``pageInfo``.

Their own parameters and members for pages have no field. A result that is one list is a connection. One with
several lists beside each other, or whose pages are counted otherwise, keeps them and has ``pageInfo``.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import Annotated, Any, Final, NamedTuple, cast

from pydantic import Field

from legacymind.errors import InvalidInput
from legacymind.model.about import members, metadata
from legacymind.model.graph import Edge, PageInfo
from legacymind.model.members import InPages
from legacymind.model.values import number
from legacymind.operations.coercion import is_blank
from legacymind.operations.registry import Operation
from legacymind.services.nodes.pages import MAX_PAGE
from legacymind.services.shared import cursors

PAGE: Final = 10
"""Items of a page by default."""

_BEGINS: Final = ("cursor", "after", "offset")
"""Parameters at which a page begins; an operation with several of them prefers the first."""

_SIGNED: Final = frozenset({"chain_heads"})
"""Operations whose whole result a signature covers, so that it stays as it is."""

_MAX_LENGTH: Final = 16_384

PageCall = Callable[[Mapping[str, Any]], Awaitable[Any]]


class PagePosition(NamedTuple):
    """A position among the items of an operation: where a page of it begins, and items of it to skip."""

    begin: str | int | None
    skip: Annotated[int, Field(strict=True, ge=0, le=MAX_PAGE)]


class Paging(NamedTuple):
    """How an operation has pages: the parameter at which one begins, and the member with its items."""

    begin: str
    items: str | None

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters that ``first`` and ``after`` replace."""
        return frozenset({"limit", "offset", self.begin})


def paging_of(operation: Operation) -> Paging | None:
    """How an operation has pages; None if it has none."""
    names = {one.name for one in operation.parameters}
    begins = [name for name in _BEGINS if name in names]
    if "limit" not in names or not begins or operation.name in _SIGNED:
        return None
    return Paging(begins[0], items_of(operation.returns))


def items_of(record: type) -> str | None:
    """The member of a result with the items of its page, if they are one list."""
    return next((name for name, hint, _ in members(record) if InPages.ITEMS in metadata(hint)), None)


class PageOfResult:
    """A result of an operation as a connection. It has all other members of the result too."""

    def __init__(
        self, result: Any, paging: Paging, read: Mapping[str, Any], at: PagePosition, first: int
    ) -> None:
        self._result = result
        self._paging = paging
        self._encoded = cursors.encoder(read)
        self._at = at
        self._first = first

    def __getattr__(self, name: str) -> Any:
        return getattr(self._result, name)

    @cached_property
    def edges(self) -> list[Edge[Any]]:
        """The items of the page."""
        assert self._paging.items is not None
        items = getattr(self._result, self._paging.items)[self._at.skip :][: self._first]
        return [
            Edge(cursor=self._cursor(place, len(items)), node=item) for place, item in enumerate(items, 1)
        ]

    @property
    def page_info(self) -> PageInfo:
        """Where the page is."""
        edges = self.edges if self._paging.items is not None else []
        start = edges[0].cursor if edges else None
        end = edges[-1].cursor if edges else None
        if self._paging.items is None and self._next is not None:
            end = self._encoded(PagePosition(self._next, 0))
        return PageInfo(
            has_next_page=self._cut
            or (self._next is not None and (bool(edges) or self._paging.items is None)),
            has_previous_page=self._at != PagePosition(None, 0),
            start_cursor=start,
            end_cursor=end,
        )

    def _cursor(self, place: int, size: int) -> str:
        """The cursor after an item of the page."""
        if place == size and not self._cut and self._next is not None:
            return self._encoded(PagePosition(self._next, 0))
        if self._paging.begin == "offset":
            return self._encoded(PagePosition(int(self._at.begin or 0) + place, 0))
        return self._encoded(PagePosition(self._at.begin, self._at.skip + place))

    @property
    def _cut(self) -> bool:
        """Whether the result has more items than the page."""
        if self._paging.items is None:
            return False
        return len(getattr(self._result, self._paging.items)) > self._at.skip + self._first

    @property
    def _next(self) -> str | int | None:
        """Where the operation's next page begins; None after the last."""
        result = self._result
        for name in ("next_cursor", "next_after", "next_offset"):
            if hasattr(result, name):
                return getattr(result, name)
        if not result.more:
            return None
        shown = self._paging.items
        lists = (
            [getattr(result, shown)]
            if shown
            else [_listed(getattr(result, one.name)) for one in fields(result)]
        )
        return int(self._at.begin or 0) + max(map(len, lists))


def page_size(first: Any) -> int:
    """The size of the page that a caller asks for. Raises InvalidInput for one out of range."""
    if first is None or is_blank(first):
        return PAGE
    try:
        size = number(first)
    except ValueError:
        size = None
    if isinstance(size, float) and size.is_integer():  # infinity is none
        size = int(size)
    if isinstance(size, bool) or not isinstance(size, int):
        raise InvalidInput(
            "first must be a number or numeric text, and whole.", hint=f"Send one from 0 to {MAX_PAGE}."
        )
    if not 0 <= size <= MAX_PAGE:
        raise InvalidInput(
            f"first is {size:,}; pages have 0 to {MAX_PAGE} items.",
            hint=f"Ask for at most {MAX_PAGE}, and for the next page with its cursor as `after`.",
        )
    return size


async def page_of(
    call: PageCall, name: str, paging: Paging, arguments: dict[str, Any], first: Any, after: str | None
) -> PageOfResult:
    """A page of an operation. Raises InvalidInput for a size out of range, or a cursor of another read."""
    size = page_size(first)
    read = {"operation": name, **arguments}
    at = (
        PagePosition(None, 0)
        if after is None or is_blank(after)
        else cursors.decode(after, read, PagePosition, most=_MAX_LENGTH)
    )
    begun = {} if at.begin is None else {paging.begin: at.begin}
    # A cursor within a page reads that page again, up to the items that are wanted.
    limit = min(max(at.skip + size, 1), MAX_PAGE)
    return PageOfResult(await call({**arguments, **begun, "limit": limit}), paging, read, at, size)


def _listed(value: Any) -> list[Any]:
    """A list among the members of a result: its own, or that of a record such as ``Pointing``."""
    found = getattr(value, "ids", value)
    return cast("list[Any]", found) if isinstance(found, list) else []
