// Finds the author who gave a word as their own name, such as "I'm Kate". One that several authors gave identifies none.
:param namespace => 'default';
:param names => [{word: 'Kate', introduced: '"i am kate"'}];
CYPHER 25
UNWIND $names AS name
// In: name. Out: authors, those who gave it as their name.
CALL (name) {
  CALL db.index.fulltext.queryNodes('thought_text', name.introduced, {limit: 20}) YIELD node
  WITH node
  WHERE node.namespace = $namespace
    AND node.is_private = false AND coalesce(node.found_until > datetime(), true)  // part: public(node)
  RETURN collect(DISTINCT node.author) AS authors
}
RETURN name.word AS word, CASE size(authors) WHEN 1 THEN authors[0] END AS author
