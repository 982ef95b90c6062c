// Properties of a node by its id, as a table without vectors, hashes and other bookkeeping.
:param id => 'a13-001-030';
CYPHER 25
MATCH (n:Thought|Entity|Observation {id: $id})
UNWIND keys(n) AS property
WITH n, property
WHERE NOT property STARTS WITH 'embedding_' AND NOT property ENDS WITH '_hash' AND NOT property ENDS WITH '_digest'
  AND NOT property ENDS WITH '_key' AND NOT property IN ['salt', 'hash_alg', 'hash_version', 'lock']
RETURN property, n[property] AS value ORDER BY property
