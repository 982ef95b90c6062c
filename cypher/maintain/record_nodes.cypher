// Records how many nodes are known: $nodes after a search for nodes made by hand, else $created more than before. After
// a search, $unlinked is the number of observations without ABOUT. Null for $refused leaves the refused nodes as they are.
:param nodes => null;
:param created => 1;
:param unlinked => null;
:param looked_at => null;
:param refused => null;
:param refused_count => 0;
CYPHER 25
MERGE (state:LegacyMind {id: 'by_hand'})
SET state.nodes = coalesce($nodes, state.nodes + $created), state.unlinked = coalesce($unlinked, state.unlinked),
  state.looked_at = coalesce($looked_at, state.looked_at)
FOREACH (_ IN CASE WHEN $refused IS NULL THEN [] ELSE [1] END | SET state.refused = $refused, state.refused_count = $refused_count)
