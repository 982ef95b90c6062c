"""The statements of ``cypher/knowledge``."""

from legacymind.db.parameters import knowledge as knowledge_in
from legacymind.db.parameters import schema as schema_in
from legacymind.db.query import load
from legacymind.db.rows import knowledge as knowledge_out

read_mcp_neo4j_memory = load(
    "knowledge/read_mcp_neo4j_memory",
    schema_in.NoParameters,
    knowledge_out.ForeignKnowledgeRow,
    writes=False,
)
read_graphiti = load(
    "knowledge/read_graphiti", knowledge_in.GraphGroup, knowledge_out.ForeignRow, writes=False
)
read_agent_memory = load(
    "knowledge/read_agent_memory", schema_in.NoParameters, knowledge_out.ForeignRow, writes=False
)
remember_entities = load(
    "knowledge/remember_entities", knowledge_in.RememberEntities, knowledge_out.EntitiesRow, writes=True
)
remember_observations = load(
    "knowledge/remember_observations",
    knowledge_in.RememberObservations,
    knowledge_out.ObservationsRow,
    writes=True,
)
remember_relations = load(
    "knowledge/remember_relations", knowledge_in.RememberRelations, knowledge_out.RelationsRow, writes=True
)
merge_entities = load(
    "knowledge/merge_entities", knowledge_in.MergeEntities, knowledge_out.MergeRow, writes=True
)
find_duplicates = load(
    "knowledge/find_duplicates", knowledge_in.FindDuplicates, knowledge_out.DuplicatesRow, writes=False
)
read_entity = load("knowledge/read_entity", knowledge_in.ReadEntity, knowledge_out.EntityRow, writes=False)
forget_node = load("knowledge/forget_node", knowledge_in.ForgetNode, knowledge_out.ForgottenNode, writes=True)
forget_relation = load(
    "knowledge/forget_relation", knowledge_in.ForgetRelation, knowledge_out.ForgottenRelation, writes=True
)
