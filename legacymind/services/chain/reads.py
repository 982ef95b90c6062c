"""What is stored of chains: the steps of a session, its head, and the heads of a namespace."""

from collections.abc import AsyncIterator
from typing import Any, Final, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, load
from legacymind.model.chain import ChainHead
from legacymind.services.chain import hashing
from legacymind.services.shared import checks

_MAX_READINGS: Final = 5
"""How often a head is read that no step has."""


class WaitingLink(TypedDict):
    """A link that waits for its target; ``overdue``: the target exists."""

    type: str | None
    id: str
    overdue: bool


class ChainRow(TypedDict):
    """One step of a chain for verification.

    ``targets`` are the targets of its relationships, by the property that holds the intended id.
    ``in_session``: the thought belongs to this session and no other. Tampering may leave any value in any
    property, whatever its type here. ``restored``: the step that this one redacted, if it has a text.
    ``thought`` has the properties of ``model.stored.VERIFIED``, and ``chained``.
    """

    thought: dict[str, Any]
    targets: dict[str, list[str]]
    waiting: list[WaitingLink]
    in_session: bool
    restored: list[int | None]


READ_CHAIN = load("chain/read_chain", ChainRow, writes=False)


class OutsideRow(TypedDict):
    """A thought of a session that is not a step of its chain."""

    thought_id: str | None
    reason: str


READ_OUTSIDE = load("chain/read_outside", OutsideRow, writes=False)


class ChainHeadRow(TypedDict):
    """A session's stored head, or nulls."""

    head_hash: str | None
    head_step: int | None


class FullHeadRow(ChainHeadRow):
    """A session's head with the id and the key of its last thought; ``last`` has the steps from there on.

    ``sessions`` is the number of Session nodes with this id.
    """

    sessions: int
    head_id: str | None
    head_key_id: str | None
    last: list[dict[str, Any]]


READ_HEAD = load("chain/read_head", FullHeadRow, writes=False)


class SessionHeadRow(ChainHeadRow):
    """A session, its chain head, and the key of its last thought; tampering may leave any value in these.

    ``fits``: a step has that head.
    """

    session_id: str
    head_key_id: str | None
    fits: bool


READ_HEADS = load("chain/read_heads", SessionHeadRow, writes=False)


class FaultRow(TypedDict):
    """A fault of a chain that is visible without hashing."""

    step: int
    thought: str | None
    fault: str


CHECK_LINKS = load("chain/check_links", FaultRow, writes=False)


def head_of(session_id: Any, step: Any, hashed: Any, key_id: Any) -> ChainHead | None:
    """The head of these values; None if one of them is not what a head has, as after tampering."""
    if (
        not checks.is_key(session_id)
        or type(step) is not int
        or not 0 <= step < 2**31
        or not isinstance(hashed, str)
        or not hashing.HASH.fullmatch(hashed)
        or not isinstance(key_id, str | None)
    ):
        return None
    return ChainHead(session_id=session_id, step=step, hash=hashed, key_id=key_id)


async def stored_head(graph: Graph, namespace: str, session_id: str) -> FullHeadRow:
    """The head that a session stores, read again if no step has it.

    While somebody appends, it may come with values from before and from after.
    """
    sought: Parameters = {"namespace": namespace, "session_id": session_id}
    (row,) = await graph.run(READ_HEAD, sought)
    for _ in range(_MAX_READINGS):
        own = (row["head_step"], row["head_hash"], row["head_id"], row["head_key_id"])
        if own in [(it["step_index"], it["chain_hash"], it["id"], it["key_id"]) for it in row["last"]]:
            break
        (row,) = await graph.run(READ_HEAD, sought)
    return row


async def stored_heads(graph: Graph, namespace: str) -> AsyncIterator[tuple[str, ChainHead | None]]:
    """Every session of a namespace in the order of ids, with its head unless it has none that is sound."""
    after: str | None = ""
    while after is not None:
        page, after = await heads_page(graph, namespace, after, 1000)
        for each in page.items():
            yield each


async def heads_page(
    graph: Graph, namespace: str, after: str, limit: int
) -> tuple[dict[str, ChainHead | None], str | None]:
    """Sessions with their heads, and the last of them if more follow."""
    rows = await graph.run(READ_HEADS, {"namespace": namespace, "after": after, "take": limit + 1})
    last = rows[limit - 1]["session_id"] if len(rows) > limit else None
    page: dict[str, ChainHead | None] = {}
    for number, row in enumerate(rows):
        session = row["session_id"]
        if number == limit and session != last:
            break
        if not row["fits"]:
            row = await stored_head(graph, namespace, session)
        # Of two nodes with one id, nobody knows which has the head.
        page[session] = (
            None
            if session in page
            else head_of(session, row["head_step"], row["head_hash"], row["head_key_id"])
        )
    return page, last
