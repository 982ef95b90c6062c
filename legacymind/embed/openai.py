"""The provider openai: OpenAI, or a server with the same embeddings API. Texts leave this machine."""

import asyncio
import base64
import math
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, quote, urlsplit

from legacymind.embed import presets
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

# Dimensions of known models, and whether they can give fewer.
_MODELS = {
    "text-embedding-3-small": (1536, True),
    "text-embedding-3-large": (3072, True),
    "text-embedding-ada-002": (1536, False),
}
_MOST_DIMENSIONS = 4096  # the limit of Neo4j's vector indexes

BATCH = 64
"""Texts in a request: twice as many take three quarters of the time for each, and wait for one answer."""

# Most bytes in a request: a token is at least a byte, and OpenAI accepts 300,000 tokens in 2,048 texts.
_REQUEST_BYTES = 250_000

# Seconds for each of three attempts. The SDK's default of ten minutes is too long for a waiting agent.
_CONNECT, _READ, _RETRIES = 5.0, 30.0, 2

# The longest wait before a repetition, in seconds. If the server asks for more, the caller gets its error.
_LONGEST_WAIT = 15

# Replaces a blank text, which OpenAI refuses; it has no meaning either.
_BLANK = "."

_VERSION = "1"

# How servers name what they refuse when vectors are asked for in base64.
_ENCODING = re.compile(r"encoding.?format|base64.{0,20}(?:embed|encod|support)", re.IGNORECASE)

# Text that looks like a key, which a server may repeat. A plain word after "Bearer" is part of a sentence.
_CREDENTIAL = re.compile(
    r"(?<![a-z])sk-[^\s'\"]+"
    r"|(?:(?<=\bbearer[ :=])|(?<=\bbasic[ :=]))(?!(?-i:[A-Z]?[a-z]{0,14})[.,;:]?(?:\s|$))[^\s'\"]+",
    re.IGNORECASE,
)

_REFUSED = "Check LEGACYMIND_EMBEDDING_MODEL and LEGACYMIND_EMBED_DIM and _WINDOW."
_HINTS = {
    401: "Set OPENAI_API_KEY to a key with access to embeddings.",
    403: "Set OPENAI_API_KEY to a key with access to embeddings.",
    404: "Check LEGACYMIND_EMBEDDING_MODEL and OPENAI_BASE_URL.",
    429: "Try again later, lower LEGACYMIND_EMBED_RPS, or check the account's quota.",
}
"""What to do about the answers of a server, by their status."""


