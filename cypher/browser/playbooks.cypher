// Playbooks: thoughts that solved a problem, the problem, and what the solution recalled.
:param namespace => 'default';
:param limit => 25;
CYPHER 25
MATCH solves = (solution:Thought)-[:SOLVES]->(problem:Thought)
WHERE problem.namespace = $namespace
WITH solves, solution, problem ORDER BY solution.salience DESC, solution.id LIMIT $limit
OPTIONAL MATCH recall = (solution)-[r:RECALLS]->() WHERE r.rank <= 3
RETURN solves, recall, problem.error_signature AS error
