// Creates labels, relationship types and property keys before anything has them: a plan that was made without one of its
// names is made again once the name exists. Creating one that exists does nothing. The digest of all names is stored, so
// that the next connection needs no statement.
:param labels => ['Thought'];
:param types => ['FOLLOWS'];
:param properties => ['content'];
:param digest => '0a1b2c3d4e5f6071';
CYPHER 25
CALL () {
  UNWIND $labels AS name
  CALL db.createLabel(name)
}
CALL () {
  UNWIND $types AS name
  CALL db.createRelationshipType(name)
}
CALL () {
  UNWIND $properties AS name
  CALL db.createProperty(name)
}
MATCH (d:LegacyMind {id: 'database'})
SET d.names = $digest
