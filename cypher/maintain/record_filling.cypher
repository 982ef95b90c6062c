// Records how far the filling of this slot is: everything without a vector of it is marked as waiting or, with $filled,
// has got its vector. What is stored later is marked by its writer.
:param filled => false;
CYPHER 25
MATCH (d:LegacyMind {id: 'database'}) WHERE d.other_slot = 'embedding_a'
SET d.other_marked = coalesce(d.other_marked, datetime()),
  d.other_filled = CASE WHEN $filled THEN coalesce(d.other_filled, datetime()) ELSE d.other_filled END
