"""The explorer and GraphiQL: static pages of ``explorer/``, and what they show of the package's own files.

All of it is public, so that a page can ask for a token. It reads no memory: pages do that over GraphQL. Each
file is found in a list that is made at the start, so no address reaches another one.
"""

import hashlib
import json
import mimetypes
import re
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from legacymind import files
from legacymind.doors.http.webjars import WebJars
from legacymind.errors import DownloadFailed

PREFIX: Final = "/explorer/"

_IMPORTED: Final = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)

_TYPES: Final = {
    ".cypher": "text/plain",
    ".graphql": "text/plain",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
}

_STRICT: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# GraphiQL's libraries write elements <style>, and its style sheet has fonts as data.
_STYLES: Final = _STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "font-src 'self'", "font-src 'self' data:"
)

_GUARDED: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_page(scope: Scope) -> bool:
    """Whether a request gets a public file: a page, what belongs to it, or GraphiQL in place of GraphQL."""
    if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
        return False
    path: str = scope["path"]
    if path == "/graphql":  # Strawberry's rule, by which it executes nothing
        given = QueryParams(scope["query_string"]).get("query")
        return given is None and "text/html" in Headers(scope=scope).get("accept", "")
    return path == "/" or path.startswith(PREFIX)


class Explorer:
    """The pages, with libraries from ``webjars``."""

    def __init__(self, webjars: WebJars) -> None:
        self._webjars = webjars
        self._pages = _listed(files.path("explorer"), "*.*")
        self._statements = _listed(files.path("cypher"), "*.cypher")

    def routes(self) -> list[Route]:
        """The addresses of all files."""
        return [
            Route("/", self._page),
            Route(f"{PREFIX}operations.json", self._operations),
            Route(f"{PREFIX}documents.json", self._documents),
            Route(f"{PREFIX}style.css", self._style),
            Route(f"{PREFIX}cypher/{{path:path}}", self._statement),
            Route(f"{PREFIX}lib/{{folder}}/{{path:path}}", self._library),
            Route(f"{PREFIX}{{path:path}}", self._file),
        ]

    def graphiql(self, request: Request) -> Response:
        """GraphiQL's page."""
        return _answer(request, self._pages["graphiql.html"].read_bytes(), ".html", policy=_STYLES)

    async def _page(self, request: Request) -> Response:
        return _answer(request, self._pages["index.html"].read_bytes(), ".html")

    async def _file(self, request: Request) -> Response:
        return _from(self._pages, request)

    async def _statement(self, request: Request) -> Response:
        return _from(self._statements, request)

    async def _operations(self, request: Request) -> Response:
        """The examples of GraphQL, by room, for GraphiQL's list."""
        found = [
            {"room": path.parent.name, "name": path.stem, "text": path.read_text(encoding="utf-8")}
            for path in sorted(files.path("graphql", "operations").rglob("*.graphql"))
        ]
        return _answer(request, json.dumps(found).encode(), ".json")

    async def _documents(self, request: Request) -> Response:
        """The documents of the explorer by name, so that a view needs one request for them."""
        found = {
            path.stem: path.read_text(encoding="utf-8")
            for name, path in self._pages.items()
            if name.startswith("queries/")
        }
        return _answer(request, json.dumps(found).encode(), ".json")

    async def _style(self, request: Request) -> Response:
        """The style sheets that `style.css` imports, in its order, as one."""
        names = _IMPORTED.findall(self._pages["style.css"].read_text(encoding="utf-8"))
        return _answer(request, b"\n".join(self._pages[name].read_bytes() for name in names), ".css")

    async def _library(self, request: Request) -> Response:
        folder, path = request.path_params["folder"], request.path_params["path"]
        try:
            content = await self._webjars.read(folder, path)
        except DownloadFailed as error:
            return JSONResponse(error.envelope(), 503, headers={**_GUARDED, "cache-control": "no-store"})
        if content is None:
            raise HTTPException(404)
        # The address has the version, and the content its hash.
        lasting = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(content, headers=_GUARDED | lasting, media_type=_type(Path(path).suffix))


def _listed(folder: Path, pattern: str) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob(pattern) if path.is_file()}


def _from(known: dict[str, Path], request: Request) -> Response:
    path = known.get(request.path_params["path"])
    if path is None:
        raise HTTPException(404)
    return _answer(request, path.read_bytes(), path.suffix)


def _answer(request: Request, content: bytes, suffix: str, *, policy: str = _STRICT) -> Response:
    """The content, or 304 if the browser has it; a browser asks each time, so an update is seen at once."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {**_GUARDED, "content-security-policy": policy, "cache-control": "no-cache", "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=_type(suffix))


def _type(suffix: str) -> str:
    return _TYPES.get(suffix) or mimetypes.types_map.get(suffix, "application/octet-stream")
