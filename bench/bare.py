"""Bare statements, with which benches compare operations, and a memory of random sentences.

W creates one node with a vector. V is a vector SEARCH with the filters of every search, VF one with those of
think, K the same among knowledge, and FT a full-text query as LegacyMind makes it: it reads more than it
returns, since filters follow.
"""

import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import psutil

WORDS = (
    "tank pump valve cache deploy alarm index query node heater switch crew engine pressure log retry".split()
)
RESULTS: Final = Path("bench-results")

BARE = (
    "CREATE CONSTRAINT bare_id IF NOT EXISTS FOR (b:Bare) REQUIRE b.id IS UNIQUE",
    """CYPHER 25 CREATE VECTOR INDEX bare_embedding IF NOT EXISTS FOR (b:Bare) ON b.embedding
       OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'COSINE'}}""",
    "CREATE FULLTEXT INDEX bare_text IF NOT EXISTS FOR (b:Bare) ON EACH [b.content]",
)
W = "CREATE (:Bare {id: $id, content: $content, embedding: $vector})"
V = """CYPHER 25 MATCH (t:Thought) SEARCH t IN (VECTOR INDEX thought_embedding_a FOR $vector
         WHERE t.namespace = $namespace AND t.is_private = false AND t.found_until > $now
         LIMIT $limit) SCORE AS score
       RETURN t.id, t.content, score"""
VF = """CYPHER 25 MATCH (t:Thought) SEARCH t IN (VECTOR INDEX thought_embedding_a FOR $vector
         WHERE t.namespace = $namespace AND t.is_private = false AND t.found_until > $now AND t.hot = true
         AND t.created_at >= $since AND t.created_at < $now LIMIT $limit) SCORE AS score
       RETURN t.id, t.content, score"""
K = """CYPHER 25 MATCH (n:Entity|Observation) SEARCH n IN (VECTOR INDEX knowledge_embedding_a FOR $vector
         WHERE n.namespace = $namespace AND n.valid_from <= $now AND n.valid_to > $now
         LIMIT $limit) SCORE AS score
       RETURN n.id, n.name, n.content, score"""
FT = """CALL db.index.fulltext.queryNodes('thought_text', $words, {limit: 16 * $limit}) YIELD node, score
       WITH node, score LIMIT $limit
       RETURN node.id, node.content, score"""
FILL_BARE = "UNWIND $rows AS row CREATE (b:Bare {id: row.id, content: row.content, embedding: row.vector})"


def sentence(random: random.Random) -> str:
    """A sentence that shares words with others."""
    return f"{' '.join(random.choices(WORDS, k=8))} {random.randrange(10_000)}"


def seconds_of(engine: psutil.Process) -> float:
    """CPU time of the engine so far."""
    used = engine.cpu_times()
    return used.user + used.system


async def timed(work: Callable[[], Awaitable[Any]]) -> tuple[float, Any]:
    """Milliseconds of one call, and its result."""
    start = time.perf_counter()
    result = await work()
    return (time.perf_counter() - start) * 1000, result
