// Finds the nearest thoughts that pass filters. An index answers every condition, so that a filter which matches five
// in a hundred thousand returns those five. Conditions from the fixed list in db/filters.py replace the filter marks.
// For a ranking ($request.ranks), it returns the ids and cosines of all, else a page of hits. Returns one row: a row for
// each hit costs eight times as much.
//
// A candidate is {node, cosine}. index_score is Neo4j's score of a cosine: (1 + cosine) / 2.
:param namespace => 'default';
:param own_session => '';
:param vector => [x IN range(1, 384) | 0.1];
:param request => ({exact: {}, least: {}, most: {}, lists: {}, list_query: '', filtered: false, ranks: false});
:param index_limit => 64;
:param last_index => 59;
:param deep_limit => 1001;
:param skip => 0;
:param after => '';
:param page => 11;
:param slack => 0;
:param exact_limit => 5000;
:param wide_limit => 8000;
:param text_length => 600;
CYPHER 25
// In: the parameters. Out: thoughts with their cosine; public_row and private_row count the rows
// of each index search.
CALL () {
  WITH 1 AS one WHERE size(keys($request.lists)) = 0
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace
        AND t.is_private = false  // part: public(t)
        /*filters*/
      LIMIT $index_limit
    ) SCORE AS index_score
  RETURN t, 2 * index_score - 1 AS cosine, 1 AS public_row, 0 AS private_row
  UNION ALL
  // Private thoughts are found in their own session only.
  MATCH (session:Session {namespace: $namespace, id: $own_session}) WHERE session.has_private AND size(keys($request.lists)) = 0
  MATCH (t:Thought)
    SEARCH t IN (
      VECTOR INDEX thought_embedding_a FOR $vector
      WHERE t.namespace = $namespace
        AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
        /*other filters*/
      LIMIT $index_limit
    ) SCORE AS index_score
  RETURN t, 2 * index_score - 1 AS cosine, 0 AS public_row, 1 AS private_row
  UNION ALL
  // No vector index holds a list, so items of lists (tags) are searched in their own index and then compared exactly.
  // When more than $exact_limit thoughts have the items, the nearest of all thoughts are examined first. Only when too
  // few of those have the items, all thoughts with them are compared, so that no match is missed. Sorted below: here the
  // server's memory tracker would charge each row with the whole list it came from.
  WITH 1 AS one WHERE size(keys($request.lists)) > 0
  // In: the parameters. Out: exceeds, whether more than $exact_limit thoughts have the items.
  CALL () {
    CALL db.index.fulltext.queryNodes('thought_tags', $request.list_query, {limit: $exact_limit + 1}) YIELD node
    RETURN count(node) > $exact_limit AS exceeds
  }
  // In: exceeds. Out: near, those of the nearest thoughts that have the items; seen, how many were examined.
  CALL (exceeds) {
    WITH exceeds WHERE exceeds
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace /*filters*/
        LIMIT $wide_limit
      ) SCORE AS index_score
    RETURN count(t) AS seen, collect(CASE WHEN
      CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
      AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
      THEN {node: t, cosine: 2 * index_score - 1}
    END) AS near
  }
  // When the index returns fewer thoughts than its limit, every thought that passes the filters was examined.
  WITH near, exceeds AND (size(near) >= $index_limit OR $request.filtered AND seen < $wide_limit) AS enough
  // In: near, and whether it is enough. Out: near, or every thought with the items.
  CALL (near, enough) {
    WITH near WHERE enough
    UNWIND near AS found
    RETURN found.node AS t, found.cosine AS cosine
    UNION ALL
    WITH enough WHERE NOT enough
    CALL db.index.fulltext.queryNodes('thought_tags', $request.list_query) YIELD node AS t
    WITH t
    WHERE t.namespace = $namespace
      AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
      AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))  // part: has_items(t)
      /*filters*/
    WITH t, 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1 AS cosine
    WHERE cosine IS NOT NULL
    RETURN t, cosine
  }
  RETURN t, cosine, 0 AS public_row, 0 AS private_row
}
WITH t, cosine, public_row, private_row ORDER BY cosine DESC, t.id LIMIT 2 * $index_limit
WITH collect({node: t, cosine: cosine}) AS near,
  CASE WHEN sum(public_row) = $index_limit THEN min(CASE public_row WHEN 1 THEN cosine END) END AS public_end,
  CASE WHEN sum(private_row) = $index_limit THEN min(CASE private_row WHEN 1 THEN cosine END) END AS private_end
