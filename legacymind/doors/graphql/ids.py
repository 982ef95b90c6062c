"""Global ids: opaque, unique in all namespaces, and enough for the field ``node``.

An id is URL-safe base64 of a JSON array: the type of the node, its namespace, the session whose private
thoughts its fields show, and its id in the database. So a node that is read again shows the same, and a
client's cache keeps nodes apart whose fields differ. It is no signature: it is checked like any other input.
"""

import base64
import json
from typing import Any, Final, NamedTuple, cast

from pydantic.alias_generators import to_camel
from strawberry.schema.name_converter import HasGraphQLName, NameConverter

from legacymind.errors import InvalidInput
from legacymind.model.graph import View

_MEMBERS: Final = 4

_MAX_LENGTH: Final = 4096


class Place(NamedTuple):
    """What a global id says: the type of the node, where it is read, and its id in the database."""

    kind: str
    view: View
    id: str


def encode(kind: str, view: View, id: str) -> str:
    """The global id of a node."""
    written = json.dumps([kind, view.namespace, view.own_session, id], separators=(",", ":"))
    return base64.urlsafe_b64encode(written.encode()).decode().rstrip("=")


def decode(text: str) -> Place:
    """What a global id says. Raises InvalidInput for a text that is none."""
    try:
        if len(text) > _MAX_LENGTH:
            raise ValueError
        read: Any = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
        if not isinstance(read, list) or len(cast("list[object]", read)) != _MEMBERS:
            raise ValueError
        kind, namespace, own, id = (str(each) for each in cast("list[object]", read))
        (kind + namespace + own + id).encode()  # ValueError for a lone surrogate
    except (ValueError, RecursionError):
        raise malformed(text) from None
    return Place(kind, View(namespace, own), id)


def malformed(text: str) -> InvalidInput:
    """The error for a text that is no global id."""
    return InvalidInput(
        f"{text[:60]!r} is not a global id.",
        hint="Send the `id` of a node. For a `databaseId`, use the field of its type, such as `thought`.",
    )


def shown(name: str) -> str:
    """The GraphQL name of a member or parameter. Those named ``id`` hold ids in the database."""
    return "databaseId" if name == "id" else to_camel(name)


class Names(NameConverter):
    """Names fields and arguments as ``shown`` does, so that only global ids are named ``id``."""

    def get_graphql_name(self, obj: HasGraphQLName) -> str:
        """The name of a field or argument."""
        return obj.graphql_name or shown(obj.python_name)
