"""Every statement under one name: ``queries.find_thoughts`` is ``cypher/recall/find_thoughts.cypher``."""

from typing import Any, cast

from legacymind.db.query import Query
from legacymind.db.statements.analysis import *  # noqa: F403
from legacymind.db.statements.chain import *  # noqa: F403
from legacymind.db.statements.forget import *  # noqa: F403
from legacymind.db.statements.knowledge import *  # noqa: F403
from legacymind.db.statements.maintain import *  # noqa: F403
from legacymind.db.statements.nodes import *  # noqa: F403
from legacymind.db.statements.recall import *  # noqa: F403
from legacymind.db.statements.schema import *  # noqa: F403
from legacymind.db.statements.schema import apply_schema, create_vector_indexes, drop_vector_indexes
from legacymind.db.statements.search import *  # noqa: F403
from legacymind.db.statements.think import *  # noqa: F403
from legacymind.db.statements.transfer import *  # noqa: F403


def everything() -> list[Query[Any]]:
    """All of them, for tests that run each on a server."""
    several = (apply_schema, create_vector_indexes, drop_vector_indexes)
    alone = [cast("Query[Any]", value) for value in globals().values() if isinstance(value, Query)]
    return [*alone, *(query for queries in several for query in queries)]
