"""The statements of ``cypher/schema``."""

import re
from typing import Any

from legacymind.db.parameters import schema as schema_in
from legacymind.db.query import Query, load
from legacymind.db.rows import schema as schema_out
from legacymind.db.stored import Slot

apply_schema = tuple(
    load(f"schema/{name}", schema_in.NoParameters, schema_out.NoRow, writes=True)
    for name in (
        "c01_thought_id",
        "c02_session_key",
        "c03_action_key",
        "c04_entity_id",
        "c05_entity_key",
        "c06_observation_id",
        "c07_observation_key",
        "c08_pending_key",
        "c09_database_id",
        "i01_thought_steps",
        "i02_thought_session",
        "i03_thought_chain",
        "i04_thought_recorded",
        "i05_thought_created",
        "i06_thought_pinned",
        "i07_thought_playbook",
        "i08_thought_deferred",
        "i09_entity_deferred",
        "i10_observation_deferred",
        "i11_thought_standing",
        "i12_thought_membership",
        "i13_thought_labels",
        "i14_thought_authors",
        "i15_thought_stored",
        "i16_thought_curated",
        "t01_thought_text",
        "t02_knowledge_text",
        "t03_thought_tags",
    )
)
drop_vector_indexes = drop_quantized = {
    "thought_embedding_a": load(
        "schema/x01_drop_thought_vectors", schema_in.NoParameters, schema_out.NoRow, writes=True
    ),
    "knowledge_embedding_a": load(
        "schema/x02_drop_knowledge_vectors", schema_in.NoParameters, schema_out.NoRow, writes=True
    ),
}
drop_knowledge_text = load(
    "schema/x03_drop_knowledge_text", schema_in.NoParameters, schema_out.NoRow, writes=True
)
create_vector_indexes = tuple(
    load(f"schema/{name}", schema_in.CreateVectorIndex, schema_out.NoRow, writes=True)
    for name in ("v01_thought_vectors", "v02_knowledge_vectors")
)


def created_by(query: Query[Any, Any]) -> str | None:
    """The name of the index or constraint that a statement creates."""
    named = re.search(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", query.text)
    return named[1] if named else None


index_names = [name for query in (*apply_schema, *create_vector_indexes) if (name := created_by(query))]
"""The names of our indexes and constraints, with the vector indexes of slot ``a``."""


def index_names_of(slot: Slot) -> list[str]:
    """The names of our indexes and constraints, with the vector indexes of that slot."""
    return [name.replace("embedding_a", f"embedding_{slot}") for name in index_names]


read_indexes = load("schema/read_indexes", schema_in.NoParameters, schema_out.IndexStateRow, writes=False)
drop_index = load("schema/drop_index", schema_in.DropIndex, schema_out.NoRow, writes=True)
read_database = load("schema/read_database", schema_in.NoParameters, schema_out.DatabaseRow, writes=False)
write_version = load("schema/write_version", schema_in.WriteVersion, schema_out.VersionRow, writes=True)
read_contents = load("schema/read_contents", schema_in.ReadContents, schema_out.ContentRow, writes=False)
read_untitled = load("schema/read_untitled", schema_in.ReadContents, schema_out.UntitledRow, writes=False)
write_titles = load("schema/write_titles", schema_in.WriteTitles, schema_out.NoRow, writes=True)
mark_standing = load("schema/mark_standing", schema_in.MarkStanding, schema_out.NoRow, writes=True)
write_aliases = load("schema/write_aliases", schema_in.NoParameters, schema_out.NoRow, writes=True)
claim_slot = load("schema/claim_slot", schema_in.ClaimSlot, schema_out.SlotRow, writes=True)
lock_database = load("schema/lock_database", schema_in.NoParameters, schema_out.NoRow, writes=True)
read_building = load("schema/read_building", schema_in.IndexNames, schema_out.BuildingRow, writes=False)
read_quantized = load("schema/read_quantized", schema_in.IndexNames, schema_out.IndexRow, writes=False)
read_online = load("schema/read_online", schema_in.IndexNames, schema_out.IndexRow, writes=False)
