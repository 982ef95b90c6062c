// part: foreign(n, d)
// A vector of another model than that of the slot, as the database's node d names it: nothing can be compared with it.
{{n}}.embedding_a IS NOT NULL AND ({{n}}.embedding_a_model <> {{d}}.embedding_a_model OR {{n}}.embedding_a_version <> {{d}}.embedding_a_version OR {{n}}.embedding_a_dim <> {{d}}.embedding_a_dim)
