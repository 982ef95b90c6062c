// Rewrites a thought, as an intruder with the database password could. The demo does it in a scratch namespace, to
// show that verification finds the changed step.
:param namespace => 'demo-scratch-1';
:param id => 'thought-1';
:param content => 'changed';
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace AND $namespace STARTS WITH 'demo-scratch-'
SET t.content = $content
RETURN t.step_index AS step
