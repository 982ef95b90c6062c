// Drops an index that failed, so that its statement creates it anew. An index has no data of its own.
:param name => 'no_such_index';
CYPHER 25
DROP INDEX $name IF EXISTS
