"""Maps: the communities that the last analysis found, with their members of the greatest mass."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, TypedDict

from legacymind.db.query import load
from legacymind.errors import InvalidInput, NotFound
from legacymind.model.analysis import GraphMap, MappedCommunity, Member
from legacymind.operations.methods import public
from legacymind.services.analysis.analysis import CommunityMember
from legacymind.services.shared import checks
from legacymind.services.shared.service import Service


class MappedCommunityRow(TypedDict):
    """A community of a map, with the members to draw."""

    number: int
    label: str | None
    size: int
    members: Sequence[CommunityMember]


class MapLink(TypedDict):
    """The ids of two linked nodes of a map."""

    start: str
    end: str


class MapRow(TypedDict):
    """The communities of a map, and the links among their members."""

    links: Sequence[MapLink]
    communities: Sequence[MappedCommunityRow]


READ_MAP = load("analysis/read_map", MapRow, writes=False)


LEAST_NODES: Final = 20
MOST_NODES: Final = 400
"""More nodes than this are not readable on one page."""

NODES: Final = 120
_COMMUNITIES: Final = 12
_TEXT: Final = 80
"""Characters of a member's text."""


class MapService(Service):
    """Reads what a map shows; ``doors/cli/show/map_drawing.py`` draws it."""

    @public("read_map")
    async def read(self, namespace: str | None = None, *, nodes: int = NODES) -> GraphMap:
        """The twelve largest communities of a namespace with about ``nodes`` members (20 to 400) in all.

        Each community has an equal share. Raises InvalidInput for another number of nodes, and NotFound if
        there are no communities.
        """
        if not LEAST_NODES <= nodes <= MOST_NODES:
            raise InvalidInput(
                f"A map of {nodes} nodes cannot be drawn.", hint=f"Use {LEAST_NODES} to {MOST_NODES}."
            )
        space = checks.namespace(namespace, self._settings)
        (row,) = await self._graph.run(
            READ_MAP,
            {
                "namespace": space,
                "now": datetime.now(UTC),
                "communities": _COMMUNITIES,
                "nodes": nodes,
                "text_length": _TEXT,
            },
        )
        if not row["communities"]:
            raise NotFound(
                f"The namespace {space} has no communities.", hint="Run `legacymind analyze` first."
            )
        return GraphMap(
            namespace=space,
            communities=[
                MappedCommunity(
                    number=one["number"],
                    label=one["label"] or "",
                    size=one["size"],
                    members=[Member(**member) for member in one["members"]],
                )
                for one in row["communities"]
            ],
            links=[(link["start"], link["end"]) for link in row["links"]],
        )
