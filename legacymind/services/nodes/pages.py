"""What the reads of this room share: parameters, pages of lists, and their cursors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from legacymind.db.query import Parameters
from legacymind.errors import InvalidInput
from legacymind.model.graph import Edge, Page, PageInfo, View
from legacymind.model.values import number
from legacymind.operations.coercion import is_blank
from legacymind.operations.pages import Position, check, cursor, position
from legacymind.services.shared.items import Neighbours

PAGE: Final = 10
"""Items of a page by default."""

MAX_PAGE: Final = 100
"""The most items of a page."""

Row = TypeVar("Row", bound=Mapping[str, Any])
AnyEdge = TypeVar("AnyEdge", bound=Edge[Any])


class Pages:
    """The pages of one list for several nodes, and its cursors, which are bound to the list and the node."""

    def __init__(self, view: View, list_name: str, first: int, after: str | None = None) -> None:
        self.view = view
        self._read = {"list": list_name, "namespace": view.namespace, "own": view.own_session}
        self.first = first
        self._after = after

    def begin(self, ids: Sequence[str], form: str, start: Position) -> Position:
        """The position after which the pages begin: that of the cursor, of this form, else ``start``."""
        if self._after is not None:
            (id,) = ids
            check(self._after, self._of(id))
        return position(self._after, form, start)

    def page(self, id: str, items: Sequence[Row], edge: Callable[[Row, str], AnyEdge]) -> Page[AnyEdge]:
        """The page of one node. ``items`` may have one more, which shows that a page follows."""
        read, more = self._of(id), len(items) > self.first
        edges = [edge(item, cursor(read, item["position"])) for item in items[: self.first]]
        return Page(
            edges=edges,
            page_info=PageInfo(
                has_next_page=more,
                has_previous_page=self._after is not None,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
        )

    def of(
        self, ids: Sequence[str], found: Sequence[Neighbours], edge: Callable[[Any, str], AnyEdge]
    ) -> list[Page[AnyEdge]]:
        """The page of each node, from the rows of a statement."""
        items = dict(found)
        return [self.page(id, items.get(id, []), edge) for id in ids]

    def _of(self, id: str) -> Mapping[str, Any]:
        return {**self._read, "of": id}


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


def of_nodes(view: View, ids: Sequence[str]) -> Parameters:
    """The parameters that reads of several nodes have."""
    return {"ids": list(ids), "namespace": view.namespace, "own_session": view.own_session}
