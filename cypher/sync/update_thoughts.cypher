// Gives stored thoughts what reconciling decided of what may change.
:param namespace => 'default';
:param rows => [{id: 'thought-1', properties: {salience: 0.5}}];
CYPHER 25
UNWIND $rows AS row
MATCH (t:Thought {id: row.id}) WHERE t.namespace = $namespace
SET t += row.properties, t.noted_at = datetime.realtime()
RETURN count(t) AS stored
