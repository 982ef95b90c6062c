"""Vectors from OpenAI, or from a server that speaks its embeddings API. The texts leave this machine."""

import asyncio
import base64
import math
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast
from urllib.parse import quote, urlsplit

from legacymind.embed import known
from legacymind.embed.base import EmbedderInfo
from legacymind.embed.windows import Window, cut_by_bytes, pooled, unit
from legacymind.errors import ConfigurationError, EmbeddingError
from legacymind.model.progress import Progress
from legacymind.settings import Settings

if TYPE_CHECKING:
    from httpx2 import Request
    from openai import AsyncOpenAI

DEFAULT_MODEL = "text-embedding-3-small"
OFFICIAL_URL = "https://api.openai.com/v1"

# Dimensions of the models that are known, and whether they can be told to give fewer.
_MODELS = {
    "text-embedding-3-small": (1536, True),
    "text-embedding-3-large": (3072, True),
    "text-embedding-ada-002": (1536, False),
}
_MOST_DIMENSIONS = 4096  # of a vector index of Neo4j

# What one request holds at most: a token is a byte or more, and OpenAI takes 300,000 tokens in 2,048 texts.
_REQUEST_BYTES = 250_000

# Seconds, for each of three attempts. The SDK's own are ten minutes; an agent is waiting.
_CONNECT, _READ, _RETRIES = 5.0, 30.0, 2

# For a blank text, which OpenAI refuses: it must have some vector, and this has no meaning either.
_BLANK = "."

_VERSION = "1"

# What looks like somebody's key, as a server may repeat it; a plain word after "Bearer" is one of a sentence.
_CREDENTIAL = re.compile(
    r"(?<![a-z])sk-[^\s'\"]+"
    r"|(?:(?<=\bbearer[ :=])|(?<=\bbasic[ :=]))(?!(?-i:[A-Z]?[a-z]{0,14})[.,;:]?(?:\s|$))[^\s'\"]+",
    re.IGNORECASE,
)


