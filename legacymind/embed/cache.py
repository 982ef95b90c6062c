"""Vectors of texts seen before, kept in memory."""

import asyncio
import hashlib
import threading
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future

from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
from legacymind.model.progress import Progress

Key = bytes
Vector = list[float]


class CachedEmbedder:
    """Any Embedder, of which the vectors last used are kept; its answers are those of the embedder inside.

    Holds at most ``most`` vectors, the least recently used goes first: ``most`` × dimensions × 4 bytes and
    some 300 bytes of bookkeeping each, so 5,000 are 9 MB at 384 dimensions and 32 MB at 1,536. A text is
    known by the SHA-256 of it and of being a question or a passage; no text is kept. Inside one call, and
    among calls at the same time, a text is embedded once. It may be used from several event loops.
    """

    def __init__(self, inside: Embedder, most: int) -> None:
        self.inside = inside
        self._most = most
        self._kept: OrderedDict[Key, array[float]] = OrderedDict()
        self._under_way: dict[Key, Future[dict[Key, Vector]]] = {}
        self._lock = threading.Lock()

    @property
    def info(self) -> EmbedderInfo:
        """Of the embedder inside."""
        return self.inside.info

    @property
    def thresholds(self) -> Thresholds:
        """Of the embedder inside."""
        return self.inside.thresholds

    async def fetch(self, progress: Progress | None = None) -> None:
        """As the embedder inside."""
        await self.inside.fetch(progress)

    async def close(self) -> None:
        """As the embedder inside; the vectors stay."""
        await self.inside.close()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """One vector for each text, in order; raises what the embedder inside raises."""
        keys = [_key(text, query) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        found: dict[Key, Vector] = {}
        while missing := [key for key in wanted if key not in found]:
            mine: list[Key] = []
            others: set[Future[dict[Key, Vector]]] = set()
            result: Future[dict[Key, Vector]] = Future()
            with self._lock:
                for key in missing:
                    if (kept := self._kept.get(key)) is not None:
                        self._kept.move_to_end(key)
                        found[key] = kept.tolist()
                    elif (other := self._under_way.get(key)) is not None:
                        others.add(other)
                    else:
                        self._under_way[key] = result
                        mine.append(key)
            if mine:
                found |= await self._embed(mine, wanted, query, result)
            for other in others:
                # Shielded: to give up waiting must not end what somebody else is waiting for, too.
                told = await asyncio.shield(asyncio.wrap_future(other))
                found |= {key: vector for key, vector in told.items() if key in wanted}
        return [found[key].copy() for key in keys]

    async def _embed(
        self, keys: list[Key], texts: dict[Key, str], query: bool, result: Future[dict[Key, Vector]]
    ) -> dict[Key, Vector]:
        found: dict[Key, Vector] = {}
        failed: Exception | None = None
        try:
            vectors = await self.inside.embed([texts[key] for key in keys], query=query)
            found = dict(zip(keys, vectors, strict=True))
        except Exception as raised:
            failed = raised
            raise
        finally:
            with self._lock:
                for key in keys:
                    del self._under_way[key]
                for key, vector in found.items():
                    self._kept[key] = _packed(vector)
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
            # Whoever waited for a call that was cancelled finds nothing, and embeds for himself.
            if failed is None:
                result.set_result(found)
            else:
                result.set_exception(failed)
        return found


def _key(text: str, query: bool) -> Key:
    return hashlib.sha256((b"q" if query else b"p") + text.encode("utf-8", "surrogatepass")).digest()


def _packed(vector: Vector) -> "array[float]":
    """The vector in half the room where that loses nothing, as it does for every provider here."""
    single = array("f", vector)
    return single if single.tolist() == vector else array("d", vector)
