// Begins to fill the slot beside the active one with the vectors of another model, or continues. From then on writers mark
// what they store as waiting in that slot (embedding_deferred), also after the switch, so that a roll-back misses nothing.
//
// Verdicts: started, continued, active (the active slot holds this model), empty (no slot has a model yet), taken (the
// other slot holds a third model), dropping (its old vectors are not removed yet). Only "started" writes.
:param fingerprint => 'model';
:param details => ({embedding_a: {}, embedding_b: {}});
CYPHER 25
MATCH (d:LegacyMind {id: 'database'})
SET d.lock = 0
WITH d, CASE d.active_slot WHEN 'embedding_a' THEN 'embedding_b' ELSE 'embedding_a' END AS beside
WITH d, beside, CASE
    WHEN d[d.active_slot + '_fingerprint'] IS NULL THEN 'empty'
    WHEN d[d.active_slot + '_fingerprint'] = $fingerprint THEN 'active'
    WHEN d.dropping_slot IS NOT NULL THEN 'dropping'
    WHEN d.other_slot IS NULL THEN 'started'
    WHEN d[beside + '_fingerprint'] = $fingerprint THEN 'continued'
    ELSE 'taken'
  END AS verdict
FOREACH (_ IN CASE WHEN verdict = 'started' THEN [1] ELSE [] END |
  SET d += $details[beside], d.other_slot = beside, d.other_since = datetime())
RETURN verdict, d.active_slot AS active_slot, d[d.active_slot + '_fingerprint'] AS active,
  d[beside + '_fingerprint'] AS other, d.other_marked IS NOT NULL AS marked
