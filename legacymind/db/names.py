"""The names of the stored graph: its labels, relationship types and property keys.

Neo4j plans a statement again once a name in it exists that the database did not know. In a young database,
the first thoughts would therefore undo what was planned ahead. So the names are created with the schema.
``tests/db/test_names.py`` compares them with the statements. Those of slot b come with re-embedding.
"""

import hashlib
from typing import Final

from legacymind.model.base import RESERVED

LABELS: Final = (
    "AccessToken",
    "Action",
    "Anchor",
    "Entity",
    "LegacyMind",
    "Observation",
    "Pending",
    "Session",
    "Thought",
)

TYPES: Final = tuple(sorted(RESERVED))

PROPERTIES: Final = tuple(
    """
    access access_count action_id active_slot aliases author branch_from chain_hash chain_id community
    community_label confidence content content_digest content_hash context_id contradicted_by
    contradiction copies cosine created_at curated curated_at data description digest dropping_slot
    embedding_a embedding_a_at embedding_a_dim embedding_a_fingerprint embedding_a_model embedding_a_norm
    embedding_a_provider embedding_a_thresholds embedding_a_thresholds_at embedding_a_thresholds_from
    embedding_a_thresholds_of embedding_a_tokenizer embedding_a_version embedding_deferred
    emotional_weight enriched_content entity_id entity_type error_signature fact_key framework_analysis
    framework_enhanced has_private hash_alg hash_version head_hash head_id head_key_id head_step hot
    hypothesis hypothesis_digest id importing injected_memories injection_scale is_private key_id kind
    last_accessed leaves lock looked_at made_by mass merged_at merged_by merged_from merged_observations
    merged_reason merged_relations mode name name_key names namespace nodes note ns_key number origin
    other_filled other_marked other_since other_slot outcome_score outcomes parent_id pinned playbook
    prev_hash previous_thought_id pruned_at rank recency recorded_at redacted_at redacted_reason redacts
    refused refused_count revised_by revises_thought root salience salt scale schema_version scope score
    session_id significance similarity solved_by source standing step_index stored_at submode supersedes
    switched_at tags thought_type title type type_key unlinked valid_from valid_to verification
    verification_contradicts verification_supports via weight
    """.split()
)

DIGEST: Final = hashlib.sha256(" ".join((*LABELS, "|", *TYPES, "|", *PROPERTIES)).encode()).hexdigest()[:16]
"""Stored with the database, so that a connection knows without a statement that it has these names."""
