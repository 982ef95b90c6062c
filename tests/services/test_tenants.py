"""What other tenants cost: an operation's work does not grow with the namespaces that use the same names."""

import re
import uuid
from collections.abc import AsyncIterator
from typing import Any, Final, cast

import pytest

from legacymind.errors import LegacyMindError
from legacymind.mind import Mind
from legacymind.settings import Settings
from legacymind.text import fulltext
from tests.db.test_queries import explained, operators
from tests.fakes import FakeEmbedder
from tests.services.test_namespaces import calls, make
from tests.statements import every_statement
from tests.steps import own_namespace
from tests.wire import db_hits, raw, text_indexed

pytestmark = pytest.mark.anyio

TENANTS: Final = 500
"""Other namespaces, each with a copy of every node: the same names and texts in all of them."""

COPY: Final = (
    "MATCH (n {namespace: $ns}) UNWIND $others AS other CREATE (c:$(labels(n))) "
    "SET c = n {.*, namespace: other.namespace, ns_key: other.key, entity_id: n.entity_id + other.namespace, "
    "id: CASE WHEN n:Session OR n:Action OR n.id IS NULL THEN n.id ELSE n.id + other.namespace END}"
)

_SCAN: Final = re.compile("(Label|Labels|Nodes|Index)Scan")

Work = dict[str, list[tuple[dict[str, Any], int]]]


def names() -> list[str]:
    operations = Mind(Settings(), embedder=FakeEmbedder()).operations
    return sorted(name for name, operation in operations.items() if not operation.declaration.writes)


async def work(mind: Mind, known: dict[str, Any]) -> Work:
    """The database hits of every reading operation with each of its arguments."""
    found: Work = {}
    for name in names():
        found[name] = []
        for arguments in calls(mind.operations[name], known):
            try:
                found[name].append((arguments, await db_hits(mind, name, arguments)))
            except (LegacyMindError, AssertionError):  # Needs other arguments, or runs no statement.
                continue
    return found


@pytest.fixture(scope="module")
async def mind(engine_settings: Settings) -> AsyncIterator[Mind]:
    async with own_namespace(engine_settings) as opened:
        yield opened


@pytest.fixture(scope="module")
async def alone_and_beside(mind: Mind) -> AsyncIterator[tuple[Work, Work]]:
    namespace = mind.settings.namespace
    known = (await make(mind, namespace, "ocarina", f" of {uuid.uuid4()}")).known
    await text_indexed(mind)
    alone = await work(mind, known)
    others = [f"{namespace}-{number}" for number in range(TENANTS)]
    keys = [{"namespace": other, "key": fulltext.namespace_key(other)} for other in others]
    await raw(mind, COPY, ns=namespace, others=keys)
    await text_indexed(mind)
    yield alone, await work(mind, known)
    await raw(mind, "MATCH (n) WHERE n.namespace IN $others DETACH DELETE n", others=others)


@pytest.mark.parametrize("name", names())
@pytest.mark.slow
@pytest.mark.limit(600)
async def test_other_tenants_with_the_same_names_cost_an_operation_nothing(
    alone_and_beside: tuple[Work, Work], name: str
) -> None:
    alone, beside = (each[name] for each in alone_and_beside)
    assert len(alone) == len(beside)
    for (arguments, before), (_, after) in zip(alone, beside, strict=True):
        assert after <= 1.5 * before + 20, arguments


# Statements that read all nodes of a label, and why.
WHOLE: Final[dict[str, str]] = {
    **dict.fromkeys(
        (
            "maintain/read_tokens",
            "maintain/revoke_token",
            "transfer/measure_namespaces",
            "transfer/delete_access",
            "transfer/read_quotas",
            "transfer/set_quota",
        ),
        "tokens or quotas, of which a database has few",
    ),
    **dict.fromkeys(
        ("knowledge/read_agent_memory", "knowledge/read_graphiti", "knowledge/read_mcp_neo4j_memory"),
        "the graph of another program, which is imported whole",
    ),
    **dict.fromkeys(
        (
            "sync/open_place",
            "sync/keep",
            "sync/read_waiting",
            "sync/read_status",
            "maintain/find_silent",
        ),
        "places, and what waits there, of which there are few",
    ),
    "maintain/count_by_hand": "nodes made by hand, which doctor counts",
    "maintain/find_crowded": "a sample of fixed size, of the whole database",
    "maintain/sample_vectors": "a sample of fixed size, of the whole database",
    "maintain/clear_scratch": "what an interrupted analysis left",
    "transfer/delete_namespace": "what was made by hand, once for a deleted namespace",
}


@pytest.mark.slow
@pytest.mark.limit(600)
async def test_no_statement_reads_every_node_of_a_label(
    mind: Mind, alone_and_beside: tuple[Work, Work]
) -> None:
    """Those that write, too, whose work is not measured twice."""
    for query in every_statement():
        _, summary = await explained(mind, query)
        # The copies have no relationships, so that a plan may begin at all of a type.
        scans = [name for name in operators(cast("Any", summary.plan)) if _SCAN.search(name)]
        assert scans == [] or query.file in WHOLE, query.file


def test_every_hint_names_an_index_that_begins_with_the_namespace() -> None:
    hints = [
        (query.file, hint)
        for query in every_statement()
        for hint in re.findall(r"USING INDEX .*?\((\w+)", query.text)
    ]
    assert len(hints) > 30
    assert [(file, first) for file, first in hints if first != "namespace"] == []


def test_no_statement_lets_a_plan_begin_at_every_entity() -> None:
    """A plan that was made while the database had few entities may, and stays."""
    begins = re.compile(r"-\[\w*\]-\(\w*:\w+\)")
    assert [query.file for query in every_statement() if begins.search(query.text)] == []
