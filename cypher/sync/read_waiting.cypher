// Reads the lines that wait.
:param namespace => 'default';
CYPHER 25
MATCH (w:Waiting {namespace: $namespace})
RETURN w.line AS line