class OpenAI:
    """An Embedder over HTTP: ``text-embedding-3-small`` unless told otherwise.

    A text of more than ``embed_window`` bytes is cut into windows of whole sentences and pooled. Requests
    hold at most ``embed_batch`` texts and go one after the other; one that meets 408, 409, 429, 5xx, a lost
    connection or a time-out is sent twice more by the SDK, after as long as the server asks (up to two
    minutes). No more than ``embed_rps`` leave in a second, those sent again counted. The key is in no error,
    log or representation.
    """

    def __init__(self, settings: Settings) -> None:
        model = settings.embedding_model or DEFAULT_MODEL
        full, shortens = _MODELS.get(model.rsplit("/", 1)[-1], (0, False))
        dimensions = settings.embedding_dimensions or full
        if not 1 <= dimensions <= _MOST_DIMENSIONS or (full and dimensions > full):
            raise ConfigurationError(
                f"The dimensions of {model[:80]!r} are not known."
                if not dimensions
                else f"{model[:80]!r} gives no vectors of {dimensions} dimensions that Neo4j can index.",
                hint=f"Set LEGACYMIND_EMBED_DIM to what the model gives, 1 to {full or _MOST_DIMENSIONS}.",
            )
        if full and dimensions != full and not shortens:
            raise ConfigurationError(
                f"{model[:80]!r} always gives {full} dimensions, and {dimensions} are configured.",
                hint=f"Unset LEGACYMIND_EMBED_DIM, or set it to {full}.",
            )
        own = known.prefixes(model)
        passage = settings.embed_passage_prefix or own.passage
        self._prefixes = (passage, settings.embed_query_prefix or own.query)
        self._window = max(64, settings.embed_window)
        self._batch = max(1, settings.embed_batch)
        self._pause = 1 / settings.embed_rps if settings.embed_rps > 0 else 0.0
        self._next = 0.0  # when the next request may start, in monotonic seconds
        # Asked of known models alone: others answer 400 to what they do not know.
        self._asked = dimensions if full and dimensions != full else None
        self._key = settings.openai_api_key.strip()
        self._url = settings.openai_base_url.strip() or OFFICIAL_URL
        self._scheme, self._host, self._signed_in = _address(self._url)
        self._client: AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.info = EmbedderInfo(
            provider="openai",
            model=model,
            version=known.version(_VERSION, f"w{self._window}", passage),
            dimensions=dimensions,
            tokenizer="hosted",
            normalized=True,
        )
        measured = known.thresholds(model)
        self.thresholds = measured if self._asked is None else replace(measured, calibrated=False)

    def __repr__(self) -> str:
        return f"OpenAI({self.info.fingerprint})"

    async def fetch(self, progress: Progress | None = None) -> None:
        """Nothing to bring here; raises ConfigurationError when the key or the SDK is missing."""
        self._check()

    async def close(self) -> None:
        """Close the connections to the server."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """One unit vector for each text, in order; the empty text has one too.

        Raises EmbeddingError when no vectors could be had, ConfigurationError without a key or the SDK.
        """
        if not texts:
            return []
        self._check()
        prefix = self._prefixes[query]
        room = max(8, self._window - len(prefix.encode("utf-8", "replace")))
        windows = [
            Window(number, prefix + (content if content.strip() else _BLANK), size)
            for number, text in enumerate(texts)
            for content, size in cut_by_bytes(text, room)
        ]
        vectors: list[list[float]] = []
        for first, end in self._requests(windows):
            vectors += await self._request([window.content for window in windows[first:end]])
        return pooled(windows, vectors, len(texts))

    def _check(self) -> None:
        if find_spec("openai") is None:
            raise ConfigurationError(
                "The embedding provider openai needs the package `openai`, which is not installed.",
                hint="Run `pip install 'legacymind[openai]'`, or choose another "
                "LEGACYMIND_EMBEDDING_PROVIDER.",
            )
        if self._scheme not in ("http", "https") or not self._host:
            raise ConfigurationError(
                "OPENAI_BASE_URL is no address of a web server.",
                hint="Give it as http://host:port/v1 or https://host/v1.",
            )
        if self._signed_in:
            raise ConfigurationError(
                "OPENAI_BASE_URL holds a user or a password, which would be sent in place of the key.",
                hint="Take what stands before the @ out of it; the key is OPENAI_API_KEY.",
            )
        # Servers of one's own mostly want no key.
        if not self._key and self._url == OFFICIAL_URL:
            raise ConfigurationError(
                "The embedding provider openai has no key.",
                hint="Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none.",
            )
        if not self._key.isascii() or any(sign.isspace() or not sign.isprintable() for sign in self._key):
            raise ConfigurationError(
                "OPENAI_API_KEY holds what no key can: a blank, or a sign beyond ASCII.",
                hint="Set it to the key alone, as it was given to you.",
            )

    def _requests(self, windows: Sequence[Window]) -> list[tuple[int, int]]:
        """First and last-plus-one window of each request."""
        found: list[tuple[int, int]] = []
        first = size = 0
        for i, window in enumerate(windows):
            more = len(window.content.encode("utf-8", "replace"))
            if i > first and (i - first >= self._batch or size + more > _REQUEST_BYTES):
                found.append((first, i))
                first, size = i, 0
            size += more
        return [*found, (first, len(windows))]

    async def _request(self, contents: list[str]) -> list[list[float]]:
        from openai import OpenAIError, omit

        client = self._connected()
        failure: EmbeddingError
        try:
            answer = await client.embeddings.create(
                model=self.info.model,
                # A lone surrogate is no Unicode, and JSON cannot carry it.
                input=[content.encode("utf-8", "replace").decode() for content in contents],
                dimensions=omit if self._asked is None else self._asked,
            )
            return self._read([(item.index, item.embedding) for item in answer.data], len(contents))
        except OpenAIError as raised:
            failure = self._explained(raised)
        except (ValueError, TypeError, AttributeError) as raised:
            failure = self._malformed(f"it cannot be read ({type(raised).__name__})")
        # Out here, so that neither it nor what it came from is the error's context: a server's answer may
        # repeat the key, and the SDK's errors hold the request with its headers.
        raise failure

    def _read(self, items: list[tuple[int, list[float]]], wanted: int) -> list[list[float]]:
        if sorted(index for index, _ in items) != list(range(wanted)):
            raise self._malformed(f"it has {len(items)} vectors for {wanted} texts, or numbers them wrongly")
        vectors = [vector for _, vector in sorted(items, key=lambda item: item[0])]
        lengths = {len(vector) for vector in vectors}
        if 0 in lengths:
            raise self._malformed("a vector is empty")
        if lengths != {self.info.dimensions}:
            raise EmbeddingError(
                f"{self.info.model} at {self._host} answered with vectors of {max(lengths)} dimensions, and "
                f"{self.info.dimensions} are configured.",
                hint="Set LEGACYMIND_EMBED_DIM to what the model gives, if the database holds no "
                "vectors yet.",
            )
        if not all(any(vector) and all(map(math.isfinite, vector)) for vector in vectors):
            raise self._malformed("a vector is zero, or not of numbers")
        return [unit(vector) for vector in vectors]

    def _malformed(self, how: str) -> EmbeddingError:
        return EmbeddingError(
            f"The answer of {self.info.model} at {self._host} makes no sense: {how}.",
            hint="Try again; if it stays so, check OPENAI_BASE_URL and LEGACYMIND_EMBEDDING_MODEL.",
        )

    def _explained(self, raised: Exception) -> EmbeddingError:
        """What the SDK's error means. Only a server's own words are repeated, and never the key."""
        import openai

        where = f"{self.info.model} at {self._host}"
        match raised:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return EmbeddingError(
                    f"{self._host} refused the key ({raised.status_code}).",
                    hint="Set OPENAI_API_KEY to a key that may make embeddings.",
                )
            case openai.NotFoundError():
                return EmbeddingError(
                    f"{where} is not there (404): {self._said(raised.body)}.",
                    hint="Check LEGACYMIND_EMBEDDING_MODEL and OPENAI_BASE_URL.",
                )
            case openai.RateLimitError():
                return EmbeddingError(
                    f"{where} takes no more requests for now (429): {self._said(raised.body)}.",
                    hint="Try again later, set LEGACYMIND_EMBED_RPS lower, or look at the account's quota.",
                )
            case openai.APIStatusError():
                return EmbeddingError(
                    f"{where} answered {raised.status_code}: {self._said(raised.body)}.",
                    hint="Try again later."
                    if raised.status_code >= 500
                    else "Check LEGACYMIND_EMBEDDING_MODEL and LEGACYMIND_EMBED_DIM, _WINDOW and _BATCH.",
                )
            case openai.APITimeoutError():
                return EmbeddingError(
                    f"{where} gave no answer within {_READ:.0f} seconds, {_RETRIES + 1} times.",
                    hint="Try again later, or set LEGACYMIND_EMBED_BATCH lower.",
                )
            case openai.APIConnectionError():
                return EmbeddingError(
                    f"{self._host} cannot be reached, or broke the connection off ({_cause(raised)}).",
                    hint="Check the network and OPENAI_BASE_URL, and try again.",
                )
            case _:
                return self._malformed(f"it cannot be read ({type(raised).__name__})")

    def _said(self, body: object) -> str:
        told = cast("dict[str, object]", body).get("message") if isinstance(body, dict) else body
        said = " ".join(str(told or "no reason given").split())
        # Cut last: what is left of a key that was cut would not be known for one.
        return _without(self._key, said)[:300].rstrip(".")

    async def _wait_turn(self, request: "Request") -> None:
        """Before each request that leaves, also those that the SDK tries again."""
        now = time.monotonic()
        turn = max(now, self._next)
        self._next = turn + self._pause
        if turn > now:
            await asyncio.sleep(turn - now)

    def _connected(self) -> "AsyncOpenAI":
        # Connections belong to the loop they were made on.
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            from httpx2 import AsyncClient, Timeout
            from openai import AsyncOpenAI

            self._client = AsyncOpenAI(
                api_key=self._key or "none",  # the SDK insists on one
                base_url=self._url,
                max_retries=_RETRIES,
                # The SDK's own would, forgotten, try to close itself on whichever loop runs by then.
                http_client=AsyncClient(
                    timeout=Timeout(_READ, connect=_CONNECT), event_hooks={"request": [self._wait_turn]}
                ),
            )
            self._loop = loop
        return self._client


def _address(url: str) -> tuple[str, str, bool]:
    """Scheme and host, without whatever else is not for others, and whether a user stands before them."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", False
    _, user, host = parts.netloc.rpartition("@")
    return parts.scheme, host, bool(user)


def _without(key: str, said: str) -> str:
    """What a server said without the key, in capitals or not, as in an address or as base64, or another's."""
    packed = base64.b64encode(key.encode()).decode().rstrip("=")
    for form in {key, quote(key, safe=""), packed, packed.translate(str.maketrans("+/", "-_"))} - {""}:
        said = re.sub(re.escape(form), "[key]", said, flags=re.IGNORECASE)
    return _CREDENTIAL.sub("[key]", said)


def _cause(raised: Exception) -> str:
    return type(raised.__cause__ or raised).__name__
