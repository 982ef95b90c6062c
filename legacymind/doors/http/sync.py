"""``/sync``: the place of this server, for homes that synchronise with it (docs/operation/sync.md).

POST stores and writes what is new, and answers number and SHA-256 of the last segment of each home. GET and
PUT of ``/sync/REPLICA/00000001.jsonl.gz`` read and store a segment. The namespace is in the query, by default
that of the token.
"""

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from legacymind.doors.access import BODY
from legacymind.doors.http.guard import SYNC, error_response, retry_after
from legacymind.errors import Conflict, InvalidInput, LegacyMindError, RequestRefused
from legacymind.services.sync.served import ServedPlaceService


class SyncDoor:
    """Answers ``/sync``."""

    def __init__(self, served: ServedPlaceService) -> None:
        self._served = served
        self.routes = [
            Route(SYNC, self._last, methods=["POST"]),
            Route(f"{SYNC}/{{replica:uuid}}/{{name}}", self._segment, methods=["GET", "PUT"]),
        ]

    async def _last(self, request: Request) -> Response:
        return JSONResponse(await self._served.last(request.query_params.get("namespace")))

    async def _segment(self, request: Request) -> Response:
        namespace, replica = request.query_params.get("namespace"), str(request.path_params["replica"])
        named = re.fullmatch(r"([0-9]{8})\.jsonl\.gz", request.path_params["name"])
        if named is None:
            raise HTTPException(404)
        if request.method == "PUT":
            refused = await self._served.put(namespace, replica, int(named[1]), request.scope[BODY])
            return JSONResponse(refused)
        packed = await self._served.get(namespace, replica, int(named[1]))
        if packed is None:
            raise HTTPException(404)
        return Response(packed, media_type="application/gzip")


async def refused(request: Request, raised: Exception) -> Response:
    """The response for an error of LegacyMind."""
    assert isinstance(raised, LegacyMindError)
    statuses = {RequestRefused: 403, InvalidInput: 400, Conflict: 409}
    status = next((status for kind, status in statuses.items() if isinstance(raised, kind)), 503)
    return error_response(request.scope, raised, status, retry_after(raised))
