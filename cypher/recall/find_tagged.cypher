// Finds the nearest thoughts that have all items of some lists, such as tags, and mention one of some entities. No vector index
// holds these, so the items are searched in their own index and then compared exactly; without items the mentions are read. When more than $exact_limit thoughts have the items, the nearest
// of all thoughts are examined first. Only when too few of those have the items, all thoughts with them are compared, so
// that no match is missed. Conditions from the fixed list in db/filters.py replace the filter marks.
// nearest: [id, cosine], nearest first.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param request => ({lists: {tags: ['plan']}, list_query: 'tags:plan', about: [], filtered: false});
:param index_limit => 64;
:param exact_limit => 5000;
:param wide_limit => 8000;
CYPHER 25
// In: the parameters. Out: exceeds, whether more than $exact_limit thoughts have the items.
CALL () {
  CALL () {
    WITH 1 AS one WHERE size(keys($request.lists)) > 0
    CALL db.index.fulltext.queryNodes('thought_tags', $request.list_query, {limit: $exact_limit + 1}) YIELD node AS t
    RETURN t
    UNION ALL
    WITH 1 AS one WHERE size(keys($request.lists)) = 0
    UNWIND $request.about[0] AS id
    MATCH (:Entity {id: id})<-[:MENTIONS]-(t:Thought)
    RETURN DISTINCT t LIMIT $exact_limit + 1
  }
  RETURN count(t) > $exact_limit AS exceeds
}
// In: exceeds. Out: near, those of the nearest thoughts that have the items; seen, how many were examined.
CALL (exceeds) {
  WITH exceeds WHERE exceeds
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace /*filters*/
      LIMIT $wide_limit
    ) SCORE AS score
  WITH t, 2 * score - 1 AS cosine ORDER BY cosine DESC, t.id
  RETURN count(t) AS seen, collect(CASE WHEN
    CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    THEN [t.id, cosine]
  END) AS near
}
// When the index returns fewer thoughts than its limit, every thought that passes the filters was examined.
WITH near, exceeds AND (size(near) >= $index_limit OR $request.filtered AND seen < $wide_limit) AS enough
// The server's memory tracker would charge each row of the subquery with the whole list.
WITH CASE WHEN enough THEN near[..$index_limit] END AS near, enough
// In: enough. Out: exact, every thought with the items, if near is not enough.
CALL (enough) {
  CALL (enough) {
    WITH enough WHERE NOT enough AND size(keys($request.lists)) > 0
    CALL db.index.fulltext.queryNodes('thought_tags', $request.list_query) YIELD node AS t
    RETURN t
    UNION ALL
    WITH enough WHERE NOT enough AND size(keys($request.lists)) = 0
    UNWIND $request.about[0] AS id
    MATCH (:Entity {id: id})<-[:MENTIONS]-(t:Thought)
    RETURN DISTINCT t
  }
  WITH t
  WHERE t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END AND coalesce(t.found_until > datetime(), true)  // part: visible(t)
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
    AND all(ids IN $request.about WHERE EXISTS { (t)-[:MENTIONS]->(e:Entity) WHERE e.id IN ids })  // part: is_about(t)
    /*filters*/
  WITH t, 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1 AS cosine
  WHERE cosine IS NOT NULL
  WITH t, cosine ORDER BY cosine DESC, t.id LIMIT $index_limit
  RETURN collect([t.id, cosine]) AS exact
}
RETURN coalesce(near, exact) AS nearest, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
