"""What the reads of this room share: parameters, pages of lists, and their cursors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from legacymind.db.query import Parameters
from legacymind.model.graph import Edge, Page, PageInfo, View
from legacymind.services.shared import cursors
from legacymind.services.shared.cursors import Position

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

    def begin(self, ids: Sequence[str], start: Position) -> Position:
        """The position after which the pages begin: that of the cursor, else ``start``."""
        if self._after is None:
            return start
        (id,) = ids
        return cursors.decode(self._after, self._of(id), type(start))

    def page(self, id: str, items: Sequence[Row], edge: Callable[[Row, str], AnyEdge]) -> Page[AnyEdge]:
        """The page of one node. ``items`` may have one more, which shows that a page follows."""
        encoded = cursors.encoder(self._of(id))
        edges = [edge(item, encoded(item["position"])) for item in items[: self.first]]
        return Page(
            edges=edges,
            page_info=PageInfo(
                has_next_page=len(items) > self.first,
                has_previous_page=self._after is not None,
                start_cursor=edges[0].cursor if edges else None,
                end_cursor=edges[-1].cursor if edges else None,
            ),
        )

    def of(
        self, ids: Sequence[str], found: Sequence[Mapping[str, Any]], edge: Callable[[Any, str], AnyEdge]
    ) -> list[Page[AnyEdge]]:
        """The page of each node, from the rows of a statement with ``id`` and ``items``."""
        items = {row["id"]: row["items"] for row in found}
        return [self.page(id, items.get(id, []), edge) for id in ids]

    def _of(self, id: str) -> Mapping[str, Any]:
        return {**self._read, "of": id}


def of_nodes(view: View, ids: Sequence[str]) -> Parameters:
    """The parameters that reads of several nodes have."""
    return {"ids": list(ids), "namespace": view.namespace, "own_session": view.own_session}