class OpenAI:
    """An Embedder over HTTP, by default with ``text-embedding-3-small``.

    A text of more than ``embed_window`` bytes is cut into windows of whole sentences and pooled. Requests
    contain at most ``BATCH`` texts and are sent one after another. The SDK repeats a request up to
    twice after 408, 409, 429, 5xx, a lost connection or a time-out, waiting as long as the server asks (up to
    two minutes). At most ``embed_rps`` requests, repeated ones included, are sent per second. The key appears
    in no error, log or representation.
    """

    def __init__(self, settings: Settings) -> None:
        model = settings.embedding_model or DEFAULT_MODEL
        full, shortens = _MODELS.get(model.rsplit("/", 1)[-1], (0, False))
        dimensions = settings.embedding_dimensions or full
        if not dimensions or (full and dimensions > full):
            raise ConfigurationError(
                f"The dimensions of {model[:80]!r} are unknown."
                if not dimensions
                else f"{model[:80]!r} cannot give vectors of {dimensions} dimensions that Neo4j can index.",
                hint=f"Set LEGACYMIND_EMBED_DIM to what the model gives, 1 to {full or _MOST_DIMENSIONS}.",
            )
        if full and dimensions != full and not shortens:
            raise ConfigurationError(
                f"{model[:80]!r} always gives {full} dimensions, but {dimensions} are configured.",
                hint=f"Unset LEGACYMIND_EMBED_DIM, or set it to {full}.",
            )
        own = presets.prefixes(model)
        passage = settings.embed_passage_prefix or own.passage
        self._prefixes = (passage, settings.embed_query_prefix or own.query)
        self._window = settings.embed_window
        self._pause = 1 / settings.embed_rps if settings.embed_rps > 0 else 0.0
        self._next = 0.0  # when the next request may start, in monotonic seconds
        # Sent only to known models; others answer 400 to an unknown parameter.
        self._asked = dimensions if full and dimensions != full else None
        self._key = settings.openai_api_key.strip()
        self._url = settings.openai_base_url.strip() or OFFICIAL_URL
        self._scheme, self._host, self._signed_in = _address(self._url)
        self._packed = True
        """Whether vectors are asked for in base64, until the server refuses it."""

        self._client: AsyncOpenAI | None = None
        self.info = EmbedderInfo(
            provider="openai",
            model=model,
            version=presets.version(_VERSION, f"w{self._window}", passage),
            dimensions=dimensions,
            tokenizer="hosted",
            normalized=True,
        )
        measured = presets.thresholds(model)
        self.thresholds = measured if self._asked is None else replace(measured, calibrated=False)

    def __repr__(self) -> str:
        return f"OpenAI({self.info.fingerprint})"

    async def fetch(self, progress: Progress | None = None) -> None:
        """Check the settings; there is nothing to download. Raises ConfigurationError without key or SDK."""
        self._check()

    async def close(self) -> None:
        """Close the connections to the server."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> list[list[float]]:
        """Return one unit vector for each text, in order, also for an empty text.

        Raises EmbeddingError when the server gives no usable vectors, ConfigurationError without a key or the
        SDK.
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
                "OPENAI_BASE_URL is not the address of a web server.",
                hint="Use the form http://host:port/v1 or https://host/v1.",
            )
        if self._signed_in:
            raise ConfigurationError(
                "OPENAI_BASE_URL contains a user or a password, which would be sent instead of the key.",
                hint="Remove everything up to the @ after https://, and set OPENAI_API_KEY to the key.",
            )
        # Self-hosted servers rarely need a key.
        if not self._key and self._url == OFFICIAL_URL:
            raise ConfigurationError(
                "The embedding provider openai has no key.",
                hint="Set OPENAI_API_KEY, or OPENAI_BASE_URL to a server that needs none.",
            )
        if not self._key.isascii() or any(sign.isspace() or not sign.isprintable() for sign in self._key):
            raise ConfigurationError(
                "OPENAI_API_KEY contains a space or a character outside printable ASCII.",
                hint="Set it to the key alone.",
            )

    def _requests(self, windows: Sequence[Window]) -> list[tuple[int, int]]:
        """Return the first and last-plus-one window of each request."""
        requests: list[tuple[int, int]] = []
        first = size = 0
        for i, window in enumerate(windows):
            more = len(window.content.encode("utf-8", "replace"))
            if i > first and (i - first >= BATCH or size + more > _REQUEST_BYTES):
                requests.append((first, i))
                first, size = i, 0
            size += more
        return [*requests, (first, len(windows))]

    async def _request(self, contents: list[str]) -> list[list[float]]:
        from openai import APIStatusError, OpenAIError, omit

        client = self._connected()
        packed = self._packed
        failure: EmbeddingError | None
        try:
            answer = await client.embeddings.create(
                model=self.info.model,
                # JSON cannot carry a lone surrogate.
                input=[content.encode("utf-8", "replace").decode() for content in contents],
                dimensions=omit if self._asked is None else self._asked,
                encoding_format=omit if packed else "float",  # the SDK asks for base64, which is shorter
            )
            return self._read([(item.index, item.embedding) for item in answer.data], len(contents))
        except OpenAIError as raised:
            refused = isinstance(raised, APIStatusError) and 400 <= raised.status_code < 500
            failure = self._error(raised)
            if packed and refused and _ENCODING.search(failure.what):
                self._packed, failure = False, None
        except (ValueError, TypeError, AttributeError) as raised:
            failure = self._malformed(f"it cannot be parsed ({type(raised).__name__})")
        if failure is None:
            return await self._request(contents)
        # Raised outside the handlers, so that the SDK's error is not its context: that contains the request's
        # headers, and a server's answer may repeat the key.
        raise failure

    def _read(self, items: list[tuple[int, list[float]]], wanted: int) -> list[list[float]]:
        if sorted(index for index, _ in items) != list(range(wanted)):
            raise self._malformed(f"it has {len(items)} vectors for {wanted} texts, or wrong indexes")
        vectors = [vector for _, vector in sorted(items, key=lambda item: item[0])]
        lengths = {len(vector) for vector in vectors}
        if 0 in lengths:
            raise self._malformed("a vector is empty")
        if lengths != {self.info.dimensions}:
            raise EmbeddingError(
                f"{self.info.model} at {self._host} answered with vectors of {max(lengths)} dimensions, but "
                f"{self.info.dimensions} are configured.",
                hint="Set LEGACYMIND_EMBED_DIM to the model's dimensions, if the database has no vectors "
                "yet.",
            )
        if not all(any(vector) and all(map(math.isfinite, vector)) for vector in vectors):
            raise self._malformed("a vector is zero or has values that are not finite")
        return [unit(vector) for vector in vectors]

    def _malformed(self, how: str) -> EmbeddingError:
        return EmbeddingError(
            f"The answer of {self.info.model} at {self._host} is not valid: {how}.",
            hint="Try again. If the error persists, check OPENAI_BASE_URL and LEGACYMIND_EMBEDDING_MODEL.",
        )

    def _error(self, raised: Exception) -> EmbeddingError:
        """Return the error for an SDK error. It quotes only the server's message, without the key."""
        import openai

        where = f"{self.info.model} at {self._host}"
        match raised:
            case openai.APIStatusError():
                status = raised.status_code
                # What refuses a key may quote a part of it.
                said = "" if status in (401, 403) else f": {self._message(raised.body)}"
                return EmbeddingError(
                    f"{where} answered {status}{said}.",
                    hint=_HINTS.get(status, "Try again later." if status >= 500 else _REFUSED),
                    retry_after=_asked_wait(raised.response),
                )
            case openai.APITimeoutError():
                return EmbeddingError(
                    f"{where} did not answer within {_READ:.0f} seconds, {_RETRIES + 1} times.",
                    hint="Try again later.",
                )
            case openai.APIConnectionError():
                cause = type(raised.__cause__ or raised).__name__
                return EmbeddingError(
                    f"{self._host} cannot be reached or closed the connection ({cause}).",
                    hint="Check the network and OPENAI_BASE_URL, and try again.",
                )
            case _:
                return self._malformed(f"it cannot be parsed ({type(raised).__name__})")

    def _message(self, body: object) -> str:
        message = cast("dict[str, object]", body).get("message") if isinstance(body, dict) else body
        message = " ".join(str(message or "no reason given").split())
        # Truncated last, because a part of a key would not be recognised as one.
        return _redact(self._key, message)[:300].rstrip(".")

    async def _wait_turn(self, request: "Request") -> None:
        """Wait until the rate limit allows a request; called before each one, including the SDK's retries."""
        now = time.monotonic()
        turn = max(now, self._next)
        self._next = turn + self._pause
        if turn > now:
            await asyncio.sleep(turn - now)

    def _connected(self) -> "AsyncOpenAI":
        if self._client is None:
            from httpx2 import AsyncClient, Timeout
            from openai import AsyncAzureOpenAI, AsyncOpenAI

            address = urlsplit(self._url)
            query = dict(parse_qsl(address.query, keep_blank_values=True))
            version = query.pop("api-version", None)
            # Azure has a header of its own for the key, and the deployment, which is the model, in the path.
            client = AsyncOpenAI if version is None else partial(AsyncAzureOpenAI, api_version=version)
            try:
                sender = AsyncClient(
                    timeout=Timeout(_READ, connect=_CONNECT),
                    event_hooks={"request": [self._wait_turn], "response": [_bound_wait]},
                )
            except (
                Exception
            ) as reason:  # such as ImportError for a SOCKS proxy, InvalidURL, FileNotFoundError
                raise ConfigurationError(
                    f"The environment's proxy or certificates cannot be used: {reason}.",
                    hint="Correct or remove ALL_PROXY, HTTPS_PROXY, HTTP_PROXY and SSL_CERT_FILE.",
                ) from reason
            self._client = client(
                api_key=self._key or "none",  # the SDK requires one
                base_url=address._replace(query="", fragment="").geturl(),
                default_query=query,
                max_retries=_RETRIES,
                # The SDK's default client, when garbage-collected, closes itself on whichever loop then runs.
                http_client=sender,
            )
        return self._client


async def _bound_wait(response: Any) -> None:
    """Let the SDK repeat no request for which it would have to wait long."""
    if (_asked_wait(response) or 0) > _LONGEST_WAIT:
        response.headers["x-should-retry"] = "false"


def _asked_wait(response: Any) -> int | None:
    """The seconds that a server asks to wait; None for a date or nothing."""
    asked: str = response.headers.get("retry-after", "")
    return math.ceil(float(asked)) if re.fullmatch(r"\d{1,6}(\.\d+)?", asked) else None


def _address(url: str) -> tuple[str, str, bool]:
    """Return scheme, host and whether the URL contains a user; nothing else may appear in messages."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", "", False
    _, user, host = parts.netloc.rpartition("@")
    return parts.scheme, host, bool(user)


def _redact(key: str, message: str) -> str:
    """Return ``message`` without the key, in any case, URL-quoted or in base64, or anything like a key."""
    packed = base64.b64encode(key.encode()).decode().rstrip("=")
    for form in {key, quote(key, safe=""), packed, packed.translate(str.maketrans("+/", "-_"))} - {""}:
        message = re.sub(re.escape(form), "[key]", message, flags=re.IGNORECASE)
    return _CREDENTIAL.sub("[key]", message)
