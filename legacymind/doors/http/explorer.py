"""The explorer and GraphiQL: static pages of ``explorer/``, and what they show of the package's own files.

All of it is public, so that a page can ask for a token. It reads no memory: pages do that over GraphQL.
"""

import json
import mimetypes
from pathlib import Path, PurePosixPath
from typing import Any, Final

from starlette.datastructures import Headers, QueryParams
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from legacymind import files
from legacymind.doors.http.webjars import LIBRARIES, folder_in, unpack
from legacymind.errors import DownloadFailed

PREFIX: Final = "/explorer/"

_STRICT: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# GraphiQL's libraries write elements <style>, and its style sheet has fonts as data.
_STYLES: Final = _STRICT.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").replace(
    "font-src 'self'", "font-src 'self' data:"
)

# A browser asks each time, so that an update is seen at once; the answer is 304 if it has the file.
_HEADERS: Final = {
    "content-security-policy": _STRICT,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

for _suffix in (".js", ".mjs"):
    mimetypes.add_type("text/javascript", _suffix)  # Windows may have another one
for _suffix in (".cypher", ".graphql"):
    mimetypes.add_type("text/plain", _suffix)


def is_page(scope: Scope) -> bool:
    """Whether a request gets a public file: a page, what belongs to it, or GraphiQL in place of GraphQL."""
    if scope["type"] != "http" or scope["method"] not in {"GET", "HEAD"}:
        return False
    path: str = scope["path"]
    if path == "/graphql":  # Strawberry's rule, by which it executes nothing
        given = QueryParams(scope["query_string"]).get("query")
        return given is None and "text/html" in Headers(scope=scope).get("accept", "")
    return path == "/" or path.startswith(PREFIX)


def routes(cache: Path) -> list[BaseRoute]:
    """The addresses of the pages, with libraries in the cache folder."""
    pages = files.path("explorer")
    # The documents of the explorer by name, so that a view needs one request for them.
    documents = {path.stem: path.read_text("utf-8") for path in (pages / "queries").rglob("*.graphql")}
    # The examples of GraphQL, by room, for GraphiQL's list.
    operations = [
        {"room": path.parent.name, "name": path.stem, "text": path.read_text("utf-8")}
        for path in sorted(files.path("graphql", "operations").rglob("*.graphql"))
    ]
    return [
        Route("/", _file(pages / "index.html")),
        Route(f"{PREFIX}documents.json", _json(documents)),
        Route(f"{PREFIX}operations.json", _json(operations)),
        Mount(f"{PREFIX}cypher", _Pages(directory=files.path("cypher"))),
        Mount(f"{PREFIX}lib", _Libraries(cache)),
        Mount(PREFIX, _Pages(directory=pages)),
    ]


def graphiql(request: Request) -> Response:
    """GraphiQL's page."""
    headers = _HEADERS | {"content-security-policy": _STYLES}
    return FileResponse(files.path("explorer", "graphiql.html"), headers=headers)


def _file(path: Path) -> Any:
    async def answer(request: Request) -> Response:
        return FileResponse(path, headers=_HEADERS)

    return answer


def _json(content: Any) -> Any:
    text = json.dumps(content)

    async def answer(request: Request) -> Response:
        return Response(text, headers=_HEADERS, media_type="application/json")

    return answer


class _Pages(StaticFiles):
    """Files of a folder, with the headers that guard pages."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """The file, or 304."""
        response = super().file_response(*arguments, **options)
        response.headers.update(_HEADERS)
        return response


class _Libraries(_Pages):
    """Files of libraries, which are downloaded when they are first asked for."""

    def __init__(self, cache: Path) -> None:
        super().__init__(directory=folder_in(cache), check_dir=False)
        self.config_checked = True  # the folder may not exist yet
        self._cache = cache

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file; its address has the version, so that a browser keeps it."""
        library = LIBRARIES.get(PurePosixPath(path).parts[0])
        if library is not None:
            try:
                await unpack(library, self._cache)
            except DownloadFailed as error:
                return JSONResponse(error.envelope(), 503, headers={**_HEADERS, "cache-control": "no-store"})
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