// The index may have cut a tie; see search_memory.
WITH near, coalesce(near[$last_index].cosine <= public_end OR near[$last_index].cosine <= private_end, false) AS tied
// Empty if tied: the rows of the deeper search would each be charged with the list; see list_thoughts.
UNWIND CASE WHEN tied THEN [null] ELSE near END AS hit
WITH collect(hit) AS near, count(CASE WHEN tied THEN 1 END) > 0 AS tied
// In: tied. Out: deeper, the same search with $deep_limit; empty unless tied.
CALL (tied) {
  // In: tied. Out: its rows, public thoughts and the session's private ones.
  CALL (tied) {
    WITH tied WHERE tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.is_private = false  // part: public(t)
          /*filters*/
        LIMIT $deep_limit
      ) SCORE AS index_score
    RETURN t, 2 * index_score - 1 AS cosine
    UNION ALL
    MATCH (session:Session {namespace: $namespace, id: $own_session}) WHERE session.has_private AND tied
    MATCH (t:Thought)
      SEARCH t IN (
        VECTOR INDEX thought_embedding_a FOR $vector
        WHERE t.namespace = $namespace
          AND t.session_id = $own_session AND t.is_private = true  // part: own_private(t)
          /*other filters*/
        LIMIT $deep_limit
      ) SCORE AS index_score
    RETURN t, 2 * index_score - 1 AS cosine
  }
  WITH t, cosine ORDER BY cosine DESC, t.id LIMIT $index_limit
  RETURN collect({node: t, cosine: cosine}) AS deeper
}
WITH CASE WHEN tied THEN deeper ELSE near END[..$last_index + 1] AS found
// A thought comes after its latest revision that passes the filters, and each once; see search_memory.
UNWIND range(0, size(found) - 1) AS place
WITH place, found[place].node AS revised, found[place].cosine AS score
// part: latest_revision(NOT $request.ranks AND t.namespace = $namespace)
CALL (revised) {
  OPTIONAL MATCH (revised)<-[:REVISES]-{1,8}(t:Thought)
  // Not in WHERE: the planner could begin at an index of all thoughts.
  WITH CASE
    WHEN NOT $request.ranks AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
    THEN t
  END AS t ORDER BY t.created_at DESC, t.id
  RETURN head(collect(t)) AS latest
}
// end of part
// part: contradicting(NOT $request.ranks AND t.namespace = $namespace)
CALL (revised) {
  OPTIONAL MATCH (revised)<-[link:CONTRADICTS]-(t:Thought)
  WITH CASE
    WHEN NOT $request.ranks AND t.namespace = $namespace
    AND CASE t.is_private WHEN false THEN true ELSE t.session_id = $own_session END  // part: visible(t)
    AND t.content IS :: STRING NOT NULL  // part: not_redacted(t)
    AND CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(t)
    // part: passes_filters(t)
    AND all(name IN keys($request.exact) WHERE t[name] = $request.exact[name])
    AND all(name IN keys($request.least) WHERE t[name] >= $request.least[name])
    AND all(name IN keys($request.most) WHERE t[name] <= $request.most[name])
    AND all(name IN keys($request.lists) WHERE all(item IN $request.lists[name] WHERE any(own IN t[name] WHERE toLower(toStringOrNull(own)) = item)))
    // end of part
    THEN t
  END AS t, link.similarity AS similarity ORDER BY coalesce(similarity, 1.0) DESC, t.id DESC
  RETURN head(collect(t)) AS against
}
// end of part
UNWIND [brought IN [latest, against] WHERE brought IS NOT NULL] + [revised] AS t
WITH t, min(3 * place + CASE t WHEN revised THEN 2 WHEN latest THEN 0 ELSE 1 END) AS place, max(score) AS score,
  max(CASE t WHEN revised THEN score END) AS own ORDER BY place
WITH collect({node: t, score: score, own: own}) AS places
UNWIND
  [begin IN [coalesce([i IN range($skip - 1 - $slack, $skip - 1 + $slack) WHERE i >= 0 AND places[i].node.id = $after | i + 1][0], $skip)] | places[begin..begin + $page]][0]  // part: page_of(places, $skip, $after)
  AS hit
