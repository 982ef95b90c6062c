// part: changed(n)
// Every statement that changes what synchronisation carries says so: when, after what it changed whatever the clocks say, and that this
// home did (null). noted_at has an index.
SET {{n}}.changed_at = CASE WHEN {{n}}.changed_at >= datetime.realtime() THEN {{n}}.changed_at + duration({microseconds: 1}) ELSE datetime.realtime() END,
  {{n}}.noted_at = datetime.realtime(), {{n}}.replica = null
