// Links thoughts that end a problem to the nearest open one, mode stuck, that they lead back to in their session.
:param ids => ['thought-2'];
:param recorded_at => datetime();
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
CALL (t) {
  MATCH path = ANY SHORTEST (t)-[:FOLLOWS|REVISES|BRANCHES_FROM|CHILD_OF]->{1,20}(p:Thought)
  WHERE p.mode = 'stuck' AND p.session_id = t.session_id AND p.namespace = t.namespace
    AND NOT EXISTS {
      (p)<-[link:SOLVES|REVISES]-(x)
      WHERE coalesce(x.trust, 2) >= coalesce(p.trust, 2)  // part: may_change(x, p)
        AND coalesce(link.trust, 3) >= coalesce(p.trust, 2)  // part: may_change(link, p, 3)
    }
  RETURN p ORDER BY length(path), p.id LIMIT 1
}
MERGE (t)-[solves:SOLVES]->(p)
ON CREATE SET solves.created_at = $recorded_at
RETURN count(*) AS solved