WITH collect(hit) AS page  // no row below is charged with all places
UNWIND page AS hit
WITH hit, hit.node AS t
WITH collect(CASE WHEN NOT $request.ranks THEN t {
  // part: thought_hit(t)
  .id, kind: 'thought', text: left(coalesce(toStringOrNull(t.content), ''), $text_length),
  .author, .mode, .thought_type, .origin, .session_id, .chain_id, .confidence,
  created_at: toString(CASE WHEN t.created_at IS :: ZONED DATETIME THEN t.created_at END),  // part: time_text(t.created_at)
  standing: CASE WHEN t.standing = true THEN true END,
  step_index: CASE WHEN t.step_index IS :: INTEGER THEN t.step_index END,  // part: step(t)
  outside_chain: CASE WHEN EXISTS { (t)-[:IN_SESSION]->() } THEN 1 ELSE 0 END <> CASE WHEN t.session_id IS NULL THEN 0 WHEN t.chain_hash IS NOT NULL AND t.step_index IS :: INTEGER NOT NULL AND t.step_index >= 0 THEN 1 ELSE -1 END,  // part: in_chain(t, <>)
  // end of part
  // part: revised_by(t)
  revised_by: reduce(latest = [datetime('0001-01-01'), null], r IN [
    x IN [(t)<-[:REVISES*1..8]-(revision) | revision]
    WHERE x.namespace = $namespace
      AND CASE WHEN x:Thought
        THEN
          x.content IS :: STRING NOT NULL  // part: not_redacted(x)
          AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END  // part: visible(x, $own_session)
          AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
        ELSE true END | [coalesce(x.created_at, x.valid_from), x.id]] | CASE WHEN r > latest THEN r ELSE latest END)[1],
  // end of part
  // part: solved_by(t)
  solved_by: reduce(best = [-1.0, datetime('0001-01-01'), null], solution IN [
    s IN [(t)<-[:REVISES*0..8]-()<-[:SOLVES]-(first) | reduce(latest = null, x IN [
      x IN [(first)<-[:REVISES*0..8]-(version) | version]
      WHERE x.namespace = $namespace
        AND x.content IS :: STRING NOT NULL  // part: not_redacted(x)
        AND CASE x.is_private WHEN false THEN true ELSE x.session_id = $own_session END  // part: visible(x, $own_session)
        AND x.hot = true  // part: hot(x)
        AND CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
      ] | CASE WHEN latest IS NULL OR x.created_at > latest.created_at THEN x ELSE latest END)]
    WHERE s IS NOT NULL | [coalesce(s.salience, 0.0), s.created_at, s.id]] | CASE WHEN solution > best THEN solution ELSE best END)[2],
  // end of part
  // part: contradicted_by(t, datetime())
  contradicted_by: reduce(strongest = [-2.0, null], c IN [
    c IN [(t)<-[link:CONTRADICTS]-(x) | {
      node: x, similarity: coalesce(link.similarity, 1.0),
      in_chain: CASE WHEN EXISTS { (x)-[:IN_SESSION]->() } THEN 1 ELSE 0 END = CASE WHEN x.session_id IS NULL THEN 0 WHEN x.chain_hash IS NOT NULL AND x.step_index IS :: INTEGER NOT NULL AND x.step_index >= 0 THEN 1 ELSE -1 END  // part: in_chain(x)
    }]
    WHERE c.node.namespace = $namespace
      AND CASE WHEN c.node:Thought
        THEN
          c.node.content IS :: STRING NOT NULL  // part: not_redacted(c.node)
          AND CASE c.node.is_private WHEN false THEN true ELSE c.node.session_id = $own_session END  // part: visible(c.node, $own_session)
          AND c.in_chain
        ELSE
          c.node.valid_from <= datetime() AND c.node.valid_to > datetime()  // part: valid_at(c.node, datetime())
        END | [c.similarity, c.node.id]] | CASE WHEN c > strongest THEN c ELSE strongest END)[1],
  // end of part
  score: hit.score, cosine: coalesce(hit.own, 2 * vector.similarity.cosine(t.embedding_a, $vector) - 1, 0.0)
} END) AS hits, collect(CASE WHEN $request.ranks THEN {id: t.id, cosine: hit.score} END) AS nearest
// Whether the index that was searched is still the one in use.
RETURN hits, nearest, EXISTS { (:LegacyMind {id: 'database', active_slot: 'embedding_a'}) } AS active
