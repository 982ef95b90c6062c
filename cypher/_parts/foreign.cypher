// part: foreign(n, d)
// A vector of another length than those of the slot, as the database's node d has it: nothing can be compared with it.
CASE WHEN {{n}}.embedding_a IS :: LIST<INTEGER | FLOAT> THEN size({{n}}.embedding_a) END <> {{d}}.embedding_a_dim
