// Finds the authors that a query names: each word is looked up among the authors, which full text keeps in a field of
// their own. A name that several authors share identifies none.
:param namespace => 'default';
:param names => ['author:ada'];
CYPHER 25
UNWIND $names AS name
CALL (name) {
  CALL db.index.fulltext.queryNodes('thought_text', name, {limit: 20}) YIELD node
  WITH node WHERE node.namespace = $namespace
  RETURN collect(DISTINCT node.author) AS found
}
WITH found WHERE size(found) = 1
RETURN collect(DISTINCT found[0]) AS authors
