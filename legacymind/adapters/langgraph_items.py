"""How items of a LangGraph store are thoughts: their names, versions, writes and expiry."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import aclosing, suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import quote, unquote

from langgraph.store.base import Item, PutOp, get_text_at_path, tokenize_path

from legacymind import Conflict, Mind, NotFound, ThoughtInput
from legacymind.adapters.texts import data_of, with_data
from legacymind.model.trails import ThreadThought

ROOT: Final = "store:"
"""How the sessions of stores begin."""

INDEXED: Final = "store item"
UNINDEXED: Final = "store item without index"
"""Types of the thoughts of items; a search with a query looks for the first only."""

WHOLE: Final = 10_000_000
"""A budget of tokens for whole values."""

_BATCH: Final = 100
_FIRST: Final = 3
"""The first thoughts of an item that are read: one is enough, unless the value is long and has sections."""

_ATTEMPTS: Final = 5
"""Attempts to put an item that others put at the same time."""

_SLACK: Final = 0.1
"""The part of a TTL that an item may outlive, and that passes between two extensions."""

Labels = tuple[str, ...]


class Version(NamedTuple):
    """The latest thought of an item, with its item. ``stored`` is when its TTL began."""

    id: str
    item: Item
    content: str
    type: str
    stored: datetime
    expires: datetime | None

    @property
    def ttl(self) -> timedelta | None:
        """How long the item lives after a read or a write."""
        return None if self.expires is None else (self.expires - self.stored) / (1 + _SLACK)


class StoredItems:
    """Reads and writes items in a Mind."""

    def __init__(self, mind: Mind, fields: Sequence[str], author: str) -> None:
        self._mind = mind
        self._fields = list(fields)
        self._author = author

    async def latest(self, namespace: Labels, key: str) -> Version | None:
        """The item as it is now; None if it does not exist."""
        latest = await self._first(namespace, key, latest_first=True)
        if latest is None:
            return None
        first = await self._first(namespace, key, latest_first=False) if latest.revises_thought else latest
        try:
            details = (await self._mind.get(latest.id, max_tokens=100)).thought
        except NotFound:  # it expired just now
            return None
        return Version(
            id=latest.id,
            item=Item(
                value=data_of(latest.text) or {},
                key=key,
                namespace=namespace,
                created_at=(first or latest).created_at,
                updated_at=latest.created_at,
            ),
            content=latest.text,
            type=(details and details.thought_type) or INDEXED,
            stored=(details and details.recorded_at) or latest.created_at,
            expires=details and details.expires_at,
        )

    async def write(self, ops: Sequence[PutOp]) -> None:
        """Put and delete items; of each item there is one operation."""
        for attempt in range(_ATTEMPTS):
            try:
                await self._put([op for op in ops if op.value is not None])
                break
            except Conflict:  # another put of an item came first
                if attempt == _ATTEMPTS - 1:
                    raise
        for op in ops:
            if op.value is None:
                async for thought in self._thoughts(op.namespace, op.key, latest_first=True):
                    await self._redact(thought.id, "deleted")

    async def extend(self, found: Iterable[Version]) -> None:
        """Store items with a TTL again that were read, with their times, unless that was just done."""
        now = datetime.now(UTC)
        for one in found:
            if one.ttl is None or now - one.stored < one.ttl * _SLACK:
                continue
            again: ThoughtInput = {
                **self._frame(one.item.namespace, one.item.key, one.content),
                "thought_type": one.type,
                "revises_thought": one.id,
                "created_at": one.item.updated_at,
                "expires_at": _expiry(one.ttl),
                "idempotency_key": f"after {one.id}",
            }
            with suppress(Conflict):  # a put came first, which has a TTL of its own
                await self._mind.think_batch([again])

    async def below(self, prefix: Labels) -> AsyncIterator[Labels]:
        """The namespaces that begin with a prefix and are longer, also those without items by now."""
        begin = after = f"{session_of(prefix)}/" if prefix else ROOT
        while True:
            page = await self._mind.chain_heads(limit=1_000, after=after)
            for head in page.heads:
                if not head.session_id.startswith(begin):
                    return
                yield names_of(head.session_id)[0]
            if page.next is None:
                return
            after = page.next

    async def any_in(self, namespace: Labels) -> bool:
        """Whether a namespace has items."""
        for kind in (INDEXED, UNINDEXED):
            found = await self._mind.search(
                session_id=session_of(namespace), thought_type=kind, limit=1, max_tokens=100
            )
            if found.hits:
                return True
        return False

    async def _put(self, ops: Sequence[PutOp]) -> None:
        before = await asyncio.gather(*(self.latest(op.namespace, op.key) for op in ops))
        thoughts = list[ThoughtInput]()
        outlived = list[str]()
        for op, old in zip(ops, before, strict=True):
            new = self._thought(op, old)
            if old and _is_same(old, op, new):
                continue
            thoughts.append(new)
            if old and op.ttl is not None:
                outlived.append(old.id)
        for start in range(0, len(thoughts), _BATCH):
            await self._mind.think_batch(thoughts[start : start + _BATCH])
        for id in outlived:  # else the old value would return when the new one expires
            await self._redact(id, "replaced")

    def _thought(self, op: PutOp, old: Version | None) -> ThoughtInput:
        value = dict[str, Any](op.value or {})
        fields = self._fields if op.index is None else op.index or []
        texts = [
            text for path in fields if path != "$" for text in get_text_at_path(value, tokenize_path(path))
        ]
        return {
            **self._frame(op.namespace, op.key, with_data("\n".join(texts), value)),
            "thought_type": INDEXED if texts or "$" in fields else UNINDEXED,
            "revises_thought": old and old.id,
            "idempotency_key": old and f"after {old.id}",
            "expires_at": None if op.ttl is None else _expiry(timedelta(minutes=op.ttl)),
        }

    def _frame(self, namespace: Labels, key: str, content: str) -> ThoughtInput:
        return {
            "content": content,
            "session_id": session_of(namespace),
            "chain_id": _chain_of(namespace, key),
            "tags": [session_of(namespace[:length]) for length in range(len(namespace) + 1)],
            "author": self._author,
            "hint": "conclude",  # a conversational mode, in which the value below the texts is not embedded
            "injection_scale": 0,
            "standing": False,
        }

    async def _first(self, namespace: Labels, key: str, *, latest_first: bool) -> ThreadThought | None:
        async with aclosing(self._thoughts(namespace, key, latest_first=latest_first)) as thoughts:
            return await anext(thoughts, None)

    async def _thoughts(
        self, namespace: Labels, key: str, *, latest_first: bool
    ) -> AsyncGenerator[ThreadThought]:
        """The thoughts of an item that have a text, without the sections of long ones."""
        after: str | None = None
        while True:
            page = await self._mind.thoughts_thread(
                chain_id=_chain_of(namespace, key),
                limit=_BATCH if after else _FIRST,
                after=after,
                order="created_at_desc" if latest_first else "created_at_asc",
                max_tokens=WHOLE,
            )
            for thought in page.thoughts:
                if thought.session_id is not None and thought.redacted_at is None:
                    yield thought
            after = page.next
            if after is None:
                return

    async def _redact(self, id: str, reason: str) -> None:
        await self._mind.forget(id=id, confirm=True, author=self._author, reason=reason)


def session_of(namespace: Sequence[str]) -> str:
    """The session of a namespace, which is also the tag of everything in it."""
    return ROOT + "/".join(quote(label, safe="") for label in namespace)


def names_of(session: str, chain: str = "") -> tuple[Labels, str]:
    """The namespace of a session, and the key of an item by its ``chain_id``."""
    labels = session.removeprefix(ROOT)
    return tuple(map(unquote, labels.split("/"))) if labels else (), unquote(chain.partition("#")[2])


def _chain_of(namespace: Sequence[str], key: str) -> str:
    return f"{session_of(namespace)}#{quote(key, safe='')}"


def _expiry(ttl: timedelta) -> str:
    return (datetime.now(UTC) + ttl * (1 + _SLACK)).isoformat()


def _is_same(old: Version, op: PutOp, new: ThoughtInput) -> bool:
    """Whether to put the item would change nothing."""
    lasting = op.ttl is None and old.expires is None
    return lasting and old.item.value == op.value and old.type == new.get("thought_type")
