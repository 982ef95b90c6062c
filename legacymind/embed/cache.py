"""An in-memory cache of vectors."""

import asyncio
import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Sequence

from legacymind.embed.base import Embedder, EmbedderInfo, Thresholds
from legacymind.model.progress import Progress

Key = bytes
Vector = list[float]


class CachedEmbedder:
    """An Embedder with a least-recently-used cache in front of another Embedder, ``inner``.

    It keeps at most ``capacity`` vectors, at dimensions × 4 bytes and about 300 bytes of bookkeeping each:
    5,000 vectors take 9 MB at 384 dimensions and 32 MB at 1,536. The key is the SHA-256 of the text and of
    its role, question or passage; texts are not kept. A text that occurs twice in one call, or in concurrent
    calls, is embedded once.
    """

    def __init__(self, inner: Embedder, capacity: int) -> None:
        self.inner = inner
        self._capacity = capacity
        self._vectors: OrderedDict[Key, array[float]] = OrderedDict()
        self._pending: dict[Key, asyncio.Future[dict[Key, Vector]]] = {}

    @property
    def info(self) -> EmbedderInfo:
        """The inner embedder's."""
        return self.inner.info

    @property
    def thresholds(self) -> Thresholds:
        """The inner embedder's."""
        return self.inner.thresholds

    async def fetch(self, progress: Progress | None = None) -> None:
        """Fetch the inner embedder."""
        await self.inner.fetch(progress)

    async def close(self) -> None:
        """Close the inner embedder; cached vectors stay."""
        await self.inner.close()

    def forget_all(self) -> None:
        """Empty the cache."""
        self._vectors.clear()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """Return one vector for each text, in order. Raises what the inner embedder raises."""
        keys = [_key(text, query) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        vectors: dict[Key, Vector] = {}
        while missing := [key for key in wanted if key not in vectors]:
            others: set[asyncio.Future[dict[Key, Vector]]] = set()
            mine: list[Key] = []
            for key in missing:
                if (cached := self._vectors.get(key)) is not None:
                    self._vectors.move_to_end(key)
                    vectors[key] = cached.tolist()
                elif (other := self._pending.get(key)) is not None:
                    others.add(other)
                else:
                    mine.append(key)
            if mine:
                vectors |= await self._embed(mine, wanted, query)
            for other in others:
                # Shielded, so that a cancelled caller does not cancel the call for the others.
                arrived = await asyncio.shield(other)
                vectors |= {key: vector for key, vector in arrived.items() if key in wanted}
        return [vectors[key].copy() for key in keys]

    async def _embed(self, keys: list[Key], texts: dict[Key, str], query: bool) -> dict[Key, Vector]:
        result: asyncio.Future[dict[Key, Vector]] = asyncio.get_running_loop().create_future()
        result.add_done_callback(lambda done: done.exception())  # asyncio logs what nobody retrieves
        self._pending |= dict.fromkeys(keys, result)
        embedded: dict[Key, Vector] = {}
        try:
            vectors = await self.inner.embed([texts[key] for key in keys], query=query)
            embedded = dict(zip(keys, vectors, strict=True))
        except Exception as raised:
            result.set_exception(raised)
            raise
        finally:
            for key in keys:
                del self._pending[key]
            if not result.done():
                # After a cancelled call the others find no vectors and embed the texts themselves.
                result.set_result(embedded)
        self._vectors |= {key: _packed(vector) for key, vector in embedded.items()}
        while len(self._vectors) > self._capacity:
            self._vectors.popitem(last=False)
        return embedded


def _key(text: str, query: bool) -> Key:
    return hashlib.sha256((b"q" if query else b"p") + text.encode("utf-8", "surrogatepass")).digest()


def _packed(vector: Vector) -> "array[float]":
    """Return the vector in single precision where that is exact, as it is for every provider here."""
    single = array("f", vector)
    return single if single.tolist() == vector else array("d", vector)
