// Reads which of our indexes are online. Called before anything is created, so that a process that finds all of them
// writes nothing: it can read from a follower, or while a cluster has no leader.
:param names => ['thought_embedding_a'];
CYPHER 25
SHOW INDEXES YIELD name, state
WHERE state = 'ONLINE' AND name IN $names
RETURN name
