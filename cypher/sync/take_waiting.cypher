// Takes the lines that wait; the caller keeps those again that wait still.
:param namespace => 'default';
CYPHER 25
MATCH (w:Waiting {namespace: $namespace})
WITH w, w.line AS line, w.replica AS replica
DELETE w
RETURN line, replica
