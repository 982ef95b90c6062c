// Whoever comes second waits here until the transaction of whoever came first ends. A large statement takes a
// cold server seconds to plan, and it plans it again for each connection that sends it meanwhile: after a restart
// the plans of many processes would take each other's time until all of them time out. Behind this lock one plans
// it, and the others find the plan.
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
