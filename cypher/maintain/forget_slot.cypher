// Forgets the model of a slot whose vectors are removed, so that another model can have the slot.
CYPHER 25
MATCH (d:LegacyMind {id: 'database'}) WHERE d.dropping_slot = 'embedding_a'
REMOVE d.dropping_slot, d.embedding_a_fingerprint, d.embedding_a_provider, d.embedding_a_model, d.embedding_a_version,
  d.embedding_a_dim, d.embedding_a_tokenizer, d.embedding_a_norm, d.embedding_a_thresholds, d.embedding_a_thresholds_of,
  d.embedding_a_thresholds_at, d.embedding_a_thresholds_from
