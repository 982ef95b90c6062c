// Makes the other slot the active one: the switch to a new model or, with $back, the roll-back to the old one. Nothing
// else changes: what waits for its vector in a slot is marked with its name, so it is what waits in the active one from
// now on. The slot that was active remains in use.
//
// Verdicts: switched, none (there is no other slot), unfinished (the slot was never filled, or more than $most wait),
// wrong (a switch after a switch, or a roll-back without one). Only "switched" writes.
:param back => false;
:param most => 1000;
:param now => datetime();
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
WITH d, d.active_slot AS active_slot, d.other_slot AS other_slot,
  COUNT { MATCH (t:Thought) WHERE t.embedding_deferred IN [true, d.other_slot] }
    + COUNT { MATCH (e:Entity) WHERE e.embedding_deferred IN [true, d.other_slot] }
    + COUNT { MATCH (o:Observation) WHERE o.embedding_deferred IN [true, d.other_slot] } AS waiting
WITH d, active_slot, other_slot, waiting, CASE
    WHEN other_slot IS NULL THEN 'none'
    WHEN $back <> (d.switched_at IS NOT NULL) THEN 'wrong'
    WHEN d.other_filled IS NULL OR NOT $back AND waiting > $most THEN 'unfinished'
    ELSE 'switched'
  END AS verdict
FOREACH (_ IN CASE WHEN verdict = 'switched' THEN [1] ELSE [] END |
  SET d.active_slot = other_slot, d.other_slot = active_slot, d.switched_at = CASE WHEN NOT $back THEN $now END)
RETURN verdict, waiting
