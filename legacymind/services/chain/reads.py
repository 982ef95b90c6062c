"""What is stored of chains: the steps of a session, its head, and the heads of a namespace."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypedDict

from legacymind.db.graph import Graph
from legacymind.db.query import Parameters, load
from legacymind.model.chain import ChainHead
from legacymind.services.chain import hashing
from legacymind.services.shared import checks

_MAX_READINGS: Final = 5
"""How often a head is read that no step has."""


class ChainRow(TypedDict):
    """One step of a chain for verification.

    ``targets`` are the targets of its relationships, by the property that holds the intended id.
    ``waiting`` are the type and the id of each link that waits, and whether it is ``overdue``: its target
    exists. ``in_session``: the thought belongs to this session and no other. Tampering may leave any value in
    any property, whatever its type here. ``restored``: the step that this one redacted, if it has a text.
    ``thought`` has the properties of ``model.stored.VERIFIED``, and ``chained``.
    """

    thought: dict[str, Any]
    targets: dict[str, list[str]]
    waiting: list[dict[str, Any]]
    in_session: bool
    restored: list[int | None]


READ_CHAIN = load("chain/read_chain", ChainRow, writes=False)


Outside = tuple[str | None, str]
"""The id of a thought that is not a step of its session's chain, and why it is none."""

READ_OUTSIDE = load("chain/read_outside", Outside, writes=False)


class ChainEnd(NamedTuple):
    """The last step of a branch, of any types after tampering."""

    hash: Any
    step: Any
    id: Any
    key_id: Any

    @classmethod
    def of_line(cls, line: str) -> "ChainEnd":
        """One of ``branches`` of a session."""
        hashed, step, key_id, own_id = [*line.split(" ", 3), "", "", ""][:4]
        return cls(hashed, int(step) if step.isdecimal() else step, own_id, None if key_id == "-" else key_id)

    @property
    def line(self) -> str:
        """Itself as one of ``branches`` of a session."""
        return f"{self.hash} {self.step} {self.key_id or '-'} {self.id}"

    @classmethod
    def of(cls, head: "StoredHead") -> "ChainEnd":
        """The session's own head."""
        return cls(head.hash, head.step, head.id, head.key_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHead:
    """The head that a session stores, of any type after tampering; the step that has it, and what follows it.

    ``sessions`` is the number of Session nodes with the id. ``branches`` are the heads of what other machines
    continued.
    """

    hash: Any
    step: Any
    id: str | None
    key_id: str | None
    last: list[dict[str, Any]]
    sessions: int = 1
    branches: list[str] = field(default_factory=list[str])

    @property
    def ends(self) -> list[ChainEnd]:
        """All heads, the session's own first."""
        return [ChainEnd.of(self), *map(ChainEnd.of_line, self.branches)]

    @property
    def last_step(self) -> int | None:
        """The highest step of all heads; None if no head has one."""
        return max((end.step for end in self.ends if type(end.step) is int), default=None)


READ_HEAD = load("chain/read_head", StoredHead, writes=False)


SessionHead = tuple[str, str | None, int | None, str | None, bool]
"""A session, the hash, the number and the key of its head, and whether a step has that head."""

READ_HEADS = load("chain/read_heads", SessionHead, writes=False)


CHECK_LINKS = load("chain/check_links", tuple[int, str | None, str], writes=False)


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


async def stored_head(graph: Graph, namespace: str, session_id: str) -> StoredHead:
    """The head that a session stores, read again if no step has it.

    While somebody appends, it may come with values from before and from after.
    """
    sought: Parameters = {"namespace": namespace, "session_id": session_id}
    (row,) = await graph.run(READ_HEAD, sought)
    for _ in range(_MAX_READINGS):
        own = (row.step, row.hash, row.id, row.key_id)
        if own in [(it["step_index"], it["chain_hash"], it["id"], it["key_id"]) for it in row.last]:
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
    last = rows[limit - 1][0] if len(rows) > limit else None
    page: dict[str, ChainHead | None] = {}
    for number, (session, hashed, step, key_id, fits) in enumerate(rows):
        if number == limit and session != last:
            break
        if not fits:
            head = await stored_head(graph, namespace, session)
            hashed, step, key_id = head.hash, head.step, head.key_id
        # Of two nodes with one id, nobody knows which has the head.
        page[session] = None if session in page else head_of(session, step, hashed, key_id)
    return page, last
