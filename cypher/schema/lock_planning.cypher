// A second sender waits here until the transaction of the first ends. A large statement takes a cold server seconds
// to plan, and the server plans it again for each connection that sends it meanwhile: after a restart the plans of
// many processes would slow each other down until all of them time out. Behind this lock one process plans it, and
// the others find the plan.
//
// The lock's transaction does nothing else; the statement runs in another at the same time. So the lock is an entry of
// an index that nothing else locks; otherwise the two could wait for each other, which the server would not detect as
// a deadlock. The node is never visible to others.
CYPHER 25
MERGE (planning:LegacyMind {id: 'planning'})
DELETE planning
