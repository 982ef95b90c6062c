"""Features for tests of ranking."""

from datetime import UTC, datetime, timedelta
from typing import Any

from legacymind.ranking.dates import microseconds
from legacymind.ranking.features import KnowledgeFeatures, ThoughtFeatures
from legacymind.text import query_analysis
from legacymind.text.query_analysis import Question

NOW = datetime(2026, 3, 15, 12, tzinfo=UTC)


def thought(
    name: str, text: str = "", cosine: float = 0.3, days: float = 1.0, **other: Any
) -> ThoughtFeatures:
    """A thought of some days ago, alone in its session."""
    usual: dict[str, Any] = {
        "id": name,
        "cosine": cosine,
        "text_score": None,
        "text": text or name,
        "length": len(text or name),
        "author": None,
        "session_id": f"session of {name}",
        "step": 0,
        "created": microseconds(NOW - timedelta(days=days)),
        "salience": 0.5,
        "accesses": 0,
        "previous_thought_id": None,
        "revises_thought": None,
        "branch_from": None,
        "parent_id": None,
        "standing": None,
        "chained": True,
        "touched": False,
    }
    return ThoughtFeatures(**usual | other)


def fact(own_id: str, text: str, cosine: float = 0.3, **other: Any) -> KnowledgeFeatures:
    """An observation."""
    usual: dict[str, Any] = {
        "id": own_id,
        "cosine": cosine,
        "text_score": None,
        "text": text,
        "length": len(text),
        "kind": "observation",
        "name": None,
        "entity_type": None,
        "fact_key": None,
        "entity_id": None,
        "created": microseconds(NOW),
        "named": False,
        "touched": False,
    }
    return KnowledgeFeatures(**usual | other)


def asked(query: str, *names: str) -> Question:
    """The analysis of a query."""
    return query_analysis.analyse(query, names, NOW)
