"""What homes have in common after they synchronised, and where they differ."""

from collections import defaultdict
from typing import Any, Final, LiteralString, cast

from legacymind.mind import Mind
from legacymind.services.sync.reconcile import travelling
from tests.wire import raw

NODES: LiteralString = (
    "MATCH (n:Thought|Entity|Observation {namespace: $ns}) RETURN n {.*, embedding_a: null} AS n"
)
LINKS: LiteralString = (
    "MATCH (a {namespace: $ns})-[r]->(b {namespace: $ns}) "
    "WHERE NOT type(r) IN ['MENTIONS', 'AWAITS', 'IN_SESSION'] AND (type(r) <> 'RECALLS' OR b:Thought) "
    "RETURN a.id AS a, type(r) AS type, b.id AS b, properties(r) AS r"
)

_OWN: Final = {"replica", "noted_at", "trust", "namespace", "ns_key"}
"""Beside what does not travel, what homes need not have in common."""

_COUNTED: Final = 9
"""Thoughts of which none can have recalled more than the eight that it keeps RECALLS to."""


async def state(mind: Mind, namespace: str) -> tuple[dict[str, dict[str, Any]], dict[str, list[Any]]]:
    """The nodes that travel by their ids, and the relationships between them."""
    nodes = await raw(mind, NODES, ns=namespace)
    links = await raw(mind, LINKS, ns=namespace)
    found = {
        row["n"]["id"]: {
            name: value for name, value in travelling(row["n"]).items() if name not in _OWN and value != []
        }
        for row in nodes
    }
    for own in (row["n"] for row in nodes):
        if own.get("aliases") and not own.get("merged_at"):
            found[own["id"]]["aliases"] = sorted(own["aliases"])
    thoughts = [row["n"] for row in nodes if "content_hash" in row["n"]]
    for own in thoughts if len(thoughts) <= _COUNTED else ():  # with a fact, its RECALLS may be forgotten
        found[own["id"]]["access_count"] = own["access_count"]
    linked = defaultdict[str, list[Any]](list)
    for row in links:
        own = {name: value for name, value in row["r"].items() if name not in (*_OWN, "merged_from")}
        linked[f"{row['a']} {row['type']} {row['b']}"].append(sorted(own.items()))
    return found, {key: sorted(each, key=str) for key, each in linked.items()}


def differences(one: tuple[Any, Any], two: tuple[Any, Any], which: str) -> list[str]:
    """Where two states differ."""
    faults: list[str] = []
    for mine, yours in zip(one, two, strict=True):
        for key in sorted({*mine, *yours}):
            if mine.get(key) == yours.get(key):
                continue
            a: Any = mine.get(key)
            b: Any = yours.get(key)
            if isinstance(a, dict) and isinstance(b, dict):
                a, b = cast("dict[str, Any]", a), cast("dict[str, Any]", b)
                names = {name for name in {*a, *b} if a.get(name) != b.get(name)}
                a, b = ({name: row.get(name) for name in names} for row in (a, b))
            faults.append(f"{which}: {key} is {a} and {b}")
    return faults
