// Which of our indexes answer. Asked before anything is made, so that a process which finds all as it should be writes
// nothing: it can read from a follower, or while a cluster has no leader.
CYPHER 25
SHOW INDEXES YIELD name, state
WHERE state = 'ONLINE' AND name IN $names
RETURN name
