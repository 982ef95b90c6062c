// Reads for each of several entities a page of its relations to others, by type, then by the name of the other entity.
// A relation that was created outside LegacyMind may have no time and no id: it is always valid, and the server's own id
// orders it. As in knowledge/read_entity, the label of the other end decides what is a relation.
:param ids => ['entity-1'];
:param namespace => 'default';
:param as_of => datetime();
:param history => false;
:param direction => 'both';
:param after => ['', '', ''];
:param take => 10;
CYPHER 25
UNWIND $ids AS of
CALL (of) {
  MATCH (e:Entity {id: of, namespace: $namespace})-[r]-(other)
  WHERE
    // part: relation_of(r, other)
    'Entity' IN labels(other) AND other.namespace = $namespace AND other.merged_at IS NULL
    AND ($history OR coalesce(
      r.valid_from <= $as_of AND r.valid_to > $as_of  // part: valid_at(r, $as_of)
      , true))
    // end of part
    AND ($direction = 'both' OR $direction = CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END)
  WITH e, r, other, [type(r), left(coalesce(toStringOrNull(other.name), ''), 100), coalesce(toStringOrNull(r.id), elementId(r))] AS position
  WITH e, r, other, position WHERE position > $after
  WITH e, r, other, position ORDER BY position LIMIT $take
  RETURN collect({
    type: type(r), direction: CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END, properties: properties(r),
    position: position,
    // part: node(other)
    node: CASE
      WHEN other:Thought THEN other {
        // part: members(ThoughtMembers)
        .title, .mode, .submode, .thought_type, .author, .origin, .tags, .confidence, .significance, .salience,
        .hypothesis, .verification_supports, .verification_contradicts, .is_private, .pinned, .hot, .standing,
        .session_id, .chain_id, .context_id, .action_id, .previous_thought_id, .revises_thought, .branch_from,
        .parent_id, .step_index, .created_at, .recorded_at, .expires_at, .access_count, .last_accessed,
        .outcome_score, .emotional_weight, .error_signature, .injection_scale, .mass, .redacts, .redacted_at,
        .redacted_reason, .content_hash, .prev_hash, .chain_hash, .hash_version, .key_id,
        // end of part
        .id, kind: 'thought', content: toStringOrNull(other.content),
        outside_chain: NOT coalesce(other.chained = true, other.session_id IS NULL)  // part: in_chain(other)
      }
      WHEN other:Entity THEN other {
        // part: members(EntityMembers)
        .id, .name, .entity_type, .aliases, .description, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
        // end of part
        kind: 'entity', .data
      }
      WHEN other:Observation THEN other {
        // part: members(ObservationMembers)
        .source, .standing, .valid_from, .valid_to, .recorded_at, .access_count, .mass,
        // end of part
        .id, kind: 'observation', content: toStringOrNull(other.content),
        entity_id: [(other)-[:ABOUT]->(about:Entity) WHERE about.namespace = $namespace | about.id][0],
        learned_from: [(other)-[:LEARNED_FROM]->(source:Thought) WHERE source.namespace = $namespace | source.id],
        supersedes: [(other)-[:REVISES]->(earlier:Observation) WHERE earlier.namespace = $namespace | earlier.id][0],
        superseded_by: [(other)<-[:REVISES]-(later:Observation) WHERE later.namespace = $namespace | later.id][0]
      }
    END
    // end of part
  }) AS items
}
RETURN of AS id, items
