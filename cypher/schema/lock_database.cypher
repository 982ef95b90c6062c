// Waits until no other process upgrades the schema: a second sender waits here until the transaction of the first ends.
// The lock is an entry of an index that nothing else locks, and the node is never visible to others.
CYPHER 25
MERGE (upgrade:LegacyMind {id: 'upgrade'})
DELETE upgrade
