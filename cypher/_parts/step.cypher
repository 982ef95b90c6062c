// part: step(t)
// The thought's place in its chain. Null for what is no integer, which only tampering leaves.
CASE WHEN {{t}}.step_index IS :: INTEGER THEN {{t}}.step_index END
