// Finds the authors that a query names: each word is looked up among the authors, which full text keeps in a field of
// their own. A word that names none may be an author's name in another spelling, or the name by which an author
// introduced themselves. A name that several authors share identifies none.
:param namespace => 'default';
:param names => [{word: 'Ada', exact: 'author:ada', alike: 'author:/[aeiouyh]+d+[aeiouyh]*/', introduced: '"i am ada"'}];
CYPHER 25
UNWIND $names AS name
// In: name. Out: found, the authors with this name.
CALL (name) {
  CALL db.index.fulltext.queryNodes('thought_text', name.exact, {limit: 20}) YIELD node
  WITH node WHERE node.namespace = $namespace
  RETURN collect(DISTINCT node.author) AS found
}
// In: name and found. Out: alike, the authors with a similar name; empty if any was found.
CALL (name, found) {
  WITH name, found WHERE size(found) = 0 AND name.alike <> ''
  CALL db.index.fulltext.queryNodes('thought_text', name.alike, {limit: 20}) YIELD node
  WITH node WHERE node.namespace = $namespace
  RETURN collect(DISTINCT node.author) AS alike
}
// In: name, found and alike. Out: introduced, the authors who gave this as their name; empty if any was found.
CALL (name, found) {
  WITH name, found WHERE size(found) = 0 AND name.introduced <> ''
  CALL db.index.fulltext.queryNodes('thought_text', name.introduced, {limit: 20}) YIELD node
  WITH node
  WHERE node.namespace = $namespace
    AND node.is_private = false  // part: public(node)
  RETURN collect(DISTINCT node.author) AS introduced
}
RETURN collect(DISTINCT CASE size(found) WHEN 1 THEN found[0] END) AS authors,
  collect(CASE size(alike) WHEN 1 THEN {word: name.word, author: alike[0]} END) AS alike,
  collect(CASE size(introduced) WHEN 1 THEN {word: name.word, author: introduced[0]} END) AS introduced
