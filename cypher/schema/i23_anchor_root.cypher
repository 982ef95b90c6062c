// The leaves of an anchor, and the log of a namespace's anchors.
CYPHER 25
CREATE RANGE INDEX anchor_root IF NOT EXISTS FOR (a:Anchor) ON (a.namespace, a.root)
