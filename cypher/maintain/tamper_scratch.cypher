// What an intruder with the database password would do: rewrite a thought. The demo does it in a scratch
// namespace, to show that verification names the very step.
CYPHER 25
MATCH (t:Thought {id: $id}) WHERE t.namespace = $namespace AND $namespace STARTS WITH 'demo-scratch-'
SET t.content = $content
RETURN t.step_index AS step
