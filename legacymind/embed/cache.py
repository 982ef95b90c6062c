"""An in-memory cache of vectors."""

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
    """An Embedder with a least-recently-used cache in front of another Embedder, ``inner``.

    It keeps at most ``capacity`` vectors, at dimensions × 4 bytes and about 300 bytes of bookkeeping each:
    5,000 vectors take 9 MB at 384 dimensions and 32 MB at 1,536. The key is the SHA-256 of the text and of
    its role, question or passage; texts are not kept. A text that occurs twice in one call, or in concurrent
    calls, is embedded once. It may be used from several event loops.
    """

    def __init__(self, inner: Embedder, capacity: int) -> None:
        self.inner = inner
        self._capacity = capacity
        self._vectors: OrderedDict[Key, array[float]] = OrderedDict()
        self._pending: dict[Key, Future[dict[Key, Vector]]] = {}
        self._lock = threading.Lock()

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

    def forget(self, text: str) -> None:
        """Remove the vectors of a text from the cache."""
        with self._lock:
            for query in (False, True):
                self._vectors.pop(_key(text, query), None)

    def forget_all(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._vectors.clear()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        """Return one vector for each text, in order. Raises what the inner embedder raises."""
        keys = [_key(text, query) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        vectors: dict[Key, Vector] = {}
        while missing := [key for key in wanted if key not in vectors]:
            mine: list[Key] = []
            others: set[Future[dict[Key, Vector]]] = set()
            result: Future[dict[Key, Vector]] = Future()
            with self._lock:
                for key in missing:
                    if (cached := self._vectors.get(key)) is not None:
                        self._vectors.move_to_end(key)
                        vectors[key] = cached.tolist()
                    elif (other := self._pending.get(key)) is not None:
                        others.add(other)
                    else:
                        self._pending[key] = result
                        mine.append(key)
            if mine:
                vectors |= await self._embed(mine, wanted, query, result)
            for other in others:
                # Shielded, so that a cancelled caller does not cancel the call for the others.
                arrived = await asyncio.shield(asyncio.wrap_future(other))
                vectors |= {key: vector for key, vector in arrived.items() if key in wanted}
        return [vectors[key].copy() for key in keys]

    async def _embed(
        self, keys: list[Key], texts: dict[Key, str], query: bool, result: Future[dict[Key, Vector]]
    ) -> dict[Key, Vector]:
        embedded: dict[Key, Vector] = {}
        failed: Exception | None = None
        try:
            vectors = await self.inner.embed([texts[key] for key in keys], query=query)
            embedded = dict(zip(keys, vectors, strict=True))
        except Exception as raised:
            failed = raised
            raise
        finally:
            with self._lock:
                for key in keys:
                    del self._pending[key]
                for key, vector in embedded.items():
                    self._vectors[key] = _packed(vector)
                while len(self._vectors) > self._capacity:
                    self._vectors.popitem(last=False)
            # After a cancelled call the others find no vectors and embed the texts themselves.
            if failed is None:
                result.set_result(embedded)
            else:
                result.set_exception(failed)
        return embedded


def _key(text: str, query: bool) -> Key:
    return hashlib.sha256((b"q" if query else b"p") + text.encode("utf-8", "surrogatepass")).digest()


def _packed(vector: Vector) -> "array[float]":
    """Return the vector in single precision where that is exact, as it is for every provider here."""
    single = array("f", vector)
    return single if single.tolist() == vector else array("d", vector)
