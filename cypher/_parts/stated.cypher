// part: stated(n)
// Knowledge that is stated, again or for the first time, is newer than its removal and than when it was stated, whatever the clocks say.
SET {{n}}.stated_at = reduce(at = datetime.truncate('microsecond', datetime.realtime()), known IN [{{n}}.stated_at] + COLLECT { MATCH (gone:Removed {namespace: {{n}}.namespace, id: {{n}}.id}) RETURN gone.removed_at } |
  CASE WHEN known >= at THEN known + duration({microseconds: 1}) ELSE at END)
// part: changed({{n}})
// end of part
