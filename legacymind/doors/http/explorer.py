"""The explorer and GraphiQL: static pages of ``explorer/``, and what they show of the package's own files.

All of it is public, so that a page can ask for a token. It reads no memory: pages do that over GraphQL.
"""

import json
import mimetypes
from pathlib import Path
from typing import Any, Final

from starlette.datastructures import Headers, QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from legacymind import files
from legacymind.doors.http.webjars import LIBRARIES, read
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
        Route(f"{PREFIX}lib/{{library}}/{{name:path}}", _of_library(cache)),
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


def _of_library(cache: Path) -> Any:
    async def answer(request: Request) -> Response:
        """A file of a library; its address has the version, so that a browser keeps it."""
        library, name = LIBRARIES.get(request.path_params["library"]), request.path_params["name"]
        if library is None or name not in library.files:
            raise HTTPException(404)
        try:
            content = await read(library, name, cache)
        except DownloadFailed as error:
            return JSONResponse(error.envelope(), 503, headers={**_HEADERS, "cache-control": "no-store"})
        kept = {**_HEADERS, "cache-control": "public, max-age=31536000, immutable"}
        return Response(content, headers=kept, media_type=mimetypes.guess_type(name)[0])

    return answer


class _Pages(StaticFiles):
    """Files of a folder, with the headers that guard pages."""

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """The file, or 304."""
        response = super().file_response(*arguments, **options)
        response.headers.update(_HEADERS)
        return response
