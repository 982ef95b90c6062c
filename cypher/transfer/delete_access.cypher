// Deletes the quota of a namespace, and takes the namespace from the tokens, of which those without another one are deleted.
:param namespace => 'none';
CYPHER 25
MATCH (n:AccessToken|Quota) WHERE n.namespace = $namespace OR $namespace IN n.namespaces
SET n.namespaces = [name IN n.namespaces WHERE name <> $namespace]
WITH n WHERE size(coalesce(n.namespaces, [])) = 0
DELETE n
RETURN count(n) AS deleted
