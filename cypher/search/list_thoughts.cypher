// Lists the ids of thoughts in time when there is no query. A page begins after the last thought of the page before.
//
// A filter that matches few thoughts is answered by the index that holds it (for the vector index with any vector),
// so that five in a hundred thousand are not searched one by one. A filter that matches many is soon met on the way
// through time. Without a filter the vector index, whose cost grows with the memory, is not read. The steps that
// record redactions are in no such index, so they are searched in time, and so is what is open ($request.open). Positions are numbers, since a Python datetime
// drops nanoseconds; see nodes/list_in_time.
//
// A page takes the same memory at any depth. Top, which sorts for LIMIT, is charged with each row and all lists in it,
// also those of the rows outside a subquery. So no row holds a list: the few thoughts are counted first and read again.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param request => ({exact: {}, lists: {}, list_query: '', about: [], redactions: false, open: false, filtered: true, since: datetime('0001-01-01'), until: datetime('9999-12-31'), confidence: [-1.0, 1.0]});
:param exact_limit => 5000;
:param latest_first => true;
:param seconds => 253402300799;
:param nanoseconds => 0;
:param step => -1;
:param id => '~';
:param take => 10;
CYPHER 25
// In: the parameters. Out: thoughts that pass the filters, at most 200 of the vector index, or $exact_limit
// with the items of lists (tags) or that mention the entities.
CALL () {
  WITH 1 AS one WHERE $request.filtered AND size(keys($request.lists)) = 0 AND size($request.about) = 0 AND NOT $request.redactions
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace /*filters*/
      LIMIT 200
    )
  RETURN t
  UNION ALL
  WITH 1 AS one WHERE size(keys($request.lists)) > 0 AND NOT $request.redactions
  CALL db.index.fulltext.queryNodes('thought_tags', $request.list_query, {limit: $exact_limit}) YIELD node AS t
  RETURN t
  UNION ALL
  WITH 1 AS one WHERE size($request.about) > 0 AND size(keys($request.lists)) = 0 AND NOT $request.redactions
  UNWIND $request.about[0] AS id
  MATCH (:Entity {id: id})<-[:MENTIONS]-(t:Thought)
  RETURN DISTINCT t LIMIT $exact_limit
}
WITH $request.filtered AND NOT $request.redactions
  AND count(t) < CASE WHEN size(keys($request.lists)) + size($request.about) = 0 THEN 200 ELSE $exact_limit END AS few
