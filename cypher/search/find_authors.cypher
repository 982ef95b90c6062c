// Whose names a question says: each of its words is looked up among the authors, whom full text holds in a field
// of their own. A name that several share is nobody's.
CYPHER 25
UNWIND $names AS name
CALL (name) {
  CALL db.index.fulltext.queryNodes('thought_text', name, {limit: 20}) YIELD node
  WITH node WHERE node.namespace = $namespace
  RETURN collect(DISTINCT node.author) AS found
}
WITH found WHERE size(found) = 1
RETURN collect(DISTINCT found[0]) AS authors
