// part: linked(r)
// As changed, of a relationship: also later than a removal of it, or of one of its ends, which takes what is not.
SET {{r}}.changed_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [{{r}}.changed_at] + COLLECT { MATCH (gone:Removed) WHERE gone.namespace = startNode({{r}}).namespace
    AND gone.id IN [startNode({{r}}).id, endNode({{r}}).id, startNode({{r}}).id + ' ' + type({{r}}) + ' ' + endNode({{r}}).id] RETURN gone.removed_at } |
  CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END), {{r}}.noted_at = datetime.realtime(), {{r}}.replica = null
