// Counts the thoughts of a namespace from before a time, in the index alone: the total of a maintenance job.
:param namespace => 'default';
:param before => datetime();
CYPHER 25
MATCH (t:Thought) WHERE t.namespace = $namespace AND t.created_at < $before
RETURN count(t) AS thoughts