// In: few, whether these are all. Out: the page in order: from these thoughts if they are all, else along the index in time.
CALL (few) {
  // In: few. Out: these thoughts again.
  CALL (few) {
    WITH few WHERE few AND size(keys($request.lists)) = 0 AND size($request.about) = 0
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace /*filters*/
        LIMIT 200
      )
    RETURN t
    UNION ALL
    WITH few WHERE few AND size(keys($request.lists)) > 0
    CALL db.index.fulltext.queryNodes('thought_tags', $request.list_query, {limit: $exact_limit}) YIELD node AS t
    RETURN t
    UNION ALL
    WITH few WHERE few AND size($request.about) > 0 AND size(keys($request.lists)) = 0
    UNWIND $request.about[0] AS id
    MATCH (:Entity {id: id})<-[:MENTIONS]-(t:Thought)
    RETURN DISTINCT t LIMIT $exact_limit
  }
  WITH t, CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END AS position_of
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    AND CASE WHEN $request.open THEN
    // part: is_open(t, null)
    (t.mode = 'stuck' OR t.thought_type = 'todo' OR t.thought_type = 'question' AND right(rtrim(t.content), 1) IN ['?', '？', '؟'])
    AND NOT coalesce(t.outcome_score > 0, false)
    AND NOT EXISTS {
      (t)<-[link:SOLVES|REVISES]-(x:Thought)
      WHERE
        // part: may_mark(x, t, null)
        x.namespace = $namespace
        AND coalesce(coalesce(x.created_at, x.recorded_at) <= null, true)
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        AND coalesce(x.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(x, t)
        // end of part
        AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
    }
    // end of part
    ELSE true END
    AND CASE WHEN $latest_first THEN position_of < [$seconds, $nanoseconds, $step, $id] ELSE position_of > [$seconds, $nanoseconds, $step, $id] END /*filters*/
  // Latest first, the first three decide; otherwise they are null, and the other three do.
  WITH t ORDER BY CASE WHEN $latest_first THEN t.created_at END DESC, CASE WHEN $latest_first THEN t.step_index END DESC,
    CASE WHEN $latest_first THEN t.id END DESC, t.created_at, t.step_index, t.id LIMIT $take
  RETURN t
  UNION ALL
  WITH few WHERE NOT few AND NOT $latest_first
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
  WHERE t.namespace = $namespace
    AND t.created_at >= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: from_position(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    AND CASE WHEN $request.open THEN
    // part: is_open(t, null)
    (t.mode = 'stuck' OR t.thought_type = 'todo' OR t.thought_type = 'question' AND right(rtrim(t.content), 1) IN ['?', '？', '؟'])
    AND NOT coalesce(t.outcome_score > 0, false)
    AND NOT EXISTS {
      (t)<-[link:SOLVES|REVISES]-(x:Thought)
      WHERE
        // part: may_mark(x, t, null)
        x.namespace = $namespace
        AND coalesce(coalesce(x.created_at, x.recorded_at) <= null, true)
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        AND coalesce(x.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(x, t)
        // end of part
        AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
    }
    // end of part
    ELSE true END
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END > [$seconds, $nanoseconds, $step, $id]  // part: after_position(t)
    /*filters*/
  RETURN t ORDER BY t.namespace, t.created_at, t.step_index, t.id LIMIT $take
  UNION ALL
  WITH few WHERE NOT few AND $latest_first
  MATCH (t:Thought) USING INDEX SEEK t:Thought(namespace, created_at)
  WHERE t.namespace = $namespace
    AND t.created_at <= datetime({epochSeconds: $seconds, nanosecond: $nanoseconds})  // part: to_position(t)
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND (t.redacts IS NULL OR $request.redactions)  // part: wanted(t)
    AND (NOT t.id CONTAINS '::')  // part: whole(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    AND CASE WHEN $request.open THEN
    // part: is_open(t, null)
    (t.mode = 'stuck' OR t.thought_type = 'todo' OR t.thought_type = 'question' AND right(rtrim(t.content), 1) IN ['?', '？', '؟'])
    AND NOT coalesce(t.outcome_score > 0, false)
    AND NOT EXISTS {
      (t)<-[link:SOLVES|REVISES]-(x:Thought)
      WHERE
        // part: may_mark(x, t, null)
        x.namespace = $namespace
        AND coalesce(coalesce(x.created_at, x.recorded_at) <= null, true)
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND (x.is_private = false OR x.session_id = $own_session OR NOT x:Thought) AND coalesce(x.found_until > datetime(), true)  // part: visible_node(x)
        AND coalesce(x.chained = true, x.session_id IS NULL)  // part: in_chain(x)
        AND coalesce(x.trust, 2) >= coalesce(t.trust, 2)  // part: may_change(x, t)
        // end of part
        AND coalesce(link.trust, 3) >= coalesce(t.trust, 2)  // part: may_change(link, t, 3)
    }
    // end of part
    ELSE true END
    AND CASE WHEN t.created_at IS :: ZONED DATETIME NOT NULL THEN [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id] END < [$seconds, $nanoseconds, $step, $id]  // part: before_position(t)
    /*filters*/
  RETURN t ORDER BY t.namespace DESC, t.created_at DESC, t.step_index DESC, t.id DESC LIMIT $take
}
WITH collect([t.id,
  [t.created_at.epochSeconds, t.created_at.nanosecond, CASE WHEN t.step_index IS :: INTEGER | FLOAT THEN coalesce(toInteger(t.step_index), 9223372036854775807) ELSE -1 END, t.id]  // part: position(t)
]) AS items
// Whether the index that was searched is still the one in use.
RETURN items, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
