// Ends the use of the other slot, so that its vectors can be removed: writers mark nothing for it any more. Without
// $anyway, only the slot of an old model whose switch was before $before.
//
// Verdicts: released, dropping (released before), none, unswitched (it is the slot of the new model), kept.
:param anyway => false;
:param before => datetime();
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
WITH d, CASE
    WHEN d.dropping_slot IS NOT NULL THEN 'dropping'
    WHEN d.other_slot IS NULL THEN 'none'
    WHEN $anyway THEN 'released'
    WHEN d.switched_at IS NULL THEN 'unswitched'
    WHEN d.switched_at > $before THEN 'kept'
    ELSE 'released'
  END AS verdict
FOREACH (_ IN CASE WHEN verdict = 'released' THEN [1] ELSE [] END |
  SET d.dropping_slot = d.other_slot, d.other_slot = null, d.other_since = null, d.other_marked = null, d.other_filled = null,
    d.switched_at = null)
RETURN verdict, d.dropping_slot AS slot
