"""The places that a home synchronises with: a folder, or `legacymind serve` at an address."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from legacymind.addresses import is_private
from legacymind.downloads import meaning
from legacymind.errors import Conflict, EngineError, InvalidInput, LegacyMindError, RequestRefused
from legacymind.services.sync.segments import Place

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

_SILENCE: Final = 600.0
"""Seconds without an answer after which a request has failed: a server writes all it has at the first."""

_KEPT: Final = "What came and went before is stored, and nothing is lost."

_REFUSED: Final = (
    "There, `legacymind token create NAME --namespace NAMESPACE` makes a token, with `--trust user` one of "
    "the user; here, LEGACYMIND_SYNC_TOKEN has it."
)


class Server(Place):
    """A server that keeps the segments of a namespace in its home."""

    def __init__(self, address: str, namespace: str, client: "AsyncClient") -> None:
        super().__init__(address, namespace)
        self._root = f"{address}/sync"
        self._client = client

    async def last(self) -> dict[str, tuple[int, str]]:
        """Those of all homes, after the server has stored and written what is new."""
        answer = await self._asked("POST", self._root)
        try:
            return {str(replica): (int(number), str(sha)) for replica, (number, sha) in answer.json().items()}
        except (ValueError, TypeError, AttributeError):
            raise self._error(answer) from None

    async def get(self, replica: str, number: int) -> bytes | None:
        """The bytes that the server answers."""
        answer = await self._asked("GET", self.where(replica, number))
        return None if answer.status_code == 404 else answer.content

    async def put(self, replica: str, number: int, packed: bytes) -> list[str]:
        """Send a segment."""
        answer = await self._asked("PUT", self.where(replica, number), packed)
        try:
            return [*map(str, answer.json())]
        except (ValueError, TypeError):
            raise self._error(answer) from None

    async def _asked(self, method: str, address: str, packed: bytes | None = None) -> "Response":
        """The answer to a request. Raises EngineError, RequestRefused, Conflict and InvalidInput."""
        from httpx2 import InvalidURL, RequestError

        named = {"namespace": self._namespace}
        try:
            answer = await self._client.request(method, address, params=named, content=packed)
        except (RequestError, InvalidURL) as reason:
            hint = "Check the address and the network, and synchronise again."
            raise EngineError(f"{self.name}: {meaning(reason)}.", effect=_KEPT, hint=hint) from None
        if answer.is_success or (answer.status_code == 404 and method == "GET"):
            return answer
        raise self._error(answer)

    def _error(self, answer: "Response") -> LegacyMindError:
        status = answer.status_code
        try:
            said = str(answer.json()["error"]["message"])
        except (ValueError, KeyError, TypeError):
            said = ""
        kind, hint = (
            InvalidInput,
            "Send the address of a `legacymind serve` of this version, without `/sync`.",
        )
        if status in (401, 403):
            kind, hint = RequestRefused, _REFUSED
        elif status == 409:
            kind, hint = Conflict, ""
        elif status == 429 or status >= 500:
            kind, hint = EngineError, "Synchronise again later."
        return kind(f"{self.name} answers {status}. {said}".strip(), effect=_KEPT, hint=hint)


async def name_of(place: str | PathLike[str]) -> str:
    """The name of a place: the path of a folder, or the address of a server. Raises InvalidInput."""
    given = os.fspath(place)
    if not given.lower().startswith(("https://", "http://")):
        return str(await asyncio.to_thread(Path(given).resolve))
    parts = urlsplit(given) if is_private(given) else None
    if parts is None or "@" in parts.netloc or parts.query or parts.fragment:
        raise InvalidInput(
            "This is no address of a server: it must be https://HOST, with a port or a path if it has one.",
            effect="Nothing was synchronised.",
            hint="http:// is only for this machine, and the token has an option of its own.",
        )
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


@asynccontextmanager
async def opened(
    place: str | PathLike[str], namespace: str, token: str | None = None
) -> AsyncGenerator[Place]:
    """A place of a namespace. Raises InvalidInput if there is no such folder, or an address is unusable."""
    name = await name_of(place)
    if "://" in name:
        from httpx2 import AsyncClient, Timeout

        headers = {b"authorization": f"Bearer {token.strip()}".encode()} if token else {}
        async with AsyncClient(headers=headers, timeout=Timeout(_SILENCE, connect=20)) as client:
            yield Server(name, namespace, client)
    elif await asyncio.to_thread(Path(name).is_dir):
        yield Place(name, namespace)
    else:
        raise InvalidInput(
            f"{place} is not a folder.", effect="Nothing was synchronised.", hint="Create it, or mount it."
        )
