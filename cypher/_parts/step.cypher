// part: step(t)
// The thought's place in its chain. Null for what is no integer of 32 bits, which only tampering leaves.
CASE WHEN {{t}}.step_index IS :: INTEGER AND {{t}}.step_index < 2147483648 THEN {{t}}.step_index END
