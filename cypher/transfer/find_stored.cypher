// Reads which thoughts of an export are stored already, with what shows whether they are the same.
:param ids => ['thought-1'];
CYPHER 25
UNWIND $ids AS id
MATCH (t:Thought {id: id})
RETURN t.id AS id, t.namespace AS namespace, t.content_hash AS content_hash, t.chain_hash AS chain_hash,
  t.session_id AS session_id, t.step_index AS step_index, t.hash_alg AS hash_alg, t.key_id AS key_id,
  t.content IS NULL AS redacted
