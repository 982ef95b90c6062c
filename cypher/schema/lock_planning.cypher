// Whoever comes second waits here until the transaction of whoever came first ends. A large statement takes a
// cold server seconds to plan, and it plans it again for each connection that sends it meanwhile: after a restart
// the plans of many processes would take each other's time until all of them time out. Behind this lock one plans
// it, and the others find the plan.
//
// The lock's transaction does nothing else, and the statement runs in another beside it: so the lock is a place in
// an index that nothing else locks, or the two could wait for each other unseen. The node is there for nobody.
CYPHER 25
MERGE (planning:LegacyMind {id: 'planning'})
DELETE planning
